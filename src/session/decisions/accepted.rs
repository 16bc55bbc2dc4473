//! Changes of the list of what was reviewed and stays.

use std::collections::HashSet;

use super::lists::Decisions;
use super::outcome::{NO_TEXT, Outcome};
use crate::session::protocol::{Became, Item, counted};
use crate::taboo::{AcceptedEntry, AcceptedId, TabooError, excerpt, today};

/// Accepts some rows with as many copies as they have now.
pub fn accept(
    decisions: &mut Decisions,
    rows: &[Item],
    reason: Option<&String>,
) -> Result<Outcome, TabooError> {
    let entry = |row: &Item| {
        Some(AcceptedEntry {
            of: row.accepted_as()?,
            text: excerpt(&row.text()),
            copies: row.reviewed_copies(),
            added: today(),
            reason: reason.cloned(),
        })
    };
    let entries: Vec<AcceptedEntry> = rows.iter().filter_map(entry).collect();
    if entries.is_empty() {
        return Ok((NO_TEXT.to_owned(), Became::Nothing));
    }
    let new = decisions.edit_accepted(|list| list.accept(entries))?;
    Ok(match new {
        0 => ("This is accepted already.".to_owned(), Became::Nothing),
        new => (format!("Accepted: {}", words_of(rows, new)), Became::Done),
    })
}

/// Takes back that some rows were accepted.
pub fn reopen(decisions: &mut Decisions, rows: &[Item]) -> Result<Outcome, TabooError> {
    let meant: HashSet<AcceptedId> = rows.iter().flat_map(Item::accepted_by).collect();
    let removed = decisions.edit_accepted(|list| list.remove_all(|entry| meant.contains(&entry.of)))?;
    Ok(match removed {
        0 => ("Nothing of this was accepted.".to_owned(), Became::Nothing),
        removed => (format!("Open again: {}", words_of(rows, removed)), Became::Done),
    })
}

fn words_of(rows: &[Item], count: usize) -> String {
    let is_passages = matches!(rows.first(), Some(Item::Passage(_)));
    counted(count as u64, if is_passages { ["passage", "passages"] } else { ["row", "rows"] })
}
