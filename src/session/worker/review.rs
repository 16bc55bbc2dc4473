//! The review of a change, while its view is shown. It is made again whenever the view is opened.

use std::sync::Arc;

use super::searches::{Search, SearchRun, follow};
use super::shared::{SharedSession, SharedState};
use super::signals::Concern;
use crate::known::review::{KnownReview, ReviewStand};
use crate::protocol::{SearchState, Update};
use crate::rows::reviews::with_rows;
use dupi_base::storage::shown;
use dupi_index::index::search::{SearchError, Tick};
use dupi_judge::kind::Kind;
use dupi_judge::kind::patterns::KindPatterns;
use dupi_review::change::ChangeError;
use dupi_review::review::{ReviewRules, Source, find};

/// Reviews changes until the session stops. `memory` is the limit in bytes; `patterns` are the user's for kinds.
pub(crate) fn review(shared: &SharedSession, memory: u64, threads: usize, patterns: Arc<KindPatterns>) {
    follow(shared, threads, ChangeReview { memory, patterns });
}

struct ChangeReview {
    /// The limit in bytes.
    memory: u64,
    patterns: Arc<KindPatterns>,
}

impl Search for ChangeReview {
    const CONCERN: Concern = Concern::Review;
    const DOES: &'static str = "review a change";
    const UPDATE: fn(SearchState) -> Update = Update::Reviewing;
    /// How often what is reviewed changed.
    type Asked = u64;

    fn asked(state: &SharedState) -> u64 {
        state.asked.plan.1
    }

    fn is_shown(state: &SharedState) -> bool {
        !matches!(state.review, ReviewStand::Unknown)
    }

    fn search(&mut self, run: &SearchRun<u64>, tick: &Tick) -> Result<SearchState, SearchError> {
        let stand = match self.find(run, tick) {
            Ok(found) => ReviewStand::Found(Arc::new(with_rows(found))),
            Err(None) => return Err(SearchError::Stopped),
            Err(Some(why)) => ReviewStand::Failed(why),
        };
        run.shared.show(|state| std::mem::replace(&mut state.review, stand));
        Ok(SearchState::Idle)
    }
}

impl ChangeReview {
    /// Reviews the change of a generation. The error says why it cannot be reviewed; `None` if it was stopped.
    fn find(&self, run: &SearchRun<u64>, tick: &Tick) -> Result<KnownReview, Option<String>> {
        let (shared, snapshot) = (run.shared, &run.snapshot);
        let plan = shared.state().asked.plan.0.clone();
        let corpus = &snapshot.manifest().corpus;
        let is_wanted = || tick(0.0).is_ok();
        let in_words = |error: ChangeError| match error {
            ChangeError::Stopped => None,
            // So it is for most folders of documents.
            ChangeError::NoRepository(folder) => Some(format!(
                "{} is in no git repository, so there is no change to review; open a folder of one, or give a patch: \
                 `dupi-tui review --patch FILE`",
                shown(&folder)
            )),
            error => Some(error.to_string()),
        };
        let source = Source::of(&corpus.base, &plan.change, &is_wanted).map_err(in_words)?;
        let changed = source.changes(&plan.change, snapshot).map_err(in_words)?;
        changed.absent().for_each(|sentence| shared.send(Update::Notice(format!("{sentence}."))));
        let settings = plan.search(&snapshot.manifest().recipe, self.memory, &self.patterns);
        let (decisions, usual) = {
            let state = shared.state();
            let view = state.asked.view.as_ref().and_then(|view| view.aside.clone());
            (state.decisions.clone(), view.unwrap_or_else(|| Kind::ASIDES.to_vec()))
        };
        let decisions = decisions.ok_or(None)?;
        let aside = plan.aside.clone().unwrap_or_else(|| decisions.aside.of(&usual));
        let rules =
            ReviewRules { decisions: decisions.for_review(), aside: &aside, min_worth: plan.min_worth };
        let found = find(snapshot, &changed, &settings, &rules, tick);
        let found = found.and_then(|found| tick(1.0).map(|()| found)).map_err(|error| match error {
            SearchError::Stopped => None,
            error => Some(error.to_string()),
        })?;
        Ok(KnownReview::new(snapshot, found, settings, changed))
    }
}
