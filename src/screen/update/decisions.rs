//! Decisions: which rows they apply to, and the requests to the session. Texts become taboo or accepted, change their state
//! or kind, kinds are set aside, files and folders are left out of the corpus.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::action::Action;
use crate::input_line::InputLine;
use crate::model::{Ask, ExcludeChoice, Menu, Model, NO_ROW, Overlay, Prompt, TabooDialog};
use crate::update::rows::{ask_decision, on_decided, select};
use crate::views::list_for_row;
use dupi_base::config::Kind;
use dupi_index::query::Occurrence;
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::TabooScope;
use dupi_passage::unit::Unit;
use dupi_session::{DecisionResult, Item, Request};

/// Marks or unmarks the selected row and selects the next one.
pub(crate) fn mark(model: &mut Model) {
    let Some(row) = model.list.row().cloned() else { return model.say(NO_ROW) };
    model.list.anchor = None;
    model.list.marks.toggle(row);
    let next = model.list.selected_row().map_or(0, |at| at + 1);
    select(model, next);
}

/// Begins or ends a range of marks.
pub(crate) fn mark_range(model: &mut Model) {
    if model.list.anchor.take().is_none() {
        model.list.anchor = model.list.selected;
        model.list.marks.begin_range();
        model.list.extend_range();
    }
}

/// Clears the marks.
pub(crate) fn unmark(model: &mut Model) {
    model.list.marks.clear();
    model.list.anchor = None;
}

/// Adds the chosen texts to the taboo list; if all are taboo, removes them from it.
pub(crate) fn toggle_taboo(model: &mut Model) {
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
    ask_decision(model, request);
    unmark(model);
}

/// Previews what taboo would hide, and asks for a reason.
pub(crate) fn preview_taboo(model: &mut Model) {
    let rows = texts(model);
    if !rows.is_empty() {
        model.ask(Request::TabooPreview { rows: rows.clone() });
        model.dialogue.overlay = Some(Overlay::Before(TabooDialog::new(rows)));
    }
}

/// Takes the previewed decision.
pub(crate) fn decide(model: &mut Model, before: TabooDialog) {
    let reason = Some(before.reason.text().trim().to_owned()).filter(|reason| !reason.is_empty());
    ask_decision(model, Request::Taboo { rows: before.rows, reason, scope: before.scope });
    unmark(model);
}

/// Accepts the chosen rows; if all are accepted, reopens them.
pub(crate) fn accept(model: &mut Model) {
    let rows = acceptable(model);
    if rows.is_empty() {
        return;
    }
    let are_accepted = rows.iter().all(Item::is_accepted);
    let state = if are_accepted { ReviewState::Open } else { ReviewState::Accepted };
    ask_decision(model, Request::SetState { rows, state });
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
pub(crate) fn edit_entry(model: &mut Model) {
    if let Some(Item::Taboo(taboo)) = model.list.row() {
        let line = InputLine::new(taboo.entry.reason.clone().unwrap_or_default());
        model.dialogue.prompt = Some(Prompt::new(Ask::Reason(taboo.scope, taboo.entry.clone()), line));
    }
}

/// The chosen entries of the taboo list, each with its list.
fn entries(model: &Model) -> Vec<(TabooScope, String)> {
    let entry = |row: &Item| match row {
        Item::Taboo(taboo) => Some((taboo.scope, taboo.entry.text.clone())),
        _ => None,
    };
    model.list.chosen_rows().filter_map(entry).collect()
}

/// Removes the chosen entries from the taboo list.
pub(crate) fn remove_entry(model: &mut Model) {
    let texts: Vec<String> = entries(model).into_iter().map(|(_, text)| text).collect();
    if !texts.is_empty() {
        ask_decision(model, Request::RemoveTaboo { texts });
        unmark(model);
    }
}

/// Moves the chosen entries to the list for all corpora; if all are in that, to the list of this corpus.
pub(crate) fn move_entry(model: &mut Model) {
    let chosen = entries(model);
    let are_of_user = chosen.iter().all(|(scope, _)| *scope == TabooScope::User);
    let to = if are_of_user { TabooScope::Corpus } else { TabooScope::User };
    let texts: Vec<String> =
        chosen.into_iter().filter_map(|(scope, text)| (scope != to).then_some(text)).collect();
    if !texts.is_empty() {
        ask_decision(model, Request::MoveTaboo { texts, to });
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
pub(crate) fn report_decision(model: &mut Model, sentence: &str, result: DecisionResult) {
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
pub(crate) fn has_text(row: &Item) -> bool {
    list_for_row(row).has_text
}

/// The chosen rows that have text.
pub(crate) fn texts(model: &mut Model) -> Vec<Item> {
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

/// Asks what the chosen passages are.
pub(crate) fn ask_kind(model: &mut Model) {
    let rows = texts(model);
    let Some(first) = rows.first() else { return };
    let is_kind = |kind: &Kind| kind_of(first) == Some(*kind);
    let now = Kind::ALL.iter().position(is_kind).unwrap_or(0);
    model.dialogue.overlay = Some(Overlay::Menu(Menu::Kinds(rows), now));
}

/// Sets the kind that was chosen; what the rules say stands behind the kinds.
pub(crate) fn set_kind(model: &mut Model, rows: Vec<Item>, chosen: usize) {
    ask_decision(model, Request::SetKind { rows, kind: Kind::ALL.get(chosen).copied() });
    unmark(model);
}

/// Sets the kind of the selected row aside in this corpus; lists it if it is set aside.
pub(crate) fn set_aside(model: &mut Model) {
    let Some(row) = model.list.row() else { return model.say(NO_ROW) };
    let Some(kind) = kind_of(row) else { return model.say("This row has no kind.") };
    let is_aside = !model.list.listing.aside_kinds.contains(&kind);
    let usual = model.settings.aside.as_deref().unwrap_or(&Kind::ASIDES);
    let to = (usual.contains(&kind) != is_aside).then_some(is_aside);
    ask_decision(model, Request::SetAside { kind, to, is_aside });
}

/// The kind of a passage, or that a line stands for.
fn kind_of(row: &Item) -> Option<Kind> {
    match row {
        Item::Passage(passage) => passage.kind,
        Item::Aside(line) => Some(line.summary.kind),
        _ => None,
    }
}

/// Asks what to leave out where the marked rows have files or folders, or the selected row is a document, file or folder:
/// of several rows all, or the folders of all; of one itself or a folder above it. Returns whether it asked.
pub(crate) fn ask_of_rows(model: &mut Model) -> bool {
    let places = model.list.marked_places();
    if places.len() > 1 {
        let choices = choices_of_all(&places);
        open_excluded(model, choices, 0);
        return true;
    }
    let choices = match model.list.chosen_rows().next() {
        Some(Item::Document(document)) => choices(&document.path, false, document.record.is_some()),
        Some(Item::Folder(folder)) => choices(&folder.path, folder.is_folder, false),
        Some(Item::Member(row)) => choices(&row.path, row.is_folder, row.record.is_some()),
        // Of the selected row the current copy is meant, which is not always the one that the row shows.
        Some(row) if Some(row.id()) != model.list.selected => match places.first_key_value() {
            Some((path, is_folder)) => choices(path, *is_folder, false),
            None => return false,
        },
        _ => return false,
    };
    open_excluded(model, choices, 0);
    true
}

/// Asks what to leave out, for a copy of the selected row. Of identical folders the folder is chosen first.
pub(crate) fn ask_of_copy(model: &mut Model, copy: &Occurrence) {
    let choices = choices(&copy.path, false, copy.record.is_some());
    let depth = match model.list.row() {
        Some(Item::Passage(passage)) if let Unit::Folder(tree) = passage.unit => tree.depth as usize,
        _ => 0,
    };
    let chosen = depth.min(choices.len().saturating_sub(1));
    open_excluded(model, choices, chosen);
}

/// Leaves out what was chosen.
pub(crate) fn set_excluded(model: &mut Model, choices: Vec<ExcludeChoice>, chosen: usize) {
    if let Some(ExcludeChoice { paths, .. }) = choices.into_iter().nth(chosen) {
        ask_decision(model, Request::Exclude { paths });
        // Marked rows without a place are not what was asked about.
        if !model.list.marked_places().is_empty() {
            unmark(model);
        }
    }
}

fn open_excluded(model: &mut Model, choices: Vec<ExcludeChoice>, chosen: usize) {
    model.dialogue.overlay = Some(Overlay::Menu(Menu::Exclude(choices), chosen));
}

/// Some files and folders, and then the folders in which they lie, unless one lies in the folder of the corpus itself.
fn choices_of_all(places: &BTreeMap<&Path, bool>) -> Vec<ExcludeChoice> {
    let paths = places.keys().map(|path| path.to_path_buf()).collect();
    let folders = places.values().filter(|is_folder| **is_folder).count();
    let mut choices = vec![ExcludeChoice { paths, folders, has_records: false }];
    let above: BTreeSet<&Path> = places.keys().filter_map(|path| path.parent()).collect();
    if above.iter().all(|folder| !folder.as_os_str().is_empty()) {
        let paths: Vec<PathBuf> = above.into_iter().map(Path::to_owned).collect();
        choices.push(ExcludeChoice { folders: paths.len(), paths, has_records: false });
    }
    choices
}

/// A file or folder, and the folders above it, without that of the corpus.
fn choices(path: &Path, is_folder: bool, has_records: bool) -> Vec<ExcludeChoice> {
    let above = path.ancestors().take_while(|above| !above.as_os_str().is_empty());
    let choice = |(number, path): (usize, &Path)| ExcludeChoice {
        paths: vec![path.to_owned()],
        folders: usize::from(is_folder || number > 0),
        has_records: has_records && number == 0,
    };
    above.enumerate().map(choice).collect()
}
