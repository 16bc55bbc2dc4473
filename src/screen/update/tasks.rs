//! Tasks at the current copy or at the places of rows: open the editor, copy or print the places, run a command of the
//! user, compare, ask git. They run as soon as enough is known.

use crate::event::Effect;
use crate::model::{AwaitedPlaces, COMPARED_LATER, Model, NO_ROW, NOT_YET, Overlay, PlacesTask};
use crate::reader::{CopyTask, PendingTask};
use crate::update::decisions::{ask_of_copy, ask_of_rows, has_text, unmark};
use crate::update::held_keys::awaits_rows;
use crate::update::preview::{can_compare, toggle_beside};
use crate::update::rows::{ask_decision, choose};
use crate::update::views;
use crate::user_commands::CommandPlace;
use dupi_base::storage::shown;
use dupi_index::query::Occurrence;
use dupi_index::query::filter::ReviewState;
use dupi_session::{Item, PlacesAnswer, Request, RowPlace, RowPlaces};

/// Asks what to leave out of the corpus: the chosen documents, files or folders, or the file of the current copy, or a
/// folder above it.
pub(crate) fn exclude(model: &mut Model) {
    if !ask_of_rows(model) {
        ask_for(model, CopyTask::Exclude);
    }
}

/// Runs a command of the user at the current copy, as soon as that is known.
pub(crate) fn run_command(model: &mut Model, number: usize) {
    if awaits_rows(model) {
        return model.say(NOT_YET);
    }
    match model.list.row() {
        None => model.say(NO_ROW),
        Some(Item::Aside(_)) => {
            model.say("This line stands for all passages of a kind; a command needs one.");
        }
        Some(_) => ask_for(model, CopyTask::Command(number)),
    }
}

/// Runs a task at the current copy of the selected row, as soon as that is known.
pub(crate) fn ask_for(model: &mut Model, task: CopyTask) {
    let Some(row) = model.list.row().map(Item::id) else { return model.say(NO_ROW) };
    choose(model);
    model.reader.pending = Some(PendingTask { row, current: model.reader.current, task });
    run_pending(model);
    if model.reader.pending.is_some() {
        model.say(later(task));
    }
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
pub(crate) fn run_pending(model: &mut Model) {
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
    let at = preview.occurrences.get(pending.current.min(most)).filter(|_| model.is_previewed()).cloned();
    let needs_copy = !is_folder || pending.task == CopyTask::Exclude;
    let may_come = at.is_none() && needs_copy && (!is_known || preview.unread > 0);
    let said = model.dialogue.message.take_if(|(said, _)| said == later(pending.task));
    match (pending.task, at) {
        (CopyTask::Compare, _) if can_compare(model) => toggle_beside(model),
        (task, _) if task == CopyTask::Compare || may_come => {
            let message = said.or(model.dialogue.message.take());
            (model.reader.pending, model.dialogue.message) = (Some(pending), message);
        }
        (CopyTask::Edit, Some(at)) => {
            model.effects.push(Effect::Edit { path: at.path, line: at.line, column: at.column });
        }
        (CopyTask::Edit, None) if is_folder => model.say(views::is_folder(model)),
        (CopyTask::Edit, None) => match model.document().cloned().filter(|_| !has_text(&row)) {
            Some(document) => {
                model.effects.push(Effect::Edit { path: document.path.clone(), line: 1, column: 1 });
            }
            None => say_why(model),
        },
        (CopyTask::CopyPlace, at) => {
            let place = at.map(|at| format!("{}:{}", shown(&at.path), at.line));
            model.effects.push(Effect::Copy(place.unwrap_or_else(|| row.text().into_owned())));
        }
        (CopyTask::Print, at) => print_copy(model, row, at),
        (CopyTask::Command(number), at) => run_at_copy(model, (number, row), at),
        (CopyTask::Exclude, Some(at)) => ask_of_copy(model, &at),
        (CopyTask::Compare | CopyTask::Exclude, _) => say_why(model),
    }
}

/// Says why there is no copy of the selected row.
fn say_why(model: &mut Model) {
    let why = model.reader.preview.problem.clone();
    model.say(why.unwrap_or_else(|| "No document has this text now.".to_owned()));
}

const ASKED: &str = "The places are being read.";
const GONE: &str = "No document has this text now.";

/// Prints the current copy of the selected row; without one, the document or folder that the row is.
fn print_copy(model: &mut Model, row: Item, at: Option<Occurrence>) {
    match at {
        Some(at) => {
            let place = RowPlace { path: at.path, line: Some(at.line) };
            model.effects.push(Effect::Print { places: vec![place], left_out: 0 });
        }
        None => ask_places(model, vec![row], PlacesTask::Print),
    }
}

/// Runs a command of the user, now that the current copy is known, or that there is none.
fn run_at_copy(model: &mut Model, (number, row): (usize, Item), at: Option<Occurrence>) {
    let Some(command) = model.settings.commands.get(number).cloned() else { return };
    match at {
        Some(at) if !command.needs_row() => {
            let row = RowPlaces { id: String::new(), places: Vec::new() };
            model
                .effects
                .push(Effect::Run { command, place: CommandPlace { path: at.path, line: at.line, row } });
        }
        at => {
            let at = at.map(|at| (at.path, at.line));
            ask_places(model, vec![row], PlacesTask::Command(number, at));
        }
    }
}

/// Asks for the places of rows, and says so.
pub(crate) fn ask_places(model: &mut Model, rows: Vec<Item>, task: PlacesTask) {
    if rows.is_empty() {
        return model.say(NO_ROW);
    }
    model.awaited_places = Some(AwaitedPlaces { of: rows.iter().map(Item::id).collect(), task });
    model.say(ASKED);
    model.ask(Request::Places { rows });
}

/// Goes on with what the places were asked for.
pub(crate) fn on_places(model: &mut Model, answer: &PlacesAnswer) {
    let Some(awaited) = model.awaited_places.take_if(|awaited| awaited.of == answer.of) else { return };
    model.dialogue.message.take_if(|(said, _)| said == ASKED);
    let Some(row) = answer.rows.first() else { return model.say(GONE) };
    match awaited.task {
        PlacesTask::Print => {
            let places = answer.rows.iter().filter_map(|row| row.places.first().cloned()).collect();
            model.effects.push(Effect::Print { places, left_out: answer.of.len() - answer.rows.len() });
        }
        PlacesTask::Copy => model.effects.push(Effect::Copy(lines_of(&answer.rows))),
        PlacesTask::Edit => open_all(model, row),
        PlacesTask::Command(number, at) => {
            let first = row.places.first().map(|place| (place.path.clone(), place.line.unwrap_or(1)));
            let (Some((path, line)), Some(command)) =
                (at.or(first), model.settings.commands.get(number).cloned())
            else {
                return model.say(GONE);
            };
            model.effects.push(Effect::Run { command, place: CommandPlace { path, line, row: row.clone() } });
        }
    }
}

/// The largest number of copies that are opened in the editor, one after the other.
const OPENED: usize = 20;

/// Places as lines `path:line`.
pub(crate) fn lines_of(rows: &[RowPlaces]) -> String {
    let places = rows.iter().flat_map(|row| &row.places);
    let line = |place: &RowPlace| match place.line {
        Some(line) => format!("{}:{line}\n", shown(&place.path)),
        None => format!("{}\n", shown(&place.path)),
    };
    places.map(line).collect()
}

/// Opens the copies of a row in the editor, one after the other.
fn open_all(model: &mut Model, row: &RowPlaces) {
    let files = row.places.iter().filter(|place| place.line.is_some());
    let edit = |place: &RowPlace| Effect::Edit {
        path: place.path.clone(),
        line: place.line.unwrap_or(1),
        column: 1,
    };
    model.effects.extend(files.clone().take(OPENED).map(edit));
    let all = files.count();
    if all == 0 {
        model.say("This row has no copy at a line of a file that could be opened.");
    } else if all > OPENED {
        model.say(format!("The first {OPENED} of {all} copies are opened."));
    }
}

/// The message where the chosen rows have no state that could be turned.
const STATELESS: &str = "Only passages and rows of a review have a state.";

/// Gives the chosen rows the state behind that of the first one. Rows without a text of their own are never taboo. Blots and
/// clusters can be accepted too, but do not show what is to be fixed.
pub(crate) fn next_state(model: &mut Model) {
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
    ask_decision(model, Request::SetState { rows, state });
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

/// Asks which commits the lines of the current copy come from, and shows the answer as it comes.
pub(crate) fn ask_blame(model: &mut Model) {
    let preview = &model.reader.preview;
    let at = preview.occurrences.get(model.reader.current).filter(|_| model.is_previewed());
    let Some(at) = at.cloned() else { return model.say("This copy is not read yet.") };
    model.ask(Request::Blame(Some(at.clone())));
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
