//! Decisions (taboo, accept): which rows they apply to, and the requests to the session.

use super::effect::Effect;
use super::rows::{ask_decision, on_decided, select};
use super::sentences::NO_ROW;
use crate::action::Action;
use crate::input_line::InputLine;
use crate::model::{Ask, Model, Overlay, Prompt, TabooDialog};
use crate::views::list_for_row;
use dupi_index::taboo::TabooScope;
use dupi_session::{DecisionResult, Item, Request};

/// Marks or unmarks the selected row and selects the next one.
pub(super) fn mark(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(row) = model.list.row().cloned() else { return model.say(NO_ROW) };
    model.list.anchor = None;
    model.list.marks.toggle(row);
    let next = model.list.selected_row().map_or(0, |at| at + 1);
    select(model, next, effects);
}

/// Begins or ends a range of marks.
pub(super) fn mark_range(model: &mut Model) {
    if model.list.anchor.take().is_none() {
        model.list.anchor = model.list.selected;
        model.list.marks.begin_range();
        model.list.extend_range();
    }
}

/// Clears the marks.
pub(super) fn unmark(model: &mut Model) {
    model.list.marks.clear();
    model.list.anchor = None;
}

/// Adds the chosen texts to the taboo list; if all are taboo, removes them from it.
pub(super) fn toggle_taboo(model: &mut Model, effects: &mut Vec<Effect>) {
    let rows = texts(model);
    if rows.is_empty() {
        return;
    }
    let are_taboo = rows.iter().all(Item::is_taboo);
    let request = if are_taboo {
        Request::ShowAgain { rows }
    } else {
        Request::Taboo { rows, reason: None, scope: TabooScope::Corpus }
    };
    ask_decision(model, request, effects);
    unmark(model);
}

/// Previews what taboo would hide, and asks for a reason.
pub(super) fn preview_taboo(model: &mut Model, effects: &mut Vec<Effect>) {
    let rows = texts(model);
    if !rows.is_empty() {
        effects.push(Effect::Ask(Request::TabooPreview { rows: rows.clone() }));
        model.dialogue.overlay = Some(Overlay::Before(TabooDialog::new(rows)));
    }
}

/// Takes the previewed decision.
pub(super) fn decide(model: &mut Model, before: TabooDialog, effects: &mut Vec<Effect>) {
    let reason = Some(before.reason.text().trim().to_owned()).filter(|reason| !reason.is_empty());
    ask_decision(model, Request::Taboo { rows: before.rows, reason, scope: before.scope }, effects);
    unmark(model);
}

/// Accepts the chosen rows; if all are accepted, reopens them.
pub(super) fn accept(model: &mut Model, effects: &mut Vec<Effect>) {
    let rows = acceptable(model);
    if rows.is_empty() {
        return;
    }
    let are_accepted = rows.iter().all(Item::is_accepted);
    let request =
        if are_accepted { Request::Reopen { rows } } else { Request::Accept { rows, reason: None } };
    ask_decision(model, request, effects);
    unmark(model);
}

/// The chosen rows that can be accepted: texts and clusters.
fn acceptable(model: &mut Model) -> Vec<Item> {
    let rows: Vec<Item> = model.list.chosen_rows().filter(|row| row.can_be_accepted()).cloned().collect();
    let is_member = matches!(model.list.row(), Some(Item::Member(_)));
    match rows.is_empty() {
        true if is_member => {
            let left = model.settings.keymap.key_or_name(Action::Left);
            model.say(format!("A cluster is accepted as a whole: {left} goes to its row."));
            rows
        }
        true => texts(model),
        false => rows,
    }
}

/// Asks for the reason of the selected taboo entry.
pub(super) fn edit_entry(model: &mut Model) {
    if let Some(Item::Taboo(taboo)) = model.list.row() {
        let line = InputLine::new(taboo.entry.reason.clone().unwrap_or_default());
        model.dialogue.prompt = Some(Prompt::new(Ask::Reason(taboo.scope, taboo.entry.clone()), line));
    }
}

/// Removes the chosen entries from the taboo list.
pub(super) fn remove_entry(model: &mut Model, effects: &mut Vec<Effect>) {
    let texts: Vec<String> = model
        .list
        .chosen_rows()
        .filter_map(|row| if let Item::Taboo(taboo) = row { Some(taboo.entry.text.clone()) } else { None })
        .collect();
    if !texts.is_empty() {
        ask_decision(model, Request::RemoveTaboo { texts }, effects);
        unmark(model);
    }
}

/// Moves the chosen entries to the list for all corpora; if all are in that, to the list of this corpus.
pub(super) fn move_entry(model: &mut Model, effects: &mut Vec<Effect>) {
    let entry = |row: &Item| match row {
        Item::Taboo(taboo) => Some((taboo.scope, taboo.entry.text.clone())),
        _ => None,
    };
    let chosen: Vec<(TabooScope, String)> = model.list.chosen_rows().filter_map(entry).collect();
    let are_of_user = chosen.iter().all(|(scope, _)| *scope == TabooScope::User);
    let to = if are_of_user { TabooScope::Corpus } else { TabooScope::User };
    let texts: Vec<String> =
        chosen.into_iter().filter_map(|(scope, text)| (scope != to).then_some(text)).collect();
    if !texts.is_empty() {
        ask_decision(model, Request::MoveTaboo { texts, to }, effects);
        unmark(model);
    }
}

/// Says that an action does not apply to documents and folders.
fn say_for_texts(model: &mut Model) {
    if let Some(Item::Review(_)) = model.list.row() {
        let accept = model.settings.keymap.key_or_name(Action::Accept);
        return model
            .say(format!("What drifted is no text of its own that could be taboo: {accept} accepts it."));
    }
    let passages = model.settings.keymap.key_or_name(Action::PassagesOf);
    model.say(format!("This works on passages and blots only: {passages} shows the passages of this row."));
}

/// Reports a decision and how to undo it.
pub(super) fn report_decision(model: &mut Model, sentence: &str, result: DecisionResult) {
    on_decided(model);
    match result {
        DecisionResult::Done => model.undoable += 1,
        DecisionResult::Undone => model.undoable = model.undoable.saturating_sub(1),
        DecisionResult::Nothing | DecisionResult::Failed => {}
    }
    let key = |action| model.settings.keymap.key_or_name(action);
    model.say(match result {
        DecisionResult::Done => format!("{sentence}; {} undoes it", key(Action::Undo)),
        DecisionResult::Undone => format!("{sentence}; {} redoes it", key(Action::Redo)),
        DecisionResult::Nothing | DecisionResult::Failed => sentence.to_owned(),
    });
}

/// Whether a row is a text, as opposed to a document or folder.
pub(super) fn has_text(row: &Item) -> bool {
    list_for_row(row).has_text
}

/// The chosen rows that have text.
pub(super) fn texts(model: &mut Model) -> Vec<Item> {
    let rows: Vec<Item> = model.list.chosen_rows().filter(|row| row.is_text()).cloned().collect();
    if rows.is_empty() {
        if model.list.chosen_rows().next().is_none() {
            model.say(NO_ROW);
        } else {
            say_for_texts(model);
        }
    }
    rows
}
