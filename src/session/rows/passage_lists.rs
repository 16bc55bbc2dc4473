//! Lists of passages: as many of the first ones in a given order as are wanted.
//!
//! The text of a row is read from its document when the row is loaded, and kept. A taboo decision changes the list
//! without reading documents again.

mod split;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::known_passages::KnownPassages;
use super::list_maker::{ListMaker, ListRequest};
use super::passages::ListedPassage;
use crate::index::IndexError;
use crate::index::ranking::HEAD;
use crate::passage::PassageOrder;
use crate::passage::aside::AsideRule;
use crate::passage::copy::OpenCopy;
use crate::passage::filter::PassageSieve;
use crate::passage::passages::Passage;
use crate::query::filter::Problem;
use crate::query::page::DocumentReader;
use crate::session::protocol::{HiddenCounts, RowList, SEND_INTERVAL, Sort, View, counted};
use crate::taboo::{AcceptedId, AcceptedSet, TabooSet};
use split::{FilterText, Split, SplitKey};

/// Makes the lists of passages.
#[derive(Default)]
pub(super) struct PassageListMaker {
    rows: Option<PassageRows>,
    /// The number of accepted passages with more copies, when the last notice about them was shown.
    outgrown: usize,
}

impl<I: From<Arc<ListedPassage>> + Clone> ListMaker<I> for PassageListMaker {
    fn list(&mut self, request: &ListRequest<I>) -> Result<(), IndexError> {
        let Some(known) = request.known else { return Ok(()) };
        let rows = self.rows.get_or_insert_with(|| {
            let rows = PassageRows::new(Arc::clone(known));
            report_outgrown(request, &rows, &mut self.outgrown);
            rows
        });
        let (taboo, accepted) = (request.decisions.set(), request.decisions.accepted());
        let send = |listing: &RowList<I>| (request.send)(listing.clone());
        let listing = rows.list(request.view, taboo, accepted, request.is_overtaken, send);
        request.send_newest(listing);
        Ok(())
    }

    /// Counts what is hidden of all passages, and updates the ranking of blots for the view of blots and for the next start.
    fn finish(&mut self, request: &ListRequest<I>) -> Result<(), IndexError> {
        let (taboo, accepted) = (request.decisions.set(), request.decisions.accepted());
        if let Some(rows) = self.rows.as_mut().filter(|rows| !rows.is_counted(taboo)) {
            rows.count(taboo);
            let listing = rows.list(request.view, taboo, accepted, request.is_overtaken, |_: &RowList<I>| {});
            request.send_newest(listing);
        }
        if !(request.is_overtaken)() && request.rankings.last().is_some() {
            request.rankings.of(request.snapshot, HEAD, request.is_stopped)?;
        }
        Ok(())
    }

    fn forget_passages(&mut self) {
        self.rows = None;
    }
}

/// Shows a notice if accepted passages are open again because they gained copies.
fn report_outgrown<I>(request: &ListRequest<I>, rows: &PassageRows, sent: &mut usize) {
    let outgrown = rows.outgrown(request.decisions.accepted());
    if outgrown > *sent {
        let passages = counted(outgrown as u64, ["accepted passage has", "accepted passages have"]);
        let are = if outgrown == 1 { "is" } else { "are" };
        (request.notice)(format!("{passages} more copies now and {are} open again."));
    }
    *sent = outgrown;
}

/// How many passages are read at a time.
const BATCH: usize = 64;

/// A filter, applied to all passages.
struct PassageFilter {
    text: FilterText,
    problems: Vec<Problem>,
    wants_taboo: bool,
    passing: PassageSieve,
}

/// The rows of the passages that were found last.
pub(super) struct PassageRows {
    known: Arc<KnownPassages>,
    order: (PassageOrder, Vec<u32>),
    sieve: Option<PassageFilter>,
    /// The last split, and what it depends on.
    split: Option<(SplitKey, Arc<Split>)>,
    /// The loaded rows; `None` for passages whose documents have changed.
    loaded: HashMap<u32, Option<Arc<ListedPassage>>>,
    /// The last count of what a taboo list hides.
    total: Option<(Arc<TabooSet>, HiddenCounts)>,
}

impl PassageRows {
    /// No row loaded yet.
    pub(super) fn new(known: Arc<KnownPassages>) -> Self {
        let order = known.passages.order;
        let order = (order, known.passages.sorted(&known.snapshot, order));
        Self { known, order, sieve: None, split: None, loaded: HashMap::new(), total: None }
    }

    /// Lists the rows of a view. `send` gets partial lists; `is_cancelled` ends it early.
    pub(super) fn list<I: From<Arc<ListedPassage>>>(
        &mut self,
        view: &View,
        taboo: &Arc<TabooSet>,
        accepted: &Arc<AcceptedSet>,
        is_cancelled: &(dyn Fn() -> bool + Sync),
        send: impl Fn(&RowList<I>),
    ) -> RowList<I> {
        let known = Arc::clone(&self.known);
        self.prepare(view, is_cancelled);
        let sieve = self.sieve.as_ref();
        let shows_taboo = view.show_taboo || sieve.is_some_and(|sieve| sieve.wants_taboo);
        let mut listing = RowList {
            view: view.clone(),
            generation: known.snapshot.manifest().generation,
            problems: sieve.map(|sieve| sieve.problems.clone()).unwrap_or_default(),
            ..RowList::default()
        };
        let counted = known.counted(taboo);
        let rule = if view.show_aside { AsideRule::none() } else { AsideRule::default() };
        let split = self.split(SplitKey {
            order: self.order.0,
            filter: self.sieve.as_ref().map(|sieve| sieve.text.clone()),
            rule,
            shows_taboo,
            taboo: counted.clone(),
            accepted: self.sieve.is_some().then(|| Arc::clone(accepted)),
        });
        listing.aside.clone_from(&split.aside);
        listing.in_families = split.in_families;
        let order = &split.listed;
        let total = order.len();
        let mut looked_at = 0;
        let mut sent = Instant::now();
        while looked_at < total && listing.rows.len() < view.wanted {
            if is_cancelled() {
                return listing;
            }
            if sent.elapsed() >= SEND_INTERVAL {
                sent = Instant::now();
                send(&listing);
            }
            let mut shown = Vec::with_capacity(BATCH);
            let batch = &order[looked_at..total.min(looked_at + BATCH)];
            looked_at += batch.len();
            for &number in batch {
                let passage = &known.passages.found[number as usize];
                let is_taboo = match &counted {
                    Some(hidden) => hidden[number as usize],
                    None => known.hides(number, taboo),
                };
                let copies = passage.copies.len() as u64;
                let state = passage.state(is_taboo, accepted);
                let passes = |sieve: &PassageFilter| sieve.passing.passes_as(&known.passages, number, state);
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
                    *row = Arc::new(ListedPassage { taboo, accepted, ..ListedPassage::clone(row) });
                }
                listing.rows.push(Arc::clone(row).into());
            }
            listing.searched = looked_at as f64 / total as f64;
        }
        listing.complete = looked_at == total;
        listing.searched = if total == 0 { 1.0 } else { listing.searched };
        // Until all is counted, the last count is a better estimate than the rows seen so far.
        listing.hidden = self.total.as_ref().map_or(listing.hidden, |(_, total)| *total);
        listing
    }

    /// Counts what a taboo list hides of all passages.
    pub(super) fn count(&mut self, taboo: &Arc<TabooSet>) {
        let hidden = self.known.hidden_by(taboo);
        let total = self.known.sum((0..hidden.len()).filter(|&number| hidden[number]));
        self.total = Some((Arc::clone(taboo), total));
    }

    /// Whether the last count is of this taboo list.
    pub(super) fn is_counted(&self, taboo: &Arc<TabooSet>) -> bool {
        self.total.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, taboo))
    }

    /// The number of accepted passages that gained copies since.
    pub(super) fn outgrown(&self, accepted: &AcceptedSet) -> usize {
        let found = self.known.passages.found.iter();
        let has_more = |passage: &&Passage| {
            let then = accepted.copies(AcceptedId::Passage(passage.id.0));
            then.is_some_and(|copies| passage.copies.len() as u64 > copies)
        };
        found.filter(has_more).count()
    }

    /// Prepares the order and the filter of a view.
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
            // A cancelled filter is incomplete.
            if !is_cancelled() {
                self.sieve = Some(PassageFilter { text, problems, wants_taboo, passing });
            }
        }
    }

    /// The split of the passages by a key, which is made of this order and this filter.
    fn split(&mut self, key: SplitKey) -> Arc<Split> {
        if let Some((_, split)) = self.split.as_ref().filter(|(of, _)| *of == key) {
            return Arc::clone(split);
        }
        let sieve = self.sieve.as_ref().map(|sieve| &sieve.passing);
        let split = Arc::new(Split::new(&key, &self.known.passages, &self.order.1, sieve));
        self.split = Some((key, Arc::clone(&split)));
        split
    }

    fn load(&mut self, numbers: impl Iterator<Item = u32>) {
        let known = &*self.known;
        let new: Vec<u32> = numbers.filter(|number| !self.loaded.contains_key(number)).collect();
        let read = |reader: &mut DocumentReader, number: u32| {
            let passage = &known.passages.found[number as usize];
            let standing = OpenCopy::of(&known.snapshot, reader, &known.passages.sources, passage)?;
            Some(Arc::new(ListedPassage::new(passage, &standing)))
        };
        let loaded: Vec<(u32, Option<Arc<ListedPassage>>)> = new
            .into_par_iter()
            .map_init(
                || DocumentReader::new(&known.snapshot),
                |reader, number| (number, read(reader, number)),
            )
            .collect();
        self.loaded.extend(loaded);
    }
}

/// The order of passages for a sort key.
fn order_of(sort: Sort) -> PassageOrder {
    match sort {
        Sort::Copies => PassageOrder::Copies,
        Sort::Documents => PassageOrder::Documents,
        Sort::Spread => PassageOrder::Spread,
        Sort::Tokens => PassageOrder::Tokens,
        Sort::Score => PassageOrder::Score,
        Sort::Path => PassageOrder::Path,
        Sort::Recent => PassageOrder::Recent,
        _ => PassageOrder::Worth,
    }
}
