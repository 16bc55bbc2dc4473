//! The thread that reviews a change, while the view of that is shown.
//!
//! A review begins whenever the view is opened and the indexer is idle, and again after each change of the documents; the
//! rows of the last one are shown until then. Leaving the view cancels it.

use std::sync::Arc;
use std::time::Instant;

use super::pace::{PACE, processor_time};
use super::progress_meter::ProgressMeter;
use super::shared::SharedSession;
use crate::protocol::{SearchState, Update};
use crate::rows::known_review::KnownReview;
use crate::rows::review_rows::ReviewRows;
use crate::rows::review_stand::ReviewStand;
use dupi_base::storage::memory::trim;
use dupi_base::storage::shown;
use dupi_index::index::snapshot::Snapshot;
use dupi_ingest::priority::{self, Nice};
use dupi_passage::kind::Kind;
use dupi_passage::kind::patterns::KindPatterns;
use dupi_passage::{PassageError, Tick};
use dupi_review::change::ChangeError;
use dupi_review::review::{ReviewPlan, ReviewRules, Source, find};

/// Why a change cannot be reviewed.
#[derive(Debug, thiserror::Error)]
enum ReviewError {
    /// There is no repository, as there is for most folders of documents.
    #[error(
        "{0} is in no git repository, so there is no change to review; open a folder of one, or give a patch: \
         `dupi-tui review --patch FILE`"
    )]
    NoRepository(String),
    #[error(transparent)]
    Change(#[from] ChangeError),
    #[error(transparent)]
    Search(#[from] PassageError),
}

/// Reviews changes until the session stops. `memory` is the limit in bytes.
pub(crate) fn review(shared: &SharedSession, memory: u64, threads: usize, patterns: &Arc<KindPatterns>) {
    // A pool of its own, so that rows and previews do not wait for it.
    let pool = match priority::pool(threads, Nice::Background) {
        Ok(pool) => pool,
        Err(error) => return shared.send(Update::Notice(format!("cannot review a change: {error}"))),
    };
    let (mut seen, mut done, mut was_outdated) = (0, None, false);
    let (mut pace, mut postponed) = (PACE, None);
    while let Some(now) = shared.review.wait_until(seen, postponed) {
        seen = now;
        let (due, is_shown) = {
            let state = shared.state();
            (state.due_review(done), done.is_some_and(|(_, plan)| plan == state.plan.1))
        };
        postponed = pace.postponed(due.is_some() && is_shown, Instant::now());
        let Some((snapshot, numbers)) = due.filter(|_| postponed.is_none()) else { continue };
        let begun = processor_time();
        let plan = shared.state().plan.0.clone();
        let meter = ProgressMeter::begin(shared, Update::Reviewing);
        let tick = |share| {
            let state = shared.state();
            let is_left = state.view.as_ref().is_none_or(|view| !view.of.is_from_review());
            let is_outdated = !was_outdated && (state.texts, state.plan.1) != numbers;
            drop(state);
            if is_left || is_outdated || shared.is_stopped() {
                return Err(PassageError::Stopped);
            }
            meter.reached(share);
            Ok(())
        };
        let found = pool.install(|| made(shared, &snapshot, plan, (memory, patterns), &tick));
        let is_stopped = matches!(found, Err(ReviewError::Search(PassageError::Stopped)));
        let state = shared.state();
        was_outdated = is_stopped && (state.texts, state.plan.1) != numbers;
        drop(state);
        if !is_stopped {
            done = Some(numbers);
            let stand = match found {
                Ok(found) => ReviewStand::Found(Arc::new(pool.install(|| ReviewRows::new(Arc::new(found))))),
                Err(error) => ReviewStand::Failed(error.to_string()),
            };
            let outdated = std::mem::replace(&mut shared.state().review, stand);
            // Large values are freed without the lock.
            drop(outdated);
            shared.rows.raise();
            shared.preview.raise();
        }
        if is_shown {
            pace.charge(Instant::now(), processor_time().saturating_sub(begun));
        }
        trim();
        shared.send(Update::Reviewing(SearchState::Idle));
        shared.report_unread();
        // What came while it ran was not looked at; a view that was left may have been opened again.
        if was_outdated {
            shared.review.raise();
        }
    }
}

/// Reviews the change of a generation.
fn made(
    shared: &SharedSession,
    snapshot: &Snapshot,
    plan: ReviewPlan,
    (memory, patterns): (u64, &Arc<KindPatterns>),
    tick: &Tick,
) -> Result<KnownReview, ReviewError> {
    let corpus = &snapshot.manifest().corpus;
    let is_wanted = || tick(0.0).is_ok();
    let in_words = |error| match error {
        ChangeError::NoRepository(folder) => ReviewError::NoRepository(shown(&folder).to_string()),
        ChangeError::Stopped => PassageError::Stopped.into(),
        error => error.into(),
    };
    let source = Source::of(&corpus.base, &plan.change, &is_wanted).map_err(in_words)?;
    let changed = source.changes(&plan.change, snapshot).map_err(in_words)?;
    changed.absent().for_each(|sentence| shared.send(Update::Notice(format!("{sentence}."))));
    let settings = plan.search(&snapshot.manifest().recipe, memory, patterns);
    let (decisions, usual) = {
        let state = shared.state();
        let view = state.view.as_ref().and_then(|view| view.aside.clone());
        (state.decisions.clone(), view.unwrap_or_else(|| Kind::ASIDES.to_vec()))
    };
    let Some(decisions) = decisions else { return Err(PassageError::Stopped.into()) };
    let aside = plan.aside.clone().unwrap_or_else(|| decisions.aside().of(&usual));
    let rules = ReviewRules { decisions: decisions.for_review(), aside: &aside, min_worth: plan.min_worth };
    let found = find(snapshot, &changed, &settings, &rules, tick)?;
    tick(1.0)?;
    Ok(KnownReview::new(snapshot, found, settings, changed))
}
