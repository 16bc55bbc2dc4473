//! The lines of kinds that are set aside: opening and folding them, and which keys apply to passages only.

use super::effect::Effect;
use super::rows::{ask_rows_anew, select};
use crate::action::Action;
use crate::model::{Focus, Model};
use crate::views::FIRST_ROWS;
use dupi_base::config::Kind;
use dupi_session::{Item, ItemId};

/// Whether an action is about a text, so that it does not apply to the line of a kind.
fn needs_passage(model: &Model, action: Action) -> bool {
    use Action as A;
    match action {
        A::Mark => true,
        A::MarkRange => model.list.anchor.is_none(),
        A::Taboo | A::TabooBecause | A::Accept | A::SetKind | A::Export | A::CopyText => {
            model.list.marks.is_empty()
        }
        A::NextCopy | A::PreviousCopy | A::NextStretch | A::PreviousStretch => true,
        A::Beside | A::Pin | A::FilesOf | A::BlotsOf | A::CopyPlace | A::Edit | A::Exclude => true,
        _ => false,
    }
}

/// Refuses an action that does not apply to the line of a kind. Returns whether it did.
pub(super) fn refuse(model: &mut Model, action: Action) -> bool {
    let is_refused = selected_line(model).is_some() && needs_passage(model, action);
    if is_refused {
        let enter = model.settings.keymap.key_or_name(Action::Enter);
        model.say(format!(
            "This line stands for all passages of a kind; {enter} lists them, each to be decided about."
        ));
    }
    is_refused
}

/// The kind of the selected line, and whether it is open.
fn selected_line(model: &Model) -> Option<(Kind, bool)> {
    match model.list.row() {
        Some(Item::Aside(line)) if model.focus == Focus::Rows => Some((line.summary.kind, line.is_open)),
        _ => None,
    }
}

/// Opens the selected line, or folds it. Returns whether a line is selected.
pub(super) fn toggle(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let Some((kind, is_open)) = selected_line(model) else { return false };
    set_open(model, kind, !is_open, effects);
    true
}

/// Folds the open line that is selected, or that the selected passage stands below, and selects it. Returns whether
/// there is such a line.
pub(super) fn fold(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let Some(at) = model.list.line_above() else { return false };
    let Item::Aside(line) = &model.list.listing.rows[at] else { return false };
    let (kind, is_open) = (line.summary.kind, line.is_open);
    if is_open {
        select(model, at, effects);
        set_open(model, kind, false, effects);
    }
    is_open
}

fn set_open(model: &mut Model, kind: Kind, is_open: bool, effects: &mut Vec<Effect>) {
    let view = &mut model.list.view;
    view.open.retain(|open| *open != kind);
    if is_open {
        view.open.push(kind);
    }
    view.wanted = view.wanted.max(FIRST_ROWS);
    model.list.opened = is_open.then_some(ItemId::Aside(kind));
    ask_rows_anew(model, effects);
}
