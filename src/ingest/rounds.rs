//! Reads and shatters files in rounds. A round is read by all threads, and sealed while the next one is read.
//!
//! The first round is small, so that there is something to show soon. Each is four times as large as the previous
//! one, up to the memory limit. Rounds are taken from the files in the order of their paths, so the index does not
//! depend on the number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::intake::{Buffers, Intake};
use super::progress::{Observer, Phase, Progress};
use dupi_base::corpus::{FoundFile, Skipped, portions};
use dupi_index::index::posting::Posting;
use dupi_index::index::segment::Batch;
use dupi_index::index::sketches::SketchRows;
use dupi_text::blot::Recipe;

const FIRST_ROUND: u64 = 8 << 20;
const ROUND_GROWTH: u64 = 4;
/// Bytes of files per parallel task.
const TASK: u64 = 2 << 20;
/// The postings of a round may take this fraction of the memory: one round is read while another is sealed, and
/// sorting and encoding need as much again.
const POSTINGS_SHARE: u64 = 10;
/// Most texts have this fraction of the maximal number of postings.
const USUAL_SHARE: f64 = 0.6;

/// Divides the files into rounds of growing size that fit into the memory.
pub(super) fn rounds<'a>(files: &'a [FoundFile], recipe: &Recipe, memory: u64) -> Vec<&'a [FoundFile]> {
    rounds_from(FIRST_ROUND, files, most_of_round(recipe, memory))
}

/// How many bytes of files fit into the memory as one round.
pub(super) fn most_of_round(recipe: &Recipe, memory: u64) -> u64 {
    let postings = memory / POSTINGS_SHARE / size_of::<Posting>() as u64;
    (postings as f64 / postings_per_byte(recipe)) as u64
}

/// Divides the files into rounds, of which the first has at most `first` bytes and each at most `most`.
pub(super) fn rounds_from(first: u64, files: &[FoundFile], most: u64) -> Vec<&[FoundFile]> {
    let mut rounds = Vec::new();
    let mut rest = files;
    let mut limit = first.min(most);
    while !rest.is_empty() {
        let mut sum = 0;
        let fitting = rest.iter().take_while(|file| {
            sum += file.stamp.size;
            sum <= limit
        });
        let (round, after) = rest.split_at(fitting.count().max(1));
        rounds.push(round);
        rest = after;
        limit = limit.saturating_mul(ROUND_GROWTH).min(most);
    }
    rounds
}

/// The maximal number of postings per byte of text, except for very terse text: a token takes at least five bytes.
fn postings_per_byte(recipe: &Recipe) -> f64 {
    recipe.density() / 5.0
}

/// The context in which rounds are shattered.
pub(super) struct Shattering<'a> {
    /// How a file becomes part of a batch.
    pub intake: Intake<'a>,
    /// The threads.
    pub pool: &'a ThreadPool,
    /// The counter of the progress.
    pub read_progress: &'a ReadProgress,
    /// The receiver of the progress.
    pub observer: &'a dyn Observer,
}

impl Shattering<'_> {
    /// Reads and shatters files in parallel. The batches are in the order of the files, each with its skipped files
    /// and records.
    pub(super) fn shatter(&self, files: &[FoundFile]) -> Vec<(Batch, Vec<Skipped>)> {
        let tasks = portions(files, TASK, |file| file.stamp.size);
        let shattered = tasks.par_iter().map_init(Buffers::default, |buffers, task| {
            let bytes: u64 = task.iter().map(|file| file.stamp.size).sum();
            let postings = bytes as f64 * postings_per_byte(self.intake.recipe) * USUAL_SHARE;
            let mut batch = Batch::with_room(postings as usize);
            batch.sketches = self.intake.sketches.then(SketchRows::default);
            let mut skipped = Vec::new();
            for file in *task {
                if self.observer.is_cancelled() {
                    break;
                }
                self.intake.take(file, buffers, &mut batch, &mut skipped);
                self.read_progress.read(file, self.observer);
            }
            (batch, skipped)
        });
        self.pool.install(|| shattered.collect())
    }
}

/// Counts what was read, and reports it to an observer several times a second.
pub(super) struct ReadProgress {
    files: AtomicU64,
    bytes: AtomicU64,
    total: (u64, u64),
    started: Instant,
    told: AtomicU64,
    base: Mutex<Progress>,
}

impl ReadProgress {
    const INTERVAL: u64 = 100;

    /// A counter for these files, at zero.
    pub(super) fn new(files: &[FoundFile], base: Progress) -> Self {
        Self {
            files: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            total: (files.len() as u64, files.iter().map(|file| file.stamp.size).sum()),
            started: Instant::now(),
            told: AtomicU64::new(0),
            base: Mutex::new(base),
        }
    }

    /// Sets the state after a commit, to which the counts are added.
    pub(super) fn committed(&self, base: Progress) {
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
