//! The two threads that answer a front end: one for rows and decisions, one for previews. Each works on
//! what was asked last, and drops it when something newer is asked.

use std::sync::Arc;

use super::decisions::{Decisions, Difference};
use super::listing::{RowCache, Source};
use super::preview::Copies;
use super::shared::Shared;
use super::{Request, Update};
use crate::index::IndexError;
use crate::index::amend::LONG_SCAN;
use crate::index::ranking::{HEAD, Ranking};
use crate::index::snapshot::Snapshot;
use crate::passage::rows::stretch_of;
use crate::query::page::Reader;
use crate::taboo::{TabooError, TabooSet};

/// Answers requests for rows until the session stops.
pub fn answer_rows(shared: &Shared) {
    let mut cache = RowCache::default();
    let mut seen = 0;
    while let Some(now) = shared.rows.wait(seen) {
        seen = now;
        if let Err(error) = list(shared, &mut cache, seen) {
            shared.tell(Update::Notice(error.to_string()));
        }
    }
}

fn list(shared: &Shared, cache: &mut RowCache, seen: u64) -> Result<(), IndexError> {
    let Some(snapshot) = shared.state().snapshot.clone() else { return Ok(()) };
    // A filter looks at all of them anyway.
    let is_filtered = shared.state().view.as_ref().is_some_and(|view| !view.filter.is_empty());
    let mut limit = if is_filtered { usize::MAX } else { HEAD };
    if let Some(soon) = ranking_soon(shared, &snapshot)? {
        list_from(shared, cache, seen, &snapshot, &soon)?;
    }
    loop {
        let ranking = ranking_of(shared, &snapshot, limit)?;
        decide(shared, &snapshot, &ranking)?;
        let wants_more = list_from(shared, cache, seen, &snapshot, &ranking)?;
        if !wants_more {
            return Ok(());
        }
        limit = usize::MAX;
    }
}

/// Tells the rows of the view asked for; whether it wants more of them than the ranking has.
fn list_from(
    shared: &Shared,
    cache: &mut RowCache,
    seen: u64,
    snapshot: &Snapshot,
    ranking: &Ranking,
) -> Result<bool, IndexError> {
    let (view, taboo) = {
        let state = shared.state();
        let Some(view) = state.view.clone() else { return Ok(false) };
        let taboo =
            state.decisions.as_ref().map_or_else(Arc::default, |decisions| Arc::clone(decisions.set()));
        (view, taboo)
    };
    let source = Source { snapshot, ranking, taboo: &taboo };
    let is_overtaken = || !shared.rows.is_newest(seen);
    let (listing, wants_more) = source.list(&view, cache, &is_overtaken, |listing| {
        shared.tell(Update::Rows(Arc::new(listing.clone())));
    })?;
    if is_overtaken() {
        return Ok(false);
    }
    shared.tell(Update::Rows(Arc::new(listing)));
    Ok(wants_more)
}

/// A ranking to show for the moment that it takes to make the right one.
fn ranking_soon(shared: &Shared, snapshot: &Snapshot) -> Result<Option<Ranking>, IndexError> {
    let known = shared.state().ranking.clone();
    match known {
        Some((of, known)) if of.manifest().content != snapshot.manifest().content => {
            known.amended_by_what_came(&of, snapshot, LONG_SCAN)
        }
        _ => Ok(None),
    }
}

/// The ranking of a snapshot, whole or its head: the one at hand, amended if need be, or made anew.
fn ranking_of(shared: &Shared, snapshot: &Snapshot, limit: usize) -> Result<Arc<Ranking>, IndexError> {
    let known = shared.state().ranking.clone();
    let known = known.filter(|(_, known)| known.is_complete() || limit <= HEAD);
    if let Some((of, known)) = &known
        && of.manifest().content == snapshot.manifest().content
    {
        return Ok(Arc::clone(known));
    }
    let known = known.as_ref().map(|(of, known)| (of, &**known));
    let made = Arc::new(Ranking::renewed(known, snapshot, limit)?);
    shared.state().ranking = Some((snapshot.clone(), Arc::clone(&made)));
    Ok(made)
}

/// Carries out the decisions that wait, and says what each did.
fn decide(shared: &Shared, snapshot: &Snapshot, ranking: &Ranking) -> Result<(), IndexError> {
    let (pending, decisions) = {
        let mut state = shared.state();
        (std::mem::take(&mut state.pending), state.decisions.take())
    };
    let Some(mut decisions) = decisions else {
        shared.state().pending = pending;
        return Ok(());
    };
    for request in pending {
        let before = Arc::clone(decisions.set());
        let said = match carry_out(&mut decisions, snapshot, request) {
            Ok(Some(verb)) => sentence(verb, snapshot, ranking, &before, decisions.set())?,
            Ok(None) => "There is nothing to undo.".to_owned(),
            Err(error) => error.to_string(),
        };
        shared.tell(Update::Taboo(said));
    }
    shared.state().decisions = Some(decisions);
    Ok(())
}

fn carry_out(
    decisions: &mut Decisions,
    snapshot: &Snapshot,
    request: Request,
) -> Result<Option<&'static str>, TabooError> {
    match request {
        Request::AddTaboo { row, reason } => {
            // The row has only the beginning of a long text.
            let whole = stretch_of(snapshot, &mut Reader::new(snapshot), &row).ok().flatten();
            let text = whole.map_or_else(|| row.text.clone(), |(_, text)| text);
            decisions.add(text, row.language.clone(), reason).map(|()| Some("Taboo"))
        }
        Request::RemoveTaboo { row } => decisions.remove(&row).map(|_| Some("No longer taboo")),
        _ => Ok(decisions.undo()?.then_some("Undone")),
    }
}

fn sentence(
    verb: &str,
    snapshot: &Snapshot,
    ranking: &Ranking,
    before: &TabooSet,
    after: &TabooSet,
) -> Result<String, IndexError> {
    let hidden = Difference::between(snapshot, ranking, before, after)?;
    let shown = Difference::between(snapshot, ranking, after, before)?;
    Ok(match (hidden == Difference::default(), shown == Difference::default()) {
        (false, _) => format!("{verb}: {} hidden; u undoes it", hidden.words()),
        (true, false) => format!("{verb}: {} shown again", shown.words()),
        (true, true) => format!("{verb}: nothing more to hide or show"),
    })
}

/// Answers requests for previews until the session stops.
pub fn answer_previews(shared: &Shared) {
    let mut copies: Option<Copies> = None;
    let mut seen = 0;
    while let Some(now) = shared.preview.wait(seen) {
        seen = now;
        if let Err(error) = preview(shared, &mut copies, seen) {
            shared.tell(Update::Notice(error.to_string()));
        }
    }
}

fn preview(shared: &Shared, copies: &mut Option<Copies>, seen: u64) -> Result<(), IndexError> {
    let (snapshot, row, current, taboo) = {
        let state = shared.state();
        let (Some(snapshot), Some((row, current))) = (state.snapshot.clone(), state.preview.clone()) else {
            return Ok(());
        };
        let taboo =
            state.decisions.as_ref().map_or_else(Arc::default, |decisions| Arc::clone(decisions.set()));
        (snapshot, row, current, taboo)
    };
    let mut reader = Reader::new(&snapshot);
    let known = copies.take().filter(|copies| copies.is_of(&snapshot, &row));
    let copies = copies.insert(match known {
        Some(known) => known,
        None => Copies::new(&snapshot, &mut reader, row)?,
    });
    copies.load(&snapshot, &mut reader, &taboo, current, |preview| {
        let is_newest = shared.preview.is_newest(seen);
        if is_newest {
            shared.tell(Update::Preview(Arc::new(preview)));
        }
        is_newest
    })
}
