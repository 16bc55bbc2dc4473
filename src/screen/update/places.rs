//! What is done with the places of rows: they are printed, and commands of the user are run there.

use super::effect::Effect;
use super::review_places::{lines_of, open_all};
use crate::model::{AwaitedPlaces, Model, PlacesTask};
use crate::user_commands::CommandPlace;
use dupi_index::query::Occurrence;
use dupi_session::{Item, PlacesAnswer, Request, RowPlace, RowPlaces};

const ASKED: &str = "The places are being read.";
const GONE: &str = "No document has this text now.";

/// Prints the current copy of the selected row; without one, the document or folder that the row is.
pub(super) fn print_copy(model: &mut Model, row: Item, at: Option<Occurrence>, effects: &mut Vec<Effect>) {
    match at {
        Some(at) => {
            let place = RowPlace { path: at.path, line: Some(at.line) };
            effects.push(Effect::Print { places: vec![place], left_out: 0 });
        }
        None => ask_places(model, vec![row], PlacesTask::Print, effects),
    }
}

/// Runs a command of the user, now that the current copy is known, or that there is none.
pub(super) fn run_at_copy(
    model: &mut Model,
    (number, row): (usize, Item),
    at: Option<Occurrence>,
    effects: &mut Vec<Effect>,
) {
    let Some(command) = model.settings.commands.get(number) else { return };
    match at {
        Some(at) if !command.needs_row() => {
            let row = RowPlaces { id: String::new(), places: Vec::new() };
            effects.push(Effect::Run { command, place: CommandPlace { path: at.path, line: at.line, row } });
        }
        at => {
            let at = at.map(|at| (at.path, at.line));
            ask_places(model, vec![row], PlacesTask::Command(number, at), effects);
        }
    }
}

/// Asks for the places of rows, and says so.
pub(super) fn ask_places(model: &mut Model, rows: Vec<Item>, task: PlacesTask, effects: &mut Vec<Effect>) {
    model.awaited_places = Some(AwaitedPlaces { of: rows.iter().map(Item::id).collect(), task });
    model.say(ASKED);
    effects.push(Effect::Ask(Request::Places { rows }));
}

/// Goes on with what the places were asked for.
pub(super) fn on_places(model: &mut Model, answer: &PlacesAnswer, effects: &mut Vec<Effect>) {
    let Some(awaited) = model.awaited_places.take_if(|awaited| awaited.of == answer.of) else { return };
    model.dialogue.message.take_if(|(said, _)| said == ASKED);
    let Some(row) = answer.rows.first() else { return model.say(GONE) };
    match awaited.task {
        PlacesTask::Print => {
            let places = answer.rows.iter().filter_map(|row| row.places.first().cloned()).collect();
            effects.push(Effect::Print { places, left_out: answer.of.len() - answer.rows.len() });
        }
        PlacesTask::Copy => effects.push(Effect::Copy(lines_of(&answer.rows))),
        PlacesTask::Edit => open_all(model, row, effects),
        PlacesTask::Command(number, at) => {
            let first = row.places.first().map(|place| (place.path.clone(), place.line.unwrap_or(1)));
            let (Some((path, line)), Some(command)) = (at.or(first), model.settings.commands.get(number))
            else {
                return model.say(GONE);
            };
            effects.push(Effect::Run { command, place: CommandPlace { path, line, row: row.clone() } });
        }
    }
}
