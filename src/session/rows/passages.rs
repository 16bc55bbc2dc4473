//! Passages → rows: in the order asked for, from the first on, as many as are wanted.
//!
//! What a row shows is read from its document when the row is loaded, and kept; so a taboo decision
//! changes the list without reading anything again.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::known::Known;
use crate::config::SavedFilters;
use crate::passage::Order;
use crate::passage::copy::Standing;
use crate::passage::filter::PassageSieve;
use crate::passage::found::Passage;
use crate::passage::rows::TEXT_LIMIT;
use crate::query::filter::Problem;
use crate::query::page::Reader;
use crate::session::protocol::{Difference, Hidden, Item, Listing, PassageRow, Sort, TELL, View};
use crate::taboo::{AcceptedId, AcceptedSet, TabooSet};

/// So many passages are read at a time.
const BATCH: usize = 64;

/// A taboo list, and which passages it hides.
type HiddenBy = (Arc<TabooSet>, Arc<Vec<bool>>);

/// A filter, asked of all passages.
struct Sieve {
    /// What was typed, and the saved filters that it may ask for.
    text: (String, Arc<SavedFilters>),
    problems: Vec<Problem>,
    wants_taboo: bool,
    passing: PassageSieve,
}

/// The rows of the passages that were found last.
pub struct PassageRows {
    known: Arc<Known>,
    order: (Order, Vec<u32>),
    sieve: Option<Sieve>,
    /// The rows as they were made last; `None` for passages whose documents have changed.
    loaded: HashMap<u32, Option<Arc<PassageRow>>>,
    /// What the last two taboo lists hide, the newest last.
    hidden: Vec<HiddenBy>,
    /// What was counted last.
    total: Option<(Arc<TabooSet>, Hidden)>,
}

impl PassageRows {
    /// Nothing loaded yet.
    pub fn new(known: Arc<Known>) -> Self {
        let order = known.passages.order;
        let order = (order, known.passages.sorted(&known.snapshot, order));
        Self { known, order, sieve: None, loaded: HashMap::new(), hidden: Vec::new(), total: None }
    }

    /// Lists the rows of a view. `tell` gets what there is so far; `is_cancelled` ends it early.
    pub fn list(
        &mut self,
        view: &View,
        taboo: &Arc<TabooSet>,
        accepted: &AcceptedSet,
        is_cancelled: &(dyn Fn() -> bool + Sync),
        tell: impl Fn(&Listing),
    ) -> Listing {
        let known = Arc::clone(&self.known);
        self.prepare(view, is_cancelled);
        let sieve = self.sieve.as_ref();
        let shows_taboo = view.show_taboo || sieve.is_some_and(|sieve| sieve.wants_taboo);
        let mut listing = Listing {
            view: view.clone(),
            generation: known.snapshot.manifest().generation,
            problems: sieve.map(|sieve| sieve.problems.clone()).unwrap_or_default(),
            ..Listing::default()
        };
        let total = self.order.1.len();
        let counted = self.counted(taboo);
        let mut looked_at = 0;
        let mut told = Instant::now();
        while looked_at < total && listing.rows.len() < view.wanted {
            if is_cancelled() {
                return listing;
            }
            if told.elapsed() >= TELL {
                told = Instant::now();
                tell(&listing);
            }
            let mut shown = Vec::with_capacity(BATCH);
            for number in self.batch(&mut looked_at) {
                let passage = &known.passages.found[number as usize];
                let is_taboo = match &counted {
                    Some(hidden) => hidden[number as usize],
                    None => known.hides(number, taboo),
                };
                let copies = passage.copies.len() as u64;
                let state = passage.state(is_taboo, accepted);
                let passes = |sieve: &Sieve| sieve.passing.passes_as(&known.passages, number, state);
                if !self.sieve.as_ref().is_none_or(passes) {
                    continue;
                }
                if is_taboo {
                    listing.hidden.rows += 1;
                    listing.hidden.copies += copies;
                    listing.hidden.documents += u64::from(passage.documents);
                }
                listing.hides_matches |= is_taboo && !shows_taboo && !view.filter.is_empty();
                if shows_taboo || !is_taboo {
                    shown.push((number, is_taboo));
                }
            }
            self.load(shown.iter().map(|&(number, _)| number));
            for (number, taboo) in shown {
                let Some(Some(row)) = self.loaded.get_mut(&number) else { continue };
                let accepted = accepted.copies(AcceptedId::Passage(row.id.0));
                if (row.taboo, row.accepted) != (taboo, accepted) {
                    *row = Arc::new(PassageRow { taboo, accepted, ..PassageRow::clone(row) });
                }
                listing.rows.push(Item::Passage(Arc::clone(row)));
            }
            listing.searched = looked_at as f64 / total as f64;
        }
        listing.complete = looked_at == total;
        listing.searched = if total == 0 { 1.0 } else { listing.searched };
        // Until all is counted, what was counted last is nearer than what was seen.
        listing.hidden = self.total.as_ref().map_or(listing.hidden, |(_, total)| *total);
        listing
    }

    /// Counts everything that a taboo list hides.
    pub fn count(&mut self, taboo: &Arc<TabooSet>) {
        let hidden = self.hidden(taboo);
        let total = self.known.sum((0..hidden.len()).filter(|&number| hidden[number]));
        self.total = Some((Arc::clone(taboo), total));
    }

    /// What one taboo list hides and another does not.
    pub fn difference(&mut self, less: &Arc<TabooSet>, more: &Arc<TabooSet>) -> Difference {
        let (less, more) = (self.hidden(less), self.hidden(more));
        self.known.difference(&less, &more)
    }

    /// Whether everything that a taboo list hides was counted.
    pub fn is_counted(&self, taboo: &Arc<TabooSet>) -> bool {
        self.total.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, taboo))
    }

    fn counted(&self, taboo: &Arc<TabooSet>) -> Option<Arc<Vec<bool>>> {
        let known = self.hidden.iter().find(|(of, _)| Arc::ptr_eq(of, taboo));
        known.map(|(_, hidden)| Arc::clone(hidden))
    }

    fn hidden(&mut self, taboo: &Arc<TabooSet>) -> Arc<Vec<bool>> {
        if let Some(hidden) = self.counted(taboo) {
            return hidden;
        }
        let hidden = Arc::new(self.known.hidden(taboo));
        if self.hidden.len() == 2 {
            self.hidden.remove(0);
        }
        self.hidden.push((Arc::clone(taboo), Arc::clone(&hidden)));
        hidden
    }

    /// How many passages were accepted and have more copies now.
    pub fn outgrown(&self, accepted: &AcceptedSet) -> usize {
        let found = self.known.passages.found.iter();
        let has_more = |passage: &&Passage| {
            let then = accepted.copies(AcceptedId::Passage(passage.id.0));
            then.is_some_and(|copies| passage.copies.len() as u64 > copies)
        };
        found.filter(has_more).count()
    }

    /// Sorts and filters as a view asks for it.
    fn prepare(&mut self, view: &View, is_cancelled: &(dyn Fn() -> bool + Sync)) {
        let order = order_of(view.sort);
        if self.order.0 != order {
            self.order = (order, self.known.passages.sorted(&self.known.snapshot, order));
        }
        let text = (view.filter.clone(), Arc::clone(&view.saved));
        if self.sieve.as_ref().is_none_or(|sieve| sieve.text != text) {
            let (filter, problems) = view.parsed();
            let wants_taboo = filter.wants_taboo();
            let passing = PassageSieve::new(filter, &self.known.snapshot, &self.known.passages, is_cancelled);
            // What was ended early holds for nothing.
            if !is_cancelled() {
                self.sieve = Some(Sieve { text, problems, wants_taboo, passing });
            }
        }
    }

    /// The next passages that may pass.
    fn batch(&self, looked_at: &mut usize) -> Vec<u32> {
        let may_pass = |number: &u32| {
            self.sieve.as_ref().is_none_or(|sieve| sieve.passing.passes(*number) != Some(false))
        };
        let mut batch = Vec::with_capacity(BATCH);
        for &number in &self.order.1[*looked_at..] {
            if batch.len() == BATCH {
                break;
            }
            *looked_at += 1;
            if may_pass(&number) {
                batch.push(number);
            }
        }
        batch
    }

    fn load(&mut self, numbers: impl Iterator<Item = u32>) {
        let known = &*self.known;
        let new: Vec<u32> = numbers.filter(|number| !self.loaded.contains_key(number)).collect();
        let read = |reader: &mut Reader, number: u32| {
            let passage = &known.passages.found[number as usize];
            let standing = Standing::of(&known.snapshot, reader, &known.passages.sources, passage)?;
            Some(Arc::new(row(passage, &standing)))
        };
        let loaded: Vec<(u32, Option<Arc<PassageRow>>)> = new
            .into_par_iter()
            .map_init(|| Reader::new(&known.snapshot), |reader, number| (number, read(reader, number)))
            .collect();
        self.loaded.extend(loaded);
    }
}

/// How passages are sorted.
fn order_of(sort: Sort) -> Order {
    match sort {
        Sort::Copies => Order::Copies,
        Sort::Documents => Order::Documents,
        Sort::Spread => Order::Spread,
        Sort::Tokens => Order::Tokens,
        Sort::Score => Order::Score,
        Sort::Path => Order::Path,
        Sort::Recent => Order::Recent,
        _ => Order::Worth,
    }
}

/// A row about which nothing was decided yet.
fn row(passage: &Passage, representative: &Standing) -> PassageRow {
    let text = representative.text();
    PassageRow {
        id: passage.id,
        copies: passage.copies.len() as u64,
        documents: passage.documents,
        tokens: passage.tokens(),
        score: passage.score(),
        worth: passage.worth,
        similarity: passage.similarity(),
        text: text[..text.floor_char_boundary(TEXT_LIMIT)].to_owned(),
        language: representative.page.tokeniser.language().map(|language| language.name().to_owned()),
        taboo: false,
        accepted: None,
    }
}
