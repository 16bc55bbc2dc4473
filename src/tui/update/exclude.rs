//! Leaving files and folders out of the corpus: asks which, of the file that is shown and the folders above it, or of
//! the marked rows.

use std::path::{Path, PathBuf};

use super::decisions::unmark;
use super::effect::Effect;
use super::rows::ask_decision;
use crate::passage::unit::Unit;
use crate::query::Occurrence;
use crate::session::{Item, Request};
use crate::tui::model::{ExcludeChoice, Menu, Model, Overlay};

/// Asks what to leave out where the chosen rows are documents, files or folders: of several all, of one itself or a folder
/// above it. Returns whether it asked.
pub(super) fn ask_of_rows(model: &mut Model) -> bool {
    let mut paths: Vec<PathBuf> = model.list.marks.rows().filter_map(path_of).map(Path::to_owned).collect();
    paths.sort();
    paths.dedup();
    if paths.len() > 1 {
        open(model, vec![ExcludeChoice { paths, is_folder: false, has_records: false }], 0);
        return true;
    }
    let choices = match model.list.chosen_rows().next() {
        Some(Item::Document(document)) => choices(&document.path, false, document.record.is_some()),
        Some(Item::Folder(folder)) => choices(&folder.path, folder.is_folder, false),
        _ => return false,
    };
    open(model, choices, 0);
    true
}

/// Asks what to leave out, for a copy of the selected row. Of identical folders the folder is chosen first.
pub(super) fn ask_of_copy(model: &mut Model, copy: &Occurrence) {
    let choices = choices(&copy.path, false, copy.record.is_some());
    let depth = match model.list.row() {
        Some(Item::Passage(passage)) if let Unit::Folder(tree) = passage.unit => tree.depth as usize,
        _ => 0,
    };
    let chosen = depth.min(choices.len().saturating_sub(1));
    open(model, choices, chosen);
}

/// Leaves out what was chosen.
pub(super) fn set(model: &mut Model, choices: Vec<ExcludeChoice>, chosen: usize, effects: &mut Vec<Effect>) {
    if let Some(ExcludeChoice { paths, .. }) = choices.into_iter().nth(chosen) {
        ask_decision(model, Request::Exclude { paths }, effects);
        // Marked passages are not what was asked about.
        if model.list.marks.rows().any(|row| path_of(row).is_some()) {
            unmark(model);
        }
    }
}

fn open(model: &mut Model, choices: Vec<ExcludeChoice>, chosen: usize) {
    model.dialogue.overlay = Some(Overlay::Menu(Menu::Exclude(choices), chosen));
}

/// The path of a row that is a document, file or folder.
fn path_of(row: &Item) -> Option<&Path> {
    match row {
        Item::Document(document) => Some(&document.path),
        Item::Folder(folder) => Some(&folder.path),
        _ => None,
    }
}

/// A file or folder, and the folders above it, without that of the corpus.
fn choices(path: &Path, is_folder: bool, has_records: bool) -> Vec<ExcludeChoice> {
    let above = path.ancestors().take_while(|above| !above.as_os_str().is_empty());
    let choice = |(number, path): (usize, &Path)| ExcludeChoice {
        paths: vec![path.to_owned()],
        is_folder: is_folder || number > 0,
        has_records: has_records && number == 0,
    };
    above.enumerate().map(choice).collect()
}
