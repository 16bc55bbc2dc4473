//! Carries out the queued decisions, and reports the effect of each in one sentence.
//!
//! One request is one step of the journal, whatever its number of rows. First the changed rows are shown; the sentence
//! follows when everything that the decision hides or shows was counted.

use std::sync::Arc;

use super::shared::SharedSession;
use crate::decisions::steps::carry_out;
use crate::protocol::{DecisionResult, TabooDifference, Update};
use crate::rows::list_row::RowSource;
use dupi_index::index::IndexError;
use dupi_index::taboo::TabooSet;

/// A decision that was carried out. Its sentence is sent once its effect is counted.
pub(super) struct UnreportedDecision {
    /// What was changed, as the beginning of a sentence; a whole sentence if nothing is hidden or shown by it.
    done: String,
    result: DecisionResult,
    before: Arc<TabooSet>,
    after: Arc<TabooSet>,
}

impl UnreportedDecision {
    /// Sends its sentence. `compare` counts what the second of two sets hides and the first does not.
    pub(super) fn report(
        self,
        shared: &SharedSession,
        mut compare: impl FnMut(&Arc<TabooSet>, &Arc<TabooSet>) -> Result<TabooDifference, IndexError>,
    ) -> Result<(), IndexError> {
        let Self { done, result, before, after } = self;
        if !done.ends_with([':', ';']) {
            shared.send(Update::Decided { sentence: done, result });
            return Ok(());
        }
        let both = if Arc::ptr_eq(&before, &after) {
            Ok(Default::default())
        } else {
            compare(&before, &after).and_then(|hidden| Ok((hidden, compare(&after, &before)?)))
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
}

/// Carries out the queued decisions. Returns those whose sentence is to be sent later; why a decision changed nothing is
/// sent at once.
pub(super) fn decide(shared: &SharedSession, source: &RowSource) -> Vec<UnreportedDecision> {
    let _deciding = shared.deciding();
    let (pending, mut decisions) = {
        let mut state = shared.state();
        let Some(decisions) = state.decisions.clone() else { return Vec::new() };
        (std::mem::take(&mut state.pending), decisions)
    };
    if pending.is_empty() {
        return Vec::new();
    }
    let mut unreported = Vec::new();
    for request in pending {
        let before = Arc::clone(decisions.set());
        let outcome = carry_out(&mut decisions, source, request);
        let (sentence, result) = outcome.unwrap_or_else(|error| (error.to_string(), DecisionResult::Failed));
        if matches!(result, DecisionResult::Done | DecisionResult::Undone) {
            let after = Arc::clone(decisions.set());
            unreported.push(UnreportedDecision { done: sentence, result, before, after });
        } else {
            shared.send(Update::Decided { sentence, result });
        }
    }
    shared.state().decisions = Some(decisions);
    // The taboo runs of the shown document may have changed.
    shared.preview.raise();
    shared.excluded.raise();
    unreported
}
