//! The two threads that answer a front end: one for rows and decisions, one for previews. Each works on
//! what was asked last, and drops it when something newer is asked.

use std::sync::Arc;

use super::copies::Copies;
use super::decide::decide;
use super::decisions::Difference;
use super::listing::{RowCache, Source};
use super::passages::Known;
use super::passages::rows::PassageRows;
use super::shared::Shared;
use super::{Listing, Subject, Update, View};
use crate::index::IndexError;
use crate::index::amend::LONG_SCAN;
use crate::index::ranking::{HEAD, Ranking};
use crate::index::snapshot::Snapshot;
use crate::taboo::TabooSet;

/// What was made for the rows shown last.
#[derive(Default)]
struct Cache {
    rows: RowCache,
    passages: Option<PassageRows>,
}

/// Answers requests for rows until the session stops.
pub fn answer_rows(shared: &Shared) {
    let mut cache = Cache::default();
    let mut seen = 0;
    while let Some(now) = shared.rows.wait(seen) {
        seen = now;
        if let Err(error) = list(shared, &mut cache, seen) {
            shared.tell(Update::Notice(error.to_string()));
        }
    }
}

fn list(shared: &Shared, cache: &mut Cache, seen: u64) -> Result<(), IndexError> {
    let (snapshot, known) = {
        let state = shared.state();
        let Some(snapshot) = state.snapshot.clone() else { return Ok(()) };
        (snapshot, state.passages.clone())
    };
    // What was found before is not held longer than it is shown.
    let is_newest = |rows: &PassageRows| known.as_ref().is_some_and(|known| rows.is_of(known));
    cache.passages = cache.passages.take().filter(is_newest);
    if let Some(known) = known.filter(|_| wants_passages(shared)) {
        list_passages(shared, cache, seen, &snapshot, known)?;
        // For the other view, and for the next start.
        if shared.rows.is_newest(seen) && shared.state().ranking.is_some() {
            ranking_of(shared, &snapshot, HEAD)?;
        }
        return Ok(());
    }
    // A filter looks at all of them anyway.
    let is_filtered = shared.state().view.as_ref().is_some_and(|view| !view.filter.is_empty());
    let mut limit = if is_filtered { usize::MAX } else { HEAD };
    let cache = &mut cache.rows;
    if let Some(soon) = ranking_soon(shared, &snapshot)? {
        list_from(shared, cache, seen, &snapshot, &soon)?;
    }
    loop {
        let ranking = ranking_of(shared, &snapshot, limit)?;
        decide(shared, &snapshot, &|less, more| Difference::between(&snapshot, &ranking, less, more))?;
        let wants_more = list_from(shared, cache, seen, &snapshot, &ranking)?;
        if !wants_more {
            return Ok(());
        }
        limit = usize::MAX;
    }
}

/// Whether passages are asked for. Before there are some, rows of blots are shown.
fn wants_passages(shared: &Shared) -> bool {
    shared.state().view.as_ref().is_some_and(|view| view.of == Subject::Passages)
}

fn list_passages(
    shared: &Shared,
    cache: &mut Cache,
    seen: u64,
    snapshot: &Snapshot,
    known: Arc<Known>,
) -> Result<(), IndexError> {
    let is_overtaken = || !shared.rows.is_newest(seen);
    let is_new = cache.passages.is_none();
    let rows = cache.passages.get_or_insert_with(|| PassageRows::new(known));
    let decisions_wait = !shared.state().pending.is_empty();
    if is_new
        && decisions_wait
        && let Some((view, taboo)) = asked(shared)
    {
        // A decision is said by what it does to the rows that were read.
        rows.list(&view, &taboo, &is_overtaken, |_| {});
    }
    decide(shared, snapshot, &|less, more| Ok(rows.difference(less, more)))?;
    let Some((view, taboo)) = asked(shared) else { return Ok(()) };
    let tell = |listing: &Listing| shared.tell(Update::Rows(Arc::new(listing.clone())));
    let listing = rows.list(&view, &taboo, &is_overtaken, tell);
    if !is_overtaken() {
        shared.tell(Update::Rows(Arc::new(listing)));
    }
    Ok(())
}

/// The view that was asked for last, and what is hidden.
fn asked(shared: &Shared) -> Option<(View, Arc<TabooSet>)> {
    let state = shared.state();
    Some((state.view.clone()?, state.taboo()))
}

/// Tells the rows of the view asked for; whether it wants more of them than the ranking has.
fn list_from(
    shared: &Shared,
    cache: &mut RowCache,
    seen: u64,
    snapshot: &Snapshot,
    ranking: &Ranking,
) -> Result<bool, IndexError> {
    let Some((view, taboo)) = asked(shared) else { return Ok(false) };
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
    let (snapshot, item, current, known, taboo) = {
        let state = shared.state();
        let (Some(snapshot), Some((item, current))) = (state.snapshot.clone(), state.preview.clone()) else {
            return Ok(());
        };
        (snapshot, item, current, state.passages.clone(), state.taboo())
    };
    let old = copies.take();
    let copies = copies.insert(match old {
        Some(old) if old.is_of(&snapshot, known.as_ref(), &item) => old,
        old => Copies::new(&snapshot, known, item, old)?,
    });
    copies.load(&taboo, current, |preview| {
        let is_newest = shared.preview.is_newest(seen);
        if is_newest {
            shared.tell(Update::Preview(Arc::new(preview)));
        }
        is_newest
    })
}
