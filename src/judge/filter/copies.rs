//! Looks into all copies of passages, and not only into their representatives: near copies have other words and blots.
//! Of identical folders all documents of the first one are looked into.
//!
//! Each file is read once, for all copies in it. Where the words can match is searched once in its whole text, so a
//! copy costs no more than a search in the list of these places unless it touches one of them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{bits, is_set, matches_row_text, merged_ranges};
use crate::passages::{Passage, PassageCopy};
use crate::search::Passages;
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::filter::Filter;
use dupi_index::query::page::{DocumentReader, touches};
use dupi_index::query::unblot::{DocumentParts, documents_at};
use dupi_text::blot::Blot;

/// A copy of a passage.
struct CopyOfPassage {
    source: u32,
    /// The index of the passage.
    passage: u32,
    span: Range<u32>,
}

/// For each passage, the word patterns that match the text of one of its copies, as bits by their indices. Only
/// passages that are open are looked into. `is_cancelled` ends it early; then the results are invalid.
pub(super) fn texts_of(
    filter: &Filter,
    snapshot: &Snapshot,
    passages: &Passages,
    is_open: impl Fn(usize) -> bool + Sync,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Vec<u64> {
    let mut copies: Vec<CopyOfPassage> = Vec::new();
    for (passage, found) in (0..).zip(&passages.found).filter(|(number, _)| is_open(*number as usize)) {
        let copy =
            |spot: &PassageCopy| CopyOfPassage { source: spot.source, passage, span: spot.start..spot.end };
        match passages.trees.of(passage) {
            // Identical documents have one text.
            Some(tree) => {
                copies.extend(tree.rows.iter().map(|&row| copy(&passages.found[row as usize].copies[0])));
            }
            None => copies.extend(found.copies.iter().map(copy)),
        }
    }
    copies.par_sort_unstable_by_key(|copy| (copy.source, copy.passage, copy.span.start));
    // The sources are in the order of paths, so those of one file are neighbours.
    let file = |copy: &CopyOfPassage| snapshot.file_of(passages.sources[copy.source as usize].id);
    let files: Vec<&[CopyOfPassage]> = copies.chunk_by(|a, b| file(a) == file(b)).collect();
    let found: Vec<AtomicU64> = passages.found.iter().map(|_| AtomicU64::new(0)).collect();
    files.into_par_iter().for_each_init(
        || DocumentReader::new(snapshot),
        |reader, copies| {
            let source = passages.sources[copies[0].source as usize];
            let opened = if is_cancelled() { None } else { source.open(snapshot, reader) };
            if let Some((file, _)) = opened {
                match_copies(filter, &file.text, copies, &found);
            }
        },
    );
    let others = passages.trees.iter().filter(|(number, _)| is_open(*number as usize));
    let others: Vec<(u32, DocumentId)> = others
        .flat_map(|(number, tree)| tree.others.iter().map(move |&document| (number, document)))
        .collect();
    others.into_par_iter().for_each_init(
        || DocumentReader::new(snapshot),
        |reader, (number, document)| {
            let text = if is_cancelled() { None } else { reader.unchanged_text(snapshot, document) };
            let matching =
                |text: String| bits(filter.texts().iter().map(|words| matches_row_text(words, &text)));
            found[number as usize].fetch_or(text.map_or(0, matching), Ordering::Relaxed);
        },
    );
    found.into_iter().map(AtomicU64::into_inner).collect()
}

/// Adds the word patterns that match copies in one text to those found so far for their passages.
fn match_copies(filter: &Filter, text: &str, copies: &[CopyOfPassage], found: &[AtomicU64]) {
    for (number, words) in filter.texts().iter().enumerate() {
        let places = merged_ranges(words.ranges_in(text));
        if places.is_empty() {
            continue;
        }
        for copy in copies {
            let found = &found[copy.passage as usize];
            let span = copy.span.start as usize..copy.span.end as usize;
            let is_new = !is_set(found.load(Ordering::Relaxed), number) && touches(&places, &span);
            if is_new && text.get(span).is_some_and(|text| matches_row_text(words, text)) {
                found.fetch_or(1 << number, Ordering::Relaxed);
            }
        }
    }
}

/// A source, and a range of its file's text.
type SourceRange = (u32, Range<u32>);

/// Where the blots that a filter names lie in documents with copies. A document counts if the index has the blot for
/// it.
#[derive(Default)]
pub(super) struct BlotPlaces {
    /// For each blot, the ranges in the texts of sources, sorted.
    places: Vec<(Blot, Vec<SourceRange>)>,
    /// The documents that the index has each blot for.
    documents: HashSet<(Blot, DocumentId)>,
}

impl BlotPlaces {
    /// Reads the documents that have one of the blots. `is_cancelled` ends it early; then the result is invalid.
    pub(super) fn new(
        filter: &Filter,
        snapshot: &Snapshot,
        passages: &Passages,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, IndexError> {
        let mut blots = filter.blots();
        blots.sort_unstable();
        blots.dedup();
        if blots.is_empty() {
            return Ok(Self::default());
        }
        let sources: HashMap<DocumentId, u32> =
            (0..).zip(&passages.sources).map(|(number, source)| (source.id, number)).collect();
        let of_document = |blot: Blot, reader: &mut DocumentReader, (document, parts): &DocumentParts| {
            let source = sources.get(document).copied().filter(|_| !is_cancelled());
            let is_same = |source: &u32| passages.sources[*source as usize].open(snapshot, reader).is_some();
            let Some(source) = source.filter(is_same) else { return Vec::new() };
            let pages = reader.pages(snapshot, *document, parts).unwrap_or_default();
            let tiles = pages.iter().flat_map(|page| &page.tiles).filter(|tile| tile.blot == blot);
            tiles.map(|tile| (source, tile.start..tile.end)).collect()
        };
        let mut having: HashSet<(Blot, DocumentId)> = HashSet::new();
        let mut of_blot = |blot: Blot| -> Result<(Blot, Vec<SourceRange>), IndexError> {
            let documents = documents_at(snapshot, &snapshot.find(blot)?);
            having.extend(documents.iter().map(|(document, _)| (blot, *document)));
            let mut places: Vec<SourceRange> = documents
                .par_iter()
                .map_init(
                    || DocumentReader::new(snapshot),
                    |reader, document| of_document(blot, reader, document),
                )
                .flatten_iter()
                .collect();
            places.sort_unstable_by_key(|(source, span)| (*source, span.start));
            Ok((blot, places))
        };
        let places = blots.into_iter().map(&mut of_blot).collect::<Result<_, _>>()?;
        Ok(Self { places, documents: having })
    }

    /// Whether the index has a blot for a document.
    pub(super) fn is_in_document(&self, document: DocumentId, blot: Blot) -> bool {
        self.documents.contains(&(blot, document))
    }

    /// Whether a copy of a passage has a blot.
    pub(super) fn is_in(&self, passage: &Passage, blot: Blot) -> bool {
        let places = self.places.iter().find(|(of, _)| *of == blot).map_or(&[][..], |(_, places)| places);
        let has = |source: u32, span: Range<u32>| {
            let from = places.partition_point(|(of, place)| (*of, place.start) < (source, span.start));
            places.get(from).is_some_and(|(of, place)| *of == source && place.end <= span.end)
        };
        passage.copies.iter().any(|spot| has(spot.source, spot.start..spot.end))
    }
}
