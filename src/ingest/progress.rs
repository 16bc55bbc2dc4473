//! How far the work on an index is, and who is told.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::corpus::WatchMode;
use crate::index::snapshot::Snapshot;

/// What the indexer is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    /// Reading the index that is there.
    #[default]
    Opening,
    /// Listing the corpus.
    Walking,
    /// Reading what is new or changed.
    Indexing,
    /// Up to date.
    Idle,
    /// Stopped; the sentence says what, where and what to do. Everything committed is still shown.
    Failed(String),
}

/// Whether changes of the folder are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watching {
    /// Not asked for, or not yet begun.
    #[default]
    Off,
    /// The system reports them.
    Events,
    /// The folder is walked again each time this has passed.
    Polling(Duration),
}

impl From<WatchMode> for Watching {
    fn from(mode: WatchMode) -> Self {
        match mode {
            WatchMode::Events => Self::Events,
            WatchMode::Poll(every) => Self::Polling(every),
        }
    }
}

/// The state of the indexer, as often as it is worth showing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// What is going on.
    pub phase: Phase,
    /// Files read in this run and files to read in it.
    pub files: (u64, u64),
    /// Bytes read in this run and bytes to read in it.
    pub bytes: (u64, u64),
    /// Bytes a second, lately.
    pub speed: f64,
    /// What is being read.
    pub current: Option<PathBuf>,
    /// Live documents in the newest generation.
    pub documents: u64,
    /// The newest generation.
    pub generation: u64,
    /// Files left out.
    pub skipped: u64,
    /// Whether changes are followed.
    pub watching: Watching,
    /// Segments are merged, which changes no answer.
    pub merging: bool,
    /// Another process writes this index; ours only reads it. Says who.
    pub read_only: Option<String>,
    /// Bytes a second, half-second by half-second, the newest last.
    pub speeds: Arc<[u64]>,
}

/// A commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// The generation that it made.
    pub generation: u64,
    /// Files that were read, because they are new or changed.
    pub read: u64,
    /// Files that are gone, or were read anew.
    pub gone: u64,
    /// Files that moved without a change.
    pub moved: u64,
    /// Live documents from then on.
    pub documents: u64,
    /// How long the writing took.
    pub took: Duration,
}

/// Who is told how far it is, and may stop it.
pub trait Observer: Sync {
    /// The state of the work; called from any thread, not more than some times a second.
    fn progress(&self, progress: Progress);
    /// A generation was committed.
    fn committed(&self, snapshot: &Snapshot);
    /// What that commit was.
    fn sealed(&self, _commit: Committed) {}
    /// Asked between files; what was committed stays.
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
