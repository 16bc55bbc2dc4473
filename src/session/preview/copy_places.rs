//! Where the copies of a row are found: in the documents of posting lists, which are searched for its text, or at places
//! that are known.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::copies_within::CopiesWithin;
use super::paired_copies::PairedCopies;
use crate::known::Found;
use crate::known::passages::{KnownPassages, Shares};
use crate::known::review::KnownReview;
use crate::rows::list_row::CopySource;
use dupi_index::index::IndexError;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::Occurrence;
use dupi_index::query::blot_rows::anchored_text_of;
use dupi_index::query::page::{DocumentPage, DocumentReader};
use dupi_index::query::unblot::{AnchoredText, DocumentParts, documents_of};
use dupi_index::taboo::{TabooEntry, TabooSet};
use dupi_judge::passages::{Passage, PassageId};
use dupi_text::blot::{Blot, shatter};

/// Where the copies of a row are.
pub(crate) enum CopyPlaces {
    /// In these documents of posting lists, which are searched for a text.
    Blots { documents: Vec<(DocumentId, Vec<PartId>)>, text: SoughtText },
    /// At the places of a passage's copies, in one group a document; `numbers` are the copies that were found. `pinned`
    /// is the passage with the copy as its representative that the user pinned, if there is one.
    Passage {
        known: Arc<KnownPassages>,
        id: PassageId,
        pinned: Option<Arc<Passage>>,
        groups: Vec<Range<usize>>,
        numbers: Vec<usize>,
    },
    /// At the places of copies in one file.
    Within(Box<CopiesWithin>),
    /// At places that are each compared with another one.
    Paired(Box<PairedCopies>),
    /// There are none.
    Nowhere,
}

impl CopyPlaces {
    /// The places of a row's copies in a generation, which `reader` reads, by what was found last.
    pub(super) fn new(
        source: CopySource,
        (found, shares): (&Found, Option<Arc<Shares>>),
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
    ) -> Result<Self, IndexError> {
        let (known, clusters, review) = (found.known.clone(), &found.clusters, found.review.found());
        let places = match source {
            CopySource::Nowhere => None,
            CopySource::Blots(row) => {
                let documents = documents_of(snapshot, &snapshot.find(row.id())?);
                let text = anchored_text_of(snapshot, reader, row)?;
                let text = text.map_or(SoughtText::Nothing, |(stretch, _)| SoughtText::AnchoredText(stretch));
                Some(Self::Blots { documents, text })
            }
            CopySource::Taboo(entry) => {
                let (runs, documents) = HiddenRuns::of(entry, snapshot)?;
                Some(Self::Blots { documents, text: SoughtText::Taboo(runs) })
            }
            CopySource::Passage(id) => known.and_then(|known| Self::of_passage(known, id)),
            CopySource::Review(id) => review.and_then(|review| Self::of_review(review, id)),
            CopySource::Within(path, record) => known.zip(shares).map(|(known, shares)| {
                Self::Within(Box::new(CopiesWithin::new(known, shares, path, record)))
            }),
            CopySource::Cluster(id, member) => clusters.as_ref().and_then(|known| {
                let (number, known) = (known.number(id)?, Arc::clone(known));
                Some(Self::Paired(Box::new(PairedCopies::of_cluster(known, number, member))))
            }),
        };
        Ok(places.unwrap_or(Self::Nowhere))
    }

    /// The places of a passage's copies; none if the passage is not known.
    fn of_passage(known: Arc<KnownPassages>, id: PassageId) -> Option<Self> {
        let groups = groups(known.get(id)?);
        let pinned = known.pins().get(&id).cloned();
        Some(Self::Passage { known, id, pinned, groups, numbers: Vec::new() })
    }

    /// The places of the copies of a row of a review, those that the change touches first.
    fn of_review(review: &Arc<KnownReview>, id: PassageId) -> Option<Self> {
        if let Some(drift) = review.drift(id) {
            return Some(Self::Paired(Box::new(PairedCopies::of_drift(Arc::clone(review), drift))));
        }
        let touched = review.passage(id)?.touched.clone();
        let mut places = Self::of_passage(Arc::clone(&review.known), id);
        if let Some(Self::Passage { groups, .. }) = &mut places {
            groups.sort_by_key(|group| !touched[group.clone()].contains(&true));
        }
        places
    }

    /// The passage whose copies these are, with its representative or the pinned copy in the place of that.
    pub(crate) fn passage(&self) -> Option<&Passage> {
        match self {
            Self::Passage { known, id, pinned, .. } => pinned.as_deref().or_else(|| known.get(*id)),
            _ => None,
        }
    }
}

/// What documents are searched for.
pub(crate) enum SoughtText {
    /// Copies of a stretch.
    AnchoredText(AnchoredText),
    /// What a taboo text hides.
    Taboo(HiddenRuns),
    /// Nothing, as the text of the row was changed.
    Nothing,
}

impl SoughtText {
    /// The copies on a page.
    pub(crate) fn copies_in(&self, page: &DocumentPage) -> Vec<Occurrence> {
        match self {
            Self::AnchoredText(stretch) => stretch.copies_in(page),
            Self::Taboo(runs) => runs.runs_in(page),
            Self::Nothing => Vec::new(),
        }
    }
}

/// The ranges of a passage's copies that lie in the same document.
fn groups(passage: &Passage) -> Vec<Range<usize>> {
    let mut end = 0;
    let groups = passage.copies.chunk_by(|a, b| a.source == b.source);
    groups
        .map(|group| {
            end += group.len();
            end - group.len()..end
        })
        .collect()
}

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
