//! Changes of the taboo list, and counts of what one would hide: the chosen rows, and others.

use std::collections::HashSet;
use std::path::Path;

use super::{Outcome, did, nothing};
use crate::known::Found;
use crate::known::decisions::Decisions;
use crate::known::passages::KnownPassages;
use crate::known::taboo_counts::difference;
use crate::protocol::{DecisionResult, Item, ItemId, Subject, TabooDifference, TabooPreview, counted};
use crate::rows::list_row::{TabooText, beginning, read_texts};
use dupi_base::corpus::{self, SkipReason};
use dupi_base::storage::shown;
use dupi_index::index::ranking::Ranking;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::index::{IndexError, IsStopped};
use dupi_index::query::blot_rows::RowMaker;
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{TabooEntry, TabooList, TabooScope, TabooSet, excerpt, today};
use dupi_judge::copies::OpenCopy;

/// The largest size of an imported list, in bytes.
const MOST_IMPORTED: u64 = 64 << 20;

/// The message for rows whose text could not be read.
pub(crate) const CHANGED: &str = "The text has changed; the list follows as soon as it is read again.";
/// The message for rows without a text.
pub(super) const NO_TEXT: &str = "Only passages and blots have a text to decide about.";
/// The message for entries that are gone.
const NO_ENTRY: &str = "The taboo list has no such text any more.";

/// Adds the texts of some rows to the taboo list.
pub(super) fn hide(
    decisions: &mut Decisions,
    found: &Found,
    rows: &[Item],
    reason: Option<&String>,
    scope: TabooScope,
) -> Outcome {
    let (entries, unread) = taboo_entries(found, rows, reason);
    let all = entries.len();
    match (all, unread) {
        (0, 0) => return nothing(NO_TEXT),
        (0, _) => return Ok((CHANGED.to_owned(), DecisionResult::Failed)),
        _ => {}
    }
    let new = decisions.edit_taboo(scope, |list| list.add_all(entries))?;
    if new == 0 {
        let these = if all == 1 { "this text" } else { "these texts" };
        return nothing(format!("The taboo list has {these} already."));
    }
    let list = match scope {
        TabooScope::Corpus => "Taboo",
        TabooScope::User => "Taboo in all corpora",
    };
    let are_documents = rows.iter().all(|row| row.row().facts().is_of_documents);
    let mut done = match new {
        1 => format!("{list}:"),
        new => format!("{list}: {new} {};", if are_documents { "documents" } else { "texts" }),
    };
    if unread > 0 {
        let texts = counted(unread, ["text has changed and was", "texts have changed and were"]);
        done.push_str(&format!(" {texts} left out;"));
    }
    did(done)
}

/// Removes the entries that hide some rows from the taboo list.
pub(super) fn show_again(decisions: &mut Decisions, found: &Found, rows: &[Item]) -> Outcome {
    let mut entries: Vec<String> = Vec::new();
    let hiders = decisions.hiders();
    for row in rows {
        if let Item::Taboo(row) = row {
            entries.push(row.entry.text.clone());
            continue;
        }
        let texts = row.row().taboo_blots(found);
        entries.extend(texts.iter().flat_map(|blots| decisions.hiding(&hiders, blots)));
        // The texts of the copies of a passage, besides that of its representative.
        if let (Some(known), ItemId::Passage(id) | ItemId::Review(id)) = (&found.known, row.id()) {
            entries.extend(decisions.with_text(known.passages.copy_texts.others(id)));
        }
    }
    // Documents that are too short for a passage.
    let documents: Vec<&Item> = rows.iter().filter(|row| row.row().facts().is_of_documents).collect();
    let texts = read_taboo_texts(found, &documents).into_iter().flatten().flatten().map(|of| of.text);
    let known: HashSet<&str> = decisions.taboo().map(|(_, entry)| entry.text.as_str()).collect();
    entries.extend(texts.filter(|text| known.contains(text.as_str())));
    if entries.is_empty() {
        return nothing("No entry of the taboo list hides this text as it stands now.");
    }
    remove(decisions, &entries)
}

/// Removes the entries with these texts from both taboo lists.
pub(super) fn remove(decisions: &mut Decisions, texts: &[String]) -> Outcome {
    let texts: HashSet<&str> = texts.iter().map(String::as_str).collect();
    match decisions.change(|folders| folders.remove_taboo(|entry| texts.contains(&*entry.text)))? {
        0 => nothing(NO_ENTRY),
        1 => did("No longer taboo:"),
        many => did(format!("No longer taboo: {many} texts;")),
    }
}

/// Moves the entries with these texts to the other taboo list.
pub(super) fn move_to(decisions: &mut Decisions, texts: &[String], to: TabooScope) -> Outcome {
    let texts: HashSet<&str> = texts.iter().map(String::as_str).collect();
    let now = match to {
        TabooScope::Corpus => "Taboo in this corpus only",
        TabooScope::User => "Taboo in all corpora",
    };
    match decisions.change(|folders| folders.move_taboo(|entry| texts.contains(&*entry.text), to))? {
        0 => nothing("The other taboo list has no such text any more."),
        moved => did(format!("{now} from now on: {}", counted(moved as u64, ["text", "texts"]))),
    }
}

/// Replaces the entry of a list with this text.
pub(super) fn replace(
    decisions: &mut Decisions,
    scope: TabooScope,
    text: &str,
    entry: TabooEntry,
) -> Outcome {
    if entry.text.trim().is_empty() {
        return nothing("A taboo text needs some words; nothing was changed.");
    }
    let words = excerpt(&entry.text);
    let replaced = decisions.edit_taboo(scope, |list| {
        let old = list.get(text)?.clone();
        let (is_other, hides_other) = (old != entry, old.text != entry.text);
        list.replace(&old, entry).map(|_| (is_other, hides_other))
    })?;
    match replaced {
        Some((false, _)) => nothing("The entry is unchanged."),
        Some((true, true)) => did(format!("Changed: taboo \"{words}\";")),
        Some((true, false)) => did(format!("Changed: why \"{words}\" is taboo")),
        None => nothing(NO_ENTRY),
    }
}

/// Adds the entries of a file to the taboo list.
pub(super) fn import(decisions: &mut Decisions, file: &Path) -> Outcome {
    let mut bytes = Vec::new();
    if let Err(reason) = corpus::read(file, MOST_IMPORTED, &mut bytes) {
        let file = shown(file);
        let why = match reason {
            SkipReason::Vanished => format!("There is no file {file}; check the path."),
            reason => format!("cannot read {file}: {reason}"),
        };
        return Ok((why, DecisionResult::Failed));
    }
    let imported = TabooList::import(&shown(file).to_string(), &bytes)?;
    let all = imported.entries().len();
    let entries = imported.entries().iter().cloned();
    match decisions.edit_taboo(TabooScope::Corpus, |list| list.add_all(entries))? {
        0 => nothing(format!("The taboo list has all of these already: {all}.")),
        new => did(format!("Taboo: {new} of {all} texts were new;")),
    }
}

/// The entries that would hide some rows, each text once; and the number of texts that could not be read.
pub(super) fn taboo_entries(found: &Found, rows: &[Item], reason: Option<&String>) -> (Vec<TabooEntry>, u64) {
    let (mut entries, mut unread): (Vec<TabooEntry>, u64) = (Vec::new(), 0);
    let mut known: HashSet<String> = HashSet::new();
    let rows: Vec<&Item> = rows.iter().filter(|row| row.is_text()).collect();
    for text in read_taboo_texts(found, &rows).into_iter().flatten() {
        let Some(TabooText { text, language }) = text else {
            unread += 1;
            continue;
        };
        if known.insert(text.clone()) {
            entries.push(TabooEntry { text, added: today(), reason: reason.cloned(), language });
        }
    }
    (entries, unread)
}

/// The texts of rows for the taboo list, for each row those that it stands for. `None` for a text that has changed.
fn read_taboo_texts(found: &Found, rows: &[&Item]) -> Vec<Vec<Option<TabooText>>> {
    read_texts(found, rows, |row, readers| row.taboo_texts(found, readers))
}

/// How many of the other rows are shown.
const SHOWN: usize = 50;

/// Counts what would be hidden if the texts of these rows were taboo.
pub(crate) fn taboo_preview(
    found: &Found,
    decisions: &Decisions,
    rows: Vec<Item>,
    is_stopped: IsStopped,
) -> Result<TabooPreview, IndexError> {
    let (entries, _) = taboo_entries(found, &rows, None);
    let mut more = TabooSet::clone(&decisions.set);
    for entry in &entries {
        more.add(entry, &decisions.recipe);
    }
    let less = &decisions.set;
    let asked = TabooPreview { rows, ..TabooPreview::default() };
    if let Some(known) = &found.known
        && asked.rows.first().map(Item::subject) == Some(Subject::Passages)
    {
        return Ok(of_passages(known, less, &more, asked));
    }
    // Only the rows that would be newly hidden are counted.
    let newly = more.blots().filter(|&blot| !less.contains(blot));
    let ranking = Ranking::of_blots(&found.snapshot, newly, is_stopped)?;
    of_blots(&found.snapshot, &ranking, less, &more, asked)
}

fn of_passages(
    known: &KnownPassages,
    less: &TabooSet,
    more: &TabooSet,
    mut asked: TabooPreview,
) -> TabooPreview {
    let (less, more) = (known.hidden(less), known.hidden(more));
    let mut chosen: HashSet<usize> = HashSet::new();
    for row in &asked.rows {
        let ItemId::Passage(id) = row.id() else { continue };
        // The documents of folders are meant with these.
        let documents = known.tree(id).into_iter().flat_map(|tree| tree.rows.iter().copied());
        chosen.extend(documents.chain(known.number(id)).map(|number| number as usize));
    }
    let is_chosen = |number: usize| chosen.contains(&number);
    let newly: Vec<usize> = (0..more.len()).filter(|&number| more[number] && !less[number]).collect();
    let others: Vec<usize> = newly.iter().copied().filter(|&number| !is_chosen(number)).collect();
    let mut reader = DocumentReader::new(&known.snapshot);
    let mut first = |number: usize| {
        let passage = &known.passages.found[number];
        let standing = OpenCopy::new(&known.snapshot, &mut reader, &known.passages.sources, passage)?;
        Some((beginning(standing.text()).to_owned(), passage.copies.len() as u64))
    };
    // The passages are sorted by copies.
    asked.first = others.iter().filter_map(|&number| first(number)).take(SHOWN).collect();
    asked.all = TabooDifference { of: Subject::Passages, sum: known.sum(newly.into_iter()), is_least: false };
    asked.others =
        TabooDifference { of: Subject::Passages, sum: known.sum(others.into_iter()), is_least: false };
    asked.complete = true;
    asked
}

fn of_blots(
    snapshot: &Snapshot,
    ranking: &Ranking,
    less: &TabooSet,
    more: &TabooSet,
    mut asked: TabooPreview,
) -> Result<TabooPreview, IndexError> {
    let mut chosen = TabooSet::clone(less);
    for row in &asked.rows {
        chosen.extend(row.row().facts().blots());
    }
    let mut maker = RowMaker::new(snapshot, more, false);
    for group in ranking.groups() {
        if asked.first.len() >= SHOWN {
            break;
        }
        let others: Vec<_> = group
            .iter()
            .filter(|entry| more.contains(entry.blot()) && !chosen.contains(entry.blot()))
            .copied()
            .collect();
        for row in maker.rows(&others)? {
            let copies = row.copies.unwrap_or(u64::from(row.documents));
            asked.first.push((row.text, copies));
        }
    }
    asked.first.truncate(SHOWN);
    asked.all = difference(snapshot, ranking, less, more)?;
    asked.others = difference(snapshot, ranking, &chosen, more)?;
    asked.complete = ranking.is_complete();
    Ok(asked)
}
