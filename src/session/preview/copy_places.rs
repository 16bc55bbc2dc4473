//! Where the copies of a row are found: in the documents of posting lists, which are searched for its text, or at places
//! that are known.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::known_places::KnownPlaces;
use crate::known::Found;
use crate::known::passages::Shares;
use crate::rows::list_row::CopySource;
use dupi_index::index::IndexError;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::blot_rows::anchored_text_of;
use dupi_index::query::page::{DocumentPage, DocumentReader};
use dupi_index::query::unblot::{AnchoredText, DocumentParts, documents_of};
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_index::taboo::{TabooEntry, TabooSet};
use dupi_text::blot::{Blot, shatter};
use dupi_text::token::Token;

/// Where the copies of a row are.
pub(super) enum CopyPlaces {
    /// In these documents of posting lists, which are searched for a text.
    Sought { documents: Vec<DocumentParts>, text: SoughtText },
    /// At known places; at none where nothing is known of the row.
    Known(KnownPlaces),
}

impl CopyPlaces {
    /// The places of a row's copies in a generation, which `reader` reads, by what was found last.
    pub(super) fn new(
        source: CopySource,
        (found, shares): (&Found, Option<&Arc<Shares>>),
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
    ) -> Result<Self, IndexError> {
        let known = found.known.clone();
        let places = match source {
            CopySource::Blots(row) => {
                let documents = documents_of(snapshot, &snapshot.find(row.id())?);
                let text = anchored_text_of(snapshot, reader, row)?;
                let text = text.map_or(SoughtText::Nothing, |(stretch, _)| SoughtText::AnchoredText(stretch));
                return Ok(Self::Sought { documents, text });
            }
            CopySource::Taboo(entry) => {
                let (runs, documents) = HiddenRuns::find(entry, snapshot)?;
                return Ok(Self::Sought { documents, text: SoughtText::Taboo(runs) });
            }
            CopySource::Nowhere => None,
            CopySource::Passage(id) => known.and_then(|known| KnownPlaces::of_passage(known, id, &[])),
            CopySource::Review(id) => found.review.found().and_then(|review| match review.drift(id) {
                Some(drift) => Some(KnownPlaces::of_drift(drift)),
                None => {
                    let touched = &review.passage(id)?.touched;
                    KnownPlaces::of_passage(Arc::clone(&review.known), id, touched)
                }
            }),
            CopySource::Within(path, record) => {
                known.zip(shares).map(|(known, shares)| KnownPlaces::within(known, shares, path, record))
            }
            CopySource::Cluster(id, member) => found
                .clusters
                .as_ref()
                .and_then(|known| Some(KnownPlaces::of_cluster(known, known.number(id)?, member))),
        };
        Ok(Self::Known(places.unwrap_or_default()))
    }
}

/// What documents are searched for.
pub(super) enum SoughtText {
    /// Copies of a stretch.
    AnchoredText(AnchoredText),
    /// What a taboo text hides.
    Taboo(HiddenRuns),
    /// Nothing, as the text of the row was changed.
    Nothing,
}

impl SoughtText {
    /// The copies on a page.
    pub(super) fn copies_in(&self, page: &DocumentPage) -> Vec<Occurrence> {
        match self {
            Self::AnchoredText(stretch) => stretch.copies_in(page),
            Self::Taboo(runs) => runs.runs_in(page),
            Self::Nothing => Vec::new(),
        }
    }
}

/// The runs of tokens that an entry hides.
pub(super) struct HiddenRuns {
    set: TabooSet,
    span: usize,
    /// The minimum number of tokens of a run: the length that the index is guaranteed to find, or that of a shorter text.
    least: usize,
}

impl HiddenRuns {
    /// The runs of an entry, and the documents that may have them, in the order of their paths.
    pub(super) fn find(
        entry: &TabooEntry,
        snapshot: &Snapshot,
    ) -> Result<(Self, Vec<DocumentParts>), IndexError> {
        let recipe = &snapshot.manifest().recipe;
        let (mut blots, mut longest): (Vec<Blot>, usize) = (Vec::new(), 0);
        let text = recipe.ignored.blanked(&entry.text);
        for tokeniser in entry.tokenisers(recipe) {
            for state in tokeniser.entry_states() {
                let tokens = shatter(&text, tokeniser, state, recipe, |tile| blots.push(tile.blot));
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
            set: TabooSet::from_entry(entry, recipe),
            span: recipe.tile_tokens() as usize,
            least: longest.min(recipe.guarantee() as usize),
        };
        Ok((runs, documents))
    }

    /// The runs on a page.
    pub(super) fn runs_in(&self, page: &DocumentPage) -> Vec<Occurrence> {
        let mut is_hidden = vec![false; page.tokens.len()];
        for tile in page.tiles.iter().filter(|tile| self.set.contains(tile.blot)) {
            let first = tile.first as usize;
            let end = (first + self.span).min(is_hidden.len());
            is_hidden[first..end].fill(true);
        }
        let runs = runs(is_hidden.len(), |number| is_hidden[number]);
        let runs = runs.filter(|(run, is_hidden)| *is_hidden && run.len() >= self.least);
        let occurrence = |(run, _): (Range<usize>, bool)| {
            let ByteSpan { start, end } = span_of(&page.tokens[run]);
            page.file.occurrence(page.record, start as usize, end as usize)
        };
        runs.map(occurrence).collect()
    }
}

/// The ranges of consecutive numbers below `count` that have the same state, each with it.
pub(super) fn runs<S: PartialEq>(
    count: usize,
    state: impl Fn(usize) -> S,
) -> impl Iterator<Item = (Range<usize>, S)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let first = start;
        let own = (first < count).then(|| state(first))?;
        start = (first..count).find(|&number| state(number) != own).unwrap_or(count);
        Some((first..start, own))
    })
}

/// The bytes of some consecutive tokens.
pub(super) fn span_of(tokens: &[Token]) -> ByteSpan {
    let (first, last) = (tokens.first(), tokens.last());
    ByteSpan {
        start: first.map_or(0, |token| u64::from(token.start)),
        end: last.map_or(0, |token| u64::from(token.end)),
    }
}
