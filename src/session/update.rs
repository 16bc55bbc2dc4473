//! Brings an index up to date with its corpus: walk, compare, read what is new, commit, merge.
//!
//! New files are read in rounds. A round is shattered by all threads, then sealed as one segment and
//! committed while the next one is read, so that its rows can be shown and nothing of it is lost when
//! the program is stopped. The first round is small, for something to show soon; each is four times as
//! large as the one before, up to what the memory allows. Rounds are cut from the files in the order
//! of their paths, and so the index does not depend on the number of threads.

use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::intake::Intake;
use super::plan::Plan;
use super::{Phase, Progress};
use crate::blot::Recipe;
use crate::corpus::{self, Corpus, CorpusError, FoundFile, SkipReason, Skipped, Walked};
use crate::index::IndexError;
use crate::index::merge::Merged;
use crate::index::posting::Posting;
use crate::index::ranking::{HEAD, LEAST_HEAD, Ranking};
use crate::index::segment::Batch;
use crate::index::snapshot::Snapshot;
use crate::index::writer::{Change, IndexWriter};
use crate::storage::Folder;

const FIRST_ROUND: u64 = 8 << 20;
const ROUND_GROWTH: u64 = 4;
/// Bytes of files that one task shatters at a time.
const TASK: u64 = 2 << 20;
/// Memory that a round's postings take, as a share of the budget: one round is read while another is
/// sealed, and sorting and encoding want as much again.
const POSTINGS_SHARE: u64 = 10;
/// Most texts make so much of the postings that they might.
const USUAL_SHARE: f64 = 0.6;

/// Why an index could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// The corpus cannot be walked.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The index cannot be read or written.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The system gives no threads.
    #[error("cannot start threads ({0}); try --threads 1")]
    Threads(rayon::ThreadPoolBuildError),
}

impl UpdateError {
    /// Whether another process writes the index.
    pub fn is_locked(&self) -> bool {
        matches!(self, Self::Index(IndexError::Locked { .. }))
    }
}

/// Who is told how far it is, and may stop it.
pub trait Observer: Sync {
    /// The state of the work; called from any thread, not more than some times a second.
    fn progress(&self, progress: Progress);
    /// A generation was committed.
    fn committed(&self, snapshot: &Snapshot);
    /// Asked between files; what was committed stays.
    fn is_cancelled(&self) -> bool;
}

/// Keeps one index up to date.
pub struct Updater {
    corpus: Corpus,
    writer: IndexWriter,
    home: Folder,
    memory: u64,
    pool: Arc<ThreadPool>,
}

impl Updater {
    /// An updater of the index that `writer` writes, in the folder `home`. It has threads of its own, so
    /// that questions asked meanwhile need not wait for a round to end.
    pub fn new(writer: IndexWriter, home: Folder, memory: u64, threads: usize) -> Result<Self, UpdateError> {
        let corpus = writer.snapshot().manifest().corpus.clone();
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(UpdateError::Threads)?;
        Ok(Self { corpus, writer, home, memory, pool: Arc::new(pool) })
    }

    /// The newest generation.
    pub fn snapshot(&self) -> &Snapshot {
        self.writer.snapshot()
    }

    /// The writer, for merges and for keeping a ranking.
    pub fn writer(&mut self) -> &mut IndexWriter {
        &mut self.writer
    }

    /// Walks the whole corpus and brings the index up to date with it. Returns what the walk found,
    /// for a watcher.
    pub fn update_all(&mut self, observer: &dyn Observer) -> Result<Vec<PathBuf>, UpdateError> {
        observer.progress(Progress { phase: Phase::Walking, ..self.progress() });
        let rules = self.snapshot().manifest().rules.clone();
        let cancel = AtomicBool::new(false);
        let seen = |_: u64| cancel.store(observer.is_cancelled(), Ordering::Relaxed);
        let Walked { files, skipped, folders } = corpus::walk(
            &self.corpus,
            &rules,
            Some(self.home.path()),
            self.pool.current_num_threads(),
            &cancel,
            &seen,
        )?;
        if !cancel.into_inner() {
            self.apply(files, skipped, None, observer)?;
        }
        Ok(folders)
    }

    /// Brings the index up to date with some paths, absolute ones: files or folders that changed,
    /// came or went. Returns new folders, for a watcher.
    pub fn update_paths(
        &mut self,
        paths: &[PathBuf],
        observer: &dyn Observer,
    ) -> Result<Vec<PathBuf>, UpdateError> {
        let rules = self.snapshot().manifest().rules.clone();
        let Walked { files, skipped, folders } =
            corpus::walk_paths(&self.corpus, &rules, Some(self.home.path()), paths)?;
        let scope: Vec<PathBuf> = paths
            .iter()
            .filter_map(|path| path.strip_prefix(&self.corpus.base).ok())
            .map(PathBuf::from)
            .collect();
        self.apply(files, skipped, Some(&scope), observer)?;
        Ok(folders)
    }

    /// Puts a finished merge into the index.
    pub fn adopt(&mut self, merged: Merged) -> Result<(), UpdateError> {
        Ok(self.writer.adopt(merged)?)
    }

    /// The ranking that is kept on disk, with the generation that it is of.
    pub fn kept_ranking(&self) -> Option<(Snapshot, Ranking)> {
        Some((self.snapshot().clone(), Ranking::read(&self.home, self.snapshot())?))
    }

    /// The head of the newest generation's ranking: one that is known, amended if need be, or made anew.
    pub fn ranking(&self, known: Option<(Snapshot, Ranking)>) -> Result<Ranking, UpdateError> {
        self.pool.install(|| {
            let amended = match known {
                Some((of, known)) => known.amended(&of, self.snapshot(), LEAST_HEAD)?,
                None => None,
            };
            Ok(match amended {
                Some(amended) => amended,
                None => Ranking::scan(self.snapshot(), HEAD)?,
            })
        })
    }

    /// Keeps the ranking on disk, so that the next start need not make it.
    pub fn keep_ranking(&mut self, ranking: &Ranking) -> Result<(), UpdateError> {
        Ok(self.writer.keep_ranking(ranking)?)
    }

    /// Merges until there is nothing worth merging.
    pub fn merge_all(&mut self) -> Result<(), UpdateError> {
        while let Some(plan) = self.writer.plan_merge() {
            self.writer.adopt(self.pool.install(|| plan.run())?)?;
        }
        self.writer.sweep();
        Ok(())
    }

    fn progress(&self) -> Progress {
        let manifest = self.snapshot().manifest();
        Progress {
            documents: self.snapshot().totals().documents,
            generation: manifest.generation,
            skipped: manifest.skipped.len() as u64 + self.snapshot().totals().binary,
            ..Progress::default()
        }
    }

    fn apply(
        &mut self,
        files: Vec<FoundFile>,
        skipped: Vec<Skipped>,
        scope: Option<&[PathBuf]>,
        observer: &dyn Observer,
    ) -> Result<(), UpdateError> {
        let max = self.snapshot().manifest().rules.max_filesize;
        let plan = Plan::new(&self.corpus, self.snapshot(), files, scope, max);
        let mut left_out = LeftOut::new(self.snapshot(), skipped, scope, &plan);
        if plan.read.is_empty() {
            let skipped = left_out.if_changed(self.snapshot());
            let change = Change { dead: plan.dead, moved: plan.moved, skipped, ..Change::default() };
            let pool = Arc::clone(&self.pool);
            return pool.install(|| self.commit(change, observer));
        }
        let meter = Meter::new(&plan.read, self.progress());
        let rounds = self.rounds(&plan.read);
        let manifest = self.snapshot().manifest().clone();
        let shattering = Shattering {
            intake: Intake {
                corpus: &self.corpus.clone(),
                formats: &manifest.formats,
                recipe: &manifest.recipe,
                max_filesize: max,
            },
            pool: &Arc::clone(&self.pool),
            meter: &meter,
            observer,
        };
        let mut change = Change { dead: plan.dead, moved: plan.moved, ..Change::default() };
        change.batches = shattering.shatter(rounds[0], &mut left_out);
        let mut committed = 1;
        loop {
            change.skipped = left_out.if_changed(self.snapshot());
            let next = rounds.get(committed).filter(|_| !observer.is_cancelled());
            // A round is sealed while the next one is read.
            let pool = Arc::clone(&self.pool);
            let (sealed, batches) = pool.install(|| {
                rayon::join(
                    || self.commit(mem::take(&mut change), observer),
                    || next.map(|round| shattering.shatter(round, &mut left_out)),
                )
            });
            sealed?;
            meter.committed(self.progress());
            let Some(batches) = batches else { return Ok(()) };
            change.batches = batches;
            committed += 1;
        }
    }

    fn commit(&mut self, change: Change, observer: &dyn Observer) -> Result<(), UpdateError> {
        if !change.is_empty() {
            self.writer.commit(change)?;
            observer.committed(self.writer.snapshot());
        }
        Ok(())
    }

    /// The files in rounds: small ones first, and none larger than fits the memory.
    fn rounds<'a>(&self, files: &'a [FoundFile]) -> Vec<&'a [FoundFile]> {
        let recipe = &self.snapshot().manifest().recipe;
        let postings = self.memory / POSTINGS_SHARE / size_of::<Posting>() as u64;
        let most = (postings as f64 / postings_per_byte(recipe)) as u64;
        let mut rounds = Vec::new();
        let mut rest = files;
        let mut limit = FIRST_ROUND.min(most);
        while !rest.is_empty() {
            let mut sum = 0;
            let within = rest.iter().take_while(|file| {
                sum += file.stamp.size;
                sum <= limit
            });
            let (round, after) = rest.split_at(within.count().max(1));
            rounds.push(round);
            rest = after;
            limit = limit.saturating_mul(ROUND_GROWTH).min(most);
        }
        rounds
    }
}

/// How many postings a byte of text makes at the most, but for the tersest text: a token takes five or more.
fn postings_per_byte(recipe: &Recipe) -> f64 {
    recipe.density() / 5.0
}

/// How rounds are shattered.
struct Shattering<'a> {
    intake: Intake<'a>,
    pool: &'a ThreadPool,
    meter: &'a Meter,
    observer: &'a dyn Observer,
}

impl Shattering<'_> {
    /// Reads and shatters files in parallel; the batches come in the order of the files.
    fn shatter(&self, files: &[FoundFile], left_out: &mut LeftOut) -> Vec<Batch> {
        let mut room = 0;
        let tasks: Vec<&[FoundFile]> = files
            .chunk_by(|file, _| {
                room += file.stamp.size;
                let goes_on = room < TASK;
                if !goes_on {
                    room = 0;
                }
                goes_on
            })
            .collect();
        let shattered = tasks.par_iter().map_init(Vec::new, |buffer, task| {
            let bytes: u64 = task.iter().map(|file| file.stamp.size).sum();
            let postings = bytes as f64 * postings_per_byte(self.intake.recipe) * USUAL_SHARE;
            let mut batch = Batch::with_room(postings as usize);
            let mut skipped = Vec::new();
            for file in *task {
                if self.observer.is_cancelled() {
                    break;
                }
                self.intake.take(file, buffer, &mut batch, &mut skipped);
                self.meter.read(file, self.observer);
            }
            (batch, skipped)
        });
        let shattered: Vec<(Batch, Vec<Skipped>)> = self.pool.install(|| shattered.collect());
        let mut batches = Vec::with_capacity(shattered.len());
        for (batch, skipped) in shattered {
            left_out.list.extend(skipped);
            batches.push(batch);
        }
        batches
    }
}

/// The list of files left out, while it is made.
struct LeftOut {
    list: Vec<Skipped>,
}

impl LeftOut {
    /// What the walk left out, and of the old list what still holds: files outside of `scope`, and those
    /// whose content was the reason and did not change.
    fn new(snapshot: &Snapshot, walked: Vec<Skipped>, scope: Option<&[PathBuf]>, plan: &Plan) -> Self {
        let mut list = walked;
        let is_read_anew =
            |entry: &Skipped| plan.read.binary_search_by(|file| file.path.cmp(&entry.path)).is_ok();
        let is_known = |entry: &Skipped| snapshot.files().any(|file| snapshot.path(file) == entry.path);
        for entry in &snapshot.manifest().skipped {
            let outside = scope.is_some_and(|scope| !scope.iter().any(|below| entry.path.starts_with(below)));
            let by_content = matches!(entry.reason, SkipReason::BadRecord(_));
            if outside || (by_content && !is_read_anew(entry) && is_known(entry)) {
                list.push(entry.clone());
            }
        }
        Self { list }
    }

    /// The list, when it is not that of the snapshot.
    fn if_changed(&mut self, snapshot: &Snapshot) -> Option<Vec<Skipped>> {
        self.list.sort_by(|a, b| (&a.path, a.reason.to_string()).cmp(&(&b.path, b.reason.to_string())));
        self.list.dedup();
        (self.list != snapshot.manifest().skipped).then(|| self.list.clone())
    }
}

/// Counts what was read, and tells an observer some times a second.
struct Meter {
    files: AtomicU64,
    bytes: AtomicU64,
    total: (u64, u64),
    started: Instant,
    told: AtomicU64,
    base: std::sync::Mutex<Progress>,
}

impl Meter {
    const INTERVAL: u64 = 100;

    fn new(files: &[FoundFile], base: Progress) -> Self {
        Self {
            files: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            total: (files.len() as u64, files.iter().map(|file| file.stamp.size).sum()),
            started: Instant::now(),
            told: AtomicU64::new(0),
            base: std::sync::Mutex::new(base),
        }
    }

    fn committed(&self, base: Progress) {
        if let Ok(mut known) = self.base.lock() {
            *known = base;
        }
    }

    fn read(&self, file: &FoundFile, observer: &dyn Observer) {
        let files = self.files.fetch_add(1, Ordering::Relaxed) + 1;
        let bytes = self.bytes.fetch_add(file.stamp.size, Ordering::Relaxed) + file.stamp.size;
        let elapsed = self.started.elapsed();
        let now = elapsed.as_millis() as u64 + Self::INTERVAL;
        let told = self.told.load(Ordering::Relaxed);
        let is_due = now >= told + Self::INTERVAL;
        if !is_due || self.told.compare_exchange(told, now, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return;
        }
        let Ok(base) = self.base.lock().map(|base| base.clone()) else { return };
        observer.progress(Progress {
            phase: Phase::Indexing,
            files: (files, self.total.0),
            bytes: (bytes, self.total.1),
            speed: bytes as f64 / elapsed.as_secs_f64().max(1e-3),
            current: Some(file.path.clone()),
            ..base
        });
    }
}
