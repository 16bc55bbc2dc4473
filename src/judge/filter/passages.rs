//! Applies a filter to passages. A passage has the words, blots and files that one of its copies has; a row of folders
//! those that one of the documents in them has.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::copies::{BlotPlaces, texts_of};
use super::{file_bits, is_set, text_of};
use crate::kind::Kind;
use crate::passages::Passage;
use crate::search::Passages;
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::filter::{
    Fact, Facts, FileTest, Filter, Quantity, ReviewState, Since, WordPattern, percent,
};
use dupi_index::query::page::DocumentReader;
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
        Some(match self.passages.trees.of(self.number) {
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
