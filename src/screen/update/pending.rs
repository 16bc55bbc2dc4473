//! Tasks at the current copy (open the editor, copy its position, compare it), run as soon as enough is known of it.

use super::clusters::say_are_folders;
use super::decisions::has_text;
use super::effect::Effect;
use super::exclude::{ask_of_copy, ask_of_rows};
use super::held_keys::awaits_rows;
use super::places::{print_copy, run_at_copy};
use super::preview::{can_compare, toggle_beside};
use super::rows::choose;
use super::sentences::{COMPARED_LATER, NO_ROW, NOT_YET};
use crate::action::Action;
use crate::model::{Focus, Model};
use crate::reader::{CopyTask, PendingTask};
use crate::views::clusters::is_of_folders;
use dupi_base::storage::shown;
use dupi_session::Item;

/// Opens the editor at the current copy; without one, at the beginning of the document.
pub(super) fn edit(model: &mut Model, effects: &mut Vec<Effect>) {
    ask_for(model, CopyTask::Edit, effects);
}

/// Copies the path and line of the current copy to the clipboard.
pub(super) fn copy_place(model: &mut Model, effects: &mut Vec<Effect>) {
    ask_for(model, CopyTask::CopyPlace, effects);
}

/// Asks what to leave out of the corpus: the chosen documents, files or folders, or the file of the current copy, or a
/// folder above it.
pub(super) fn exclude(model: &mut Model, effects: &mut Vec<Effect>) {
    if !ask_of_rows(model) {
        ask_for(model, CopyTask::Exclude, effects);
    }
}

/// Runs a command of the user at the current copy, as soon as that is known.
pub(super) fn run_command(model: &mut Model, number: usize, effects: &mut Vec<Effect>) {
    if awaits_rows(model) {
        return model.say(NOT_YET);
    }
    match model.list.row() {
        None => model.say(NO_ROW),
        Some(Item::Aside(_)) => {
            model.say("This line stands for all passages of a kind; a command needs one.");
        }
        Some(_) => ask_for(model, CopyTask::Command(number), effects),
    }
}

/// Runs a task at the current copy of the selected row, as soon as that is known.
pub(super) fn ask_for(model: &mut Model, task: CopyTask, effects: &mut Vec<Effect>) {
    let Some(row) = model.list.row().map(Item::id) else { return model.say(NO_ROW) };
    choose(model);
    model.reader.pending = Some(PendingTask { row, current: model.reader.current, task });
    run_pending(model, effects);
    if model.reader.pending.is_some() {
        model.say(later(task));
    }
}

/// Refuses an action about copies on a folder, which has none itself. Returns whether it did.
pub(super) fn refuse_folder(model: &mut Model, action: Action) -> bool {
    use Action::{Beside, NextCopy, NextStretch, PreviousCopy, PreviousStretch};
    let is_about_copies = matches!(action, Beside | NextCopy | PreviousCopy | NextStretch | PreviousStretch);
    let is_folder = matches!(model.list.row(), Some(Item::Folder(folder)) if folder.is_folder);
    let is_refused = is_about_copies && is_folder && model.focus == Focus::Rows;
    if is_about_copies && model.focus == Focus::Rows && is_of_folders(model.list.row()) {
        say_are_folders(model);
        return true;
    }
    if is_refused {
        say_is_folder(model);
    }
    is_refused
}

fn say_is_folder(model: &mut Model) {
    let enter = model.settings.keymap.key_or_name(Action::Enter);
    model.say(format!("This is a folder, not a document; {enter} shows its content."));
}

/// The message until the position is known.
fn later(task: CopyTask) -> &'static str {
    match task {
        CopyTask::Edit => "The editor opens as soon as the place is known.",
        CopyTask::CopyPlace => "The place is copied as soon as it is known.",
        CopyTask::Compare => COMPARED_LATER,
        CopyTask::Print => "The place is printed as soon as it is known.",
        CopyTask::Command(_) => "The command is run as soon as the place is known.",
        CopyTask::Exclude => "What to leave out is asked as soon as the file is known.",
    }
}

/// Runs the pending task if it is possible now; drops it if the user has left the row.
pub(super) fn run_pending(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.dialogue.prompt.is_some() || model.dialogue.overlay.is_some() {
        return;
    }
    let Some(pending) = model.reader.pending.take() else { return };
    let Some(row) = model.list.row().filter(|row| row.id() == pending.row).cloned() else { return };
    let preview = &model.reader.preview;
    let is_folder = matches!(&row, Item::Folder(folder) if folder.is_folder);
    let is_known = model.is_previewed() && (preview.document.is_some() || preview.problem.is_some());
    // There can be fewer copies than the wanted index.
    let most = if preview.unread == 0 { preview.occurrences.len().saturating_sub(1) } else { usize::MAX };
    let at = preview.occurrences.get(pending.current.min(most)).filter(|_| model.is_previewed());
    let said = model.dialogue.message.take_if(|(said, _)| said == later(pending.task));
    match (pending.task, at) {
        (CopyTask::Compare, _) if can_compare(model) => toggle_beside(model, effects),
        (CopyTask::Compare, _) => {
            (model.reader.pending, model.dialogue.message) =
                (Some(pending), said.or(model.dialogue.message.take()));
        }
        (CopyTask::Edit, Some(at)) => {
            effects.push(Effect::Edit { path: at.path.clone(), line: at.line, column: at.column });
        }
        (CopyTask::CopyPlace, Some(at)) => {
            effects.push(Effect::Copy(format!("{}:{}", shown(&at.path), at.line)));
        }
        (CopyTask::Print, Some(at)) => {
            let at = at.clone();
            print_copy(model, row, Some(at), effects);
        }
        (CopyTask::Command(number), Some(at)) => {
            let at = at.clone();
            run_at_copy(model, (number, row), Some(at), effects);
        }
        (CopyTask::Exclude, Some(at)) => {
            let at = at.clone();
            ask_of_copy(model, &at);
        }
        (CopyTask::Print, None) if is_folder => print_copy(model, row, None, effects),
        (CopyTask::Command(number), None) if is_folder => run_at_copy(model, (number, row), None, effects),
        (CopyTask::CopyPlace, None) if is_folder => effects.push(Effect::Copy(row.text().into_owned())),
        (CopyTask::Edit, None) if is_folder => say_is_folder(model),
        (_, None) if !is_known || preview.unread > 0 => {
            (model.reader.pending, model.dialogue.message) =
                (Some(pending), said.or(model.dialogue.message.take()));
        }
        (CopyTask::Print, None) => print_copy(model, row, None, effects),
        (CopyTask::Command(number), None) => run_at_copy(model, (number, row), None, effects),
        (CopyTask::CopyPlace, None) => effects.push(Effect::Copy(row.text().into_owned())),
        (CopyTask::Edit, None) => match model.document().cloned().filter(|_| !has_text(&row)) {
            Some(document) => {
                effects.push(Effect::Edit { path: document.path.clone(), line: 1, column: 1 });
            }
            None => say_why(model),
        },
        (CopyTask::Exclude, None) => say_why(model),
    }
}

/// Says why there is no copy of the selected row.
fn say_why(model: &mut Model) {
    let why = model.reader.preview.problem.clone();
    model.say(why.unwrap_or_else(|| "No document has this text now.".to_owned()));
}
