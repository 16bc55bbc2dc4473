//! Changes of the taboo list.

use std::collections::HashSet;
use std::path::Path;

use crate::known::Found;
use crate::known::decisions::Decisions;
use crate::protocol::{DecisionResult, Item, ItemId, counted};
use crate::rows::list_row::{TabooText, read_texts};
use dupi_base::corpus::{self, SkipReason};
use dupi_base::storage::shown;
use dupi_index::taboo::{TabooEntry, TabooError, TabooList, TabooScope, excerpt, today};

/// The largest size of an imported list, in bytes.
const MOST_IMPORTED: u64 = 64 << 20;

/// The message for rows whose text could not be read.
pub(crate) const CHANGED: &str = "The text has changed; the list follows as soon as it is read again.";
/// The message for rows without a text.
pub(super) const NO_TEXT: &str = "Only passages and blots have a text to decide about.";

/// What was changed, as the beginning of a sentence, or why nothing was, as a whole sentence; and the kind of result.
pub(super) type DecisionOutcome = (String, DecisionResult);

/// Adds the texts of some rows to the taboo list.
pub(super) fn hide(
    decisions: &mut Decisions,
    found: &Found,
    rows: &[Item],
    reason: Option<&String>,
    scope: TabooScope,
) -> Result<DecisionOutcome, TabooError> {
    let (entries, unread) = taboo_entries(found, rows, reason);
    if entries.is_empty() {
        let (why, result) =
            if unread > 0 { (CHANGED, DecisionResult::Failed) } else { (NO_TEXT, DecisionResult::Nothing) };
        return Ok((why.to_owned(), result));
    }
    let all = entries.len();
    let new = decisions.edit_taboo(scope, |list| list.add_all(entries))?;
    if new == 0 {
        let these = if all == 1 { "this text" } else { "these texts" };
        return Ok((format!("The taboo list has {these} already."), DecisionResult::Nothing));
    }
    let are_documents = rows.iter().all(|row| row.row().facts().is_of_documents);
    let list = match scope {
        TabooScope::Corpus => "Taboo",
        TabooScope::User => "Taboo in all corpora",
    };
    let mut done = match new {
        1 => format!("{list}:"),
        new if are_documents => format!("{list}: {new} documents;"),
        new => format!("{list}: {new} texts;"),
    };
    if unread > 0 {
        let texts = counted(unread, ["text has changed and was", "texts have changed and were"]);
        done.push_str(&format!(" {texts} left out;"));
    }
    Ok((done, DecisionResult::Done))
}

/// Removes the entries that hide some rows from the taboo list.
pub(super) fn show_again(
    decisions: &mut Decisions,
    found: &Found,
    rows: &[Item],
) -> Result<DecisionOutcome, TabooError> {
    let mut entries: Vec<String> = Vec::new();
    let hiders = decisions.hiders();
    for row in rows {
        if let Item::Taboo(row) = row {
            entries.push(row.entry.text.clone());
            continue;
        }
        let texts = row.row().taboo_blots(found);
        entries.extend(texts.iter().flat_map(|blots| decisions.hiding(&hiders, blots)));
        entries.extend(decisions.with_text(copies_of(found, row)));
    }
    // Documents that are too short for a passage.
    let documents: Vec<&Item> = rows.iter().filter(|row| row.row().facts().is_of_documents).collect();
    let texts = read_taboo_texts(found, &documents).into_iter().flatten().flatten().map(|of| of.text);
    let known: HashSet<&str> = decisions.taboo().map(|(_, entry)| entry.text.as_str()).collect();
    entries.extend(texts.filter(|text| known.contains(text.as_str())));
    if entries.is_empty() {
        let why = "No entry of the taboo list hides this text as it stands now.";
        return Ok((why.to_owned(), DecisionResult::Nothing));
    }
    remove(decisions, &entries)
}

/// The texts of the copies of a passage, besides that of its representative.
fn copies_of<'a>(found: &'a Found, row: &Item) -> &'a [u64] {
    match (&found.known, row.id()) {
        (Some(known), ItemId::Passage(id) | ItemId::Review(id)) => known.passages.copy_texts.others(id),
        _ => &[],
    }
}

/// Removes the entries with these texts from both taboo lists.
pub(super) fn remove(decisions: &mut Decisions, texts: &[String]) -> Result<DecisionOutcome, TabooError> {
    let texts: HashSet<&str> = texts.iter().map(String::as_str).collect();
    let removed = decisions.remove_taboo(&texts)?;
    Ok(match removed {
        0 => ("The taboo list has no such text any more.".to_owned(), DecisionResult::Nothing),
        1 => ("No longer taboo:".to_owned(), DecisionResult::Done),
        many => (format!("No longer taboo: {many} texts;"), DecisionResult::Done),
    })
}

/// Moves the entries with these texts to the other taboo list.
pub(super) fn move_to(
    decisions: &mut Decisions,
    texts: &[String],
    to: TabooScope,
) -> Result<DecisionOutcome, TabooError> {
    let texts: HashSet<&str> = texts.iter().map(String::as_str).collect();
    let moved = decisions.move_taboo(&texts, to)?;
    let now = match to {
        TabooScope::Corpus => "Taboo in this corpus only",
        TabooScope::User => "Taboo in all corpora",
    };
    Ok(match moved {
        0 => ("The other taboo list has no such text any more.".to_owned(), DecisionResult::Nothing),
        moved => {
            (format!("{now} from now on: {}", counted(moved as u64, ["text", "texts"])), DecisionResult::Done)
        }
    })
}

/// Replaces the entry of a list with this text.
pub(super) fn replace(
    decisions: &mut Decisions,
    scope: TabooScope,
    text: &str,
    entry: TabooEntry,
) -> Result<DecisionOutcome, TabooError> {
    if entry.text.trim().is_empty() {
        return Ok((
            "A taboo text needs some words; nothing was changed.".to_owned(),
            DecisionResult::Nothing,
        ));
    }
    let words = excerpt(&entry.text);
    let replaced = decisions.edit_taboo(scope, |list| {
        let old = list.get(text)?.clone();
        let (is_other, hides_other) = (old != entry, old.text != entry.text);
        list.replace(&old, entry).map(|_| (is_other, hides_other))
    })?;
    Ok(match replaced {
        Some((false, _)) => ("The entry is unchanged.".to_owned(), DecisionResult::Nothing),
        Some((true, true)) => (format!("Changed: taboo \"{words}\";"), DecisionResult::Done),
        Some((true, false)) => (format!("Changed: why \"{words}\" is taboo"), DecisionResult::Done),
        None => ("The taboo list has no such text any more.".to_owned(), DecisionResult::Nothing),
    })
}

/// Adds the entries of a file to the taboo list.
pub(super) fn import(decisions: &mut Decisions, file: &Path) -> Result<DecisionOutcome, TabooError> {
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
    let new = decisions.edit::<TabooEntry, _>(|list| list.add_all(imported.entries().iter().cloned()))?;
    Ok(match new {
        0 => (format!("The taboo list has all of these already: {all}."), DecisionResult::Nothing),
        new => (format!("Taboo: {new} of {all} texts were new;"), DecisionResult::Done),
    })
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
