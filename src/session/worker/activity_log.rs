//! Records the activity of a session: the last events, the progress and the speed of indexing. Every update to the front
//! end passes through here.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::protocol::{Activity, ActivityEvent, ActivityKind, Update, WriteResult};
use dupi_ingest::Phase;

/// The number of events that are kept,
const EVENTS: usize = 200;
/// and of samples of the speed.
const SAMPLES: usize = 120;
/// The time between two samples.
const SAMPLE: Duration = Duration::from_millis(500);

/// The recorded activity.
#[derive(Default)]
pub(crate) struct ActivityLog {
    /// What is shown of it, without the state of the index.
    pub shown: Activity,
    /// The last failure, until the indexer is idle again.
    failed: Option<String>,
    speeds: VecDeque<u64>,
    /// The time of the last sample, and the bytes read by then.
    sampled: Option<(Instant, u64)>,
}

impl ActivityLog {
    /// Adds an event.
    pub(crate) fn add(&mut self, what: ActivityKind) {
        let events = &mut self.shown.events;
        if events.len() == EVENTS {
            events.remove(0);
        }
        events.push(ActivityEvent { at: jiff::Zoned::now(), what });
    }

    /// Records an update. Returns whether the activity changed.
    pub(crate) fn note(&mut self, update: &Update) -> bool {
        match update {
            Update::Progress(progress) => {
                match &progress.phase {
                    // Repeated failures of one kind are one event.
                    Phase::Failed(sentence) if self.failed.as_ref() != Some(sentence) => {
                        self.failed = Some(sentence.clone());
                        self.add(ActivityKind::Failed(sentence.clone()));
                    }
                    Phase::Idle => self.failed = None,
                    _ => {}
                }
                self.shown.progress = progress.clone();
            }
            Update::Decided { sentence, .. } => self.add(ActivityKind::Decided(sentence.clone())),
            Update::Notice(sentence) | Update::Mismatch(sentence) => {
                self.add(ActivityKind::Notice(sentence.clone()));
            }
            Update::Written(WriteResult::Done(sentence)) => self.add(ActivityKind::Notice(sentence.clone())),
            Update::Written(WriteResult::Failed(sentence)) => {
                self.add(ActivityKind::Failed(sentence.clone()));
            }
            _ => return false,
        }
        true
    }

    /// The samples so far, given the number of bytes read by `now`.
    pub(crate) fn speeds(&mut self, phase: &Phase, bytes: u64, now: Instant) -> Arc<[u64]> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_ingest::Progress;

    #[test]
    fn the_last_events_are_remembered_and_no_more() {
        let mut log = ActivityLog::default();
        for number in 0..EVENTS + 3 {
            log.note(&Update::Notice(number.to_string()));
        }
        assert_eq!(log.shown.events.len(), EVENTS);
        assert_eq!(log.shown.events[0].what, ActivityKind::Notice("3".into()));
        assert!(!log.note(&Update::Searching(crate::protocol::SearchState::Idle)));
    }

    #[test]
    fn a_failure_that_is_told_again_and_again_is_one_event() {
        let mut log = ActivityLog::default();
        let failed = Progress { phase: Phase::Failed("the disk is full".into()), ..Progress::default() };
        let is = |phase| Progress { phase, ..Progress::default() };
        let tried = [failed.clone(), is(Phase::Walking), is(Phase::Indexing), failed.clone()];
        for progress in tried.into_iter().chain([is(Phase::Idle), failed]) {
            log.note(&Update::Progress(progress));
        }
        assert_eq!(log.shown.events.len(), 2);
    }

    #[test]
    fn the_speed_is_that_between_two_samples() {
        let mut log = ActivityLog::default();
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
}
