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

use super::list_row::{ListMaker, ListRequest};
use crate::known::decisions::Decisions;
use crate::known::passages::{KnownPassages, Pins};
use crate::protocol::{
    HiddenCounts, Item, ListedAside, ListedPassage, Listing, SEND_INTERVAL, Sort, View, counted,
};
use dupi_base::config::Kind;
use dupi_index::index::IndexError;
use dupi_index::query::filter::Problem;
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{AcceptedId, AcceptedSet, CorrectedKinds, TabooSet};
use dupi_judge::PassageOrder;
use dupi_judge::aside::AsideRule;
use dupi_judge::copies::OpenCopy;
use dupi_judge::filter::PassageSieve;
use dupi_judge::passages::Passage;
use split::{FilterText, Split, SplitKey};

/// Makes the lists of passages.
#[derive(Default)]
pub(super) struct PassageListMaker {
    rows: Option<PassageRows>,
    /// The number of accepted passages with more copies, when the last notice about them was shown.
    outgrown: usize,
}

impl ListMaker for PassageListMaker {
    fn list(&mut self, request: &ListRequest) -> Result<(), IndexError> {
        let Some(known) = &request.found.known else { return Ok(()) };
        let rows = self.rows.get_or_insert_with(|| {
            let rows = PassageRows::new(Arc::clone(known));
            report_outgrown(request, &rows, &mut self.outgrown);
            rows
        });
        let send = |listing: &Listing| (request.send)(listing.clone());
        let listing = rows.list(request.view, request.decisions, request.is_overtaken, send)?;
        request.send_newest(listing);
        Ok(())
    }

    fn forget_passages(&mut self) {
        self.rows = None;
    }
}

/// Shows a notice if accepted passages are open again because they gained copies.
fn report_outgrown(request: &ListRequest, rows: &PassageRows, sent: &mut usize) {
    let outgrown = rows.outgrown(&rows.known.accepted(&request.decisions.accepted));
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
    /// The kinds that it asks for.
    asked_for: Vec<Kind>,
    passing: PassageSieve,
}

/// What was decided about the passages of a list.
struct Decided<'a> {
    /// Which passages are taboo.
    taboo: &'a [bool],
    accepted: &'a AcceptedSet,
    kinds: &'a CorrectedKinds,
    /// Whether taboo passages are listed too.
    shows_taboo: bool,
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
    /// The pins that they were made with.
    pins: Arc<Pins>,
    /// What a taboo list hides of all passages.
    total: Option<(Arc<TabooSet>, HiddenCounts)>,
}

impl PassageRows {
    /// No row loaded yet.
    pub(super) fn new(known: Arc<KnownPassages>) -> Self {
        let order = known.passages.order;
        let order = (order, known.passages.sorted(&known.snapshot, order));
        let pins = known.pins();
        Self { known, order, sieve: None, split: None, loaded: HashMap::new(), pins, total: None }
    }

    /// Lists the rows of a view. `send` gets partial lists; `is_cancelled` ends it early. What the taboo list hides is
    /// determined first for all passages: where it hides the head of a family, another member stands for the family, so
    /// a list made earlier would have other rows.
    pub(super) fn list(
        &mut self,
        view: &View,
        decisions: &Decisions,
        is_cancelled: &(dyn Fn() -> bool + Sync),
        send: impl Fn(&Listing),
    ) -> Result<Listing, IndexError> {
        let known = Arc::clone(&self.known);
        self.follow_pins();
        let (taboo, kinds) = (&decisions.set, &known.corrected(&decisions.kinds));
        let accepted = known.accepted(&decisions.accepted);
        self.prepare(view, kinds, is_cancelled)?;
        let sieve = self.sieve.as_ref();
        let shows_taboo = view.show_taboo || sieve.is_some_and(|sieve| sieve.wants_taboo);
        let mut listing = Listing {
            view: view.clone(),
            generation: known.snapshot.manifest().generation,
            problems: sieve.map(|sieve| sieve.problems.clone()).unwrap_or_default(),
            ..Listing::default()
        };
        let hidden = known.hidden_by(taboo);
        listing.hidden = self.total(taboo, &hidden);
        listing.aside_kinds = decisions.aside.apply(view.aside.as_deref().unwrap_or(&Kind::ASIDES));
        let asks_for_state = self.sieve.as_ref().is_some_and(|sieve| sieve.passing.depends_on_state());
        let split = self.split(SplitKey {
            order: self.order.0,
            is_reversed: view.is_reversed,
            filter: self.sieve.as_ref().map(|sieve| sieve.text.clone()),
            rule: self.rule(view, &listing.aside_kinds),
            shows_taboo,
            taboo: Arc::clone(&hidden),
            accepted: asks_for_state.then(|| Arc::clone(&accepted)),
            kinds: Arc::clone(kinds),
        });
        listing.aside = split.aside.iter().map(|(summary, _)| *summary).collect();
        listing.in_families = split.in_families;
        let is_open = |kind| view.open.contains(&kind);
        let opened = split.aside.iter().filter(|(summary, _)| is_open(summary.kind));
        let opened: usize = opened.map(|(_, numbers)| numbers.len()).sum();
        listing.total = Some((split.shown + opened) as u64);
        let decided = Decided { taboo: &hidden, accepted: &accepted, kinds, shows_taboo };
        let mut sent = Instant::now();
        let mut goes_on = |listing: &Listing| {
            if sent.elapsed() >= SEND_INTERVAL {
                sent = Instant::now();
                send(listing);
            }
            !is_cancelled()
        };
        let total = split.listed.len();
        let Some(looked_at) = self.add(&split.listed, &decided, &mut listing, &mut goes_on) else {
            return Ok(listing);
        };
        listing.searched = if total == 0 { 1.0 } else { looked_at as f64 / total as f64 };
        let mut is_complete = looked_at == total;
        // What is sent before all open lines have their passages is not complete.
        listing.complete = is_complete && opened == 0;
        // The lines stand at the end of the loaded rows, or a long list would hide them.
        for (summary, numbers) in &split.aside {
            let line = ListedAside { summary: *summary, is_open: is_open(summary.kind), is_whole: true };
            let order = if line.is_open { &numbers[..] } else { &[] };
            let at = listing.rows.len();
            let begun = ListedAside { is_whole: order.is_empty(), ..line.clone() };
            listing.rows.push(Item::Aside(Arc::new(begun)));
            let Some(looked_at) = self.add(order, &decided, &mut listing, &mut goes_on) else {
                return Ok(listing);
            };
            if looked_at == order.len() {
                listing.rows[at] = Item::Aside(Arc::new(line));
            } else {
                is_complete = false;
            }
        }
        listing.complete = is_complete;
        Ok(listing)
    }

    /// Adds the rows of some passages to a list, as many as its view wants. Returns how many passages were looked at;
    /// `None` when `goes_on`, which gets the list so far, said no.
    fn add(
        &mut self,
        order: &[u32],
        decided: &Decided,
        listing: &mut Listing,
        goes_on: &mut dyn FnMut(&Listing) -> bool,
    ) -> Option<usize> {
        let known = Arc::clone(&self.known);
        let &Decided { taboo, accepted, kinds, shows_taboo } = decided;
        let first = listing.rows.len();
        let mut looked_at = 0;
        while looked_at < order.len() && listing.rows.len() - first < listing.view.wanted {
            if !goes_on(listing) {
                return None;
            }
            let mut shown = Vec::with_capacity(BATCH);
            let batch = &order[looked_at..order.len().min(looked_at + BATCH)];
            looked_at += batch.len();
            for &number in batch {
                let is_taboo = taboo[number as usize];
                listing.hides_matches |= is_taboo && !shows_taboo && !listing.view.filter.is_empty();
                if shows_taboo || !is_taboo {
                    shown.push((number, is_taboo));
                }
            }
            self.load(shown.iter().map(|&(number, _)| number));
            for (number, taboo) in shown {
                let Some(Some(row)) = self.loaded.get_mut(&number) else { continue };
                let of = AcceptedId::Passage(row.id.0);
                let (accepted, is_to_fix) = (accepted.copies(of), accepted.is_to_fix(of));
                let kind = known.passages.found[number as usize].kind_by(kinds);
                if (row.taboo, row.accepted, row.is_to_fix, row.kind) != (taboo, accepted, is_to_fix, kind) {
                    let before = ListedPassage::clone(row);
                    *row = Arc::new(ListedPassage { taboo, accepted, is_to_fix, kind, ..before });
                }
                listing.rows.push(Item::Passage(Arc::clone(row)));
            }
            if first == 0 {
                listing.searched = looked_at as f64 / order.len() as f64;
            }
        }
        Some(looked_at)
    }

    /// Counts what a taboo list hides of all passages.
    fn total(&mut self, taboo: &Arc<TabooSet>, hidden: &[bool]) -> HiddenCounts {
        if let Some((of, total)) = &self.total
            && Arc::ptr_eq(of, taboo)
        {
            return *total;
        }
        let total = self.known.sum((0..hidden.len()).filter(|&number| hidden[number]));
        self.total = Some((Arc::clone(taboo), total));
        total
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
    fn prepare(
        &mut self,
        view: &View,
        kinds: &Arc<CorrectedKinds>,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), IndexError> {
        let order = order_of(view.sort);
        if self.order.0 != order {
            self.order = (order, self.known.passages.sorted(&self.known.snapshot, order));
        }
        let text = (view.filter.clone(), Arc::clone(&view.saved), Arc::clone(kinds));
        if self.sieve.as_ref().is_none_or(|sieve| sieve.text != text) {
            let (filter, problems) = view.parsed();
            let (wants_taboo, asked_for) = (filter.wants_taboo(), filter.kinds());
            let (known, kinds) = (&self.known, Arc::clone(kinds));
            let passing = PassageSieve::new(filter, &known.snapshot, &known.passages, kinds, is_cancelled)?;
            // A cancelled filter is incomplete.
            if !is_cancelled() {
                self.sieve = Some(PassageFilter { text, problems, wants_taboo, asked_for, passing });
            }
        }
        Ok(())
    }

    /// What a view leaves out. Kinds that its filter asks for are not set aside.
    fn rule(&self, view: &View, aside: &[Kind]) -> AsideRule {
        if view.show_aside {
            return AsideRule::none();
        }
        let asked_for = self.sieve.as_ref().map_or(&[][..], |sieve| &sieve.asked_for);
        let kinds = aside.iter().copied().filter(|kind| !asked_for.contains(kind)).collect();
        AsideRule { kinds, members: false }
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

    /// Forgets the rows of passages in which a copy was pinned or released.
    fn follow_pins(&mut self) {
        let pins = self.known.pins();
        if !Arc::ptr_eq(&pins, &self.pins) {
            let changed = self.pins.keys().chain(pins.keys());
            for number in changed.filter_map(|id| self.known.number(*id)) {
                self.loaded.remove(&number);
            }
            self.pins = pins;
        }
    }

    fn load(&mut self, numbers: impl Iterator<Item = u32>) {
        let (known, pins) = (&*self.known, &*self.pins);
        let new: Vec<u32> = numbers.filter(|number| !self.loaded.contains_key(number)).collect();
        let read = |reader: &mut DocumentReader, number: u32| {
            let passage = &known.passages.found[number as usize];
            let pinned = pins.get(&passage.id);
            let passage = pinned.map_or(passage, Arc::as_ref);
            let standing = OpenCopy::new(&known.snapshot, reader, &known.passages.sources, passage)?;
            let row = ListedPassage::new(passage, &standing);
            let news = known.passages.news(&known.passages.found[number as usize]);
            Some(Arc::new(ListedPassage { pinned: pinned.is_some(), news, ..row }))
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
        Sort::Lines => PassageOrder::Lines,
        Sort::Path => PassageOrder::Path,
        Sort::Recent => PassageOrder::Recent,
        _ => PassageOrder::Worth,
    }
}
