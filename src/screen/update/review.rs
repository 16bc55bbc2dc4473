//! What can be done with rows of a review and, where it applies, with passages: their state is turned, all copies are opened
//! in the editor or copied as places, and it is asked which commits lines come from.

use super::decisions::unmark;
use super::effect::Effect;
use super::places::ask_places;
use super::rows::ask_decision;
use super::sentences::NO_ROW;
use crate::model::{Model, Overlay, PlacesTask};
use dupi_index::query::Occurrence;
use dupi_index::query::filter::ReviewState;
use dupi_session::{Item, Request};

/// The message where the chosen rows have no state that could be turned.
const STATELESS: &str = "Only passages and rows of a review have a state.";

/// Gives the chosen rows the state behind that of the first one. Rows without a text of their own are never taboo. Blots and
/// clusters can be accepted too, but do not show what is to be fixed.
pub(super) fn next_state(model: &mut Model, effects: &mut Vec<Effect>) {
    let has_state = |row: &&Item| matches!(row, Item::Passage(_) | Item::Review(_)) && row.can_be_accepted();
    let mut rows: Vec<Item> = model.list.chosen_rows().filter(has_state).cloned().collect();
    let Some(first) = rows.first() else {
        let is_none = model.list.chosen_rows().next().is_none();
        return model.say(if is_none { NO_ROW } else { STATELESS });
    };
    let can_be_taboo = rows.iter().all(Item::is_text);
    let state = behind(first.state(), can_be_taboo);
    if matches!(state, ReviewState::Fix | ReviewState::Accepted) {
        // They would stay taboo, and nothing would show the other state.
        rows.retain(|row| !row.is_taboo());
    }
    ask_decision(model, Request::SetState { rows, state }, effects);
    unmark(model);
}

/// The state behind another one.
fn behind(state: ReviewState, can_be_taboo: bool) -> ReviewState {
    match state {
        ReviewState::Open => ReviewState::Fix,
        ReviewState::Fix => ReviewState::Accepted,
        ReviewState::Accepted if can_be_taboo => ReviewState::Taboo,
        ReviewState::Accepted | ReviewState::Taboo => ReviewState::Open,
    }
}

/// Copies the places of all copies of the chosen rows: a line `path:line` each.
pub(super) fn copy_places(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.list.chosen() {
        rows if rows.is_empty() => model.say(NO_ROW),
        rows => ask_places(model, rows, PlacesTask::Copy, effects),
    }
}

/// Opens all copies of the selected row in the editor.
pub(super) fn edit_all(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.list.row().cloned() {
        None => model.say(NO_ROW),
        Some(row) => ask_places(model, vec![row], PlacesTask::Edit, effects),
    }
}

/// Asks which commits the lines of the current copy come from, and shows the answer as it comes.
pub(super) fn ask_blame(model: &mut Model, effects: &mut Vec<Effect>) {
    let preview = &model.reader.preview;
    let at = preview.occurrences.get(model.reader.current).filter(|_| model.is_previewed());
    match at.cloned() {
        None => model.say("This copy is not read yet."),
        Some(at) => show_blame(model, at, effects),
    }
}

fn show_blame(model: &mut Model, at: Occurrence, effects: &mut Vec<Effect>) {
    effects.push(Effect::Ask(Request::Blame(Some(at.clone()))));
    model.dialogue.overlay = Some(Overlay::Blame(at, None, 0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_go_round() {
        let round = |can_be_taboo| {
            let next = |state: &ReviewState| Some(behind(*state, can_be_taboo));
            std::iter::successors(Some(ReviewState::Open), next).take(4).collect::<Vec<_>>()
        };
        assert_eq!(round(true), ReviewState::ALL);
        let [open, fix, accepted, _] = ReviewState::ALL;
        assert_eq!(round(false), [open, fix, accepted, open]);
    }
}
