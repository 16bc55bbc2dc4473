//! Answers [`super::Request::Rows`]: walks down the ranking, group by group, and makes rows until enough
//! are loaded. What it has it tells early and often; a newer request or generation starts it anew.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use super::filtered::Belonging;
use super::passages::Known;
use super::shared::TELL;
use super::{Item, Listing, Subject, View};
use crate::blot::Blot;
use crate::index::IndexError;
use crate::index::ranking::{Ranked, Ranking};
use crate::index::snapshot::Snapshot;
use crate::passage::Row;
use crate::passage::filter::BlotSieve;
use crate::passage::rows::RowMaker;
use crate::query::filter::{Fact, State, parse};
use crate::query::page::Reader;
use crate::taboo::{AcceptedId, AcceptedSet, TabooSet};

/// Rows made before, by the entries they were made from: after a change most groups are as they were.
#[derive(Default)]
pub struct RowCache {
    rows: HashMap<GroupKey, Vec<Arc<Row>>>,
    unfolded: bool,
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
            *cache = RowCache { unfolded: view.unfolded, ..RowCache::default() };
        }
        let cut = view.sigma.map(|sigma| self.ranking.stats.cut(sigma));
        let entries = match cut {
            Some(cut) => {
                let within = self.ranking.entries.partition_point(|entry| entry.documents() >= cut);
                &self.ranking.entries[..within]
            }
            None => &self.ranking.entries[..],
        };
        let is_whole = self.ranking.is_complete() || entries.len() < self.ranking.entries.len();
        let (filter, problems) = parse(&view.filter, &view.saved);
        let shows_taboo = view.show_taboo || filter.wants_taboo();
        let mut listing = Listing {
            view: view.clone(),
            problems,
            generation: self.snapshot.manifest().generation,
            is_provisional: view.of == Subject::Passages,
            repeated: self.ranking.repeated,
            cut,
            spread: self.ranking.stats.spread,
            ..Listing::default()
        };
        let total = if is_whole { entries.len() as u64 } else { self.ranking.repeated };
        let blots_of = Belonging::blots_of(&filter, self.passages);
        let sieve = BlotSieve::new(&filter, self.snapshot, blots_of, is_cancelled);
        let mut reader = Reader::new(self.snapshot);
        let mut maker = RowMaker::new(self.snapshot, self.taboo, view.unfolded);
        let mut told = Instant::now();
        let mut looked_at = 0;
        for group in groups(entries, view.unfolded) {
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
            looked_at = group.end;
            let group = &entries[group];
            let (hidden, open): (Vec<Ranked>, Vec<Ranked>) =
                group.iter().partition(|entry| self.taboo.contains(entry.blot()));
            if let Some(first) = hidden.first() {
                listing.hidden.rows += 1;
                listing.hidden.copies += u64::from(first.documents());
                listing.hidden.documents += u64::from(first.documents());
            }
            let shown = if shows_taboo { [hidden, open] } else { [Vec::new(), open] };
            for part in shown.iter().filter(|part| !part.is_empty()) {
                if sieve.pass(part, self.state_of(part))? == Some(false) {
                    continue;
                }
                for row in self.rows(part, &mut maker, cache)? {
                    let row = self.reviewed(row);
                    if sieve.has_row(&row, &mut reader)? {
                        listing.rows.push(Item::Row(row));
                    }
                }
            }
        }
        listing.complete = looked_at == entries.len() && is_whole;
        listing.searched = share(looked_at, total);
        let wants_more = !listing.complete && listing.rows.len() < view.wanted;
        Ok((listing, wants_more))
    }

    /// What was decided about the rows of a part of a group; of those that were accepted it is known only when
    /// they are made.
    fn state_of(&self, part: &[Ranked]) -> Fact<State> {
        let is_accepted = |entry: &Ranked| self.accepted.copies(AcceptedId::Blot(entry.blot())).is_some();
        match self.taboo.contains(part[0].blot()) {
            true => Fact::Is(State::Taboo),
            false if part.iter().any(is_accepted) => Fact::Unknown,
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
        group: &[Ranked],
        maker: &mut RowMaker,
        cache: &mut RowCache,
    ) -> Result<Vec<Arc<Row>>, IndexError> {
        let key = (group[0].blot(), group.len(), group[0].documents(), group[0].set());
        let taboo = self.taboo.contains(group[0].blot());
        if let Some(rows) = cache.rows.get(&key)
            && rows.iter().all(|row| row.taboo == taboo)
        {
            return Ok(rows.clone());
        }
        let rows: Vec<Arc<Row>> = maker.rows(group)?.into_iter().map(Arc::new).collect();
        cache.rows.insert(key, rows.clone());
        Ok(rows)
    }
}

fn share(part: usize, of: u64) -> f64 {
    if of == 0 { 1.0 } else { part as f64 / of as f64 }
}

/// The groups of a ranking: stretches of equal document frequency and set; single entries when unfolded.
fn groups(entries: &[Ranked], unfolded: bool) -> impl Iterator<Item = Range<usize>> + '_ {
    let together =
        move |a: &Ranked, b: &Ranked| !unfolded && (a.documents(), a.set()) == (b.documents(), b.set());
    let mut end = 0;
    entries.chunk_by(together).map(move |group| {
        end += group.len();
        end - group.len()..end
    })
}
