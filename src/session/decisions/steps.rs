//! Carries out requests for decisions. Each request is one step of the journal.

use std::path::PathBuf;

use super::taboo::DecisionOutcome;
use super::{marks, taboo};
use crate::known::Found;
use crate::known::decisions::Decisions;
use crate::protocol::{DecisionResult, Item, Request, counted};
use crate::rows::list_row::Origin;
use dupi_base::corpus::PathScope;
use dupi_base::storage::shown;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::{ExcludedEntry, TabooError, TabooScope, today};

/// Carries out a decision as one step of the journal.
pub(crate) fn carry_out(
    decisions: &mut Decisions,
    found: &Found,
    request: Request,
) -> Result<DecisionOutcome, TabooError> {
    let found = &of_request(found, &request);
    match request {
        Request::SetState { rows, state } => set_state(decisions, found, &rows, state),
        Request::Taboo { rows, reason, scope } => {
            taboo::hide(decisions, found, &rows, reason.as_ref(), scope)
        }
        Request::ShowAgain { rows } => taboo::show_again(decisions, found, &rows),
        Request::Accept { rows, reason } => marks::accept(decisions, found, &rows, (reason.as_ref(), false)),
        Request::Reopen { rows } => marks::reopen(decisions, found, &rows),
        Request::SetKind { rows, kind } => marks::set_kind(decisions, found, &rows, kind),
        Request::SetAside { kind, to, is_aside } => marks::set_aside(decisions, kind, to, is_aside),
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
    let is_of_review = request.rows().first().is_some_and(|row| row.row().facts().origin == Origin::Review);
    if is_of_review { found.of_review() } else { found.clone() }
}

/// Sets the state of some rows. What is taboo and was accepted before is opened in two steps, each of which can be undone.
fn set_state(
    decisions: &mut Decisions,
    found: &Found,
    rows: &[Item],
    state: ReviewState,
) -> Result<DecisionOutcome, TabooError> {
    match state {
        ReviewState::Fix => marks::accept(decisions, found, rows, (None, true)),
        ReviewState::Accepted => marks::accept(decisions, found, rows, (None, false)),
        ReviewState::Taboo => taboo::hide(decisions, found, rows, None, TabooScope::Corpus),
        ReviewState::Open => {
            // First what is under the taboo: so an undo shows that again.
            let opened = marks::reopen(decisions, found, rows)?;
            let hidden: Vec<Item> = rows.iter().filter(|row| row.is_taboo()).cloned().collect();
            let shown =
                if hidden.is_empty() { None } else { Some(taboo::show_again(decisions, found, &hidden)?) };
            Ok(shown.filter(|(_, result)| *result == DecisionResult::Done).unwrap_or(opened))
        }
    }
}

/// Leaves files and folders, relative to the corpus's base, out of the corpus.
fn exclude(
    decisions: &mut Decisions,
    snapshot: &Snapshot,
    paths: &[PathBuf],
) -> Result<DecisionOutcome, TabooError> {
    let entries: Vec<ExcludedEntry> =
        paths.iter().filter_map(|path| ExcludedEntry::new(path, today(), None)).collect();
    let new = decisions.edit::<ExcludedEntry, _>(|list| list.exclude(entries))?;
    let these = match paths {
        [path] => shown(path).to_string(),
        paths => format!("{} files and folders", paths.len()),
    };
    if new == 0 {
        return Ok((format!("Left out already: {these}."), DecisionResult::Nothing));
    }
    let scope = PathScope::new(paths.iter().map(PathBuf::as_path));
    let files = snapshot.texts().filter(|&file| scope.contains(snapshot.path(file))).count() as u64;
    let files = counted(files, ["file", "files"]);
    Ok((format!("Left out of this corpus from now on: {these} ({files})"), DecisionResult::Done))
}

/// Undoes the last step of the journal, or redoes the one that was undone last.
fn turn(decisions: &mut Decisions, undo: bool) -> Result<DecisionOutcome, TabooError> {
    let Some(steps) = decisions.turn(undo)? else {
        let verb = if undo { "undo" } else { "redo" };
        return Ok((format!("There is nothing to {verb}."), DecisionResult::Nothing));
    };
    let (verb, result) =
        if undo { ("Undone", DecisionResult::Undone) } else { ("Redone", DecisionResult::Done) };
    let (words, (changed, gone)) = (steps.words(), steps.changed());
    let by_hand = "changed by hand since";
    let mut done = format!("{verb}: {words}");
    if changed == 0 {
        let why = format!("{done}; nothing to change, as the list was {by_hand}.");
        return Ok((why, DecisionResult::Nothing));
    }
    if gone > 0 {
        done.push_str(&format!(", but for {gone} {by_hand}"));
    }
    if steps.has(|step| !step.taboo.is_empty()) {
        done.push(';');
    }
    Ok((done, result))
}
