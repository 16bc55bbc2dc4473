//! The thread of the rows: carries out decisions, and lists the rows of the view that was asked for last. It drops
//! what it does when something newer is asked.

use std::sync::Arc;

use super::decision_queue::{Unsaid, decide};
use super::shared::Shared;
use crate::index::IndexError;
use crate::index::amend::LONG_SCAN;
use crate::index::ranking::{HEAD, Ranking};
use crate::index::snapshot::Snapshot;
use crate::session::decisions::lists::Decisions;
use crate::session::protocol::{Difference, Listing, Subject, Update, View, counted};
use crate::session::rows::blots::{RowCache, Source};
use crate::session::rows::known::Known;
use crate::session::rows::overview::Overview;
use crate::session::rows::passages::PassageRows;
use crate::session::rows::taboo::TabooRows;
use crate::session::rows::texts::Texts;

/// What was made for the rows shown last.
#[derive(Default)]
struct Cache {
    rows: RowCache,
    /// The passages that the others are made from.
    of: Option<Arc<Known>>,
    passages: Option<PassageRows>,
    taboo: Option<TabooRows>,
    /// How many accepted passages had more copies, when that was told last.
    outgrown: usize,
    overview: Option<Overview>,
    /// It was said that there is no memory for all blots.
    is_cut: bool,
}

/// Answers requests for rows until the session stops.
pub fn answer_rows(shared: &Shared) {
    let mut cache = Cache::default();
    let mut seen = 0;
    while let Some(now) = shared.rows.wait(seen) {
        seen = now;
        match list(shared, &mut cache, seen) {
            Ok(()) | Err(IndexError::Stopped) => {}
            Err(error) => fail(shared, &error),
        }
        shared.tell_unread();
    }
    // What was decided before the session was stopped holds.
    if let Some((snapshot, known)) = newest(shared) {
        decide(shared, &Texts { snapshot: &snapshot, known: known.as_deref() });
    }
}

/// Says that the rows asked for cannot be made.
fn fail(shared: &Shared, error: &IndexError) {
    if let Some((view, _)) = asked(shared) {
        let trouble = Some(error.to_string());
        shared.tell(Update::Rows(Arc::new(Listing { view, trouble, complete: true, ..Listing::default() })));
    }
    shared.tell(Update::Notice(error.to_string()));
}

/// The newest generation, and the passages that were found last.
fn newest(shared: &Shared) -> Option<(Snapshot, Option<Arc<Known>>)> {
    let state = shared.state();
    Some((state.snapshot.clone()?, state.passages.clone()))
}

fn list(shared: &Shared, cache: &mut Cache, seen: u64) -> Result<(), IndexError> {
    let Some((snapshot, known)) = newest(shared) else { return Ok(()) };
    // What was found before is not held longer than it is shown.
    if cache.of.as_ref().map(Arc::as_ptr) != known.as_ref().map(Arc::as_ptr) {
        *cache = Cache {
            rows: std::mem::take(&mut cache.rows),
            taboo: cache.taboo.take(),
            outgrown: cache.outgrown,
            is_cut: cache.is_cut,
            of: known.clone(),
            ..Cache::default()
        };
    }
    let unsaid = decide(shared, &Texts { snapshot: &snapshot, known: known.as_deref() });
    let asked = asked(shared);
    let of = asked.as_ref().map(|(view, _)| view.of);
    let listed = match (&asked, of, &known) {
        (Some(asked), Some(Subject::Passages), Some(known)) => {
            list_passages(shared, cache, seen, asked, Arc::clone(known));
            Ok(())
        }
        (Some(asked), Some(Subject::Documents | Subject::Files), _) => {
            list_shares(shared, cache, seen, asked, &snapshot, known.clone())
        }
        (Some(asked), Some(Subject::Taboo), _) => {
            list_taboo(shared, cache, seen, asked, &snapshot, known.clone())
        }
        _ => list_blots(shared, cache, seen, asked.as_ref(), &snapshot),
    };
    // Passages are what people see, but for those who look at blots.
    let known = known.filter(|_| of != Some(Subject::Blots));
    let said = say(shared, cache, &snapshot, known.as_ref(), unsaid);
    if let (Some(known), Some(asked)) = (&known, &asked)
        && of == Some(Subject::Passages)
        && shared.rows.is_newest(seen)
    {
        count_passages(shared, cache, seen, asked, known);
        // For the other view, and for the next start.
        if shared.rows.is_newest(seen) && shared.state().ranking.is_some() {
            ranking_of(shared, &snapshot, HEAD)?;
        }
    }
    listed.and(said)
}

fn list_blots(
    shared: &Shared,
    cache: &mut Cache,
    seen: u64,
    asked: Option<&Asked>,
    snapshot: &Snapshot,
) -> Result<(), IndexError> {
    let most = shared.most_ranked;
    if let Some(soon) = ranking_soon(shared, snapshot)? {
        list_from(shared, cache, seen, asked, snapshot, &soon, false)?;
    }
    let head = ranking_of(shared, snapshot, HEAD.min(most))?;
    let is_last = head.entries.len() >= most;
    if list_from(shared, cache, seen, asked, snapshot, &head, is_last)? {
        drop(head);
        let longest = ranking_of(shared, snapshot, most)?;
        list_from(shared, cache, seen, asked, snapshot, &longest, true)?;
    }
    Ok(())
}

/// Tells rows unless something newer was asked or came meanwhile; whether it told them.
fn tell_rows(shared: &Shared, seen: u64, listing: Listing) -> bool {
    let is_newest = shared.rows.is_newest(seen);
    if is_newest {
        shared.tell(Update::Rows(Arc::new(listing)));
    }
    is_newest
}

/// Tells documents or files by how much of them stands elsewhere too.
fn list_shares(
    shared: &Shared,
    cache: &mut Cache,
    seen: u64,
    (view, decided): &Asked,
    snapshot: &Snapshot,
    known: Option<Arc<Known>>,
) -> Result<(), IndexError> {
    let Some(known) = known else {
        let generation = snapshot.manifest().generation;
        let waiting = Listing { view: view.clone(), generation, is_provisional: true, ..Listing::default() };
        shared.tell(Update::Rows(Arc::new(waiting)));
        return Ok(());
    };
    let shares = known.shares(&if view.show_taboo { Arc::default() } else { Arc::clone(decided.set()) });
    let old = cache.overview.take().filter(|overview| overview.is_of(&shares));
    let overview = cache.overview.insert(old.unwrap_or_else(|| Overview::of(known, shares)));
    let is_overtaken = || !shared.rows.is_newest(seen);
    let listing = overview.list(view, &is_overtaken)?;
    tell_rows(shared, seen, listing);
    Ok(())
}

fn list_passages(shared: &Shared, cache: &mut Cache, seen: u64, (view, decided): &Asked, known: Arc<Known>) {
    let is_overtaken = || !shared.rows.is_newest(seen);
    let is_new = cache.passages.is_none();
    let rows = cache.passages.get_or_insert_with(|| PassageRows::new(known));
    if is_new {
        tell_outgrown(shared, rows, decided, &mut cache.outgrown);
    }
    let tell = |listing: &Listing| shared.tell(Update::Rows(Arc::new(listing.clone())));
    let listing = rows.list(view, decided.set(), decided.accepted(), &is_overtaken, tell);
    tell_rows(shared, seen, listing);
}

/// Says that accepted passages are open again because they have more copies now.
fn tell_outgrown(shared: &Shared, rows: &PassageRows, decided: &Decisions, told: &mut usize) {
    let outgrown = rows.outgrown(decided.accepted());
    if outgrown > *told {
        let passages = counted(outgrown as u64, ["accepted passage has", "accepted passages have"]);
        let are = if outgrown == 1 { "is" } else { "are" };
        shared.tell(Update::Notice(format!("{passages} more copies now and {are} open again.")));
    }
    *told = outgrown;
}

/// Tells how much of all passages is hidden, when that was not counted before.
fn count_passages(
    shared: &Shared,
    cache: &mut Cache,
    seen: u64,
    (view, decided): &Asked,
    known: &Arc<Known>,
) {
    let rows = cache.passages.get_or_insert_with(|| PassageRows::new(Arc::clone(known)));
    if !rows.is_counted(decided.set()) {
        rows.count(decided.set());
        let is_overtaken = || !shared.rows.is_newest(seen);
        let listing = rows.list(view, decided.set(), decided.accepted(), &is_overtaken, |_| {});
        tell_rows(shared, seen, listing);
    }
}

fn list_taboo(
    shared: &Shared,
    cache: &mut Cache,
    seen: u64,
    (view, decided): &Asked,
    snapshot: &Snapshot,
    known: Option<Arc<Known>>,
) -> Result<(), IndexError> {
    let old = cache.taboo.take().filter(|rows| rows.is_of(decided));
    let rows = cache.taboo.insert(old.unwrap_or_else(|| TabooRows::new(decided)));
    shared.tell(Update::Rows(Arc::new(rows.list(view, snapshot))));
    if rows.is_counted(known.as_ref(), snapshot) || !shared.rows.is_newest(seen) {
        return Ok(());
    }
    match known {
        Some(known) => {
            rows.count_passages(known);
            if rows.has_idle() {
                let idle = Ranking::of_blots(snapshot, rows.idle_blots(), &|| shared.is_stopped())?;
                rows.count_idle(snapshot, &idle)?;
            }
        }
        None => {
            let all = Ranking::of_blots(snapshot, rows.blots(), &|| shared.is_stopped())?;
            rows.count_blots(snapshot, &all)?;
        }
    }
    tell_rows(shared, seen, rows.list(view, snapshot));
    Ok(())
}

/// Says what decisions did.
fn say(
    shared: &Shared,
    cache: &mut Cache,
    snapshot: &Snapshot,
    known: Option<&Arc<Known>>,
    unsaid: Vec<Unsaid>,
) -> Result<(), IndexError> {
    let mut said = Ok(());
    for unsaid in unsaid {
        let next = unsaid.say(shared, |less, more| match known {
            Some(known) => {
                let rows = cache.passages.get_or_insert_with(|| PassageRows::new(Arc::clone(known)));
                Ok(rows.difference(less, more))
            }
            None => Difference::between(snapshot, &*ranking_of(shared, snapshot, HEAD)?, less, more),
        });
        said = said.and(next);
    }
    said
}

/// The view that was asked for last, and what is decided: read once, so that all of an answer is about it.
type Asked = (View, Decisions);

fn asked(shared: &Shared) -> Option<Asked> {
    let state = shared.state();
    Some((state.view.clone()?, state.decisions.clone()?))
}

/// Tells the rows of the view asked for; whether it wants more of them than the ranking has, which is not so when
/// this is the last one that there is memory for: then it is said where the list ends.
fn list_from(
    shared: &Shared,
    cache: &mut Cache,
    seen: u64,
    asked: Option<&Asked>,
    snapshot: &Snapshot,
    ranking: &Ranking,
    is_last: bool,
) -> Result<bool, IndexError> {
    let Some((view, decided)) = asked else { return Ok(false) };
    let passages = shared.state().passages.clone();
    let source = Source {
        snapshot,
        ranking,
        taboo: decided.set(),
        accepted: decided.accepted(),
        passages: passages.as_deref(),
    };
    let is_overtaken = || !shared.rows.is_newest(seen);
    let (mut listing, wants_more) = source.list(view, &mut cache.rows, &is_overtaken, |listing| {
        shared.tell(Update::Rows(Arc::new(listing.clone())));
    })?;
    let is_cut = wants_more && is_last && shared.rows.is_newest(seen);
    listing.complete |= is_cut;
    if is_cut && !std::mem::replace(&mut cache.is_cut, true) {
        let (listed, all) = (ranking.entries.len(), ranking.repeated);
        shared.tell(Update::Notice(format!(
            "The list ends after {listed} of {all} blots, the most frequent ones; raise --memory for more."
        )));
    }
    Ok(tell_rows(shared, seen, listing) && wants_more && !is_last)
}

/// A ranking to show for the moment that it takes to make the right one.
fn ranking_soon(shared: &Shared, snapshot: &Snapshot) -> Result<Option<Ranking>, IndexError> {
    let known = shared.state().ranking.clone();
    match known {
        Some((of, known)) if of.manifest().content != snapshot.manifest().content => {
            known.amended_by_what_came(&of, snapshot, LONG_SCAN, &|| shared.is_stopped())
        }
        _ => Ok(None),
    }
}

/// The ranking of a snapshot, or about its first `limit` entries: the one at hand, amended if need be, or made anew.
/// It ends when the session does.
fn ranking_of(shared: &Shared, snapshot: &Snapshot, limit: usize) -> Result<Arc<Ranking>, IndexError> {
    let known = shared.state().ranking.clone();
    let is_enough = |known: &Ranking| known.is_complete() || limit <= HEAD || known.entries.len() > limit / 2;
    let known = known.filter(|(_, known)| is_enough(known));
    if let Some((of, known)) = &known
        && of.manifest().content == snapshot.manifest().content
    {
        return Ok(Arc::clone(known));
    }
    let known = known.as_ref().map(|(of, known)| (of, &**known));
    let mut made = Ranking::renewed(known, snapshot, limit, &|| shared.is_stopped())?;
    // A little may have come to one that was known.
    made.entries.truncate(shared.most_ranked);
    let made = Arc::new(made);
    shared.state().ranking = Some((snapshot.clone(), Arc::clone(&made)));
    Ok(made)
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
