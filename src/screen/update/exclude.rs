//! Leaving files and folders out of the corpus: asks which, of the file that is shown and the folders above it, or of
//! the marked rows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::decisions::unmark;
use super::effect::Effect;
use super::rows::ask_decision;
use crate::model::{ExcludeChoice, Menu, Model, Overlay};
use dupi_index::query::Occurrence;
use dupi_passage::unit::Unit;
use dupi_session::{Item, Request};

/// Asks what to leave out where the marked rows have files or folders, or the selected row is a document, file or folder:
/// of several rows all, or the folders of all; of one itself or a folder above it. Returns whether it asked.
pub(super) fn ask_of_rows(model: &mut Model) -> bool {
    let places = model.list.marked_places();
    if places.len() > 1 {
        let choices = choices_of_all(&places);
        open(model, choices, 0);
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
        // Marked rows without a place are not what was asked about.
        if !model.list.marked_places().is_empty() {
            unmark(model);
        }
    }
}

fn open(model: &mut Model, choices: Vec<ExcludeChoice>, chosen: usize) {
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
