//! Decides what a search in the background does next: plain data, without threads, files or a clock.
//!
//! [`Schedule::next`] names the next step, given the state of the session; the other methods take note of what became of
//! it. What a search found is kept in the index at once, what was amended when nothing has changed for a moment; a session
//! that ends keeps both. A search is due while its view is shown,
//! the indexer is idle, and what it was made of has changed since; where a result is shown already, searches have a
//! [`Pace`]. Results that were only amended are settled by a search of all documents when nothing has changed for a while.
//!
//! A change ends a search, which then begins again, but not twice in a row: so something is found even if a folder changes
//! faster than it can be searched. A settling search is always ended: what is shown is amended at once, and settled later.
//! Settling searches take a tenth of a processor at most, so that a folder that rests now and then does not begin one after
//! another.

use std::time::{Duration, Instant};

use super::pace::{PACE, Pace};

/// How long no document must have changed before what was amended is settled by a search of all documents,
const SETTLE_AFTER: Duration = Duration::from_secs(20);
/// and before it is kept in the index.
const KEEP_AFTER: Duration = Duration::from_secs(2);

/// The state of the session, as far as a search depends on it.
#[derive(Clone, Debug)]
pub(super) struct SearchFacts<A> {
    /// The number of changes of the documents.
    pub texts: u64,
    /// What else a result is made of. Another value ends a search, and the schedule begins anew, except for its pace.
    pub asked: A,
    /// Whether there is an index, and the view that was asked for last shows such results.
    pub is_wanted: bool,
    /// Whether the indexer has nothing to do.
    pub is_quiet: bool,
    /// Whether a result is shown.
    pub is_shown: bool,
}

/// The next step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchStep {
    /// Keep what is shown in the index.
    Keep,
    /// Look for a result that the index keeps.
    Load,
    /// Amend what is shown, or search all documents.
    Search(SearchKind),
    /// Wait for a change, or until this time.
    Wait(Option<Instant>),
}

/// Whether a search of all documents settles what is shown, and whether a change ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchKind {
    /// Whether it only settles what is shown.
    pub settles: bool,
    /// Whether a change ends it.
    pub is_ended_by_changes: bool,
}

/// How a result came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResultKind {
    /// By a search of all documents.
    Searched,
    /// By amending an earlier result.
    Amended,
    /// The index keeps it; whether it is settled.
    Loaded(bool),
}

/// The schedule of a search.
#[derive(Debug)]
pub(super) struct Schedule<A> {
    asked: A,
    /// The number of changes of the documents for which something was found last, or the search failed.
    done: Option<u64>,
    /// The number of changes for which kept results were looked up last.
    looked_up: Option<u64>,
    /// Whether a change ended the last search.
    was_ended: bool,
    /// Whether a result was shown when the last step was decided.
    was_shown: bool,
    keep_at: Option<Instant>,
    settle_at: Option<Instant>,
    pace: Pace,
    settling: Pace,
}

impl<A: Clone + PartialEq> Schedule<A> {
    /// The schedule of a search of which nothing is known.
    pub(super) fn new(asked: A) -> Self {
        Self {
            asked,
            done: None,
            looked_up: None,
            was_ended: false,
            was_shown: false,
            keep_at: None,
            settle_at: None,
            pace: PACE,
            settling: Pace::new(10, Duration::ZERO, Duration::MAX),
        }
    }

    /// The next step.
    pub(super) fn next(&mut self, facts: &SearchFacts<A>, now: Instant) -> SearchStep {
        if self.asked != facts.asked {
            let (pace, settling) = (self.pace, self.settling);
            *self = Self { pace, settling, ..Self::new(facts.asked.clone()) };
        }
        if self.keep_at.take_if(|at| *at <= now).is_some() {
            return SearchStep::Keep;
        }
        self.was_shown = facts.is_shown && self.done.is_some();
        let may_search = facts.is_wanted && facts.is_quiet;
        let is_due = may_search && self.done != Some(facts.texts);
        let postponed = self.pace.postponed(is_due && self.was_shown, now);
        let settle_at = self.settle_at.map(|at| at.max(self.settling.due().unwrap_or(at)));
        let settle_at = settle_at.filter(|_| may_search && !is_due);
        if postponed.is_none() {
            // What is shown is not replaced while the indexer makes one generation after another.
            let may_load = facts.is_wanted && (facts.is_quiet || !self.was_shown);
            if may_load && self.looked_up.replace(facts.texts) != Some(facts.texts) {
                return SearchStep::Load;
            }
            let settles = settle_at.is_some_and(|at| at <= now);
            if settles {
                self.settle_at = Some(now + SETTLE_AFTER);
            }
            if is_due || settles {
                let is_ended_by_changes = settles || !self.was_ended;
                return SearchStep::Search(SearchKind { settles, is_ended_by_changes });
            }
        }
        SearchStep::Wait([postponed, settle_at, self.keep_at].into_iter().flatten().min())
    }

    /// A result is shown for this number of changes.
    pub(super) fn found(&mut self, texts: u64, kind: ResultKind, now: Instant) {
        let is_settled = matches!(kind, ResultKind::Searched | ResultKind::Loaded(true));
        (self.done, self.looked_up, self.was_ended) = (Some(texts), Some(texts), false);
        self.settle_at = (!is_settled).then(|| now + SETTLE_AFTER);
        self.keep_at = match kind {
            ResultKind::Searched => Some(now),
            ResultKind::Amended => Some(now + KEEP_AFTER),
            ResultKind::Loaded(_) => None,
        };
    }

    /// A search was ended; `is_outdated` if by a change of documents.
    pub(super) fn ended(&mut self, kind: SearchKind, is_outdated: bool) {
        self.was_ended = is_outdated && !kind.settles;
    }

    /// A search failed. It would fail again with the same documents.
    pub(super) fn failed(&mut self, texts: u64) {
        (self.done, self.was_ended, self.settle_at) = (Some(texts), false, None);
    }

    /// A search ended now, and took this processor time.
    pub(super) fn charge(&mut self, kind: SearchKind, now: Instant, cost: Duration) {
        if kind.settles {
            self.settling.charge(now, cost);
        } else if self.was_shown {
            self.pace.charge(now, cost);
        }
    }
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
