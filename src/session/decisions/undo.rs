//! Undo and redo of the last step of the journal.

use super::decision_outcome::DecisionOutcome;
use super::lists::Decisions;
use crate::protocol::DecisionResult;
use dupi_index::taboo::{AppliedSteps, TabooError};

/// Undoes the last step, or redoes the one that was undone last.
pub(super) fn turn(decisions: &mut Decisions, undo: bool) -> Result<DecisionOutcome, TabooError> {
    Ok(turned(decisions.turn(undo)?, undo))
}

fn turned(turned: Option<AppliedSteps>, undo: bool) -> DecisionOutcome {
    let Some(steps) = turned else {
        let why = if undo { "There is nothing to undo." } else { "There is nothing to redo." };
        return (why.to_owned(), DecisionResult::Nothing);
    };
    let (verb, result) =
        if undo { ("Undone", DecisionResult::Undone) } else { ("Redone", DecisionResult::Done) };
    let (words, (changed, gone)) = (steps.words(), steps.changed());
    let by_hand = "changed by hand since";
    if changed == 0 {
        return (
            format!("{verb}: {words}; nothing to change, as the list was {by_hand}."),
            DecisionResult::Nothing,
        );
    }
    let mut done = format!("{verb}: {words}");
    if gone > 0 {
        done.push_str(&format!(", but for {gone} {by_hand}"));
    }
    if steps.has(|step| !step.taboo.is_empty()) {
        done.push(';');
    }
    (done, result)
}
