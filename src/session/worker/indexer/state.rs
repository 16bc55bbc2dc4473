//! The state machine of the indexer: plain data, without threads, files or a clock.
//!
//! [`IndexerState::handle`] takes an event; [`IndexerState::next`] says what is to be done next. The order, from the
//! most urgent: leave the index; check that it still exists; begin a merge, which runs on a thread of its own; bring the
//! index up to date; wait. Before the indexer leaves its index, a running merge is ended.
//!
//! An update is owed until it is done. After a failed update, all of the folder has to be looked at, as it is not known
//! which part was done. What failed is tried again after a delay, which grows with each failure in a row; other events do
//! not restart the delay. Only when all of the folder may have changed (for example, it is back) an update is tried again as
//! soon as after a first failure. Changes that keep coming are gathered: updates for them have a [`Pace`].

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::worker::pace::Pace;

/// The interval at which the index is checked to exist.
pub(super) const LOOK: Duration = Duration::from_secs(1);

/// The delay after the first failure. Each further failure in a row doubles it,
const FIRST_DELAY: Duration = Duration::from_millis(500);
/// up to this for an update: a user who freed space, or brought the folder back, waits for it;
const LONGEST_FOR_UPDATE: Duration = Duration::from_secs(30);
/// and up to this for a merge, or for files that could not be read: no user waits for it, and it may read much data before
/// it fails.
const LONGEST_UNAWAITED: Duration = Duration::from_secs(600);

/// Updates for reported changes take an eighth of a processor, and there are two a second at most on the average. A new row
/// waits for no more than three seconds, whatever an update costs.
const PACE: Pace = Pace::new(8, Duration::from_millis(500), Duration::from_secs(3));

/// An event that the indexer has to react to.
#[derive(Debug)]
pub(super) enum IndexerEvent {
    /// These files and folders changed.
    Changed(Vec<PathBuf>),
    /// Anything in the folder may have changed.
    ChangedAnywhere,
    /// The update of all of the folder succeeded.
    Updated,
    /// The update of some paths succeeded.
    PathsUpdated,
    /// An update succeeded, except for files that could not be read now.
    UpdatedInPart,
    /// An update for reported changes ended, and took this processor time.
    Charged(Duration),
    /// An update failed.
    UpdateFailed,
    /// A merge was begun.
    MergeBegan,
    /// No merge is worth doing.
    NothingToMerge,
    /// The merge ended, and its result is in the index.
    Merged,
    /// The merge was cancelled, or could not be begun, or its result could not be used.
    MergeFailed,
    /// The index was checked, and exists.
    Looked,
    /// The index was removed.
    Lost,
    /// A rebuild was requested.
    Rebuild,
    /// The session ends.
    Stop,
}

/// The next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum IndexerStep {
    /// Wait for an event, until this time at most.
    Wait(Instant),
    /// Check that the index still exists.
    Look,
    /// Bring the index up to date with this part of the folder.
    Update(OwedPaths),
    /// Begin a merge, if one is worth doing.
    BeginMerge,
    /// Cancel the running merge, and wait for its end.
    EndMerge,
    /// Close the index.
    Leave(LeaveReason),
}

/// Why the indexer closes its index. Of several reasons the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LeaveReason {
    /// It is to be rebuilt.
    Rebuild,
    /// It was removed.
    Lost,
    /// The session ends.
    Stop,
}

/// The files and folders that are to be looked at; `None` for all of the folder.
pub(super) type OwedPaths = Option<BTreeSet<PathBuf>>;

/// The state of merging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MergeState {
    /// No merge is worth doing.
    Nothing,
    /// A merge may be worth doing.
    Perhaps,
    /// A merge runs.
    Runs,
}

/// The state of the indexer.
#[derive(Debug)]
pub(super) struct IndexerState {
    owed: OwedPaths,
    update: Retry,
    pace: Pace,
    /// When to look at all of the folder again for files that could not be read. They have a delay of their own, so that other
    /// changes need not wait.
    reading: Retry,
    merge: MergeState,
    merging: Retry,
    look: Instant,
    leave: Option<LeaveReason>,
}

impl IndexerState {
    /// The state after opening an index: all of the folder is to be looked at.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            owed: None,
            update: Retry::new(LONGEST_FOR_UPDATE),
            pace: PACE,
            reading: Retry::new(LONGEST_UNAWAITED),
            merge: MergeState::Nothing,
            merging: Retry::new(LONGEST_UNAWAITED),
            look: now + LOOK,
            leave: None,
        }
    }

    /// What to do next.
    pub(super) fn next(&self, now: Instant) -> IndexerStep {
        let is_owed = self.owed.as_ref().is_none_or(|paths| !paths.is_empty());
        let may_merge = self.merge == MergeState::Perhaps;
        match self.leave {
            Some(_) if self.merge == MergeState::Runs => IndexerStep::EndMerge,
            Some(why) => IndexerStep::Leave(why),
            None if self.look <= now => IndexerStep::Look,
            None if may_merge && self.merging.is_due(now) => IndexerStep::BeginMerge,
            None if is_owed && self.update.is_due(now) && self.pace.is_due(now) => {
                IndexerStep::Update(self.owed.clone())
            }
            None if self.reading.at.is_some_and(|at| at <= now) => IndexerStep::Update(None),
            None => {
                let merging = self.merging.at.filter(|_| may_merge);
                let update = self.update.at.max(self.pace.due()).filter(|_| is_owed);
                IndexerStep::Wait(
                    [merging, update, self.reading.at].into_iter().flatten().fold(self.look, Instant::min),
                )
            }
        }
    }

    /// Reacts to an event.
    pub(super) fn handle(&mut self, event: IndexerEvent, now: Instant) {
        match event {
            IndexerEvent::Changed(paths) => {
                if let Some(owed) = &mut self.owed {
                    owed.extend(paths);
                }
            }
            IndexerEvent::ChangedAnywhere => {
                self.owed = None;
                self.update.shorten();
            }
            IndexerEvent::Updated => {
                self.reading.succeeded();
                self.updated();
            }
            IndexerEvent::PathsUpdated => self.updated(),
            IndexerEvent::UpdatedInPart => {
                self.reading.failed(now);
                self.updated();
            }
            IndexerEvent::Charged(cost) => self.pace.charge(now, cost),
            IndexerEvent::UpdateFailed => {
                self.owed = None;
                self.update.failed(now);
            }
            IndexerEvent::MergeBegan => self.merge = MergeState::Runs,
            IndexerEvent::NothingToMerge => self.merge = MergeState::Nothing,
            IndexerEvent::Merged => {
                self.merge = MergeState::Perhaps;
                self.merging.succeeded();
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
    pub(super) fn is_merging(&self) -> bool {
        self.merge == MergeState::Runs
    }

    fn updated(&mut self) {
        self.owed = Some(BTreeSet::new());
        self.update.succeeded();
        if self.merge == MergeState::Nothing {
            self.merge = MergeState::Perhaps;
        }
    }
}

/// The delay until something that failed is tried again.
#[derive(Debug)]
pub(super) struct Retry {
    failures: u32,
    failed: Option<Instant>,
    at: Option<Instant>,
    longest: Duration,
}

impl Retry {
    /// No failure yet.
    fn new(longest: Duration) -> Self {
        Self { failures: 0, failed: None, at: None, longest }
    }

    /// The delay for opening an index.
    pub(super) fn for_opening() -> Self {
        Self::new(LONGEST_FOR_UPDATE)
    }

    /// Counts a failure. Returns when to try again.
    pub(super) fn failed(&mut self, now: Instant) -> Instant {
        let delay = FIRST_DELAY.saturating_mul(1 << self.failures.min(16)).min(self.longest);
        self.failures += 1;
        self.failed = Some(now);
        *self.at.insert(now + delay)
    }

    fn succeeded(&mut self) {
        *self = Self::new(self.longest);
    }

    /// Shortens the delay to that after a first failure, as the cause may be gone.
    fn shorten(&mut self) {
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
