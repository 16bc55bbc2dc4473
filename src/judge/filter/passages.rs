//! Applies a filter to passages. A passage has the words, blots and files that one of its copies has; a row of folders
//! those that one of the documents in them has.
//!
//! All copies are looked into, and not only the representatives: near copies have other words and blots. Of identical folders all
//! documents of the first one are looked into. Each file is read once, for all copies in it. Where the words can match is searched
//! once in its whole text, so a copy costs no more than a search in the list of these places unless it touches one of them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::filter::{bits, file_bits, is_set, matches_row_text, merged_ranges, text_of};
use crate::kind::Kind;
use crate::passages::{Passage, PassageCopy};
use crate::search::Passages;
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::filter::{
    Fact, Facts, FileTest, Filter, Quantity, ReviewState, Since, WordPattern, percent,
};
use dupi_index::query::page::{DocumentReader, touches};
use dupi_index::query::unblot::{DocumentParts, documents_at};
use dupi_index::taboo::CorrectedKinds;
use dupi_text::blot::{Blot, Recipe};

/// Which passages pass a filter.
pub struct PassageSieve {
    filter: Filter,
    recipe: Recipe,
    /// Where the blots that the filter names lie.
    blots: BlotPlaces,
    kinds: Arc<CorrectedKinds>,
    files: FileBits,
    /// The word patterns that match each passage, for passages that were not decided without them.
    texts: Vec<u64>,
    verdicts: Vec<Option<bool>>,
}

/// The file tests that hold, as bits.
struct FileBits {
    /// For each source.
    sources: Vec<u64>,
    /// For each row of folders, by its number: those that hold for one of the documents in them.
    trees: HashMap<u32, u64>,
}

/// The facts of a passage.
struct PassageFacts<'a> {
    passages: &'a Passages,
    /// The index of the passage.
    number: u32,
    recipe: &'a Recipe,
    blots: &'a BlotPlaces,
    kinds: &'a CorrectedKinds,
    files: &'a FileBits,
    texts: Option<u64>,
    state: Option<ReviewState>,
}

impl PassageSieve {
    /// Tests all passages, their kinds as corrected. Reads documents when their texts must decide. `is_cancelled` ends
    /// that early; then the results are invalid.
    ///
    /// # Errors
    /// When the index is damaged where it has a blot that the filter names.
    pub fn new(
        filter: Filter,
        snapshot: &Snapshot,
        passages: &Passages,
        kinds: Arc<CorrectedKinds>,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, IndexError> {
        let blots = BlotPlaces::new(&filter, snapshot, passages, is_cancelled)?;
        let files = FileBits::new(&filter, snapshot, passages);
        let recipe = snapshot.manifest().recipe;
        let verdict = |number: u32, texts: Option<u64>| {
            filter.verdict(&PassageFacts {
                passages,
                number,
                recipe: &recipe,
                blots: &blots,
                kinds: &kinds,
                files: &files,
                texts,
                state: None,
            })
        };
        let numbers = 0..passages.found.len() as u32;
        let mut verdicts: Vec<Option<bool>> =
            numbers.into_par_iter().map(|number| verdict(number, None)).collect();
        let mut texts = Vec::new();
        if !filter.texts().is_empty() {
            let is_open = |number: usize| verdicts[number].is_none();
            texts = texts_of(&filter, snapshot, passages, is_open, is_cancelled);
            verdicts = (0..)
                .zip(verdicts)
                .map(|(number, known)| known.or_else(|| verdict(number, Some(texts[number as usize]))))
                .collect();
        }
        Ok(Self { filter, recipe, kinds, blots, files, texts, verdicts })
    }

    /// Whether a passage passes; `None` when that depends on the decision about it.
    pub fn passes(&self, number: u32) -> Option<bool> {
        self.verdicts[number as usize]
    }

    /// Whether the decisions about passages can make a difference.
    pub fn depends_on_state(&self) -> bool {
        self.verdicts.iter().any(Option::is_none)
    }

    /// Whether a passage with this decision passes.
    pub fn passes_as(&self, passages: &Passages, number: u32, state: ReviewState) -> bool {
        let texts = self.texts.get(number as usize).copied().unwrap_or(0);
        let Self { recipe, kinds, blots, files, .. } = self;
        let (texts, state) = (Some(texts), Some(state));
        let known = PassageFacts { passages, number, recipe, kinds, blots, files, texts, state };
        self.passes(number).or_else(|| self.filter.verdict(&known)).unwrap_or(false)
    }
}

impl FileBits {
    /// Tests all documents. Reads those whose names do not tell.
    fn new(filter: &Filter, snapshot: &Snapshot, passages: &Passages) -> Self {
        if filter.files().is_empty() {
            return Self { sources: Vec::new(), trees: HashMap::new() };
        }
        let of_document = |reader: &mut DocumentReader, document: DocumentId| {
            let path = snapshot.path(snapshot.file_of(document));
            file_bits(filter, path, &mut || text_of(reader, path).into_owned())
        };
        let reader = || DocumentReader::new(snapshot);
        let documents = passages.sources.par_iter().map(|source| source.id);
        let sources: Vec<u64> = documents.map_init(reader, of_document).collect();
        let numbers: HashMap<DocumentId, usize> =
            passages.sources.iter().enumerate().map(|(number, source)| (source.id, number)).collect();
        let of_tree = |documents: &[DocumentId]| {
            let bits = documents.par_iter().map_init(reader, |reader, document| {
                numbers.get(document).map_or_else(|| of_document(reader, *document), |&at| sources[at])
            });
            bits.reduce(|| 0, |a, b| a | b)
        };
        let trees = passages.trees.iter().map(|(number, tree)| (number, of_tree(&tree.documents))).collect();
        Self { sources, trees }
    }
}

impl PassageFacts<'_> {
    fn passage(&self) -> &Passage {
        &self.passages.found[self.number as usize]
    }
}

impl Facts for PassageFacts<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let passage = self.passage();
        Fact::Is(match of {
            Quantity::Copies => passage.copies.len() as u64,
            Quantity::Documents => u64::from(passage.documents),
            Quantity::Tokens => u64::from(passage.tokens()),
            Quantity::Score => passage.score(),
            Quantity::Alike => percent(passage.similarity()),
            Quantity::Share => return Fact::Nothing,
        })
    }

    fn state(&self) -> Fact<ReviewState> {
        self.state.map_or(Fact::Unknown, Fact::Is)
    }

    fn is_of_kind(&self, kinds: &[Kind]) -> Option<bool> {
        Some(self.passages.is_of_kind(self.number, kinds, self.kinds))
    }

    fn has_news(&self, since: Since) -> Option<bool> {
        let Passages { sources, .. } = self.passages;
        let passage = self.passage();
        Some(match since {
            Since::Visit => self.passages.news(passage).is_some(),
            Since::Time(time) => {
                passage.copies.iter().any(|copy| sources[copy.source as usize].stamp.mtime >= time)
            }
        })
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        let own = self.passage();
        Some(own.id.0 == passage || own.parent.is_some_and(|parent| parent.0 == passage))
    }

    fn has_blot(&self, blot: Blot) -> Option<bool> {
        let is_in = |number: u32| {
            let passage = &self.passages.found[number as usize];
            self.blots.is_in(passage, blot) || self.passages.texts.has_blot(passage.id, blot, self.recipe)
        };
        Some(match self.passages.trees.get(self.number) {
            Some(tree) => {
                tree.rows.iter().any(|&row| is_in(row))
                    || tree.others.iter().any(|&document| self.blots.is_in_document(document, blot))
            }
            None => is_in(self.number),
        })
    }

    fn has_file(&self, number: usize, _: &FileTest) -> Option<bool> {
        let FileBits { sources, trees } = self.files;
        Some(match trees.get(&self.number) {
            Some(&bits) => is_set(bits, number),
            None => self.passage().copies.iter().any(|spot| is_set(sources[spot.source as usize], number)),
        })
    }

    fn has_text(&self, number: usize, _: &WordPattern) -> Option<bool> {
        self.texts.map(|texts| is_set(texts, number))
    }
}

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
        match passages.trees.get(passage) {
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
