//! What the indexer has to do: plain data, without threads, files or a clock.
//!
//! [`IndexerState::took`] takes in what came; [`IndexerState::next`] says what is to be done next. The order, from the most
//! urgent: leave; look whether the index is still there; begin a merge, which runs on a thread of its own;
//! bring the index up to date; wait. Before the indexer leaves its index, the merge that runs is ended.
//!
//! What is owed stays owed until it is done. An update that fails owes a whole one: which part of it was done
//! is not known. What fails is tried again after a delay, which grows with each failure in a row, and no other
//! event begins it anew. Only when all of the folder may have changed – it is back, say – an update is tried again
//! as soon as after a first failure.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often it is looked whether the index is still there.
pub const LOOK: Duration = Duration::from_secs(1);

/// How long to wait after the first failure. Each further one in a row doubles it,
const FIRST_DELAY: Duration = Duration::from_millis(500);
/// up to this for an update: whoever made room, or brought the folder back, waits for it;
const LONGEST_FOR_UPDATE: Duration = Duration::from_secs(30);
/// and up to this for a merge, or for files that could not be read: nobody waits for it, and it may read much before
/// it fails.
const LONGEST_UNAWAITED: Duration = Duration::from_secs(600);

/// What came.
#[derive(Debug)]
pub enum IndexerEvent {
    /// These files and folders changed.
    Changed(Vec<PathBuf>),
    /// Anything may have changed.
    ChangedAnywhere,
    /// The update of all of the folder that was the last step went through.
    Updated,
    /// An update of some paths went through.
    PathsUpdated,
    /// Either went through, but for files that could not be read now.
    UpdatedInPart,
    /// It failed.
    UpdateFailed,
    /// The merge that was the last step runs now.
    MergeBegan,
    /// There is nothing worth merging.
    NothingToMerge,
    /// The merge that ran ended, and the index has it.
    Merged,
    /// The merge that ran was ended before it was done, or could not be begun or used.
    MergeFailed,
    /// The index was looked at, and is there.
    Looked,
    /// The index was removed.
    Lost,
    /// Somebody wants the index built anew.
    Rebuild,
    /// The session ends.
    Stop,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexerStep {
    /// Wait for an event, but not longer than this.
    Wait(Instant),
    /// Look whether the index is still there.
    Look,
    /// Bring the index up to date with this.
    Update(OwedUpdate),
    /// Begin a merge, if one is worth doing.
    BeginMerge,
    /// Have the merge that runs end soon, and wait for it.
    EndMerge,
    /// Leave the index.
    Leave(LeaveReason),
}

/// Why the indexer leaves its index. The greater reason counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeaveReason {
    /// It is to be built anew.
    Rebuild,
    /// It was removed.
    Lost,
    /// The session ends.
    Stop,
}

/// What of the folder is to be looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OwedUpdate {
    /// Nothing.
    #[default]
    Nothing,
    /// These files and folders.
    Paths(BTreeSet<PathBuf>),
    /// All of it.
    All,
}

/// How a merge stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MergeState {
    /// None is worth doing.
    Nothing,
    /// One may be worth doing.
    Perhaps,
    /// One runs.
    Runs,
}

/// What the indexer has to do.
#[derive(Debug)]
pub struct IndexerState {
    owed: OwedUpdate,
    update: Retry,
    /// When to look at all of the folder again for files that could not be read; their own delays keep no other
    /// change waiting.
    unread: Option<Instant>,
    reading: Retry,
    merge: MergeState,
    merging: Retry,
    look: Instant,
    leave: Option<LeaveReason>,
}

impl IndexerState {
    /// The index was opened: all of the folder is to be looked at.
    pub fn new(now: Instant) -> Self {
        Self {
            owed: OwedUpdate::All,
            update: Retry::new(LONGEST_FOR_UPDATE),
            unread: None,
            reading: Retry::new(LONGEST_UNAWAITED),
            merge: MergeState::Nothing,
            merging: Retry::new(LONGEST_UNAWAITED),
            look: now + LOOK,
            leave: None,
        }
    }

    /// What to do next.
    pub fn next(&self, now: Instant) -> IndexerStep {
        let is_owed = self.owed != OwedUpdate::Nothing;
        let may_merge = self.merge == MergeState::Perhaps;
        match self.leave {
            Some(_) if self.merge == MergeState::Runs => IndexerStep::EndMerge,
            Some(why) => IndexerStep::Leave(why),
            None if self.look <= now => IndexerStep::Look,
            None if may_merge && self.merging.is_due(now) => IndexerStep::BeginMerge,
            None if is_owed && self.update.is_due(now) => IndexerStep::Update(self.owed.clone()),
            None if self.unread.is_some_and(|at| at <= now) => IndexerStep::Update(OwedUpdate::All),
            None => {
                let merging = self.merging.at.filter(|_| may_merge);
                let update = self.update.at.filter(|_| is_owed);
                IndexerStep::Wait(
                    [merging, update, self.unread].into_iter().flatten().fold(self.look, Instant::min),
                )
            }
        }
    }

    /// Takes in what came.
    pub fn took(&mut self, event: IndexerEvent, now: Instant) {
        match event {
            IndexerEvent::Changed(paths) => self.owed.add(paths),
            IndexerEvent::ChangedAnywhere => {
                self.owed = OwedUpdate::All;
                self.update.sooner();
            }
            IndexerEvent::Updated => {
                self.unread = None;
                self.reading.went_well();
                self.updated();
            }
            IndexerEvent::PathsUpdated => self.updated(),
            IndexerEvent::UpdatedInPart => {
                self.unread = Some(self.reading.failed(now));
                self.updated();
            }
            IndexerEvent::UpdateFailed => {
                self.owed = OwedUpdate::All;
                self.update.failed(now);
            }
            IndexerEvent::MergeBegan => self.merge = MergeState::Runs,
            IndexerEvent::NothingToMerge => self.merge = MergeState::Nothing,
            IndexerEvent::Merged => {
                self.merge = MergeState::Perhaps;
                self.merging.went_well();
            }
            IndexerEvent::MergeFailed => {
                self.merge = MergeState::Perhaps;
                self.merging.failed(now);
            }
            IndexerEvent::Looked => self.look = now + LOOK,
            IndexerEvent::Lost => self.leave = self.leave.max(Some(LeaveReason::Lost)),
            IndexerEvent::Rebuild => self.leave = self.leave.max(Some(LeaveReason::Rebuild)),
            IndexerEvent::Stop => self.leave = Some(LeaveReason::Stop),
        }
    }

    /// Whether a merge runs.
    pub fn is_merging(&self) -> bool {
        self.merge == MergeState::Runs
    }

    fn updated(&mut self) {
        self.owed = OwedUpdate::Nothing;
        self.update.went_well();
        self.look_for_merges();
    }

    fn look_for_merges(&mut self) {
        if self.merge == MergeState::Nothing {
            self.merge = MergeState::Perhaps;
        }
    }
}

impl OwedUpdate {
    fn add(&mut self, paths: Vec<PathBuf>) {
        match self {
            Self::Nothing if !paths.is_empty() => *self = Self::Paths(paths.into_iter().collect()),
            Self::Paths(known) => known.extend(paths),
            Self::Nothing | Self::All => {}
        }
    }
}

/// When something that failed may be tried again.
#[derive(Debug)]
pub struct Retry {
    failures: u32,
    failed: Option<Instant>,
    at: Option<Instant>,
    longest: Duration,
}

impl Retry {
    /// Nothing has failed yet.
    fn new(longest: Duration) -> Self {
        Self { failures: 0, failed: None, at: None, longest }
    }

    /// As it is for opening an index.
    pub fn for_opening() -> Self {
        Self::new(LONGEST_FOR_UPDATE)
    }

    /// It failed; when it may be tried again.
    pub fn failed(&mut self, now: Instant) -> Instant {
        let delay = FIRST_DELAY.saturating_mul(1 << self.failures.min(16)).min(self.longest);
        self.failures += 1;
        self.failed = Some(now);
        *self.at.insert(now + delay)
    }

    fn went_well(&mut self) {
        *self = Self::new(self.longest);
    }

    /// Something may be otherwise now: it need not wait longer than after a first failure.
    fn sooner(&mut self) {
        let soon = self.failed.map(|failed| failed + FIRST_DELAY);
        self.at = self.at.min(soon);
    }

    fn is_due(&self, now: Instant) -> bool {
        self.at.is_none_or(|at| at <= now)
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
