//! The places of all copies of rows: as lines for the clipboard, and opened in the editor.

use super::effect::Effect;
use crate::model::Model;
use dupi_base::storage::shown;
use dupi_session::{RowPlace, RowPlaces};

/// So many copies are opened in the editor, one after the other.
const OPENED: usize = 20;

/// Places as lines `path:line`.
pub(super) fn lines_of(rows: &[RowPlaces]) -> String {
    let places = rows.iter().flat_map(|row| &row.places);
    let line = |place: &RowPlace| match place.line {
        Some(line) => format!("{}:{line}\n", shown(&place.path)),
        None => format!("{}\n", shown(&place.path)),
    };
    places.map(line).collect()
}

/// Opens the copies of a row in the editor, one after the other.
pub(super) fn open_all(model: &mut Model, row: &RowPlaces, effects: &mut Vec<Effect>) {
    let files = row.places.iter().filter(|place| place.line.is_some());
    let edit = |place: &RowPlace| Effect::Edit {
        path: place.path.clone(),
        line: place.line.unwrap_or(1),
        column: 1,
    };
    effects.extend(files.clone().take(OPENED).map(edit));
    let all = files.count();
    if all == 0 {
        model.say("This row has no copy at a line of a file that could be opened.");
    } else if all > OPENED {
        model.say(format!("The first {OPENED} of {all} copies are opened."));
    }
}
