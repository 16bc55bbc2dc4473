//! Changes of what passages and clusters are marked with: whether they are accepted or to be fixed, and their kinds.

use std::collections::HashSet;
use std::sync::Arc;

use super::taboo::{DecisionOutcome, NO_TEXT};
use crate::known::Found;
use crate::known::decisions::Decisions;
use crate::protocol::{DecisionResult, Item, Subject, counted};
use dupi_base::config::Kind;
use dupi_index::taboo::{
    AcceptedEntry, AcceptedId, AsideEntry, CountingEntry, DecidedSet, DecisionList, Journaled, KindEntry,
    PassageDecision, TabooError, excerpt, today,
};

/// The message for rows for which only a decision about another row counts.
const OF_ANOTHER: &str =
    "This was decided about another passage that has a copy of the same text; take it back there.";
/// The message for rows that have no kind.
const NO_KIND: &str = "Only passages have a kind.";

/// Accepts some rows with their present numbers of copies, or marks them to be fixed.
pub(super) fn accept(
    decisions: &mut Decisions,
    found: &Found,
    rows: &[Item],
    (reason, fix): (Option<&String>, bool),
) -> Result<DecisionOutcome, TabooError> {
    let entry_of = counting_in(found.known.as_ref().map(|known| known.accepted(&decisions.accepted)));
    let entry = |row: &Item| {
        let facts = row.row().facts();
        let of = facts.accepted_as?;
        let entry = AcceptedEntry {
            of,
            text: excerpt(&row.decided_text()),
            copies: facts.reviewed_copies,
            fix,
            texts: found.kept_texts(of),
            added: today(),
            reason: reason.cloned(),
        };
        Some((entry_of(of), entry))
    };
    let entries: Vec<(CountingEntry, AcceptedEntry)> = rows.iter().filter_map(entry).collect();
    if entries.is_empty() {
        return Ok((NO_TEXT.to_owned(), DecisionResult::Nothing));
    }
    let new = decisions.edit::<AcceptedEntry, _>(|list| list.decide_as(entries))?;
    let [done, already] = if fix { ["To be fixed", "marked to be fixed"] } else { ["Accepted", "accepted"] };
    Ok(match new {
        0 => (format!("This is {already} already."), DecisionResult::Nothing),
        new => (format!("{done}: {}", words_of(rows, new)), DecisionResult::Done),
    })
}

/// Reopens some accepted rows.
pub(super) fn reopen(
    decisions: &mut Decisions,
    found: &Found,
    rows: &[Item],
) -> Result<DecisionOutcome, TabooError> {
    let entry_of = counting_in(found.known.as_ref().map(|known| known.accepted(&decisions.accepted)));
    let counting = rows.iter().flat_map(|row| row.row().facts().accepted_by()).map(entry_of).collect();
    let removed = remove::<AcceptedEntry>(decisions, counting)?;
    Ok(match removed {
        Err(why) => (why.unwrap_or("Nothing of this was accepted.").to_owned(), DecisionResult::Nothing),
        Ok(removed) => (format!("Open again: {}", words_of(rows, removed)), DecisionResult::Done),
    })
}

/// Finds the entry of a set that counts for an id.
fn counting_in<V: Copy>(set: Option<Arc<DecidedSet<V>>>) -> impl Fn(AcceptedId) -> CountingEntry {
    move |of| set.as_ref().and_then(|set| set.entry(of)).unwrap_or(CountingEntry::own(of))
}

/// Removes the entries that count for some rows. Returns how many; if there were none, perhaps why.
fn remove<E: Journaled + PassageDecision>(
    decisions: &mut Decisions,
    counting: Vec<CountingEntry>,
) -> Result<Result<usize, Option<&'static str>>, TabooError> {
    let meant: HashSet<AcceptedId> =
        counting.iter().filter(|entry| entry.is_removable).map(|entry| entry.id).collect();
    let change = |list: &mut DecisionList<E>| list.remove_all(|entry| meant.contains(&entry.of()));
    Ok(match decisions.edit::<E, _>(change)? {
        0 => Err(counting.iter().any(|entry| !entry.is_removable).then_some(OF_ANOTHER)),
        removed => Ok(removed),
    })
}

fn words_of(rows: &[Item], count: usize) -> String {
    let is_passages = rows.first().map(Item::subject) == Some(Subject::Passages);
    counted(count as u64, if is_passages { ["passage", "passages"] } else { ["row", "rows"] })
}

/// Sets the kind of some passages; `None` leaves it to the rules.
pub(super) fn set_kind(
    decisions: &mut Decisions,
    found: &Found,
    rows: &[Item],
    kind: Option<Kind>,
) -> Result<DecisionOutcome, TabooError> {
    let entry_of = counting_in(found.known.as_ref().map(|known| known.corrected(&decisions.kinds)));
    let id = |row: &Item| row.row().facts().accepted_as.filter(|of| of.passage().is_some());
    let ids: Vec<(AcceptedId, &Item)> = rows.iter().filter_map(|row| Some((id(row)?, row))).collect();
    if ids.is_empty() {
        return Ok((NO_KIND.to_owned(), DecisionResult::Nothing));
    }
    let words = |count: usize| counted(count as u64, ["passage", "passages"]);
    let Some(kind) = kind else {
        let counting = ids.iter().map(|(of, _)| entry_of(*of)).collect();
        let already = "The rules decide about the kind already.";
        return Ok(match remove::<KindEntry>(decisions, counting)? {
            Err(why) => (why.unwrap_or(already).to_owned(), DecisionResult::Nothing),
            Ok(removed) => {
                (format!("Of the kind that the rules say: {}", words(removed)), DecisionResult::Done)
            }
        });
    };
    let entry = |(of, row): (AcceptedId, &Item)| {
        let (text, texts) = (excerpt(&row.decided_text()), found.kept_texts(of));
        (entry_of(of), KindEntry { of, kind, text, texts, added: today() })
    };
    let changed = decisions.edit::<KindEntry, _>(|list| list.decide_as(ids.into_iter().map(entry)))?;
    Ok(match changed {
        0 => (format!("This was set to {kind} already."), DecisionResult::Nothing),
        changed => (format!("Set to {kind}: {}", words(changed)), DecisionResult::Done),
    })
}

/// Sets a kind aside or lists it; `None` leaves that to the settings. `is_aside` is what comes of it.
pub(super) fn set_aside(
    decisions: &mut Decisions,
    kind: Kind,
    to: Option<bool>,
    is_aside: bool,
) -> Result<DecisionOutcome, TabooError> {
    let is_new = decisions.edit::<AsideEntry, _>(|list| list.set(kind, to, today()))?;
    let now = if is_aside { "set aside" } else { "listed" };
    Ok(match is_new {
        true => {
            let done = format!("Passages of the kind {kind} are {now} in this corpus from now on");
            (done, DecisionResult::Done)
        }
        false => ("This was decided already.".to_owned(), DecisionResult::Nothing),
    })
}
