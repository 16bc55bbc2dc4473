//! Answers [`Request::Rows`](crate::session::Request::Rows): walks down the ranking, group by group, and makes rows until enough
//! are loaded. What it has it tells early and often; a newer request or generation starts it anew.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use super::filtered::blots_of;
use super::known::Known;
use crate::blot::Blot;
use crate::config::SavedFilters;
use crate::index::IndexError;
use crate::index::ranking::{RankedBlot, Ranking};
use crate::index::snapshot::Snapshot;
use crate::passage::Row;
use crate::passage::filter::BlotSieve;
use crate::passage::rows::RowMaker;
use crate::query::filter::{Fact, Problem, Quantity, State};
use crate::query::page::Reader;
use crate::session::protocol::{Item, Listing, Subject, TELL, View};
use crate::taboo::{AcceptedId, AcceptedSet, TabooSet};

/// So many rows that are not shown are read for whether they pass the filter: this is only for what is said when
/// no other does.
const MOST_IN_DOUBT: u32 = 64;

/// Rows made before, by the entries they were made from: after a change most groups are as they were. And
/// what was asked of them last.
#[derive(Default)]
pub struct RowCache {
    rows: HashMap<GroupKey, Vec<Arc<Row>>>,
    /// Those that the listing before had, and this one did not ask for yet.
    before: HashMap<GroupKey, Vec<Arc<Row>>>,
    unfolded: bool,
    asked: Option<Asked>,
}

/// A filter, made ready for one snapshot.
struct Asked {
    /// What was typed, and the saved filters that it may ask for.
    text: (String, Arc<SavedFilters>),
    problems: Vec<Problem>,
    wants_taboo: bool,
    names_passages: bool,
    least: u32,
    sieve: BlotSieve,
}

/// The first blot of a group, its size, document frequency and set.
type GroupKey = (Blot, usize, u32, u32);

/// What a listing is made from.
pub struct Source<'a> {
    /// The generation.
    pub snapshot: &'a Snapshot,
    /// Its ranking, whole or only the head.
    pub ranking: &'a Ranking,
    /// What is hidden.
    pub taboo: &'a TabooSet,
    /// What was reviewed and stays.
    pub accepted: &'a AcceptedSet,
    /// The passages that were found last, if there are some.
    pub passages: Option<&'a Known>,
}

impl Source<'_> {
    /// Lists the rows of a view. `tell` gets what there is so far; `is_cancelled` ends it early.
    /// Returns the listing as it stood at the end, and whether the head of the ranking was too short for it.
    pub fn list(
        &self,
        view: &View,
        cache: &mut RowCache,
        is_cancelled: &(dyn Fn() -> bool + Sync),
        tell: impl Fn(&Listing),
    ) -> Result<(Listing, bool), IndexError> {
        if cache.unfolded != view.unfolded {
            *cache = RowCache { asked: cache.asked.take(), unfolded: view.unfolded, ..RowCache::default() };
        }
        cache.before.extend(cache.rows.drain());
        let mut asked = self.asked(view, cache, is_cancelled);
        let listed = self.list_asked(view, &mut asked, cache, is_cancelled, tell);
        // What nobody asks for any more is not kept; a listing that was ended early tells nothing about that.
        if !is_cancelled() {
            cache.before.clear();
        }
        // What was ended early holds for nothing; and passages come and go, whatever the snapshot.
        cache.asked = (!asked.names_passages && !is_cancelled()).then_some(asked);
        listed
    }

    fn list_asked(
        &self,
        view: &View,
        asked: &mut Asked,
        cache: &mut RowCache,
        is_cancelled: &(dyn Fn() -> bool + Sync),
        tell: impl Fn(&Listing),
    ) -> Result<(Listing, bool), IndexError> {
        let cut = view.sigma.map(|sigma| self.ranking.stats.cut(sigma));
        let least = cut.unwrap_or(0).max(asked.least);
        let within = self.ranking.entries.partition_point(|entry| entry.documents() >= least);
        let entries = &self.ranking.entries[..within];
        let is_whole = self.ranking.is_complete() || entries.len() < self.ranking.entries.len();
        let shows_taboo = view.show_taboo || asked.wants_taboo;
        let mut listing = Listing {
            view: view.clone(),
            problems: asked.problems.clone(),
            generation: self.snapshot.manifest().generation,
            is_provisional: view.of == Subject::Passages,
            repeated: self.ranking.repeated,
            cut,
            spread: self.ranking.stats.spread,
            greatest: self.ranking.entries.first().map_or(0, |entry| entry.documents()),
            ..Listing::default()
        };
        let total = if is_whole { entries.len() as u64 } else { self.ranking.repeated };
        let mut reader = Reader::new(self.snapshot);
        let mut maker = RowMaker::new(self.snapshot, self.taboo, view.unfolded);
        let mut told = Instant::now();
        let mut looked_at = 0;
        let (is_filtered, mut in_doubt) = (!view.filter.is_empty(), MOST_IN_DOUBT);
        for group in self.groups(entries, view.unfolded) {
            if listing.rows.len() >= view.wanted {
                break;
            }
            if told.elapsed() >= TELL {
                told = Instant::now();
                listing.searched = share(looked_at, total);
                if is_cancelled() {
                    return Ok((listing, false));
                }
                tell(&listing);
            }
            looked_at += group.len();
            let state = self.state_of(&group);
            let is_taboo = state == Fact::Is(State::Taboo);
            if is_taboo {
                let documents = u64::from(group[0].documents());
                listing.hidden.rows += 1;
                listing.hidden.copies += documents;
                listing.hidden.documents += documents;
            }
            let is_left_out = is_taboo && !shows_taboo;
            if is_left_out && is_filtered && listing.rows.is_empty() && !listing.hides_matches && in_doubt > 0
            {
                let passes = asked.sieve.pass(&group, state, is_cancelled)?;
                listing.hides_matches = passes == Some(true);
                if passes.is_none() {
                    in_doubt -= 1;
                    for row in self.rows(&group, &mut maker, cache)? {
                        listing.hides_matches |= asked.sieve.has_row(&row, &mut reader, is_cancelled)?;
                    }
                }
            }
            if is_left_out || asked.sieve.pass(&group, state, is_cancelled)? == Some(false) {
                continue;
            }
            for row in self.rows(&group, &mut maker, cache)? {
                let row = self.reviewed(row);
                if asked.sieve.has_row(&row, &mut reader, is_cancelled)? {
                    listing.rows.push(Item::Row(row));
                }
            }
        }
        listing.complete = looked_at == entries.len() && is_whole;
        listing.searched = share(looked_at, total);
        let wants_more = !listing.complete && listing.rows.len() < view.wanted;
        Ok((listing, wants_more))
    }

    /// What a view asks for, as it was made ready before if it is the same.
    fn asked(&self, view: &View, cache: &mut RowCache, is_cancelled: &(dyn Fn() -> bool + Sync)) -> Asked {
        let text = (view.filter.clone(), Arc::clone(&view.saved));
        let is_it = |asked: &Asked| asked.text == text && asked.sieve.is_of(self.snapshot);
        if let Some(asked) = cache.asked.take().filter(is_it) {
            return asked;
        }
        let (filter, problems) = view.parsed();
        let (wants_taboo, names_passages) = (filter.wants_taboo(), !filter.passages().is_empty());
        let least = u32::try_from(filter.least(Quantity::Documents)).unwrap_or(u32::MAX);
        let blots_of = blots_of(&filter, self.passages);
        let sieve = BlotSieve::new(filter, self.snapshot, blots_of, is_cancelled);
        Asked { text, problems, wants_taboo, names_passages, least, sieve }
    }

    /// The groups of a ranking: stretches of equal document frequency and set, what is hidden of them apart
    /// from what is not; single entries when unfolded.
    fn groups<'a>(
        &'a self,
        entries: &'a [RankedBlot],
        unfolded: bool,
    ) -> impl Iterator<Item = Cow<'a, [RankedBlot]>> + 'a {
        let is_taboo = |entry: &&RankedBlot| self.taboo.contains(entry.blot());
        let together = move |a: &RankedBlot, b: &RankedBlot| {
            !unfolded && (a.documents(), a.set()) == (b.documents(), b.set())
        };
        entries.chunk_by(together).flat_map(move |group| {
            let hidden = group.iter().filter(is_taboo).count();
            let parts = if hidden == 0 || hidden == group.len() {
                [Cow::Borrowed(group), Cow::default()]
            } else {
                let (hidden, open): (Vec<RankedBlot>, Vec<RankedBlot>) =
                    group.iter().partition(|entry| is_taboo(entry));
                [hidden.into(), open.into()]
            };
            parts.into_iter().filter(|part| !part.is_empty())
        })
    }

    /// What was decided about the rows of a group; of those that were accepted it is known only when they are
    /// made.
    fn state_of(&self, group: &[RankedBlot]) -> Fact<State> {
        let is_accepted = |entry: &RankedBlot| self.accepted.copies(AcceptedId::Blot(entry.blot())).is_some();
        match self.taboo.contains(group[0].blot()) {
            true => Fact::Is(State::Taboo),
            false if group.iter().any(is_accepted) => Fact::Unknown,
            false => Fact::Is(State::Open),
        }
    }

    /// A row with what was accepted of it.
    fn reviewed(&self, row: Arc<Row>) -> Arc<Row> {
        let copies = |&blot: &Blot| self.accepted.copies(AcceptedId::Blot(blot));
        let accepted = row.blots.iter().filter_map(copies).max();
        if accepted == row.accepted { row } else { Arc::new(Row { accepted, ..Row::clone(&row) }) }
    }

    fn rows(
        &self,
        group: &[RankedBlot],
        maker: &mut RowMaker,
        cache: &mut RowCache,
    ) -> Result<Vec<Arc<Row>>, IndexError> {
        let key = (group[0].blot(), group.len(), group[0].documents(), group[0].set());
        let taboo = self.taboo.contains(group[0].blot());
        let old = cache.before.remove(&key).filter(|rows| rows.iter().all(|row| row.taboo == taboo));
        let rows = match old {
            Some(rows) => rows,
            None => maker.rows(group)?.into_iter().map(Arc::new).collect(),
        };
        cache.rows.insert(key, rows.clone());
        Ok(rows)
    }
}

fn share(part: usize, of: u64) -> f64 {
    if of == 0 { 1.0 } else { part as f64 / of as f64 }
}
