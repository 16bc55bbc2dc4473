//! Changes of the list of accepted rows.

use std::collections::HashSet;

use super::decision_outcome::{DecisionOutcome, NO_TEXT, OF_ANOTHER};
use super::lists::Decisions;
use crate::protocol::{DecisionResult, Subject, counted};
use crate::rows::Item;
use crate::rows::list_row::RowSource;
use dupi_index::taboo::{AcceptedEntry, AcceptedId, CountingEntry, TabooError, excerpt, today};

/// Accepts some rows with their present numbers of copies.
pub(super) fn accept(
    decisions: &mut Decisions,
    source: &RowSource,
    rows: &[Item],
    reason: Option<&String>,
) -> Result<DecisionOutcome, TabooError> {
    Ok(match add(decisions, source, rows, (reason, false))? {
        None => (NO_TEXT.to_owned(), DecisionResult::Nothing),
        Some(0) => ("This is accepted already.".to_owned(), DecisionResult::Nothing),
        Some(new) => (format!("Accepted: {}", words_of(rows, new)), DecisionResult::Done),
    })
}

/// Marks some rows to be fixed.
pub(super) fn mark_to_fix(
    decisions: &mut Decisions,
    source: &RowSource,
    rows: &[Item],
) -> Result<DecisionOutcome, TabooError> {
    Ok(match add(decisions, source, rows, (None, true))? {
        None => (NO_TEXT.to_owned(), DecisionResult::Nothing),
        Some(0) => ("This is marked to be fixed already.".to_owned(), DecisionResult::Nothing),
        Some(new) => (format!("To be fixed: {}", words_of(rows, new)), DecisionResult::Done),
    })
}

/// Adds entries for some rows. Returns how many are new; `None` if no row can have one.
fn add(
    decisions: &mut Decisions,
    source: &RowSource,
    rows: &[Item],
    (reason, fix): (Option<&String>, bool),
) -> Result<Option<usize>, TabooError> {
    let entry_of = entries(decisions, source);
    let entry = |row: &Item| {
        let of = row.row().accepted_as()?;
        let entry = AcceptedEntry {
            of,
            text: excerpt(&row.decided_text()),
            copies: row.row().reviewed_copies(),
            fix,
            texts: source.kept_texts(of),
            added: today(),
            reason: reason.cloned(),
        };
        Some((entry_of(of), entry))
    };
    let entries: Vec<(CountingEntry, AcceptedEntry)> = rows.iter().filter_map(entry).collect();
    if entries.is_empty() {
        return Ok(None);
    }
    decisions.edit::<AcceptedEntry, _>(|list| list.accept_as(entries)).map(Some)
}

/// Reopens some accepted rows.
pub(super) fn reopen(
    decisions: &mut Decisions,
    source: &RowSource,
    rows: &[Item],
) -> Result<DecisionOutcome, TabooError> {
    let entry_of = entries(decisions, source);
    let counting: Vec<CountingEntry> =
        rows.iter().flat_map(|row| row.row().accepted_by()).map(entry_of).collect();
    let meant: HashSet<AcceptedId> =
        counting.iter().filter(|entry| entry.is_removable).map(|entry| entry.id).collect();
    let removed =
        decisions.edit::<AcceptedEntry, _>(|list| list.remove_all(|entry| meant.contains(&entry.of)))?;
    Ok(match removed {
        0 if counting.iter().any(|entry| !entry.is_removable) => {
            (OF_ANOTHER.to_owned(), DecisionResult::Nothing)
        }
        0 => ("Nothing of this was accepted.".to_owned(), DecisionResult::Nothing),
        removed => (format!("Open again: {}", words_of(rows, removed)), DecisionResult::Done),
    })
}

/// Finds the entry that counts for an id.
fn entries(decisions: &Decisions, source: &RowSource) -> impl Fn(AcceptedId) -> CountingEntry + use<> {
    let accepted = source.known.map(|known| known.accepted(decisions.accepted()));
    move |of| accepted.as_ref().and_then(|accepted| accepted.entry(of)).unwrap_or(CountingEntry::own(of))
}

fn words_of(rows: &[Item], count: usize) -> String {
    let is_passages = rows.first().map(Item::subject) == Some(Subject::Passages);
    counted(count as u64, if is_passages { ["passage", "passages"] } else { ["row", "rows"] })
}
