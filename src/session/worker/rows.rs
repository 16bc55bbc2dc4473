//! The thread of the rows: carries out decisions, and lists the rows of the view that was asked for last. It abandons a
//! list when a newer one is asked for. Lists that are only made because documents changed have a [`Pace`](super::pace).

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::decision_queue::{UnreportedDecision, decide};
use super::pace::{PACE, Pace, thread_time};
use super::shared::SharedSession;
use crate::decisions::lists::Decisions;
use crate::protocol::{Subject, TabooDifference, Update, View};
use crate::rows::known_clusters::KnownClusters;
use crate::rows::known_passages::KnownPassages;
use crate::rows::list_maker::{ListMaker, ListRequest};
use crate::rows::list_row::RowSource;
use crate::rows::review_stand::ReviewStand;
use crate::rows::{Item, Listing, list_maker};
use dupi_index::index::IndexError;
use dupi_index::index::ranking::HEAD;
use dupi_index::index::snapshot::Snapshot;

/// The list makers of the subjects that were shown.
#[derive(Default)]
struct ListMakers {
    makers: Vec<(Subject, Box<dyn ListMaker<Item>>)>,
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
    fn of(&mut self, subject: Subject) -> &mut dyn ListMaker<Item> {
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
    publications: u64,
    /// Whether a user waits for the list, also if the last one was abandoned.
    is_asked: bool,
}

impl Default for DueList {
    fn default() -> Self {
        Self { pace: PACE, publications: 0, is_asked: false }
    }
}

impl DueList {
    /// Takes note of `raised` signals, and of all publications so far, each of which is one of the signals. Returns when the
    /// list is due; `None` if it is due now.
    fn woken(&mut self, raised: u64, publications: u64, now: Instant) -> Option<Instant> {
        self.is_asked |= raised > publications - self.publications;
        self.publications = publications;
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
    let (mut seen, mut due) = (0, DueList::default());
    let mut postponed = None;
    while let Some(now) = shared.rows.wait_until(seen, postponed) {
        let raised = now - seen;
        seen = now;
        postponed = due.woken(raised, shared.state().publications, Instant::now());
        if postponed.is_some() {
            continue;
        }
        let begun = thread_time();
        match list(shared, &mut makers, seen) {
            Ok(()) | Err(IndexError::Stopped) => {}
            Err(error) => fail(shared, &error),
        }
        due.listed(shared.rows.is_newest(seen), thread_time().saturating_sub(begun), Instant::now());
        shared.report_unread();
    }
    // Decisions from before the end of the session are carried out.
    if let Some(found) = newest(shared) {
        decide(shared, &found.source());
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

/// The newest generation, and the passages and clusters that were found last.
fn newest(shared: &SharedSession) -> Option<Found> {
    let state = shared.state();
    let snapshot = state.snapshot.clone()?;
    let (known, listed, clusters) = (state.passages.clone(), state.listed_passages(), state.clusters.clone());
    Some(Found { snapshot, known, listed, clusters, review: state.review.clone() })
}

/// What rows are made from.
struct Found {
    snapshot: Snapshot,
    known: Option<Arc<KnownPassages>>,
    /// The passages that are listed: the same, or some of a first search.
    listed: Option<Arc<KnownPassages>>,
    clusters: Option<Arc<KnownClusters>>,
    review: ReviewStand,
}

impl Found {
    fn source(&self) -> RowSource<'_> {
        let (known, clusters) = (self.listed.as_deref(), self.clusters.as_deref());
        let review = self.review.found().map(|review| &**review);
        RowSource { snapshot: &self.snapshot, known, clusters, review }
    }
}

/// The view that was asked for last, and the decisions; read together, so that an answer is about one state.
fn asked(shared: &SharedSession) -> Option<(View, Decisions)> {
    let state = shared.state();
    Some((state.view.clone()?, state.decisions.clone()?))
}

fn list(shared: &SharedSession, makers: &mut ListMakers, seen: u64) -> Result<(), IndexError> {
    let Some(found) = newest(shared) else { return Ok(()) };
    makers.renew(found.listed.as_ref());
    let unreported = decide(shared, &found.source());
    let Found { snapshot, known, listed, clusters, review } = found;
    let asked = asked(shared);
    let is_of = |subject| asked.as_ref().is_some_and(|(view, _)| view.of == subject);
    let is_first_look = known.is_none() && listed.is_some() && is_of(Subject::Passages);
    let known = if is_first_look { listed } else { known };
    let is_overtaken = || !shared.rows.is_newest(seen);
    let is_stopped = || shared.is_stopped();
    let send = |listing: Listing| {
        // Where none of them passes the filter, others still may.
        let is_provisional = listing.is_provisional || is_first_look && listing.rows.is_empty();
        let listing = Listing { is_first_look, is_provisional, ..listing };
        shared.send(Update::Rows(Arc::new(listing)));
    };
    let notice = |sentence| shared.send(Update::Notice(sentence));
    let request = asked.as_ref().map(|(view, decisions)| ListRequest {
        view,
        decisions,
        snapshot: &snapshot,
        known: known.as_ref(),
        clusters: clusters.as_ref(),
        review: &review,
        rankings: &shared.rankings,
        is_overtaken: &is_overtaken,
        is_stopped: &is_stopped,
        send: &send,
        notice: &notice,
    });
    let listed = match &request {
        Some(request) => makers.of(request.view.of).list(request),
        // The ranking is made early, for the first view that needs it.
        None => shared.rankings.of(&snapshot, HEAD, &is_stopped).map(drop),
    };
    // Effects of decisions are counted in passages, but in the view of blots in blots.
    let is_of_blots = request.as_ref().is_some_and(|request| request.view.of == Subject::Blots);
    let counted_in = known.as_deref().filter(|_| !is_of_blots);
    let reported = report_decisions(shared, &snapshot, counted_in, unreported);
    listed.and(reported)
}

/// Reports the effects of decisions.
fn report_decisions(
    shared: &SharedSession,
    snapshot: &Snapshot,
    known: Option<&KnownPassages>,
    unreported: Vec<UnreportedDecision>,
) -> Result<(), IndexError> {
    let mut reported = Ok(());
    for unreported in unreported {
        let next = unreported.report(shared, |less, more| match known {
            Some(known) => Ok(known.difference(less, more)),
            None => {
                let ranking = shared.rankings.of(snapshot, HEAD, &|| shared.is_stopped())?;
                TabooDifference::between(snapshot, &ranking, less, more)
            }
        });
        reported = reported.and(next);
    }
    reported
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
