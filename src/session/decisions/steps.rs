//! Carries out requests for decisions. Each request is one step of the journal.

use super::decision_outcome::DecisionOutcome;
use super::lists::Decisions;
use super::{accepted, excluded, kinds, states, taboo, undo};
use crate::protocol::Request;
use crate::rows::list_row::RowSource;
use dupi_index::taboo::TabooError;

/// Carries out a decision as one step of the journal.
pub(crate) fn carry_out(
    decisions: &mut Decisions,
    source: &RowSource,
    request: Request,
) -> Result<DecisionOutcome, TabooError> {
    let source = &source.of_rows(request.rows().first().is_some_and(|row| row.row().is_from_review()));
    match request {
        Request::SetState { rows, state } => states::set(decisions, source, &rows, state),
        Request::Taboo { rows, reason, scope } => {
            taboo::hide(decisions, source, &rows, reason.as_ref(), scope)
        }
        Request::ShowAgain { rows } => taboo::show_again(decisions, source, &rows),
        Request::Accept { rows, reason } => accepted::accept(decisions, source, &rows, reason.as_ref()),
        Request::Reopen { rows } => accepted::reopen(decisions, source, &rows),
        Request::SetKind { rows, kind } => kinds::set(decisions, source, &rows, kind),
        Request::SetAside { kind, to, is_aside } => kinds::set_aside(decisions, kind, to, is_aside),
        Request::Exclude { paths } => excluded::exclude(decisions, source.snapshot, &paths),
        Request::EditTaboo { scope, text, entry } => taboo::replace(decisions, scope, &text, entry),
        Request::MoveTaboo { texts, to } => taboo::move_to(decisions, &texts, to),
        Request::RemoveTaboo { texts } => taboo::remove(decisions, &texts),
        Request::ImportTaboo { file } => taboo::import(decisions, &file),
        Request::Redo => undo::turn(decisions, false),
        _ => undo::turn(decisions, true),
    }
}
