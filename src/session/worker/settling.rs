//! When amended passages are settled by a search of all documents, and which searches a change ends.
//!
//! A search that was ended by a change is followed by one that is not, so that passages are found while documents keep
//! changing. A settling search is always ended: what is shown is amended at once, and settled later. Settling searches take
//! a tenth of a processor at most, so that a folder that rests now and then does not begin one after another.

use std::time::{Duration, Instant};

use super::pace::Pace;

/// How long no document must have changed before amended passages are searched for again.
const AFTER: Duration = Duration::from_secs(20);

/// Whether a search of all documents settles the passages that are shown, and whether a change ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchKind {
    /// Whether it only settles what is shown.
    pub settles: bool,
    /// Whether a change ends it.
    pub is_ended_by_changes: bool,
}

/// The time of the next settling search, and what became of the last search.
#[derive(Debug)]
pub(super) struct Settling {
    at: Option<Instant>,
    was_ended: bool,
    pace: Pace,
}

impl Default for Settling {
    fn default() -> Self {
        Self { at: None, was_ended: false, pace: Pace::new(10, Duration::ZERO, Duration::MAX) }
    }
}

impl Settling {
    /// When it is time for a settling search.
    pub(super) fn at(&self) -> Option<Instant> {
        self.at.map(|at| self.pace.due().map_or(at, |due| due.max(at)))
    }

    /// The search that begins now. While a change is due it is not one that settles.
    pub(super) fn next(&mut self, now: Instant, is_due: bool) -> SearchKind {
        let settles = !is_due && self.at().is_some_and(|at| at <= now);
        if settles {
            self.at = Some(now + AFTER);
        }
        SearchKind { settles, is_ended_by_changes: settles || !self.was_ended }
    }

    /// Passages are shown that were amended, or are settled.
    pub(super) fn shown(&mut self, now: Instant, is_settled: bool) {
        self.at = (!is_settled).then(|| now + AFTER);
        self.was_ended = false;
    }

    /// A settling search ended now, and took this processor time.
    pub(super) fn charge(&mut self, now: Instant, cost: Duration) {
        self.pace.charge(now, cost);
    }

    /// A search of all documents found nothing to show: a change ended it, or it failed.
    pub(super) fn stopped(&mut self, kind: SearchKind, is_ended: bool) {
        self.was_ended = is_ended && !kind.settles;
        if !is_ended {
            self.at = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEARCH: SearchKind = SearchKind { settles: false, is_ended_by_changes: true };
    const SETTLING: SearchKind = SearchKind { settles: true, is_ended_by_changes: true };

    #[test]
    fn a_change_during_a_settling_search_is_amended_and_not_searched_for() {
        let (mut of, start) = (Settling::default(), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        of.shown(start, false);
        assert_eq!(of.at(), Some(after(20)));
        assert_eq!(of.next(after(19), false), SEARCH);
        assert_eq!(of.next(after(20), false), SETTLING);
        // A change ends it only after a while.
        of.stopped(SETTLING, true);
        assert_eq!(of.next(after(60), true), SEARCH, "the change is amended first");
        of.shown(after(61), false);
        assert_eq!(of.next(after(62), true), SEARCH);
        assert_eq!(of.next(after(81), false), SETTLING, "changes end it, whatever was ended before");
        of.shown(after(90), true);
        assert_eq!((of.at(), of.next(after(200), false)), (None, SEARCH));
    }

    #[test]
    fn a_search_that_was_ended_is_followed_by_one_that_is_not() {
        let (mut of, now) = (Settling::default(), Instant::now());
        assert_eq!(of.next(now, true), SEARCH);
        of.stopped(SEARCH, true);
        let kind = of.next(now, true);
        assert!(!kind.is_ended_by_changes && !kind.settles);
        of.shown(now, true);
        assert_eq!(of.next(now, true), SEARCH);
        of.stopped(SEARCH, true);
        of.shown(now, false);
        assert_eq!(of.next(now, true), SEARCH, "what was amended does not wait for a search");
    }

    #[test]
    fn settling_searches_that_changes_end_are_begun_ever_more_rarely() {
        let (mut of, start) = (Settling::default(), Instant::now());
        let (mut begun, mut took) = (0, Duration::ZERO);
        // One change in half a minute, for a day; a search of all documents would take two minutes.
        for change in 0..24 * 120 {
            let now = start + Duration::from_secs(30 * change);
            of.shown(now, false);
            let later = now + Duration::from_secs(20);
            if of.next(later, false).settles {
                begun += 1;
                let ended = later + Duration::from_secs(10);
                took += 2 * (ended - later);
                of.stopped(SETTLING, true);
                of.charge(ended, 2 * (ended - later));
            }
        }
        assert!(begun > 100, "{begun}");
        assert!(took <= Duration::from_secs(24 * 3600 / 10), "{took:?}");
    }

    #[test]
    fn a_search_that_failed_is_not_repeated() {
        let (mut of, now) = (Settling::default(), Instant::now());
        of.shown(now, false);
        of.stopped(SETTLING, false);
        assert_eq!(of.at(), None);
    }
}
