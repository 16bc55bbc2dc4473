//! Makes the rows of the list of blots: adjacent blots that occur in the same documents become one row.
//!
//! A ranking groups blots with the same set of documents. For each group one document is opened: the one with the
//! smallest content key, so that the choice depends on content alone. The blots of the group are sorted by their order in
//! it. Blots whose tiles follow each other within a winnowing window are one row.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;

use super::filter::ReviewState;
use super::page::{DocumentPage, DocumentReader};
use super::unblot::{AnchoredText, DocumentParts, agreement, documents_at, documents_of};
use crate::index::IndexError;
use crate::index::ranking::RankedBlot;
use crate::index::snapshot::{DocumentId, Snapshot};
use crate::taboo::TabooSet;
use dupi_text::blot::{Blot, Selection, Tile};

/// The bytes of a row's text that are kept, more than the widest screen shows.
pub const TEXT_LIMIT: usize = 400;

/// All documents of a group are opened when there are at most this many. Then its rows extend as far as all copies agree,
/// and the copies are counted.
const FEW: usize = 6;

/// Adjacent blots that occur in the same documents, shown as one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlotRun {
    /// The blots, in the order of the text. Never empty.
    pub blots: Vec<Blot>,
    /// How many live documents contain them.
    pub documents: u32,
    /// How many copies there are; `None` when some document has several and they were not counted yet.
    pub copies: Option<u64>,
    /// The beginning of the text in one of the documents, a few hundred bytes at most.
    pub text: String,
    /// How many tokens the text has.
    pub tokens: u32,
    /// How many of them precede the tile of the first blot.
    pub lead: u32,
    /// The document that `text` was taken from, relative to the corpus's base.
    pub path: PathBuf,
    /// The name of the language of that document, when it is source code.
    pub language: Option<String>,
    /// Whether the taboo list hides it.
    pub taboo: bool,
    /// How many documents contained it when it was accepted, if it was.
    pub accepted: Option<u64>,
}

impl BlotRun {
    /// Its identity, which stays the same while rows are added and removed.
    pub fn id(&self) -> Blot {
        self.blots[0]
    }

    /// The decision about it. Taboo takes precedence over accepted. It is open again when it occurs in more documents
    /// than when it was accepted.
    pub fn state(&self) -> ReviewState {
        ReviewState::judge(self.taboo, self.accepted, u64::from(self.documents))
    }
}

/// Blots that occur in the same documents, each with whether it occurs more than once in one of them.
struct BlotGroup {
    places: Vec<DocumentParts>,
    blots: Vec<(Blot, bool)>,
}

/// Makes the rows of one snapshot.
pub struct RowMaker<'a> {
    snapshot: &'a Snapshot,
    taboo: &'a TabooSet,
    reader: DocumentReader,
    unfolded: bool,
}

/// A blot of a group, and the first token of its tile in the opened page.
struct TileInPage {
    blot: Blot,
    first: usize,
    marked: bool,
}

impl<'a> RowMaker<'a> {
    /// For the rows of a snapshot. With `unfolded`, each blot is a row of its own.
    pub fn new(snapshot: &'a Snapshot, taboo: &'a TabooSet, unfolded: bool) -> Self {
        Self { snapshot, taboo, reader: DocumentReader::new(snapshot), unfolded }
    }

    /// The rows of a group: entries of a ranking with the same document frequency and the same set of documents. A group
    /// whose documents can no longer be read has none.
    pub fn rows(&mut self, group: &[RankedBlot]) -> Result<Vec<BlotRun>, IndexError> {
        let mut groups: Vec<BlotGroup> = Vec::new();
        for entry in group {
            let places = documents_at(self.snapshot, &self.snapshot.find(entry.blot())?);
            let same = |known: &&mut BlotGroup| {
                known.places.iter().map(|place| place.0).eq(places.iter().map(|place| place.0))
            };
            let blot = (entry.blot(), entry.is_marked());
            match groups.iter_mut().find(same) {
                Some(known) => {
                    widen(&mut known.places, &places);
                    known.blots.push(blot);
                }
                None => groups.push(BlotGroup { places, blots: vec![blot] }),
            }
        }
        let mut rows = Vec::new();
        for group in groups {
            self.rows_of_group(&group, &mut rows);
        }
        rows.sort_by_key(|row: &BlotRun| row.id());
        Ok(rows)
    }

    fn rows_of_group(&mut self, group: &BlotGroup, rows: &mut Vec<BlotRun>) {
        let mut order: Vec<&DocumentParts> = group.places.iter().collect();
        let key = |place: &&DocumentParts| (self.snapshot.document(place.0).key, self.path(place.0), place.0);
        if order.len() > FEW {
            order.select_nth_unstable_by_key(FEW, key);
            order.truncate(FEW);
        }
        order.sort_by_cached_key(key);
        // The row of a single blot is as long as its tile, and one copy per document need not be counted.
        let is_plain = self.unfolded && !group.blots.iter().any(|(_, marked)| *marked);
        let is_whole = group.places.len() <= FEW && !is_plain;
        let mut opened: Vec<DocumentPage> = Vec::new();
        let mut own_pages = 0;
        for (document, parts) in order {
            if let Ok(pages) = self.reader.pages(self.snapshot, *document, parts) {
                own_pages = if opened.is_empty() { pages.len() } else { own_pages };
                opened.extend(pages);
                if !is_whole {
                    break;
                }
            }
        }
        let wanted: HashMap<Blot, bool> = group.blots.iter().copied().collect();
        let mut seen = HashSet::new();
        for at in 0..own_pages {
            let page = &opened[at];
            let tiles = page.tiles.iter().filter_map(|tile| {
                let &marked = wanted.get(&tile.blot)?;
                let is_new = seen.insert(tile.blot);
                is_new.then_some(TileInPage { blot: tile.blot, first: tile.first as usize, marked })
            });
            let tiles: Vec<TileInPage> = tiles.collect();
            let mut rest = &tiles[..];
            while !rest.is_empty() {
                let (chain, run) = self.chain(page, rest, &opened, is_whole);
                rows.push(self.row(page, &rest[..chain], run, group, &opened));
                rest = &rest[chain..];
            }
        }
    }

    /// How many of the tiles form the first row, and its run of tokens: to the end of the last tile, and when all
    /// documents are opened, as far as they agree.
    fn chain(
        &self,
        page: &DocumentPage,
        tiles: &[TileInPage],
        opened: &[DocumentPage],
        is_whole: bool,
    ) -> (usize, Range<usize>) {
        let span = self.span() as usize;
        let reach = self.reach();
        let first = tiles[0].first;
        if self.unfolded {
            return (1, first..first + span);
        }
        let mut run = if is_whole { self.agreement(page, &tiles[0], opened) } else { first..first + span };
        let mut count = 1;
        while let Some(next) = tiles.get(count) {
            if next.first >= run.end && next.first - tiles[count - 1].first > reach {
                break;
            }
            run.end = run.end.max(next.first + span);
            count += 1;
        }
        run.end = run.end.min(page.tokens.len());
        (count, run)
    }

    /// The longest run around a tile on which all its copies in the opened pages agree.
    fn agreement(&self, page: &DocumentPage, anchor: &TileInPage, opened: &[DocumentPage]) -> Range<usize> {
        let first = anchor.first;
        // Shrinks with each copy that is compared.
        let mut run = 0..page.tokens.len();
        let mut is_alone = true;
        for other in opened {
            let is_itself = |tile: &Tile| std::ptr::eq(other, page) && tile.first as usize == first;
            let is_copy = |tile: &&Tile| tile.blot == anchor.blot && !is_itself(tile);
            // The last tile is compared first, because it is near an end and shortens the run: in very repetitive text
            // long agreements would take too much time.
            let last = other.tiles.iter().rev().find(is_copy);
            for tile in last.into_iter().chain(other.tiles.iter().filter(is_copy)) {
                let (own, lead) = (&page.tokens[run.clone()], first - run.start);
                if let Some((before, after)) = agreement(own, lead, self.span(), other, tile) {
                    run = first - before..first + after;
                    is_alone = false;
                }
            }
        }
        if is_alone { first..first + self.span() as usize } else { run }
    }

    /// The greatest distance, in tokens, between the starts of two blots of one row.
    fn reach(&self) -> usize {
        match self.snapshot.manifest().recipe.selection {
            Selection::Every => self.span() as usize,
            Selection::Winnow(window) => window.max(self.span()) as usize,
        }
    }

    fn span(&self) -> u32 {
        self.snapshot.manifest().recipe.tile_tokens()
    }

    fn row(
        &self,
        page: &DocumentPage,
        chain: &[TileInPage],
        run: Range<usize>,
        group: &BlotGroup,
        opened: &[DocumentPage],
    ) -> BlotRun {
        let text = page.text_between(run.start, run.end - 1);
        let blots: Vec<Blot> = chain.iter().map(|tile| tile.blot).collect();
        let documents = group.places.len();
        let lead = chain[0].first - run.start;
        let copies = if !chain.iter().any(|tile| tile.marked) {
            Some(documents as u64)
        } else if documents <= FEW {
            let stretch = AnchoredText {
                tokens: page.tokens[run.clone()].to_vec(),
                lead,
                blot: blots[0],
                span: self.span(),
            };
            Some(opened.iter().map(|page| stretch.runs_in(page).len() as u64).sum())
        } else {
            None
        };
        BlotRun {
            documents: documents as u32,
            copies,
            text: text[..text.floor_char_boundary(TEXT_LIMIT)].to_owned(),
            tokens: run.len() as u32,
            lead: lead as u32,
            path: page.file.path.clone(),
            language: page.tokeniser.language().map(|language| language.name().to_owned()),
            taboo: self.taboo.covers(&blots),
            accepted: None,
            blots,
        }
    }

    fn path(&self, document: DocumentId) -> PathBuf {
        self.snapshot.path(self.snapshot.file_of(document)).to_owned()
    }
}

/// The whole text of a row with its tokens, from the first of its documents that still contains it.
pub fn anchored_text_of(
    snapshot: &Snapshot,
    reader: &mut DocumentReader,
    row: &BlotRun,
) -> Result<Option<(AnchoredText, String)>, IndexError> {
    let documents = documents_of(snapshot, &snapshot.find(row.id())?);
    let path = |document: &DocumentId| snapshot.path(snapshot.file_of(*document));
    let own = documents.iter().filter(|(document, _)| path(document) == row.path);
    for (document, parts) in own.chain(&documents) {
        let Ok(pages) = reader.pages(snapshot, *document, parts) else { continue };
        let found = pages.iter().find_map(|page| {
            let of_tile = |tile: &Tile| {
                let first = (tile.first as usize).checked_sub(row.lead as usize)?;
                let tokens = page.tokens.get(first..first + row.tokens as usize)?;
                let text = page.text_between(first, first + tokens.len() - 1);
                text.starts_with(&row.text).then(|| (tokens.to_vec(), text.to_owned()))
            };
            page.tiles.iter().filter(|tile| tile.blot == row.id()).find_map(of_tile)
        });
        if let Some((tokens, text)) = found {
            let span = snapshot.manifest().recipe.tile_tokens();
            return Ok(Some((AnchoredText { tokens, lead: row.lead as usize, blot: row.id(), span }, text)));
        }
    }
    Ok(None)
}

/// Adds the parts of `more` to those of the same documents.
fn widen(places: &mut [DocumentParts], more: &[DocumentParts]) {
    for ((_, parts), (_, more)) in places.iter_mut().zip(more) {
        for part in more {
            if let Err(at) = parts.binary_search(part) {
                parts.insert(at, *part);
            }
        }
    }
}
