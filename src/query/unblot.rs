//! From a blot back to the text: the verified snippets that have it.

use std::collections::HashMap;

use super::Occurrence;
use super::page::{Page, Reader, same_tokens};
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

/// The documents of some places, in the order of their paths, with the parts to look into.
pub fn documents_of(snapshot: &Snapshot, places: &[LivePlace]) -> Vec<(DocumentId, Vec<PartId>)> {
    let mut documents: Vec<(DocumentId, Vec<PartId>)> = Vec::with_capacity(places.len());
    for &place in places {
        let document = snapshot.document_at(place);
        match documents.last_mut() {
            Some((last, parts)) if *last == document => parts.push(place.place.part()),
            _ => documents.push((document, vec![place.place.part()])),
        }
    }
    documents.sort_by_cached_key(|&(document, _)| {
        (snapshot.path(snapshot.file_of(document)).to_owned(), snapshot.document(document).record)
    });
    documents
}

/// All snippets that have a blot: tiles with the same fingerprint and the same tokens are one snippet.
/// Snippets come with the most copies first; a document that cannot be read any more has none.
///
/// # Errors
/// When the index is damaged.
pub fn unblot(snapshot: &Snapshot, blot: Blot) -> Result<Vec<Snippet>, IndexError> {
    let places = snapshot.find(blot)?;
    let mut reader = Reader::new(snapshot);
    let span = snapshot.manifest().recipe.tile_tokens();
    let mut snippets: HashMap<Vec<u64>, Snippet> = HashMap::new();
    for (document, parts) in documents_of(snapshot, &places) {
        let Ok(pages) = reader.pages(snapshot, document, &parts) else { continue };
        for page in &pages {
            for tile in page.tiles.iter().filter(|tile| tile.blot == blot) {
                let tokens = page.tile_tokens(tile, span);
                let key = tokens.iter().map(|token| token.hash).collect();
                let found = page.file.occurrence(page.record, tile.start as usize, tile.end as usize);
                let snippet = snippets.entry(key).or_insert_with(|| Snippet {
                    text: page
                        .file
                        .text
                        .get(tile.start as usize..tile.end as usize)
                        .unwrap_or_default()
                        .to_owned(),
                    occurrences: Vec::new(),
                });
                snippet.occurrences.push(found);
            }
        }
    }
    let mut snippets: Vec<Snippet> = snippets.into_values().collect();
    for snippet in &mut snippets {
        snippet.occurrences.sort();
        snippet.occurrences.dedup();
    }
    snippets.sort_by(|a, b| b.occurrences.len().cmp(&a.occurrences.len()).then_with(|| a.text.cmp(&b.text)));
    Ok(snippets)
}

/// The verified copies, in one page, of a stretch of text that begins with a tile: each begins with the
/// same tile and goes on as far as the tokens agree.
pub fn copies_in(page: &Page, blot: Blot, text: &[Token], span: u32) -> Vec<Occurrence> {
    let head = &text[..(span as usize).min(text.len())];
    let begins_alike = |tile: &&Tile| tile.blot == blot && same_tokens(page.tile_tokens(tile, span), head);
    let whole = page.tiles.iter().filter(begins_alike).map(|tile| {
        let rest = &page.tokens[tile.first as usize..];
        let alike = rest.iter().zip(text).take_while(|(a, b)| a.hash == b.hash).count();
        page.file.occurrence(page.record, tile.start as usize, rest[alike - 1].end as usize)
    });
    whole.collect()
}
