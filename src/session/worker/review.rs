//! The review of a change, while its view is shown. It is made again whenever the view is opened.

use std::sync::Arc;

use super::job::{Job, follow};
use super::shared::{SharedSession, SharedState};
use super::signal::ChangeSignal;
use crate::protocol::{SearchState, Update};
use crate::rows::known_review::KnownReview;
use crate::rows::review_rows::ReviewRows;
use crate::rows::review_stand::ReviewStand;
use dupi_base::storage::shown;
use dupi_index::index::snapshot::Snapshot;
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

/// Reviews changes until the session stops. `memory` is the limit in bytes; `patterns` are the user's for kinds.
pub(crate) fn review(shared: &SharedSession, memory: u64, threads: usize, patterns: Arc<KindPatterns>) {
    follow(shared, threads, ReviewJob { memory, patterns });
}

struct ReviewJob {
    /// The limit in bytes.
    memory: u64,
    patterns: Arc<KindPatterns>,
}

impl Job for ReviewJob {
    const DOES: &'static str = "review a change";
    const UPDATE: fn(SearchState) -> Update = Update::Reviewing;
    /// How often the documents changed, and what is reviewed.
    type Version = (u64, u64);

    fn signal(shared: &SharedSession) -> &ChangeSignal {
        &shared.review
    }

    fn version(state: &SharedState) -> (u64, u64) {
        (state.texts, state.plan.1)
    }

    fn is_wanted(state: &SharedState) -> bool {
        state.view.as_ref().is_some_and(|view| view.of.is_from_review())
    }

    fn is_shown(state: &SharedState, done: Option<(u64, u64)>) -> bool {
        done.is_some_and(|(_, plan)| plan == state.plan.1)
    }

    fn run(
        &mut self,
        shared: &SharedSession,
        snapshot: &Snapshot,
        tick: &Tick,
    ) -> Result<SearchState, PassageError> {
        let plan = shared.state().plan.0.clone();
        let stand = match made(shared, snapshot, plan, (self.memory, &self.patterns), tick) {
            Ok(found) => ReviewStand::Found(Arc::new(ReviewRows::new(Arc::new(found)))),
            Err(ReviewError::Search(PassageError::Stopped)) => return Err(PassageError::Stopped),
            Err(error) => ReviewStand::Failed(error.to_string()),
        };
        let outdated = std::mem::replace(&mut shared.state().review, stand);
        // Large values are freed without the lock.
        drop(outdated);
        shared.rows.raise();
        shared.preview.raise();
        Ok(SearchState::Idle)
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
