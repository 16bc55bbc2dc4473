//! Decisions about kinds: what a passage is, and whether all passages of its kind are set aside.

use super::decisions::{texts, unmark};
use super::effect::Effect;
use super::rows::ask_decision;
use super::sentences::NO_ROW;
use crate::model::{Menu, Model, Overlay};
use dupi_base::config::Kind;
use dupi_session::{Item, Request};

/// Asks what the chosen passages are.
pub(super) fn ask(model: &mut Model) {
    let rows = texts(model);
    let Some(first) = rows.first() else { return };
    let is_kind = |kind: &Kind| kind_of(first) == Some(*kind);
    let now = Kind::ALL.iter().position(is_kind).unwrap_or(0);
    model.dialogue.overlay = Some(Overlay::Menu(Menu::Kinds(rows), now));
}

/// Sets the kind that was chosen; what the rules say stands behind the kinds.
pub(super) fn set(model: &mut Model, rows: Vec<Item>, chosen: usize, effects: &mut Vec<Effect>) {
    ask_decision(model, Request::SetKind { rows, kind: Kind::ALL.get(chosen).copied() }, effects);
    unmark(model);
}

/// Sets the kind of the selected row aside in this corpus; lists it if it is set aside.
pub(super) fn set_aside(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(row) = model.list.row() else { return model.say(NO_ROW) };
    let Some(kind) = kind_of(row) else { return model.say("This row has no kind.") };
    let is_aside = !model.list.listing.aside_kinds.contains(&kind);
    let usual = model.settings.aside.as_deref().unwrap_or(&Kind::ASIDES);
    let to = (usual.contains(&kind) != is_aside).then_some(is_aside);
    ask_decision(model, Request::SetAside { kind, to, is_aside }, effects);
}

/// The kind of a passage, or that a line stands for.
fn kind_of(row: &Item) -> Option<Kind> {
    match row {
        Item::Passage(passage) => passage.kind,
        Item::Aside(line) => Some(line.summary.kind),
        _ => None,
    }
}
