//! Blots → rows: adjacent blots that stand in the same documents become one.
//!
//! A ranking brings blots with the same set of documents together. Of such a group one document is
//! opened – the one with the smallest content key, so that the choice depends on content alone – and the
//! group's blots are put in the order in which they stand there; blots whose tiles follow each other
//! within a winnowing window are one row.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::Row;
use crate::blot::{Blot, Selection};
use crate::index::IndexError;
use crate::index::posting::PartId;
use crate::index::ranking::Ranked;
use crate::index::snapshot::{DocumentId, LivePlace, Snapshot};
use crate::query::page::{Page, Reader};
use crate::taboo::TabooSet;

/// Bytes of a row's text that are kept: more than the widest screen shows.
const TEXT_LIMIT: usize = 400;

/// A document, as rows compare them, and the parts of it that have a blot.
type Place = (DocumentId, Vec<PartId>);

/// Makes the rows of one snapshot.
pub struct RowMaker<'a> {
    snapshot: &'a Snapshot,
    taboo: &'a TabooSet,
    reader: Reader,
    unfolded: bool,
}

/// A blot of a group, where it stands in the opened page.
struct Standing {
    blot: Blot,
    first: usize,
    marked: bool,
}

impl<'a> RowMaker<'a> {
    /// Rows of a snapshot; with `unfolded`, one a blot.
    pub fn new(snapshot: &'a Snapshot, taboo: &'a TabooSet, unfolded: bool) -> Self {
        Self { snapshot, taboo, reader: Reader::new(snapshot), unfolded }
    }

    /// The rows of a group: entries of a ranking that have the same document frequency and set.
    /// A group whose documents cannot be read any more gives none, and a blot whose only documents turn
    /// out to differ – two texts with one fingerprint – is left out.
    pub fn rows(&mut self, group: &[Ranked]) -> Result<Vec<Row>, IndexError> {
        let mut by_documents: Vec<(Vec<Place>, Vec<(Blot, bool)>)> = Vec::new();
        for entry in group {
            let places = documents(self.snapshot, &self.snapshot.find(entry.blot())?);
            let same = |known: &&mut (Vec<Place>, Vec<(Blot, bool)>)| {
                known.0.iter().map(|place| place.0).eq(places.iter().map(|place| place.0))
            };
            let blot = (entry.blot(), entry.is_marked());
            match by_documents.iter_mut().find(same) {
                Some(known) => {
                    widen(&mut known.0, &places);
                    known.1.push(blot);
                }
                None => by_documents.push((places, vec![blot])),
            }
        }
        let mut rows = Vec::new();
        for (places, blots) in by_documents {
            self.rows_of_set(&places, &blots, &mut rows);
        }
        rows.sort_by_key(|row: &Row| row.id());
        Ok(rows)
    }

    /// The rows of blots that stand in the same documents.
    fn rows_of_set(&mut self, places: &[Place], blots: &[(Blot, bool)], rows: &mut Vec<Row>) {
        let mut order: Vec<&Place> = places.iter().collect();
        let key = |place: &&Place| (self.snapshot.document(place.0).key, self.path(place.0), place.0);
        // All but the first few only matter when those cannot be read.
        let reachable = order.len().min(4);
        if reachable < order.len() {
            order.select_nth_unstable_by_key(reachable, key);
            order.truncate(reachable);
        }
        order.sort_by_cached_key(key);
        let pages = order
            .iter()
            .find_map(|(document, parts)| self.reader.pages(self.snapshot, *document, parts).ok());
        for page in pages.into_iter().flatten() {
            let wanted: HashMap<Blot, bool> = blots.iter().copied().collect();
            let mut seen = HashSet::new();
            let standings = page.tiles.iter().filter_map(|tile| {
                let &marked = wanted.get(&tile.blot)?;
                let known = rows.iter().any(|row| row.blots.contains(&tile.blot));
                (!known && seen.insert(tile.blot)).then_some(Standing {
                    blot: tile.blot,
                    first: tile.first as usize,
                    marked,
                })
            });
            let standings: Vec<Standing> = standings.collect();
            let reach = self.reach();
            for chain in standings.chunk_by(|a, b| b.first - a.first <= reach) {
                rows.push(self.row(&page, chain, places.len()));
            }
        }
    }

    /// How far apart, in tokens, two blots of one row may begin.
    fn reach(&self) -> usize {
        let recipe = &self.snapshot.manifest().recipe;
        match recipe.selection {
            _ if self.unfolded => 0,
            Selection::Every => recipe.tile_tokens() as usize,
            Selection::Winnow(window) => window.max(recipe.tile_tokens()) as usize,
        }
    }

    fn row(&self, page: &Page, chain: &[Standing], documents: usize) -> Row {
        let (first, last) = (chain[0].first, chain[chain.len() - 1].first);
        let last = (last + self.snapshot.manifest().recipe.tile_tokens() as usize).min(page.tokens.len()) - 1;
        let text = page.text_between(first, last);
        let blots: Vec<Blot> = chain.iter().map(|standing| standing.blot).collect();
        Row {
            documents: documents as u32,
            copies: (!chain.iter().any(|standing| standing.marked)).then_some(documents as u64),
            text: text[..text.floor_char_boundary(TEXT_LIMIT)].to_owned(),
            tokens: (last + 1 - first) as u32,
            path: page.file.path.clone(),
            language: page.tokeniser.language().map(|language| language.name().to_owned()),
            taboo: self.taboo.covers(&blots),
            blots,
        }
    }

    fn path(&self, document: DocumentId) -> PathBuf {
        self.snapshot.path(self.snapshot.file_of(document)).to_owned()
    }
}

/// The documents of some places, which come in ascending order.
fn documents(snapshot: &Snapshot, places: &[LivePlace]) -> Vec<Place> {
    let mut documents: Vec<Place> = Vec::with_capacity(places.len());
    for &place in places {
        let document = snapshot.document_at(place);
        match documents.last_mut() {
            Some((last, parts)) if *last == document => parts.push(place.place.part()),
            _ => documents.push((document, vec![place.place.part()])),
        }
    }
    documents
}

/// Adds the parts of `more` to those of the same documents.
fn widen(places: &mut [Place], more: &[Place]) {
    for ((_, parts), (_, more)) in places.iter_mut().zip(more) {
        for part in more {
            if let Err(at) = parts.binary_search(part) {
                parts.insert(at, *part);
            }
        }
    }
}
