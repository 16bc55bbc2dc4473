//! Finds the parts of a page that are duplicated somewhere in the corpus: the tokens of its repeated tiles, extended in
//! both directions as far as they agree with the documents that share the most of these tiles.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use crate::protocol::Duplicated;
use dupi_index::index::IndexError;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot, is_repeated};
use dupi_index::query::ByteSpan;
use dupi_index::query::page::{DocumentPage, DocumentReader};
use dupi_index::query::unblot::agreement;
use dupi_index::taboo::TabooSet;
use dupi_text::blot::{Blot, Tile, kept_tiles_of};

/// The number of other documents that a page is compared with.
const PARTNERS: usize = 8;
/// Blots in more places than this say little about which document is similar.
const RARE: usize = 64;

/// The duplicated runs of a page, in order.
pub(super) fn duplicated(
    snapshot: &Snapshot,
    reader: &mut DocumentReader,
    taboo: &TabooSet,
    page: &DocumentPage,
) -> Result<Vec<Duplicated>, IndexError> {
    let recipe = &snapshot.manifest().recipe;
    let mut marks =
        TokenMarks { covered: vec![false; page.tokens.len()], taboo: vec![false; page.tokens.len()] };
    let mut tiles = Vec::new();
    kept_tiles_of(&page.tokens, recipe, |tile| tiles.push(tile));
    let mut partners: BTreeMap<DocumentId, (u32, Vec<PartId>)> = BTreeMap::new();
    let span = recipe.tile_tokens() as usize;
    let mut repeated = Vec::new();
    for tile in tiles {
        let places = snapshot.find(tile.blot)?;
        if !is_repeated(&places) {
            continue;
        }
        marks.cover(tile.first as usize, tile.first as usize + span);
        repeated.push(tile);
        for &place in places.iter().filter(|_| places.len() <= RARE) {
            let (count, parts) = partners.entry(snapshot.document_at(place)).or_default();
            *count += 1;
            if !parts.contains(&place.place.part()) {
                parts.push(place.place.part());
            }
        }
    }
    let mut best: Vec<(DocumentId, (u32, Vec<PartId>))> = partners.into_iter().collect();
    best.sort_by_key(|(document, (count, _))| (Reverse(*count), *document));
    // The document itself is among them; it is compared with the other copies within it.
    for (document, (_, parts)) in best.into_iter().take(PARTNERS + 1) {
        let Ok(others) = reader.pages(snapshot, document, &parts) else { continue };
        for other in &others {
            marks.compare(page, &repeated, other, recipe.tile_tokens());
        }
    }
    for tile in page.tiles.iter().filter(|tile| taboo.contains(tile.blot)) {
        marks.taboo[tile.first as usize..][..span].fill(true);
    }
    Ok(marks.runs(page))
}

/// Which tokens of a page are duplicated, and which lie in taboo text.
struct TokenMarks {
    covered: Vec<bool>,
    taboo: Vec<bool>,
}

impl TokenMarks {
    fn cover(&mut self, from: usize, to: usize) {
        let to = to.min(self.covered.len());
        self.covered[from..to].fill(true);
    }

    /// Marks the tokens that agree with another page around the tiles of both.
    fn compare(&mut self, page: &DocumentPage, tiles: &[Tile], other: &DocumentPage, span: u32) {
        let mut standing: HashMap<Blot, Vec<&Tile>> = HashMap::new();
        for tile in &other.tiles {
            standing.entry(tile.blot).or_default().push(tile);
        }
        // For each offset between the pages, the end of the last run: a tile before it belongs to the same run.
        let mut reached: HashMap<i64, usize> = HashMap::new();
        for tile in tiles {
            let first = tile.first as usize;
            for theirs in standing.get(&tile.blot).into_iter().flatten().take(PARTNERS) {
                let is_itself = other.file.path == page.file.path && theirs.start == tile.start;
                let apart = i64::from(theirs.first) - i64::from(tile.first);
                if is_itself || reached.get(&apart).is_some_and(|&end| first + span as usize <= end) {
                    continue;
                }
                if let Some((left, right)) = agreement(&page.tokens, first, span, other, theirs) {
                    self.cover(first - left, first + right);
                    reached.insert(apart, first + right);
                }
            }
        }
    }

    fn runs(&self, page: &DocumentPage) -> Vec<Duplicated> {
        let state = |number: usize| self.covered[number].then_some(self.taboo[number]);
        let numbers: Vec<usize> = (0..page.tokens.len()).collect();
        let runs = numbers.chunk_by(|&a, &b| state(a) == state(b)).filter_map(|run| {
            let (first, last) = (page.tokens[run[0]], page.tokens[run[run.len() - 1]]);
            let span = ByteSpan { start: u64::from(first.start), end: u64::from(last.end) };
            state(run[0]).map(|taboo| Duplicated { span, taboo })
        });
        runs.collect()
    }
}
