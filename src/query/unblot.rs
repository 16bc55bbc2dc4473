//! From a blot back to the text: the verified snippets that have it.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::Occurrence;
use super::page::{DocumentPage, DocumentReader, same_tokens};
use crate::blot::{Blot, Tile};
use crate::index::IndexError;
use crate::index::posting::PartId;
use crate::index::snapshot::{DocumentId, LivePlace, Snapshot};
use crate::token::Token;

/// A text that has the blot asked for, with all its copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The text as its first copy has it.
    pub text: String,
    /// The copies, by path and place.
    pub occurrences: Vec<Occurrence>,
}

/// A document, and the parts of it to look into.
pub type DocumentParts = (DocumentId, Vec<PartId>);

/// The documents of some places, in the order of their paths.
pub fn documents_of(snapshot: &Snapshot, places: &[LivePlace]) -> Vec<DocumentParts> {
    let mut documents = documents_at(snapshot, places);
    documents.sort_by_cached_key(|&(document, _)| {
        (snapshot.path(snapshot.file_of(document)).to_owned(), snapshot.document(document).record)
    });
    documents
}

/// The documents of some places, in the places' own order.
pub fn documents_at(snapshot: &Snapshot, places: &[LivePlace]) -> Vec<DocumentParts> {
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

/// All snippets that have a blot: tiles with the same fingerprint and the same tokens are one snippet.
/// Snippets come with the most copies first; a document that cannot be read any more has none.
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

/// A tile that has the blot asked for.
struct TileCopy {
    /// The hashes of its tokens.
    tokens: Vec<u64>,
    text: String,
    occurrence: Occurrence,
}

/// What is found in the pages of one document.
pub fn occurrences_in(
    pages: &[DocumentPage],
    find: impl Fn(&DocumentPage) -> Vec<Occurrence>,
) -> Vec<Occurrence> {
    let mut found: Vec<Occurrence> = pages.iter().flat_map(find).collect();
    // The seam between two parts is in both.
    found.dedup();
    found
}

/// The tiles of a page that have a blot.
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

/// A stretch of text that is looked for: its tokens, and a tile of them by which it is found.
#[derive(Clone, Debug)]
pub struct AnchoredText {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// How many of them stand before the tile.
    pub lead: usize,
    /// The tile's blot.
    pub blot: Blot,
    /// How many tokens the tile spans.
    pub span: u32,
}

/// How far the tokens of a page agree with others around a tile: how many before it, and how many from
/// it on. `own` has the tile behind `lead` tokens; `None` when the page's tile is another one.
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
    /// The places in a page that have the same tile, as runs of tokens: each reaches to both sides as far
    /// as the tokens agree with the stretch.
    pub fn runs_in(&self, page: &DocumentPage) -> Vec<Range<usize>> {
        let run = |tile: &Tile| {
            let (left, right) = agreement(&self.tokens, self.lead, self.span, page, tile)?;
            Some(tile.first as usize - left..tile.first as usize + right)
        };
        page.tiles.iter().filter(|tile| tile.blot == self.blot).filter_map(run).collect()
    }

    /// The same places as occurrences.
    pub fn copies_in(&self, page: &DocumentPage) -> Vec<Occurrence> {
        let occurrence = |run: Range<usize>| {
            let (first, last) = (page.tokens[run.start], page.tokens[run.end - 1]);
            page.file.occurrence(page.record, first.start as usize, last.end as usize)
        };
        self.runs_in(page).into_iter().map(occurrence).collect()
    }
}
