//! Sets the state of rows: open, to be fixed, accepted or taboo.

use super::decision_outcome::DecisionOutcome;
use super::lists::Decisions;
use super::{accepted, taboo};
use crate::protocol::DecisionResult;
use crate::rows::Item;
use crate::rows::list_row::RowSource;
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::{TabooError, TabooScope};

/// Sets the state of some rows. What is taboo and was accepted before is opened in two steps, each of which can be undone.
pub(super) fn set(
    decisions: &mut Decisions,
    source: &RowSource,
    rows: &[Item],
    state: ReviewState,
) -> Result<DecisionOutcome, TabooError> {
    match state {
        ReviewState::Fix => accepted::mark_to_fix(decisions, source, rows),
        ReviewState::Accepted => accepted::accept(decisions, source, rows, None),
        ReviewState::Taboo => taboo::hide(decisions, source, rows, None, TabooScope::Corpus),
        ReviewState::Open => {
            // First what is under the taboo: so an undo shows that again.
            let opened = accepted::reopen(decisions, source, rows)?;
            let hidden: Vec<Item> = rows.iter().filter(|row| row.is_taboo()).cloned().collect();
            let shown =
                if hidden.is_empty() { None } else { Some(taboo::show_again(decisions, source, &hidden)?) };
            Ok(shown.filter(|(_, result)| *result == DecisionResult::Done).unwrap_or(opened))
        }
    }
}
