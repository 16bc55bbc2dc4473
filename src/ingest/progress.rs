//! The options of the work on an index, its progress, and its observers.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use dupi_base::config::PassageCriteria;
use dupi_base::corpus::{Formats, WalkRules, Watch};
use dupi_base::storage::Folder;
use dupi_index::index::snapshot::Snapshot;
use dupi_judge::kind::patterns::KindPatterns;
use dupi_text::blot::RecipeChoice;

/// What the indexer is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    /// Opening the existing index.
    #[default]
    Opening,
    /// Listing the corpus.
    Walking,
    /// Reading new and changed files.
    Indexing,
    /// Up to date.
    Idle,
    /// Stopped by an error; the sentence says what failed, where, and what to do. Committed results are still
    /// shown.
    Failed(String),
}

/// The state of the indexer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// The current phase.
    pub phase: Phase,
    /// Files read in this run and files to read in it.
    pub files: (u64, u64),
    /// Bytes read in this run and bytes to read in it.
    pub bytes: (u64, u64),
    /// Current speed in bytes a second.
    pub speed: f64,
    /// The file being read.
    pub current: Option<PathBuf>,
    /// Live documents in the newest generation.
    pub documents: u64,
    /// The newest generation.
    pub generation: u64,
    /// The number of skipped files and records.
    pub skipped: u64,
    /// Why there are no documents.
    pub lack: Option<String>,
    /// Whether the corpus is watched.
    pub watching: Watch,
    /// Whether segments are being merged, which does not change any result.
    pub merging: bool,
    /// If another process writes this index and ours only reads it: its process id and host.
    pub read_only: Option<String>,
    /// Speeds in bytes a second for each half second, the newest last.
    pub speeds: Arc<[u64]>,
}

/// A commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// The generation that it made.
    pub generation: u64,
    /// New and changed files that were read.
    pub read: u64,
    /// Files that were removed or replaced.
    pub gone: u64,
    /// Files that were moved unchanged.
    pub moved: u64,
    /// Files that are new, changed, moved or gone; a changed file counts once.
    pub changed: u64,
    /// Live documents after the commit.
    pub documents: u64,
    /// Duration of the commit.
    pub took: Duration,
}

/// Receives the progress of an update and may cancel it.
pub trait Observer: Sync {
    /// The current state. Called from any thread, at most several times a second.
    fn progress(&self, progress: Progress);
    /// A generation was committed.
    fn committed(&self, snapshot: &Snapshot);
    /// The counts of that commit.
    fn sealed(&self, _commit: Committed) {}
    /// Whether to stop; called between files. Commits made before stay.
    fn is_cancelled(&self) -> bool;
}

/// An observer that ignores all reports and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: Progress) {}

    fn committed(&self, _: &Snapshot) {}

    fn is_cancelled(&self) -> bool {
        false
    }
}

// Options for opening, building and following an index.

/// How an index is opened, built and kept up to date.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the index.
    pub home: Folder,
    /// The folder of the decisions: that of the index, or of the index beside which this one is.
    pub decisions: Folder,
    /// The folder of the user's settings, with the taboo list for all corpora.
    pub user: Option<Folder>,
    /// The requested recipe parameters.
    pub recipe: RecipeChoice,
    /// Which files are documents; `None` for those of the index, or the defaults.
    pub rules: Option<WalkRules>,
    /// Formats of files with several documents; `None` for those of the index, or the defaults.
    pub formats: Option<Formats>,
    /// Whether sketches of documents are kept; `None` for what the index does, which keeps them at first.
    pub sketches: Option<bool>,
    /// Bytes of memory that indexing may use.
    pub memory: u64,
    /// Threads that read and shatter.
    pub threads: usize,
    /// The user's patterns for kinds of passages.
    pub patterns: Arc<KindPatterns>,
    /// What counts as a passage, where no verb says it.
    pub criteria: PassageCriteria,
    /// Whether and how the corpus is watched.
    pub watch: Watch,
}

impl Options {
    /// The defaults for an index in this folder: the settings of the index, 1 GiB of memory, one thread per core.
    pub fn new(home: Folder) -> Self {
        Self {
            decisions: home.clone(),
            home,
            user: None,
            recipe: RecipeChoice::default(),
            rules: None,
            formats: None,
            sketches: None,
            memory: 1 << 30,
            threads: thread::available_parallelism().map_or(1, usize::from),
            patterns: Arc::default(),
            criteria: PassageCriteria::default(),
            watch: Watch::Events,
        }
    }
}
