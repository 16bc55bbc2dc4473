//! Brings an index up to date with its corpus: walk, compare, read new files, commit, merge.
//!
//! New files are read in rounds (`rounds`). Each is committed while the next one is read, so that its rows can be
//! shown, and stays if the program is stopped.

use std::collections::HashSet;
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use rayon::ThreadPool;

use super::intake::Intake;
use super::plan::{Plan, Replaced, SkippedFiles, WalkedPart, last_walk};
use super::priority;
use super::progress::{Committed, Observer, Options, Phase, Progress};
use super::rounds::{ReadProgress, Shattering, rounds};
use dupi_base::corpus::{
    self, Corpus, CorpusError, Exclusions, FoundFile, MountedRoots, PathScope, SkipReason, Skipped, Walked,
};
use dupi_base::storage::{Folder, shown};
use dupi_index::index::IndexError;
use dupi_index::index::merge::Merged;
use dupi_index::index::ranking::{HEAD, Ranking};
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_index::index::writer::{Commit, IndexWriter};
use dupi_index::taboo::{ExcludedList, TabooError};

/// Why an index could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// The corpus cannot be walked.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The index cannot be read or written.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The list of files that are left out cannot be read.
    #[error(transparent)]
    Excluded(#[from] TabooError),
    /// The index folder contains the corpus.
    #[error(
        "the index cannot be in {}, which contains the corpus ({}); name another folder with --index",
        shown(home),
        shown(root)
    )]
    Around {
        /// The folder of the index.
        home: PathBuf,
        /// The root of the corpus in it.
        root: PathBuf,
    },
    /// The system cannot start threads.
    #[error("cannot start threads ({0}); try --threads 1")]
    Threads(rayon::ThreadPoolBuildError),
}

impl UpdateError {
    /// A text that is equal for repeated failures with the same cause.
    pub fn cause(&self) -> String {
        match self {
            Self::Index(error) => error.cause(),
            other => other.to_string(),
        }
    }

    /// Whether another process writes the index.
    pub fn is_locked(&self) -> bool {
        matches!(self, Self::Index(IndexError::Locked { .. }))
    }
}

/// Keeps an index up to date.
pub struct Updater {
    corpus: Corpus,
    writer: IndexWriter,
    home: Folder,
    decisions: Folder,
    mounted_roots: MountedRoots,
    memory: u64,
    pool: Arc<ThreadPool>,
    /// Whether the last update could read all files.
    is_whole: bool,
}

impl Updater {
    /// An updater of the index of `writer`, which some options opened. It has its own threads, so that queries need not
    /// wait for the end of a round.
    pub fn new(writer: IndexWriter, of: &Options) -> Result<Self, UpdateError> {
        let corpus = writer.snapshot().manifest().corpus.clone();
        let pool = priority::pool(of.threads, priority::Nice::Background).map_err(UpdateError::Threads)?;
        let mounted_roots = MountedRoots::read(&of.home).map_err(IndexError::from)?;
        let (home, decisions, pool) = (of.home.clone(), of.decisions.clone(), Arc::new(pool));
        Ok(Self { corpus, writer, home, decisions, mounted_roots, memory: of.memory, pool, is_whole: true })
    }

    /// The newest generation.
    pub fn snapshot(&self) -> &Snapshot {
        self.writer.snapshot()
    }

    /// Whether the last update could read all files. If not, another update may succeed.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The writer, for merges and for saving a ranking.
    pub fn writer(&mut self) -> &mut IndexWriter {
        &mut self.writer
    }

    /// Walks the whole corpus and brings the index up to date with it. Returns the folders to watch.
    pub fn update_all(&mut self, observer: &dyn Observer) -> Result<Vec<PathBuf>, UpdateError> {
        observer.progress(Progress { phase: Phase::Walking, ..self.progress() });
        self.check_mounts()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let begun = i64::try_from(now.as_nanos()).unwrap_or(i64::MAX);
        let rules = self.snapshot().manifest().rules.clone();
        let cancel = AtomicBool::new(false);
        let seen = |_: u64| cancel.store(observer.is_cancelled(), Ordering::Relaxed);
        let Walked { files, skipped, folders } = corpus::walk(
            &self.corpus,
            &rules,
            &self.exclusions()?,
            self.pool.current_num_threads(),
            &cancel,
            &seen,
        )?;
        self.check_mounts()?;
        if !cancel.into_inner() {
            self.apply(files, skipped, None, Some(begun), observer)?;
        }
        Ok(folders)
    }

    /// Brings the index up to date with some absolute paths: files or folders that were created, changed or
    /// removed. Paths outside of the corpus are ignored. Returns the folders to watch.
    pub fn update_paths(
        &mut self,
        paths: &[PathBuf],
        observer: &dyn Observer,
    ) -> Result<Vec<PathBuf>, UpdateError> {
        self.check_mounts()?;
        let roots = PathScope::new(self.corpus.roots.iter().map(PathBuf::as_path));
        let paths: Vec<PathBuf> = paths.iter().filter(|path| roots.contains(path)).cloned().collect();
        let rules = self.snapshot().manifest().rules.clone();
        let below = paths.iter().filter_map(|path| path.strip_prefix(&self.corpus.base).ok());
        let scope = PathScope::new(below);
        let snapshot = self.snapshot();
        let known = snapshot.files().map(|file| snapshot.path(file)).filter(|path| scope.names(path));
        let known = PathScope::new(known);
        let Walked { files, skipped, folders } =
            corpus::walk_paths(&self.corpus, &rules, &self.exclusions()?, &paths, &known)?;
        self.check_mounts()?;
        self.apply(files, skipped, Some(&scope), None, observer)?;
        Ok(folders)
    }

    /// The saved ranking, with its generation.
    pub fn saved_ranking(&self) -> Option<(Snapshot, Ranking)> {
        Some((self.snapshot().clone(), Ranking::read(&self.home, self.snapshot())?))
    }

    /// The first entries of the newest generation's ranking: a known one, amended if necessary, or a new one.
    pub fn ranking(
        &self,
        known: Option<(Snapshot, Ranking)>,
        observer: &dyn Observer,
    ) -> Result<Ranking, UpdateError> {
        let known = known.as_ref().map(|(of, known)| (of, known));
        let renewed = || Ranking::renewed(known, self.snapshot(), HEAD, &|| observer.is_cancelled());
        Ok(self.pool.install(renewed)?)
    }

    /// Saves the ranking, so that the next start need not compute it.
    pub fn save_ranking(&mut self, ranking: &Ranking) -> Result<(), UpdateError> {
        Ok(self.writer.save_ranking(ranking)?)
    }

    /// Merges until there is nothing worth merging.
    pub fn merge_all(&mut self, observer: &dyn Observer) -> Result<(), UpdateError> {
        while let Some(plan) = self.writer.plan_merge() {
            let merged = self.pool.install(|| plan.run(&|| observer.is_cancelled()))?;
            self.adopt(merged)?;
        }
        self.writer.sweep();
        Ok(())
    }

    /// Runs something on the threads of this updater, and gives it the memory limit in bytes.
    pub(super) fn install<T: Send>(&self, run: impl FnOnce(u64) -> T + Send) -> T {
        self.pool.install(|| run(self.memory))
    }

    /// Replaces the inputs of a merge by the merged segment.
    pub fn adopt(&mut self, merged: Merged) -> Result<(), IndexError> {
        // The merged segment is checked by all threads of the pool.
        self.pool.install(|| self.writer.adopt(merged))
    }

    /// Stops if the disk of a root is not mounted: its documents must not be removed.
    fn check_mounts(&mut self) -> Result<(), UpdateError> {
        if self.mounted_roots.check(&self.corpus)? {
            self.mounted_roots.save(&self.home).map_err(IndexError::from)?;
        }
        Ok(())
    }

    /// What is left out of the corpus now. An invalid list is an error: files that the user left out must not be
    /// indexed again.
    fn exclusions(&self) -> Result<Exclusions, UpdateError> {
        let by_user = Arc::new(ExcludedList::load(&self.decisions)?.scope());
        Ok(Exclusions { index: Some(self.home.path().to_owned()), by_user })
    }

    fn progress(&self) -> Progress {
        let manifest = self.snapshot().manifest();
        Progress {
            documents: self.snapshot().totals().documents,
            generation: manifest.generation,
            skipped: self.snapshot().skipped_count(),
            ..Progress::default()
        }
    }

    /// Indexes what was found in some paths and everything below them, or in all of the corpus, by a walk that began at this
    /// time, in nanoseconds since 1970.
    fn apply(
        &mut self,
        files: Vec<FoundFile>,
        skipped: Vec<Skipped>,
        scope: Option<&PathScope>,
        begun: Option<i64>,
        observer: &dyn Observer,
    ) -> Result<(), UpdateError> {
        self.is_whole = true;
        let manifest = self.snapshot().manifest().clone();
        let max = manifest.rules.max_filesize;
        // Files in folders that cannot be listed now are not removed.
        let refused = skipped.iter().filter(|entry| entry.reason.is_refusal());
        let unknown = PathScope::new(refused.map(|entry| entry.path.as_path()));
        let walked_part = WalkedPart { scope, unknown: &unknown, walked: last_walk(manifest.walked, begun) };
        let pool = Arc::clone(&self.pool);
        let is_cancelled = || observer.is_cancelled();
        let mut plan = pool
            .install(|| Plan::new(&self.corpus, self.snapshot(), files, &walked_part, max, &is_cancelled));
        let mut skipped = skipped;
        skipped.append(&mut plan.refused);
        self.note(&skipped);
        // A file that could not be compared now must be compared by the next walk.
        let walked = begun.filter(|_| self.is_whole && !is_cancelled());
        let (read, too_large) = fitting(mem::take(&mut plan.read), self.memory);
        plan.read = read;
        skipped.extend(too_large);
        let mut skipped_files = SkippedFiles::new(self.snapshot(), skipped, scope, &plan);
        let mut replaced = Replaced::take(self.snapshot(), &mut plan);
        let mut change = Commit { dead: plan.dead, moved: plan.moved, ..Commit::default() };
        if plan.read.is_empty() {
            change.skipped = skipped_files.if_changed(self.snapshot());
            // Then compared files need not be compared again.
            let is_new = plan.has_compared || manifest.walked.is_none() || !change.is_empty();
            change.walked = walked.filter(|_| is_new);
            return pool.install(|| self.commit(change, observer));
        }
        let corpus = self.corpus.clone();
        let read_progress = ReadProgress::new(&plan.read, self.progress());
        let intake = Intake {
            corpus: &corpus,
            formats: &manifest.formats,
            recipe: &manifest.recipe,
            max_filesize: max,
            sketches: manifest.sketches,
        };
        let shattering = Shattering { intake, pool: &pool, read_progress: &read_progress, observer };
        let mut rounds = rounds(&plan.read, &manifest.recipe, self.memory).into_iter();
        let mut read = rounds.next().map(|round| shattering.shatter(round));
        while let Some(batches) = read {
            for (batch, skipped) in batches {
                self.note(&skipped);
                change.dead.extend(replaced.by(self.snapshot(), &batch, &skipped));
                change.batches.push(batch);
                skipped_files.extend(skipped);
            }
            change.skipped = skipped_files.if_changed(self.snapshot());
            let is_cancelled = observer.is_cancelled();
            let next = rounds.next().filter(|_| !is_cancelled);
            // Only when all files are read, so that compared files need not be compared again.
            let is_done = next.is_none() && !is_cancelled && self.is_whole;
            change.walked = walked.filter(|_| is_done);
            // Seal a round while the next one is read.
            let seal = || {
                self.commit(mem::take(&mut change), observer)?;
                read_progress.committed(self.progress());
                Ok::<_, UpdateError>(())
            };
            let sealed;
            (sealed, read) =
                pool.install(|| rayon::join(seal, || next.map(|round| shattering.shatter(round))));
            sealed?;
        }
        Ok(())
    }

    /// Records files that could not be read now but may be readable the next time.
    fn note(&mut self, skipped: &[Skipped]) {
        for Skipped { path, reason, .. } in skipped {
            if matches!(reason, SkipReason::NotNow(_)) {
                self.is_whole = false;
                self.snapshot().unread().note(path, reason);
            }
        }
    }

    fn commit(&mut self, change: Commit, observer: &dyn Observer) -> Result<(), UpdateError> {
        if !change.is_empty() {
            // Files that could not be read are removed, but not if the root was lost meanwhile.
            self.check_mounts()?;
            let read: usize = change.batches.iter().map(|batch| batch.table.files.len()).sum();
            let (gone, moved) = (change.dead.len() as u64, change.moved.len() as u64);
            let changed = read as u64 + moved + not_replaced(self.snapshot(), &change);
            let started = Instant::now();
            self.writer.commit(change)?;
            let took = started.elapsed();
            let snapshot = self.writer.snapshot();
            observer.committed(snapshot);
            let (generation, documents) = (snapshot.manifest().generation, snapshot.totals().documents);
            let read = read as u64;
            observer.sealed(Committed { generation, read, gone, moved, changed, documents, took });
        }
        Ok(())
    }
}

/// How many files a commit removes that it has not read again.
fn not_replaced(snapshot: &Snapshot, change: &Commit) -> u64 {
    if change.dead.is_empty() {
        return 0;
    }
    let files = change.batches.iter().flat_map(|batch| &batch.table.files);
    let read: HashSet<&[u8]> = files.map(|file| file.path.as_slice()).collect();
    let is_gone = |id: &&FileId| !read.contains(snapshot.path(**id).as_os_str().as_bytes());
    change.dead.iter().filter(is_gone).count() as u64
}

/// Files are read whole: a file larger than this and than three quarters of the memory is skipped.
const ALWAYS_READ: u64 = 64 << 20;

/// The largest file that is read within this memory limit.
pub(super) fn largest(memory: u64) -> u64 {
    (memory / 4 * 3).max(ALWAYS_READ)
}

/// The files that fit into the memory, and the others.
pub(super) fn fitting(files: Vec<FoundFile>, memory: u64) -> (Vec<FoundFile>, Vec<Skipped>) {
    let most = largest(memory);
    let (fitting, large): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.stamp.size <= most);
    let skip = |file: FoundFile| {
        let reason = SkipReason::TooLargeForMemory(file.stamp.size);
        Skipped::new(file.path, reason)
    };
    (fitting, large.into_iter().map(skip).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_base::corpus::Stamp;

    #[test]
    fn a_file_that_does_not_fit_into_memory_is_skipped_with_the_reason() {
        let file = |name: &str, size| {
            let stamp = Stamp { size, mtime: 0 };
            FoundFile { path: name.into(), stamp, changed: 0 }
        };
        let sizes = || vec![file("small", 1), file("large", 800 << 20), file("huge", 3 << 30)];
        let names = |memory| {
            let (fitting, skipped) = fitting(sizes(), memory);
            assert!(skipped.iter().all(|skipped| skipped.reason.to_string().contains("--memory")));
            fitting.into_iter().map(|file| file.path.to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(8 << 30), ["small", "large", "huge"]);
        assert_eq!(names(2 << 30), ["small", "large"]);
        assert_eq!(names(1 << 20), ["small"]);
    }
}
