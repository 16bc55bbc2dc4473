//! The text that an entry of the taboo list hides.

use std::collections::BTreeMap;

use dupi_index::index::IndexError;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::Occurrence;
use dupi_index::query::page::DocumentPage;
use dupi_index::query::unblot::DocumentParts;
use dupi_index::taboo::{TabooEntry, TabooSet};
use dupi_text::blot::{Blot, shatter};

/// The runs of tokens that an entry hides.
pub(crate) struct HiddenRuns {
    set: TabooSet,
    span: usize,
    /// The minimum number of tokens of a run: the length that the index is guaranteed to find, or that of a shorter text.
    least: usize,
}

impl HiddenRuns {
    /// The runs of an entry, and the documents that may have them, in the order of their paths.
    pub(crate) fn of(
        entry: &TabooEntry,
        snapshot: &Snapshot,
    ) -> Result<(Self, Vec<DocumentParts>), IndexError> {
        let recipe = &snapshot.manifest().recipe;
        let (mut blots, mut longest): (Vec<Blot>, usize) = (Vec::new(), 0);
        let text = recipe.ignored.blanked(&entry.text);
        for tokeniser in entry.tokenisers(recipe) {
            for state in tokeniser.entry_states() {
                let tokens = shatter(&text, tokeniser, state, recipe, |tile| blots.push(tile.blot)).tokens;
                longest = longest.max(tokens as usize);
            }
        }
        blots.sort_unstable();
        blots.dedup();
        let mut documents: BTreeMap<DocumentId, Vec<PartId>> = BTreeMap::new();
        for blot in blots {
            for place in snapshot.find(blot)? {
                let parts = documents.entry(snapshot.document_at(place)).or_default();
                if let Err(at) = parts.binary_search(&place.place.part()) {
                    parts.insert(at, place.place.part());
                }
            }
        }
        let mut documents: Vec<DocumentParts> = documents.into_iter().collect();
        documents.sort_by_cached_key(|&(document, _)| {
            (snapshot.path(snapshot.file_of(document)).to_owned(), snapshot.document(document).record)
        });
        let runs = Self {
            set: TabooSet::of(entry, recipe),
            span: recipe.tile_tokens() as usize,
            least: longest.min(recipe.guarantee() as usize),
        };
        Ok((runs, documents))
    }

    /// The runs on a page.
    pub(crate) fn runs_in(&self, page: &DocumentPage) -> Vec<Occurrence> {
        let mut is_hidden = vec![false; page.tokens.len()];
        for tile in page.tiles.iter().filter(|tile| self.set.contains(tile.blot)) {
            let first = tile.first as usize;
            let end = (first + self.span).min(is_hidden.len());
            is_hidden[first..end].fill(true);
        }
        let numbers: Vec<usize> = (0..is_hidden.len()).collect();
        let runs = numbers.chunk_by(|&a, &b| is_hidden[a] == is_hidden[b]);
        let runs = runs.filter(|run| is_hidden[run[0]] && run.len() >= self.least);
        let occurrence = |run: &[usize]| {
            let (first, last) = (page.tokens[run[0]], page.tokens[run[run.len() - 1]]);
            page.file.occurrence(page.record, first.start as usize, last.end as usize)
        };
        runs.map(occurrence).collect()
    }
}
