//! Carries out requests for decisions: each is one step of the journal. Here are those of all kinds but the taboo list;
//! rows are marked as accepted, to be fixed, or of a kind.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::taboo::{self, NO_TEXT};
use super::{Outcome, did, nothing};
use crate::known::Found;
use crate::known::decisions::Decisions;
use crate::protocol::{DecisionResult, Item, Request, Subject, counted};
use crate::rows::list_row::Origin;
use dupi_base::config::Kind;
use dupi_base::corpus::PathScope;
use dupi_base::storage::shown;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::{
    AcceptedEntry, AcceptedId, AsideEntry, CountingEntry, DecidedSet, DecisionList, ExcludedEntry, Journaled,
    KindEntry, PassageDecision, TabooError, TabooScope, excerpt, today,
};

/// Carries out a decision as one step of the journal.
pub(crate) fn carry_out(decisions: &mut Decisions, found: &Found, request: Request) -> Outcome {
    let found = &of_request(found, &request);
    match request {
        Request::SetState { rows, state } => set_state(decisions, found, &rows, state),
        Request::Taboo { rows, reason, scope } => {
            taboo::hide(decisions, found, &rows, reason.as_ref(), scope)
        }
        Request::ShowAgain { rows } => taboo::show_again(decisions, found, &rows),
        Request::SetKind { rows, kind } => set_kind(decisions, found, &rows, kind),
        Request::SetAside { kind, to, is_aside } => {
            let now = if is_aside { "set aside" } else { "listed" };
            match decisions.edit::<AsideEntry, _>(|list| list.set(kind, to, today()))? {
                false => nothing("This was decided already."),
                true => did(format!("Passages of the kind {kind} are {now} in this corpus from now on")),
            }
        }
        Request::Exclude { paths } => exclude(decisions, &found.snapshot, &paths),
        Request::EditTaboo { scope, text, entry } => taboo::replace(decisions, scope, &text, entry),
        Request::MoveTaboo { texts, to } => taboo::move_to(decisions, &texts, to),
        Request::RemoveTaboo { texts } => taboo::remove(decisions, &texts),
        Request::ImportTaboo { file } => taboo::import(decisions, &file),
        Request::Redo => turn(decisions, false),
        _ => turn(decisions, true),
    }
}

/// What the rows of a request were made from.
pub(crate) fn of_request(found: &Found, request: &Request) -> Found {
    let is_of_review = request.rows().first().is_some_and(|row| row.row().facts().origin() == Origin::Review);
    if is_of_review { found.of_review() } else { found.clone() }
}

/// Sets the state of some rows. What is taboo and was accepted before is opened in two steps, each of which can be undone.
fn set_state(decisions: &mut Decisions, found: &Found, rows: &[Item], state: ReviewState) -> Outcome {
    match state {
        ReviewState::Fix => accept(decisions, found, rows, true),
        ReviewState::Accepted => accept(decisions, found, rows, false),
        ReviewState::Taboo => taboo::hide(decisions, found, rows, None, TabooScope::Corpus),
        ReviewState::Open => {
            // First what is under the taboo: so an undo shows that again.
            let opened = reopen(decisions, found, rows)?;
            let hidden: Vec<Item> = rows.iter().filter(|row| row.is_taboo()).cloned().collect();
            if hidden.is_empty() {
                return Ok(opened);
            }
            let shown = taboo::show_again(decisions, found, &hidden)?;
            Ok(if shown.1 == DecisionResult::Done { shown } else { opened })
        }
    }
}

/// Accepts some rows with their present numbers of copies, or marks them to be fixed.
fn accept(decisions: &mut Decisions, found: &Found, rows: &[Item], fix: bool) -> Outcome {
    let entry_of = counting_in(found.known.as_ref().map(|known| known.accepted(&decisions.accepted)));
    let entry = |row: &Item| {
        let facts = row.row().facts();
        let of = facts.accepted_as?;
        let (text, texts) = (excerpt(&row.decided_text()), found.kept_texts(of));
        let copies = facts.reviewed_copies;
        let entry = AcceptedEntry { of, text, copies, fix, texts, added: today(), reason: None };
        Some((entry_of(of), entry))
    };
    let entries: Vec<(CountingEntry, AcceptedEntry)> = rows.iter().filter_map(entry).collect();
    if entries.is_empty() {
        return nothing(NO_TEXT);
    }
    let [done, already] = if fix { ["To be fixed", "marked to be fixed"] } else { ["Accepted", "accepted"] };
    match decisions.edit::<AcceptedEntry, _>(|list| list.decide_as(entries))? {
        0 => nothing(format!("This is {already} already.")),
        new => did(format!("{done}: {}", words_of(rows, new))),
    }
}

/// Reopens some accepted rows.
fn reopen(decisions: &mut Decisions, found: &Found, rows: &[Item]) -> Outcome {
    let entry_of = counting_in(found.known.as_ref().map(|known| known.accepted(&decisions.accepted)));
    let counting = rows.iter().flat_map(|row| row.row().facts().accepted_by()).map(entry_of).collect();
    match remove::<AcceptedEntry>(decisions, counting)? {
        Err(why) => nothing(why.unwrap_or("Nothing of this was accepted.")),
        Ok(removed) => did(format!("Open again: {}", words_of(rows, removed))),
    }
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
    let of_another =
        "This was decided about another passage that has a copy of the same text; take it back there.";
    let meant: HashSet<AcceptedId> =
        counting.iter().filter(|entry| entry.is_removable).map(|entry| entry.id).collect();
    let change = |list: &mut DecisionList<E>| list.remove_all(|entry| meant.contains(&entry.of()));
    Ok(match decisions.edit::<E, _>(change)? {
        0 => Err(counting.iter().any(|entry| !entry.is_removable).then_some(of_another)),
        removed => Ok(removed),
    })
}

fn words_of(rows: &[Item], count: usize) -> String {
    let is_passages = rows.first().map(Item::subject) == Some(Subject::Passages);
    counted(count as u64, if is_passages { ["passage", "passages"] } else { ["row", "rows"] })
}

/// Sets the kind of some passages; `None` leaves it to the rules.
fn set_kind(decisions: &mut Decisions, found: &Found, rows: &[Item], kind: Option<Kind>) -> Outcome {
    let entry_of = counting_in(found.known.as_ref().map(|known| known.corrected(&decisions.kinds)));
    let id = |row: &Item| row.row().facts().accepted_as.filter(|of| of.passage().is_some());
    let ids: Vec<(AcceptedId, &Item)> = rows.iter().filter_map(|row| Some((id(row)?, row))).collect();
    if ids.is_empty() {
        return nothing("Only passages have a kind.");
    }
    let words = |count: usize| counted(count as u64, ["passage", "passages"]);
    let Some(kind) = kind else {
        let counting = ids.iter().map(|(of, _)| entry_of(*of)).collect();
        return match remove::<KindEntry>(decisions, counting)? {
            Err(why) => nothing(why.unwrap_or("The rules decide about the kind already.")),
            Ok(removed) => did(format!("Of the kind that the rules say: {}", words(removed))),
        };
    };
    let entry = |(of, row): (AcceptedId, &Item)| {
        let (text, texts) = (excerpt(&row.decided_text()), found.kept_texts(of));
        (entry_of(of), KindEntry { of, kind, text, texts, added: today() })
    };
    match decisions.edit::<KindEntry, _>(|list| list.decide_as(ids.into_iter().map(entry)))? {
        0 => nothing(format!("This was set to {kind} already.")),
        changed => did(format!("Set to {kind}: {}", words(changed))),
    }
}

/// Leaves files and folders, relative to the corpus's base, out of the corpus.
fn exclude(decisions: &mut Decisions, snapshot: &Snapshot, paths: &[PathBuf]) -> Outcome {
    let entries: Vec<ExcludedEntry> =
        paths.iter().filter_map(|path| ExcludedEntry::new(path, today(), None)).collect();
    let new = decisions.edit::<ExcludedEntry, _>(|list| list.exclude(entries))?;
    let these = match paths {
        [path] => shown(path).to_string(),
        paths => format!("{} files and folders", paths.len()),
    };
    if new == 0 {
        return nothing(format!("Left out already: {these}."));
    }
    let scope = PathScope::new(paths.iter().map(PathBuf::as_path));
    let files = snapshot.texts().filter(|&file| scope.contains(snapshot.path(file))).count() as u64;
    let files = counted(files, ["file", "files"]);
    did(format!("Left out of this corpus from now on: {these} ({files})"))
}

/// Undoes the last step of the journal, or redoes the one that was undone last.
fn turn(decisions: &mut Decisions, undo: bool) -> Outcome {
    let steps = decisions.change(|folders| if undo { folders.undo() } else { folders.redo() })?;
    let Some(steps) = steps else {
        return nothing(format!("There is nothing to {}.", if undo { "undo" } else { "redo" }));
    };
    let (verb, result) =
        if undo { ("Undone", DecisionResult::Undone) } else { ("Redone", DecisionResult::Done) };
    let (words, (changed, gone)) = (steps.words(), steps.changed());
    let by_hand = "changed by hand since";
    let mut done = format!("{verb}: {words}");
    if changed == 0 {
        return nothing(format!("{done}; nothing to change, as the list was {by_hand}."));
    }
    if gone > 0 {
        done.push_str(&format!(", but for {gone} {by_hand}"));
    }
    if steps.has(|step| !step.taboo.is_empty()) {
        done.push(';');
    }
    Ok((done, result))
}
