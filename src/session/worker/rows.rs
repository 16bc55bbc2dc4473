//! The thread of the rows: carries out decisions, and lists the rows of the view that was asked for last. It abandons a
//! list when a newer one is asked for. Lists that are only made because documents changed have a [`Pace`](super::pace).
//!
//! One request for a decision is one step of the journal, whatever its number of rows. First the changed rows are shown;
//! a sentence about its effect follows when everything that the decision hides or shows was counted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::pace::{PACE, Pace, thread_time};
use super::shared::SharedSession;
use super::signals::Concern;
use crate::decisions::steps::carry_out;
use crate::known::Found;
use crate::known::decisions::Decisions;
use crate::known::passages::KnownPassages;
use crate::known::taboo_counts::difference;
use crate::protocol::{DecisionResult, Listing, Subject, Update, View};
use crate::rows::list_maker;
use crate::rows::list_row::{ListMaker, ListRequest};
use dupi_index::index::IndexError;
use dupi_index::index::ranking::HEAD;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::TabooSet;

/// The list makers of the subjects that were shown.
#[derive(Default)]
struct ListMakers {
    makers: Vec<(Subject, Box<dyn ListMaker>)>,
    /// The passages that the lists are made from.
    of: Option<Arc<KnownPassages>>,
}

impl ListMakers {
    /// Frees what was made from other passages.
    fn renew(&mut self, known: Option<&Arc<KnownPassages>>) {
        if self.of.as_ref().map(Arc::as_ptr) != known.map(Arc::as_ptr) {
            self.of = known.cloned();
            self.makers.iter_mut().for_each(|(_, maker)| maker.forget_passages());
        }
    }

    /// The list maker of a subject. Until passages are known, blots are listed in their place.
    fn maker(&mut self, subject: Subject) -> &mut dyn ListMaker {
        let subject = match subject {
            Subject::Passages if self.of.is_none() => Subject::Blots,
            subject => subject,
        };
        let at = self.makers.iter().position(|(of, _)| *of == subject).unwrap_or_else(|| {
            self.makers.push((subject, list_maker(subject)));
            self.makers.len() - 1
        });
        &mut *self.makers[at].1
    }
}

/// Whether a list is due: at once when a user asks for it, at a pace when only documents changed.
#[derive(Debug)]
struct DueList {
    pace: Pace,
    /// Whether a user waits for the list, also if the last one was abandoned.
    is_asked: bool,
}

impl DueList {
    /// Takes note of a change, and whether a user asked for the list. Returns when it is due; `None` if it is due now.
    fn woken(&mut self, is_asked: bool, now: Instant) -> Option<Instant> {
        self.is_asked |= is_asked;
        self.pace.postponed(!self.is_asked, now)
    }

    /// A list was made at this cost, and sent unless a newer one is asked for.
    fn listed(&mut self, is_newest: bool, cost: Duration, now: Instant) {
        if !self.is_asked {
            self.pace.charge(now, cost);
        }
        self.is_asked &= !is_newest;
    }
}

/// Answers requests for rows until the session stops.
pub(crate) fn answer_rows(shared: &SharedSession) {
    let mut makers = ListMakers::default();
    let mut due = DueList { pace: PACE, is_asked: false };
    shared.follow(Concern::Rows, |seen| {
        let is_asked = std::mem::take(&mut shared.state().asked.rows);
        let postponed = due.woken(is_asked, Instant::now());
        if postponed.is_some() {
            return postponed;
        }
        let begun = thread_time();
        match list(shared, &mut makers, seen) {
            Ok(()) | Err(IndexError::Stopped) => {}
            Err(error) => fail(shared, &error),
        }
        let is_newest = shared.signals.is_newest(Concern::Rows, seen);
        due.listed(is_newest, thread_time().saturating_sub(begun), Instant::now());
        shared.report_unread();
        None
    });
    // Decisions from before the end of the session are carried out.
    let found = shared.state().found();
    if let Some(found) = found {
        decide(shared, &found);
    }
}

/// Reports that the rows that were asked for cannot be listed.
fn fail(shared: &SharedSession, error: &IndexError) {
    if let Some((view, _)) = asked(shared) {
        let trouble = Some(error.to_string());
        shared.send(Update::Rows(Arc::new(Listing { view, trouble, complete: true, ..Listing::default() })));
    }
    shared.send(Update::Notice(error.to_string()));
}

/// The view that was asked for last, and the decisions; read together, so that an answer is about one state.
fn asked(shared: &SharedSession) -> Option<(View, Decisions)> {
    let state = shared.state();
    Some((state.asked.view.clone()?, state.decisions.clone()?))
}

fn list(shared: &SharedSession, makers: &mut ListMakers, seen: u64) -> Result<(), IndexError> {
    let found = shared.state().found();
    let Some(mut found) = found else { return Ok(()) };
    makers.renew(found.known.as_ref());
    let unreported = decide(shared, &found);
    let asked = asked(shared);
    let is_of = |subject| asked.as_ref().is_some_and(|(view, _)| view.of == subject);
    // The rows of other subjects need all passages.
    let is_first_look = found.is_first_look;
    found.is_first_look &= is_of(Subject::Passages);
    if is_first_look && !found.is_first_look {
        found.known = None;
    }
    let is_overtaken = || !shared.signals.is_newest(Concern::Rows, seen);
    let is_stopped = || shared.is_stopped();
    let send = |listing: Listing| {
        // Where none of them passes the filter, others still may.
        let is_provisional = listing.is_provisional || found.is_first_look && listing.rows.is_empty();
        let listing = Listing { is_first_look: found.is_first_look, is_provisional, ..listing };
        shared.send(Update::Rows(Arc::new(listing)));
    };
    let notice = |sentence| shared.send(Update::Notice(sentence));
    let listed = match &asked {
        Some((view, decisions)) => {
            let is_asked_anew = || is_stopped() || is_overtaken() && shared.state().asked.is_beyond(view);
            makers.maker(view.of).list(&ListRequest {
                view,
                decisions,
                found: &found,
                rankings: &shared.rankings,
                is_overtaken: &is_overtaken,
                is_asked_anew: &is_asked_anew,
                is_stopped: &is_stopped,
                send: &send,
                notice: &notice,
            })
        }
        // The ranking is made early, for the first view that needs it.
        None => shared.rankings.ranking(&found.snapshot, HEAD, &is_stopped).map(drop),
    };
    // Effects of decisions are counted in passages, but in the view of blots in blots.
    let counted_in = found.known.as_deref().filter(|_| !is_of(Subject::Blots));
    unreported.into_iter().fold(listed, |so_far, decision| {
        let reported = report(shared, &found.snapshot, counted_in, decision);
        so_far.and(reported)
    })
}

/// A decision that was carried out. Its sentence is sent once its effect is counted.
struct UnreportedDecision {
    /// What was changed, as the beginning of a sentence; a whole sentence if nothing is hidden or shown by it.
    done: String,
    result: DecisionResult,
    before: Arc<TabooSet>,
    after: Arc<TabooSet>,
}

/// Reports a decision. Its effect is counted in passages, or in blots without these.
fn report(
    shared: &SharedSession,
    snapshot: &Snapshot,
    known: Option<&KnownPassages>,
    decision: UnreportedDecision,
) -> Result<(), IndexError> {
    let UnreportedDecision { done, result, before, after } = decision;
    if !done.ends_with([':', ';']) {
        shared.send(Update::Decided { sentence: done, result });
        return Ok(());
    }
    let compare = |less, more| match known {
        Some(known) => Ok(known.difference(less, more)),
        None => {
            let ranking = shared.rankings.ranking(snapshot, HEAD, &|| shared.is_stopped())?;
            difference(snapshot, &ranking, less, more)
        }
    };
    let both = match Arc::ptr_eq(&before, &after) {
        true => Ok(Default::default()),
        false => compare(&before, &after).and_then(|hidden| Ok((hidden, compare(&after, &before)?))),
    };
    let counted = both.map(|(hidden, shown)| match (hidden.is_empty(), shown.is_empty()) {
        (false, _) => format!("{} hidden", hidden.words()),
        (true, false) => format!("{} shown again", shown.words()),
        (true, true) => "nothing more to hide or show".to_owned(),
    });
    // The decision was made, even if its effect could not be counted.
    let words = counted.as_deref().unwrap_or("not counted");
    shared.send(Update::Decided { sentence: format!("{done} {words}"), result });
    counted.map(drop)
}

/// Carries out the queued decisions. Returns those whose sentence is to be sent later; why a decision changed nothing is
/// sent at once.
fn decide(shared: &SharedSession, found: &Found) -> Vec<UnreportedDecision> {
    let _deciding = shared.deciding();
    let (pending, mut decisions) = {
        let mut state = shared.state();
        let Some(decisions) = state.decisions.clone() else { return Vec::new() };
        (std::mem::take(&mut state.asked.decisions), decisions)
    };
    if pending.is_empty() {
        return Vec::new();
    }
    let mut unreported = Vec::new();
    for request in pending {
        let before = Arc::clone(&decisions.set);
        let outcome = carry_out(&mut decisions, found, request);
        let (sentence, result) = outcome.unwrap_or_else(|error| (error.to_string(), DecisionResult::Failed));
        if matches!(result, DecisionResult::Done | DecisionResult::Undone) {
            let after = Arc::clone(&decisions.set);
            unreported.push(UnreportedDecision { done: sentence, result, before, after });
        } else {
            shared.send(Update::Decided { sentence, result });
        }
    }
    shared.state().decisions = Some(decisions);
    // The taboo runs of the shown document may have changed.
    shared.signals.raise(&[Concern::Preview]);
    shared.follow_exclusions();
    unreported
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
