//! What the verbs of decisions share, `taboo`, `accept`, `kind` and `exclude`: how an entry of a list and a passage are
//! named, and how an entry is removed.

use super::error::CliError;
use super::progress::SearchBar;
use dupi_base::storage::{Folder, one_line, shown};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{AcceptedId, Decision, DecisionList, Journaled, KeptTexts};
use dupi_judge::copies::OpenCopy;
use dupi_judge::kept;
use dupi_judge::passages::PassageId;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_passage::Measure;
use dupi_passage::unit::Unit;

/// The entry with this number in a list, from 1.
pub(super) fn numbered<'a, E: Decision>(list: &'a DecisionList<E>, what: &str) -> Option<&'a E> {
    list.entries().get(what.parse::<usize>().ok()?.checked_sub(1)?)
}

/// Removes the entry that `find` names from the list of a corpus.
pub(super) fn remove<E: Journaled>(
    home: &Folder,
    find: impl FnOnce(&DecisionList<E>) -> Option<&E>,
) -> Result<Option<E>, CliError> {
    let (_, removed) = DecisionList::<E>::edit(home, |list| {
        let entry = find(list)?.clone();
        list.take(&entry)
    })?;
    Ok(removed)
}

/// The beginning of a text, in one line.
pub(super) fn short(text: &str) -> String {
    one_line(text, 100)
}

/// Parses an id: with its kind, or only the digits of a passage; those of a cluster are of the same form.
pub(super) fn id_of(what: &str) -> Option<AcceptedId> {
    what.parse().or_else(|_| format!("passage:{what}").parse()).ok()
}

/// Rejects an empty text, because every text begins with it.
pub(super) fn check(what: &str) -> Result<(), CliError> {
    if what.trim().is_empty() {
        return Err(CliError::failed("the text is empty; give an id, or the beginning of a text"));
    }
    Ok(())
}

/// Whether an id says that it is one of a passage.
pub(super) fn is_passage(what: &str) -> bool {
    what.starts_with("passage:")
}

/// What is decided about.
pub(super) struct FoundPassage {
    /// Its id.
    pub of: AcceptedId,
    /// How many copies it has.
    pub copies: u64,
    /// Its text; the name of folders.
    pub text: String,
    /// What the decision keeps of the texts of other copies.
    pub texts: KeptTexts,
}

/// A passage by its id, or the first one whose text begins with `start`; with all passages.
pub(super) fn passage(
    snapshot: &Snapshot,
    memory: u64,
    id: Option<PassageId>,
    start: &str,
) -> Result<Option<(FoundPassage, Passages)>, CliError> {
    let measure = Measure::usual(&snapshot.manifest().recipe);
    let settings = SearchSettings { measure, memory, ..SearchSettings::default() };
    let bar = SearchBar::new("passages");
    let passages = kept::load_or_find(snapshot, &settings, &bar.tick())?;
    drop(bar);
    let mut reader = DocumentReader::new(snapshot);
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = folded(start);
    for passage in passages.found.iter().filter(|passage| id.is_none_or(|id| id == passage.id)) {
        // The text of one document does not name its folder.
        if id.is_none() && matches!(passage.unit, Unit::Folder(_)) {
            continue;
        }
        let copy = OpenCopy::new(snapshot, &mut reader, &passages.sources, passage);
        let Some(copy) = copy else { continue };
        if folded(copy.text()).starts_with(&start) {
            let text = match passage.unit {
                Unit::Folder(tree) => format!("{}/", shown(tree.folder(&copy.page.file.path)).text()),
                _ => copy.text().to_owned(),
            };
            let (of, copies) = (AcceptedId::Passage(passage.id.0), passage.copies.len() as u64);
            let texts = passages.copy_texts.kept(passage.id);
            return Ok(Some((FoundPassage { of, copies, text, texts }, passages)));
        }
    }
    Ok(None)
}
