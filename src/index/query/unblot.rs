//! From a blot back to the text: the verified snippets with that blot.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::Occurrence;
use super::page::{DocumentPage, DocumentReader, same_tokens};
use crate::index::IndexError;
use crate::index::posting::PartId;
use crate::index::snapshot::{DocumentId, LivePart, Snapshot};
use dupi_text::blot::{Blot, Tile};
use dupi_text::token::Token;

/// A text with the requested blot, and all its copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The text of its first copy.
    pub text: String,
    /// The copies, sorted by path and position.
    pub occurrences: Vec<Occurrence>,
}

/// A document, and its parts that must be read.
pub type DocumentParts = (DocumentId, Vec<PartId>);

/// The documents of some places, sorted by path.
pub fn documents_of(snapshot: &Snapshot, places: &[LivePart]) -> Vec<DocumentParts> {
    let mut documents = documents_at(snapshot, places);
    documents.sort_by_cached_key(|&(document, _)| {
        (snapshot.path(snapshot.file_of(document)).to_owned(), snapshot.document(document).record)
    });
    documents
}

/// The documents of some places, in the order of the places.
pub fn documents_at(snapshot: &Snapshot, places: &[LivePart]) -> Vec<DocumentParts> {
    let mut documents: Vec<DocumentParts> = Vec::with_capacity(places.len());
    for &place in places {
        let document = snapshot.document_at(place);
        match documents.last_mut() {
            Some((last, parts)) if *last == document => parts.push(place.place.part()),
            _ => documents.push((document, vec![place.place.part()])),
        }
    }
    documents
}

/// All snippets with a blot. Tiles with the same fingerprint and the same tokens are one snippet. The snippet with the
/// most copies comes first. A document that can no longer be read contributes none.
///
/// # Errors
/// When the index is damaged.
pub fn unblot(snapshot: &Snapshot, blot: Blot) -> Result<Vec<Snippet>, IndexError> {
    let places = documents_of(snapshot, &snapshot.find(blot)?);
    let span = snapshot.manifest().recipe.tile_tokens();
    let found = places.par_iter().map_init(
        || DocumentReader::new(snapshot),
        |reader, (document, parts)| {
            let pages = reader.pages(snapshot, *document, parts).unwrap_or_default();
            pages.iter().flat_map(|page| copies_of(blot, span, page)).collect::<Vec<_>>()
        },
    );
    let mut snippets: HashMap<Vec<u64>, Snippet> = HashMap::new();
    for copy in found.collect::<Vec<_>>().into_iter().flatten() {
        let snippet = snippets
            .entry(copy.tokens)
            .or_insert_with(|| Snippet { text: copy.text, occurrences: Vec::new() });
        snippet.occurrences.push(copy.occurrence);
    }
    let mut snippets: Vec<Snippet> = snippets.into_values().collect();
    for snippet in &mut snippets {
        snippet.occurrences.sort();
        snippet.occurrences.dedup();
    }
    snippets.sort_by(|a, b| b.occurrences.len().cmp(&a.occurrences.len()).then_with(|| a.text.cmp(&b.text)));
    Ok(snippets)
}

/// A tile with the requested blot.
struct TileCopy {
    /// The hashes of its tokens.
    tokens: Vec<u64>,
    text: String,
    occurrence: Occurrence,
}

/// The occurrences that `find` returns for the pages of one document, each once.
pub fn occurrences_in(
    pages: &[DocumentPage],
    find: impl Fn(&DocumentPage) -> Vec<Occurrence>,
) -> Vec<Occurrence> {
    let mut found: Vec<Occurrence> = pages.iter().flat_map(find).collect();
    // Two neighbouring parts overlap.
    found.dedup();
    found
}

/// The tiles of a page with a blot.
fn copies_of(blot: Blot, span: u32, page: &DocumentPage) -> Vec<TileCopy> {
    let tiles = page.tiles.iter().filter(|tile| tile.blot == blot);
    let copy = |tile: &Tile| {
        let (start, end) = (tile.start as usize, tile.end as usize);
        TileCopy {
            tokens: page.tile_tokens(tile, span).iter().map(|token| token.hash).collect(),
            text: page.file.text.get(start..end).unwrap_or_default().to_owned(),
            occurrence: page.file.occurrence(page.record, start, end),
        }
    };
    tiles.map(copy).collect()
}

/// A text to search for: its tokens, and one of its tiles, the anchor by which it is found.
#[derive(Clone, Debug)]
pub struct AnchoredText {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// How many of them precede the anchor.
    pub lead: usize,
    /// The blot of the anchor.
    pub blot: Blot,
    /// How many tokens the anchor spans.
    pub span: u32,
}

/// How many tokens of a page agree with `own` before a tile of the page, and how many from its first token on. In `own`
/// the tile begins at `lead`. `None` when the two tiles differ.
pub fn agreement(
    own: &[Token],
    lead: usize,
    span: u32,
    page: &DocumentPage,
    tile: &Tile,
) -> Option<(usize, usize)> {
    if !same_tokens(page.tile_tokens(tile, span), own.get(lead..lead + span as usize)?) {
        return None;
    }
    let (before, rest) = page.tokens.split_at(tile.first as usize);
    let (own_before, own_rest) = own.split_at(lead);
    let alike = |(a, b): &(&Token, &Token)| a.hash == b.hash;
    let left = before.iter().rev().zip(own_before.iter().rev()).take_while(alike).count();
    Some((left, rest.iter().zip(own_rest).take_while(alike).count()))
}

impl AnchoredText {
    /// The runs of tokens in a page that contain the anchor. Each extends to both sides as far as its tokens agree with
    /// the text.
    pub fn runs_in(&self, page: &DocumentPage) -> Vec<Range<usize>> {
        let run = |tile: &Tile| {
            let (left, right) = agreement(&self.tokens, self.lead, self.span, page, tile)?;
            Some(tile.first as usize - left..tile.first as usize + right)
        };
        page.tiles.iter().filter(|tile| tile.blot == self.blot).filter_map(run).collect()
    }

    /// The same runs as occurrences.
    pub fn copies_in(&self, page: &DocumentPage) -> Vec<Occurrence> {
        let occurrence = |run: Range<usize>| {
            let (first, last) = (page.tokens[run.start], page.tokens[run.end - 1]);
            page.file.occurrence(page.record, first.start as usize, last.end as usize)
        };
        self.runs_in(page).into_iter().map(occurrence).collect()
    }
}
