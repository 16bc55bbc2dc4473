//! The activity of a session, as it is shown: the last events with their times, and the state of the index, of the
//! watcher and of the skipped files.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use dupi_base::corpus::Skipped;
use dupi_index::index::snapshot::{Snapshot, Totals};
use dupi_ingest::{Committed, Progress};

/// How many skipped files are named for each reason.
const NAMED: usize = 3;

/// The activity of a session.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// The progress of the indexer.
    pub progress: Progress,
    /// The newest generation of the index; `None` if there is none yet.
    pub index: Option<Arc<IndexState>>,
    /// The number of folders that the operating system watches; 0 when the folders are polled.
    pub folders: u64,
    /// Why they are polled, and what to do about it.
    pub trouble: Option<String>,
    /// The last events, the newest last.
    pub events: Vec<ActivityEvent>,
}

/// The state of an index, with the files that it skips.
#[derive(Clone, Debug, Default)]
pub struct IndexState {
    /// The number of the generation.
    pub generation: u64,
    /// The totals of all segments.
    pub totals: Totals,
    /// Its segments, the oldest first.
    pub segments: Vec<SegmentSummary>,
    /// Skipped files by reason, the most frequent reason first.
    pub skipped: Vec<SkippedGroup>,
}

/// A segment of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentSummary {
    /// The name of its file.
    pub name: String,
    /// Its size on disk, in bytes.
    pub bytes: u64,
    /// The number of its live files.
    pub files: u64,
    /// The number of its files that were deleted, or are newer in another segment.
    pub dead: u64,
}

/// Files that were skipped for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedGroup {
    /// The reason.
    pub reason: String,
    /// The number of files.
    pub count: u64,
    /// The first ones in the order of paths.
    pub first: Vec<PathBuf>,
}

/// An event of the activity log.
#[derive(Clone, Debug, PartialEq)]
pub struct ActivityEvent {
    /// The time of day.
    pub at: jiff::Zoned,
    /// What happened.
    pub what: ActivityKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum ActivityKind {
    /// A generation was committed.
    Committed(Committed),
    /// Segments were merged.
    Merged {
        /// The generation that has the merged segment.
        generation: u64,
        /// The number of segments after the merge.
        segments: usize,
        /// The duration.
        took: Duration,
    },
    /// A search for passages ended.
    Searched {
        /// The number of passages found.
        passages: u64,
        /// The duration.
        took: Duration,
    },
    /// A decision was made, undone or refused: a sentence.
    Decided(String),
    /// A notice was shown: a sentence.
    Notice(String),
    /// Something failed: a sentence.
    Failed(String),
}

impl ActivityKind {
    /// A merge whose result is in a generation.
    pub fn merged(snapshot: &Snapshot, took: Duration) -> Self {
        let generation = snapshot.manifest().generation;
        Self::Merged { generation, segments: snapshot.segments().len(), took }
    }
}

impl IndexState {
    /// The state of the index at a generation.
    pub fn of(snapshot: &Snapshot) -> Self {
        let segments = snapshot.segments().iter().zip(&snapshot.manifest().segments);
        let segments = segments.map(|(live, state)| SegmentSummary {
            name: live.name().name.clone(),
            bytes: live.name().length,
            files: live.live_files().count() as u64,
            dead: state.dead.len() as u64,
        });
        Self {
            generation: snapshot.manifest().generation,
            totals: snapshot.totals(),
            segments: segments.collect(),
            skipped: grouped(&snapshot.skipped()),
        }
    }
}

/// Groups skipped files, which are in the order of paths, by reason.
fn grouped(skipped: &[Skipped]) -> Vec<SkippedGroup> {
    let mut groups: Vec<SkippedGroup> = Vec::new();
    for left in skipped {
        let reason = left.reason.category();
        let at = groups.iter().position(|group| group.reason == reason).unwrap_or_else(|| {
            groups.push(SkippedGroup { reason: reason.into_owned(), count: 0, first: Vec::new() });
            groups.len() - 1
        });
        groups[at].count += left.count();
        if groups[at].first.len() < NAMED {
            groups[at].first.push(left.path.clone());
        }
    }
    groups.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_base::corpus::SkipReason;

    #[test]
    fn reasons_are_counted_whatever_their_details() {
        let skipped = |path: &str, reason| Skipped::new(path, reason);
        let groups = grouped(&[
            skipped("a", SkipReason::Empty),
            skipped("b", SkipReason::TooLarge(7)),
            skipped("c", SkipReason::TooLarge(8)),
        ]);
        assert_eq!(
            groups.iter().map(|group| (group.count, group.first.len())).collect::<Vec<_>>(),
            [(2, 2), (1, 1)]
        );
        assert_eq!(groups[0].reason, "larger than --max-filesize");
    }
}
