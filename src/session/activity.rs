//! What goes on and went on: the last events with their time of day, the speed of indexing, and how the index,
//! the watcher and the files left out stand. Everything that a front end is told passes by here.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::shared::Shared;
use super::{Update, Written};
use crate::corpus::Skipped;
use crate::index::snapshot::{Snapshot, Totals};
use crate::ingest::{Committed, Phase, Progress};

/// So many events are remembered,
const EVENTS: usize = 200;
/// and so many samples of the speed,
const SAMPLES: usize = 120;
/// which are so far apart.
const SAMPLE: Duration = Duration::from_millis(500);
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
    pub events: Vec<Event>,
}

/// An index, and what it leaves out.
#[derive(Clone, Debug, Default)]
pub struct IndexState {
    /// The generation.
    pub generation: u64,
    /// What it has in all.
    pub totals: Totals,
    /// Its segments, the oldest first.
    pub segments: Vec<SegmentState>,
    /// Files left out by reason, the most frequent reason first.
    pub skipped: Vec<SkippedGroup>,
}

/// A segment of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentState {
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
pub struct Event {
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

/// Remembers what was told.
#[derive(Default)]
pub struct Log {
    events: VecDeque<Event>,
    progress: Progress,
    /// What failed last, until all is well again.
    failed: Option<String>,
    speeds: VecDeque<u64>,
    /// When and at how many bytes the last sample was taken.
    sampled: Option<(Instant, u64)>,
    /// How many folders the system reports on.
    pub folders: u64,
    /// Why the folders are looked at from time to time.
    pub trouble: Option<String>,
}

impl Log {
    /// Adds an event.
    pub fn add(&mut self, what: Happening) {
        if self.events.len() == EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(Event { at: jiff::Zoned::now(), what });
    }

    /// Takes note of what is told; whether there is something new.
    pub fn note(&mut self, update: &Update) -> bool {
        match update {
            Update::Progress(progress) => {
                match &progress.phase {
                    // Tried again and again, it is one event.
                    Phase::Failed(sentence) if self.failed.as_ref() != Some(sentence) => {
                        self.failed = Some(sentence.clone());
                        self.add(Happening::Failed(sentence.clone()));
                    }
                    Phase::Idle => self.failed = None,
                    _ => {}
                }
                self.progress = progress.clone();
            }
            Update::Decided { sentence, .. } => self.add(Happening::Decided(sentence.clone())),
            Update::Notice(sentence) | Update::Mismatch(sentence) => {
                self.add(Happening::Notice(sentence.clone()));
            }
            Update::Written(Written::Done(sentence)) => self.add(Happening::Notice(sentence.clone())),
            Update::Written(Written::Failed(sentence)) => self.add(Happening::Failed(sentence.clone())),
            _ => return false,
        }
        true
    }

    /// The speeds so far, when so many bytes were read by `now`.
    pub fn speeds(&mut self, phase: &Phase, bytes: u64, now: Instant) -> Arc<[u64]> {
        match self.sampled {
            _ if *phase != Phase::Indexing => self.sampled = None,
            Some((at, before)) if bytes >= before => {
                let since = now.saturating_duration_since(at);
                if since >= SAMPLE {
                    if self.speeds.len() == SAMPLES {
                        self.speeds.pop_front();
                    }
                    self.speeds.push_back(((bytes - before) as f64 / since.as_secs_f64()) as u64);
                    self.sampled = Some((now, bytes));
                }
            }
            _ => self.sampled = Some((now, bytes)),
        }
        self.speeds.iter().copied().collect()
    }
}

impl IndexState {
    fn of(snapshot: &Snapshot) -> Self {
        let segments = snapshot.segments().iter().zip(&snapshot.manifest().segments);
        let segments = segments.map(|(live, state)| SegmentState {
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

/// Tells what goes on, while that is shown, until the session stops.
pub fn answer_activity(shared: &Shared) {
    let mut index: Option<Arc<IndexState>> = None;
    let mut seen = 0;
    while let Some(now) = shared.activity.wait(seen) {
        seen = now;
        let snapshot = {
            let state = shared.state();
            if !state.shows_activity {
                continue;
            }
            state.snapshot.clone()
        };
        index = snapshot.map(|snapshot| {
            let generation = snapshot.manifest().generation;
            let known = index.take().filter(|index| index.generation == generation);
            known.unwrap_or_else(|| Arc::new(IndexState::of(&snapshot)))
        });
        let log = shared.log();
        let activity = Activity {
            progress: log.progress.clone(),
            index: index.clone(),
            folders: log.folders,
            trouble: log.trouble.clone(),
            events: log.events.iter().cloned().collect(),
        };
        drop(log);
        shared.tell(Update::Activity(Arc::new(activity)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::SkipReason;

    #[test]
    fn the_last_events_are_remembered_and_no_more() {
        let mut log = Log::default();
        for number in 0..EVENTS + 3 {
            log.note(&Update::Notice(number.to_string()));
        }
        assert_eq!(log.events.len(), EVENTS);
        assert_eq!(log.events[0].what, Happening::Notice("3".into()));
        assert!(!log.note(&Update::Searching(crate::session::PassageSearch::Idle)));
    }

    #[test]
    fn a_failure_that_is_told_again_and_again_is_one_event() {
        let mut log = Log::default();
        let failed = Progress { phase: Phase::Failed("the disk is full".into()), ..Progress::default() };
        let is = |phase| Progress { phase, ..Progress::default() };
        let tried = [failed.clone(), is(Phase::Walking), is(Phase::Indexing), failed.clone()];
        for progress in tried.into_iter().chain([is(Phase::Idle), failed]) {
            log.note(&Update::Progress(progress));
        }
        assert_eq!(log.events.len(), 2);
    }

    #[test]
    fn the_speed_is_that_between_two_samples() {
        let mut log = Log::default();
        let start = Instant::now();
        let mut at = |millis: u64, bytes: u64, phase: &Phase| {
            log.speeds(phase, bytes, start + Duration::from_millis(millis)).to_vec()
        };
        assert!(at(0, 100, &Phase::Indexing).is_empty());
        assert!(at(400, 900, &Phase::Indexing).is_empty(), "too soon");
        assert_eq!(at(1000, 1100, &Phase::Indexing), [1000]);
        assert_eq!(at(2000, 0, &Phase::Idle), [1000]);
        assert_eq!(at(9000, 50, &Phase::Indexing), [1000], "another run begins");
        assert_eq!(at(10_000, 250, &Phase::Indexing), [1000, 200]);
    }

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
