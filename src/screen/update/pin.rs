//! Pins the copy that the other copies of its passage are compared with.

use super::effect::Effect;
use super::preview::{ask_preview, place_of};
use super::sentences::NO_ROW;
use crate::action::Action;
use crate::model::Model;
use dupi_session::{Item, Request};

/// Compares the other copies of the selected passage with the current one; if they are, with the representative again.
pub(super) fn toggle_pin(model: &mut Model, effects: &mut Vec<Effect>) {
    let passage = match model.list.row() {
        None => return model.say(NO_ROW),
        Some(Item::Passage(passage)) => passage,
        Some(_) => {
            let key = model.settings.keymap.key_or_name(Action::PassagesOf);
            return model.say(format!("This works on passages only: {key} shows the passages of this row."));
        }
    };
    let preview = &model.reader.preview;
    let copy = preview.occurrences.get(model.reader.current).filter(|_| model.is_previewed());
    let Some(copy) = copy.cloned() else { return model.say("This copy is not read yet.") };
    let key = model.settings.keymap.key_or_name(Action::Pin);
    let id = passage.id;
    let request = match (passage.is_base(&copy), passage.pinned) {
        (true, false) => return model.say("The other copies are compared with this one already."),
        (true, true) => {
            model.say("The copies are compared with the most typical one again.");
            Request::Pin { id, copy: None }
        }
        (false, _) => {
            let is_swapped = swap_sides(model, effects);
            model.say(match is_swapped {
                true => format!(
                    "The other copies are compared with the left one now; {key} swaps the sides back."
                ),
                false => {
                    format!("The other copies are compared with this one now; {key} on it again ends that.")
                }
            });
            Request::Pin { id, copy: Some(copy) }
        }
    };
    effects.push(Effect::Ask(request));
}

/// Side by side, makes the reference copy the current one, as the current one becomes the reference. Returns whether it
/// did.
fn swap_sides(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let preview = &model.reader.preview;
    let reference = preview.beside.as_ref().filter(|_| model.beside.is_some()).map(|beside| &beside.at);
    let number = reference.and_then(|at| place_of(at, preview));
    let Some(number) = number else { return false };
    model.reader.want_copy(number);
    ask_preview(model, effects);
    true
}
