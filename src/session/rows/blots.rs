//! Rows of blots: adjacent tiles that occur in the same documents. A list reads the ranking group by group, and makes rows
//! until enough are loaded. Partial lists are sent while it reads.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::list_row::{CopySource, ListRow, RowFacts, RowReaders, is_whole};
use super::list_row::{FilterKey, ListMaker, ListRequest};
use crate::known::Found;
use crate::known::passages::KnownPassages;
use crate::protocol::{Item, ItemId, Listing, SEND_INTERVAL, Subject};
use dupi_index::index::IndexError;
use dupi_index::index::ranking::{HEAD, RankedBlot, Ranking};
use dupi_index::query::blot_rows::{BlotRun, RowMaker, anchored_text_of};
use dupi_index::query::filter::{Fact, Filter, Problem, Quantity, ReviewState};
use dupi_index::query::page::DocumentReader;
use dupi_index::query::unblot::{documents_of, occurrences_in};
use dupi_index::taboo::AcceptedId;
use dupi_judge::copies::OpenCopy;
use dupi_judge::filter::{BlotSieve, BlotsOf};
use dupi_judge::passages::{Passage, PassageId};
use dupi_report::{OccurrenceRow, ReportRow, SnippetRow};
use dupi_text::blot::{Blot, tiles_of};

impl ListRow for BlotRun {
    fn id(&self) -> ItemId {
        ItemId::Blot(Self::id(self))
    }

    fn text(&self) -> Cow<'_, str> {
        self.text.as_str().into()
    }

    fn facts(&self) -> RowFacts<'_> {
        RowFacts {
            place: Some((&self.path, false)),
            tokens: u64::from(self.tokens),
            documents: u64::from(self.documents),
            copies: self.copies,
            language: self.language.as_deref(),
            state: Self::state(self),
            accepted: self.accepted,
            reviewed_copies: u64::from(self.documents),
            accepted_as: Some(AcceptedId::Blot(Self::id(self))),
            is_text: true,
            source: CopySource::Blots(self),
            ..RowFacts::default()
        }
    }

    fn whole_text(&self, found: &Found, readers: &mut RowReaders) -> Option<String> {
        let text = anchored_text_of(&found.snapshot, &mut readers.newest, self).ok().flatten();
        text.map(|(_, text)| text).or_else(|| is_whole(&self.text).then(|| self.text.clone()))
    }

    fn taboo_blots(&self, _: &Found) -> Vec<Vec<Blot>> {
        vec![self.blots.clone()]
    }

    fn export(&self, found: &Found, readers: &mut RowReaders) -> Result<Vec<Box<dyn ReportRow>>, IndexError> {
        let (snapshot, reader) = (&found.snapshot, &mut readers.newest);
        let Some((stretch, text)) = anchored_text_of(snapshot, reader, self)? else { return Ok(Vec::new()) };
        let mut occurrences = Vec::new();
        for (document, parts) in documents_of(snapshot, &snapshot.find(Self::id(self))?) {
            let Ok(pages) = reader.pages(snapshot, document, &parts) else { continue };
            occurrences.extend(
                occurrences_in(&pages, |page| stretch.copies_in(page)).iter().map(OccurrenceRow::from),
            );
        }
        Ok(vec![Box::new(SnippetRow { blot: Self::id(self).to_string(), text, occurrences })])
    }
}

/// Makes the lists of blots.
#[derive(Default)]
pub(super) struct BlotListMaker {
    cache: RowCache,
    /// Whether the notice was shown that there is no memory for all blots.
    is_cut: bool,
}

impl ListMaker for BlotListMaker {
    fn list(&mut self, request: &ListRequest) -> Result<(), IndexError> {
        let (rankings, snapshot) = (request.rankings, &request.found.snapshot);
        if let Some(soon) = rankings.soon(snapshot, request.is_stopped)? {
            self.list_from(request, &soon, false)?;
        }
        let head = rankings.ranking(snapshot, HEAD.min(rankings.most), request.is_stopped)?;
        let is_last = head.entries.len() >= rankings.most;
        if self.list_from(request, &head, is_last)? {
            drop(head);
            let longest = rankings.ranking(snapshot, rankings.most, request.is_stopped)?;
            self.list_from(request, &longest, true)?;
        }
        Ok(())
    }
}

impl BlotListMaker {
    /// Sends the rows of a ranking. Returns whether the view wants more rows than the ranking has. With `is_last` there
    /// is no memory for a longer ranking; then a notice says where the list ends.
    fn list_from(
        &mut self,
        request: &ListRequest,
        ranking: &Ranking,
        is_last: bool,
    ) -> Result<bool, IndexError> {
        let (mut listing, wants_more) = BlotListSource { request, ranking }.list(&mut self.cache)?;
        let is_cut = wants_more && is_last && !(request.is_overtaken)();
        listing.complete |= is_cut;
        if is_cut && !std::mem::replace(&mut self.is_cut, true) {
            let (listed, all) = (ranking.entries.len(), ranking.repeated);
            (request.notice)(format!(
                "The list ends after {listed} of {all} blots, the most frequent ones; raise --memory for more."
            ));
        }
        Ok(request.send_newest(listing) && wants_more && !is_last)
    }
}

/// How many hidden rows are read to find out whether they pass the filter. It matters only for the message of an empty
/// list.
const MOST_IN_DOUBT: u32 = 64;

/// The rows of earlier lists by the ranking entries that they were made from, as most groups stay the same after a
/// change; and the last filter.
#[derive(Default)]
struct RowCache {
    rows: HashMap<GroupKey, Vec<Arc<BlotRun>>>,
    /// The rows of the previous list that the present one did not use yet.
    before: HashMap<GroupKey, Vec<Arc<BlotRun>>>,
    asked: Option<PreparedFilter>,
}

/// A filter, prepared for one snapshot.
struct PreparedFilter {
    /// The text of the filter, and the saved filters that it can refer to.
    text: FilterKey,
    problems: Vec<Problem>,
    wants_taboo: bool,
    names_passages: bool,
    least: u32,
    sieve: BlotSieve,
}

/// The first blot of a group, the group's size, document frequency and set of documents, and whether each blot is a row.
type GroupKey = (Blot, usize, u32, u32, bool);

/// What a list is made from.
struct BlotListSource<'a> {
    request: &'a ListRequest<'a>,
    /// The ranking of the generation, or only the first entries of it.
    ranking: &'a Ranking,
}

impl BlotListSource<'_> {
    /// Lists the rows of the view, and sends partial lists. Returns the list as far as it was made, and whether the ranking
    /// was too short for it.
    fn list(&self, cache: &mut RowCache) -> Result<(Listing, bool), IndexError> {
        let is_cancelled = self.request.is_overtaken;
        cache.before.extend(cache.rows.drain());
        let mut asked = self.asked(cache);
        let listed = self.list_asked(&mut asked, cache);
        // Rows that the list did not use are freed. A cancelled list did not get to all of its rows.
        if !is_cancelled() {
            cache.before.clear();
        }
        // A cancelled filter is incomplete, and one that names passages depends on more than the snapshot.
        cache.asked = (!asked.names_passages && !is_cancelled()).then_some(asked);
        listed
    }

    fn list_asked(
        &self,
        asked: &mut PreparedFilter,
        cache: &mut RowCache,
    ) -> Result<(Listing, bool), IndexError> {
        let ListRequest { view, found, decisions, is_overtaken: is_cancelled, .. } = *self.request;
        let cut = view.sigma.map(|sigma| self.ranking.stats.cut(sigma));
        let least = cut.unwrap_or(0).max(asked.least);
        let within = self.ranking.entries.partition_point(|entry| entry.documents() >= least);
        let entries = &self.ranking.entries[..within];
        let is_whole = self.ranking.is_complete() || entries.len() < self.ranking.entries.len();
        let shows_taboo = view.show_taboo || asked.wants_taboo;
        let mut listing = Listing {
            problems: asked.problems.clone(),
            is_provisional: view.of == Subject::Passages,
            repeated: self.ranking.repeated,
            cut,
            spread: self.ranking.stats.spread,
            greatest: self.ranking.entries.first().map_or(0, |entry| entry.documents()),
            ..self.request.empty()
        };
        let total = if is_whole { entries.len() as u64 } else { self.ranking.repeated };
        let mut reader = DocumentReader::new(&found.snapshot);
        let mut maker = RowMaker::new(&found.snapshot, &decisions.set, view.unfolded);
        let mut sent = Instant::now();
        let mut looked_at = 0;
        let (is_filtered, mut in_doubt) = (!view.filter.is_empty(), MOST_IN_DOUBT);
        for group in self.groups(entries, view.unfolded) {
            if listing.rows.len() >= view.wanted {
                break;
            }
            if sent.elapsed() >= SEND_INTERVAL {
                sent = Instant::now();
                listing.searched = share(looked_at, total);
                if is_cancelled() {
                    return Ok((listing, false));
                }
                (self.request.send)(listing.clone());
            }
            looked_at += group.len();
            let state = self.state_of(&group);
            let is_taboo = state == Fact::Is(ReviewState::Taboo);
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

    /// The filter of a view; the one of the last list if it is the same.
    fn asked(&self, cache: &mut RowCache) -> PreparedFilter {
        let ListRequest { view, found, is_overtaken: is_cancelled, .. } = *self.request;
        let text = view.filter_key();
        let is_it = |asked: &PreparedFilter| asked.text == text && asked.sieve.is_of(&found.snapshot);
        if let Some(asked) = cache.asked.take().filter(is_it) {
            return asked;
        }
        let (filter, problems) = view.parsed();
        let (wants_taboo, names_passages) = (filter.wants_taboo(), !filter.passages().is_empty());
        let least = u32::try_from(filter.least(Quantity::Documents)).unwrap_or(u32::MAX);
        let blots_of = blots_of(&filter, found.known.as_deref(), is_cancelled);
        let sieve = BlotSieve::new(filter, &found.snapshot, blots_of, is_cancelled);
        PreparedFilter { text, problems, wants_taboo, names_passages, least, sieve }
    }

    /// The groups of a ranking: runs of entries with equal document frequency and set of documents, divided into hidden
    /// and other entries; single entries if `unfolded`.
    fn groups<'a>(
        &'a self,
        entries: &'a [RankedBlot],
        unfolded: bool,
    ) -> impl Iterator<Item = Cow<'a, [RankedBlot]>> + 'a {
        let is_taboo = |entry: &&RankedBlot| self.is_taboo(entry);
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

    fn is_taboo(&self, entry: &RankedBlot) -> bool {
        self.request.decisions.set.contains(entry.blot())
    }

    /// What was decided about the rows of a group. Whether they are accepted is known only after they are made.
    fn state_of(&self, group: &[RankedBlot]) -> Fact<ReviewState> {
        let is_accepted = |entry: &RankedBlot| {
            self.request.decisions.accepted.copies(AcceptedId::Blot(entry.blot())).is_some()
        };
        match self.is_taboo(&group[0]) {
            true => Fact::Is(ReviewState::Taboo),
            false if group.iter().any(is_accepted) => Fact::Unknown,
            false => Fact::Is(ReviewState::Open),
        }
    }

    /// A row with the number of documents with which it was accepted.
    fn reviewed(&self, row: Arc<BlotRun>) -> Arc<BlotRun> {
        let copies = |&blot: &Blot| self.request.decisions.accepted.copies(AcceptedId::Blot(blot));
        let accepted = row.blots.iter().filter_map(copies).max();
        if accepted == row.accepted { row } else { Arc::new(BlotRun { accepted, ..BlotRun::clone(&row) }) }
    }

    fn rows(
        &self,
        group: &[RankedBlot],
        maker: &mut RowMaker,
        cache: &mut RowCache,
    ) -> Result<Vec<Arc<BlotRun>>, IndexError> {
        let (first, unfolded) = (&group[0], self.request.view.unfolded);
        let key = (first.blot(), group.len(), first.documents(), first.set(), unfolded);
        let taboo = self.is_taboo(&group[0]);
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

/// The blots of the passages that a filter names, as far as these are known. Their near copies are read too: these have
/// other blots. `is_cancelled` ends it early; then the result is incomplete.
fn blots_of(
    filter: &Filter,
    known: Option<&KnownPassages>,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> BlotsOf {
    let Some(known) = known else { return BlotsOf::default() };
    let (snapshot, sources) = (&known.snapshot, &known.passages.sources);
    let blots_of = |copy: OpenCopy| {
        let mut blots = Vec::new();
        tiles_of(copy.tokens.into_iter(), &snapshot.manifest().recipe, |tile| blots.push(tile.blot));
        blots
    };
    let of_passage = |passage: &Passage| -> HashSet<Blot> {
        let first =
            OpenCopy::new(snapshot, &mut DocumentReader::new(snapshot), sources, passage).map(blots_of);
        let near = passage.copies.par_iter().filter(|spot| spot.similarity < 1.0 && !is_cancelled());
        let near = near.map_init(
            || DocumentReader::new(snapshot),
            |reader, spot| OpenCopy::read(snapshot, reader, sources, spot).map(blots_of),
        );
        let mut blots: HashSet<Blot> = near.flatten().flatten_iter().collect();
        blots.extend(first.into_iter().flatten());
        blots
    };
    let found = |id: u64| Some((id, of_passage(known.get(PassageId(id))?)));
    filter.passages().into_iter().filter_map(found).collect()
}
