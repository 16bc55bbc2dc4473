//! What is done at the current copy: at once, or as soon as it is known where that stands.

use super::decide::has_text;
use super::effect::Effect;
use super::sentences::NO_ROW;
use crate::session::Item;
use crate::storage::shown;
use crate::tui::model::Model;
use crate::tui::reader::{Due, Errand};

/// Opens the editor at the current copy, or where there is none, at the beginning of the document.
pub(super) fn edit(model: &mut Model, effects: &mut Vec<Effect>) {
    ask_for(model, Errand::Edit, effects);
}

/// The path and line of the current copy to the clipboard.
pub(super) fn copy_place(model: &mut Model, effects: &mut Vec<Effect>) {
    ask_for(model, Errand::CopyPlace, effects);
}

fn ask_for(model: &mut Model, errand: Errand, effects: &mut Vec<Effect>) {
    let Some(row) = model.list.row().map(Item::id) else { return model.say(NO_ROW) };
    model.reader.due = Some(Due { row, current: model.reader.current, errand });
    go_on(model, effects);
    if model.reader.due.is_some() {
        model.say(later(errand));
    }
}

/// What is said until it can be done.
fn later(errand: Errand) -> &'static str {
    match errand {
        Errand::Edit => "The editor opens as soon as the place is known.",
        Errand::CopyPlace => "The place is copied as soon as it is known.",
    }
}

/// Does what is due if it can be done by now; of a row that is left it never is.
pub(super) fn go_on(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.dialogue.prompt.is_some() || model.dialogue.overlay.is_some() {
        return;
    }
    let Some(due) = model.reader.due.take() else { return };
    let Some(row) = model.list.row().filter(|row| row.id() == due.row).cloned() else { return };
    let preview = &model.reader.preview;
    let is_folder = matches!(&row, Item::Folder(folder) if folder.is_folder);
    let is_known = model.is_previewed() && (preview.document.is_some() || preview.problem.is_some());
    // When all copies are known there may be fewer than were wanted.
    let most = if preview.unread == 0 { preview.occurrences.len().saturating_sub(1) } else { usize::MAX };
    let at = preview.occurrences.get(due.current.min(most)).filter(|_| model.is_previewed());
    let said = model.dialogue.message.take_if(|(said, _)| said == later(due.errand));
    match (due.errand, at) {
        (Errand::Edit, Some(at)) => {
            effects.push(Effect::Edit { path: at.path.clone(), line: at.line, column: at.column });
        }
        (Errand::CopyPlace, Some(at)) => {
            effects.push(Effect::Copy(format!("{}:{}", shown(&at.path), at.line)));
        }
        (Errand::CopyPlace, None) if is_folder => effects.push(Effect::Copy(row.text().into_owned())),
        (Errand::Edit, None) if is_folder => {
            model.say("A folder is no document; Enter shows what lies in it.")
        }
        (_, None) if !is_known || preview.unread > 0 => {
            (model.reader.due, model.dialogue.message) = (Some(due), said.or(model.dialogue.message.take()));
        }
        (Errand::CopyPlace, None) => effects.push(Effect::Copy(row.text().into_owned())),
        (Errand::Edit, None) => match model.document().cloned().filter(|_| !has_text(&row)) {
            Some(document) => {
                effects.push(Effect::Edit { path: document.path.clone(), line: 1, column: 1 });
            }
            None => {
                let why = model.reader.preview.problem.clone();
                model.say(why.unwrap_or_else(|| "It stands in no document now.".to_owned()));
            }
        },
    }
}
