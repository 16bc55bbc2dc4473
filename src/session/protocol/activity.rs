//! What goes on and went on, as it is shown: the last events with their time of day, and how the index, the watcher
//! and the files left out stand.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::corpus::Skipped;
use crate::index::snapshot::{Snapshot, Totals};
use crate::ingest::{Committed, Progress};

/// Of files that were left out for one reason so many are named.
const NAMED: usize = 3;

/// What goes on and went on.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// What the indexer does.
    pub progress: Progress,
    /// The index, as its newest generation has it; `None` when there is none yet.
    pub index: Option<Arc<IndexState>>,
    /// How many folders the system reports on; none where they are looked at from time to time.
    pub folders: u64,
    /// Why they are looked at from time to time, and what to do about it.
    pub trouble: Option<String>,
    /// The last events, the newest last.
    pub events: Vec<ActivityEvent>,
}

/// An index, and what it leaves out.
#[derive(Clone, Debug, Default)]
pub struct IndexState {
    /// The generation.
    pub generation: u64,
    /// What it has in all.
    pub totals: Totals,
    /// Its segments, the oldest first.
    pub segments: Vec<SegmentSummary>,
    /// Files left out by reason, the most frequent reason first.
    pub skipped: Vec<SkippedGroup>,
}

/// A segment of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentSummary {
    /// Its file.
    pub name: String,
    /// Bytes on disk.
    pub bytes: u64,
    /// Its live files.
    pub files: u64,
    /// Its files that are gone, or were read anew.
    pub dead: u64,
}

/// Files that were left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedGroup {
    /// The reason.
    pub reason: String,
    /// How many.
    pub count: u64,
    /// The first of them by path.
    pub first: Vec<PathBuf>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct ActivityEvent {
    /// When.
    pub at: jiff::Zoned,
    /// What.
    pub what: Happening,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// A generation was committed.
    Committed(Committed),
    /// Segments were merged.
    Merged {
        /// The generation that has the merged one.
        generation: u64,
        /// How many segments there are now.
        segments: usize,
        /// How long it took.
        took: Duration,
    },
    /// Passages were looked for.
    Searched {
        /// How many were found.
        passages: u64,
        /// How long it took.
        took: Duration,
    },
    /// A decision was taken, undone or refused: a sentence.
    Decided(String),
    /// Something was told once: a sentence.
    Notice(String),
    /// Something failed: a sentence.
    Failed(String),
}

impl Happening {
    /// A merge that a generation has.
    pub fn merged(snapshot: &Snapshot, took: Duration) -> Self {
        let generation = snapshot.manifest().generation;
        Self::Merged { generation, segments: snapshot.segments().len(), took }
    }
}

impl IndexState {
    /// The state of a generation.
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

/// Files left out, in the order of paths, by reason.
fn grouped(skipped: &[Skipped]) -> Vec<SkippedGroup> {
    let mut groups: Vec<SkippedGroup> = Vec::new();
    for left in skipped {
        let reason = left.reason.in_general();
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
    use crate::corpus::SkipReason;

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
