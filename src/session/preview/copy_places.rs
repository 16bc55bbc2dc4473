//! Where the copies of a row are found: in the documents of posting lists, which are searched for its text, or at places
//! that are known.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::copies_within::CopiesWithin;
use super::hidden_runs::HiddenRuns;
use super::review_copies::DriftedCopies;
use super::whole_documents::WholeDocuments;
use crate::rows::known_clusters::KnownClusters;
use crate::rows::known_passages::KnownPassages;
use crate::rows::known_review::KnownReview;
use crate::rows::shares::Shares;
use dupi_index::index::IndexError;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::Occurrence;
use dupi_index::query::page::{DocumentPage, DocumentReader};
use dupi_index::query::unblot::{AnchoredText, documents_of};
use dupi_index::taboo::TabooEntry;
use dupi_passage::BlotRun;
use dupi_passage::passages::{Passage, PassageId};
use dupi_passage::rows::anchored_text_of;

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
    /// Whole documents of a cluster.
    Wholes(Box<WholeDocuments>),
    /// Copies of which a change changed only some.
    Drifted(Box<DriftedCopies>),
    /// There are none.
    Nowhere,
}

impl CopyPlaces {
    /// The places for a row of blots: the documents that have its first blot.
    pub(crate) fn of_blots(
        row: &BlotRun,
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
    ) -> Result<Self, IndexError> {
        let documents = documents_of(snapshot, &snapshot.find(row.id())?);
        let text = anchored_text_of(snapshot, reader, row)?;
        let text = text.map_or(SoughtText::Nothing, |(stretch, _)| SoughtText::AnchoredText(stretch));
        Ok(Self::Blots { documents, text })
    }

    /// The places of a passage's copies; none if the passage is not known.
    pub(crate) fn of_passage(known: Arc<KnownPassages>, id: PassageId) -> Self {
        match known.get(id).map(groups) {
            Some(groups) => {
                let pinned = known.pins().get(&id).cloned();
                Self::Passage { known, id, pinned, groups, numbers: Vec::new() }
            }
            None => Self::Nowhere,
        }
    }

    /// The passage whose copies these are, with its representative or the pinned copy in the place of that.
    pub(crate) fn passage(&self) -> Option<&Passage> {
        match self {
            Self::Passage { known, id, pinned, .. } => pinned.as_deref().or_else(|| known.get(*id)),
            _ => None,
        }
    }

    /// The places of the copies in a file, or in one record of it (from 1; 0 if the whole file is one document).
    pub(crate) fn within(
        known: Option<Arc<KnownPassages>>,
        shares: Option<Arc<Shares>>,
        path: &Path,
        record: Option<u32>,
    ) -> Self {
        let of = known.zip(shares);
        of.map_or(Self::Nowhere, |(known, shares)| {
            Self::Within(Box::new(CopiesWithin::new(known, shares, path, record)))
        })
    }

    /// All documents of a cluster; of folders those that differ. None if the cluster is not known.
    pub(crate) fn of_cluster(known: Option<Arc<KnownClusters>>, id: u64) -> Self {
        let number = known.as_ref().and_then(|known| known.number(id));
        known.zip(number).map_or(Self::Nowhere, |(known, number)| {
            Self::Wholes(Box::new(WholeDocuments::of_cluster(known, number)))
        })
    }

    /// A member of a cluster by its name; of a folder the documents that differ.
    pub(crate) fn of_member(known: Option<Arc<KnownClusters>>, cluster: u64, name: u64) -> Self {
        let number = known.as_ref().and_then(|known| known.number(cluster));
        known.zip(number).map_or(Self::Nowhere, |(known, number)| {
            Self::Wholes(Box::new(WholeDocuments::of_member(known, number, name)))
        })
    }

    /// The places of the copies of a row of a review, those that the change touches first.
    pub(crate) fn of_review(review: Arc<KnownReview>, id: PassageId) -> Self {
        if let Some(drift) = review.drift(id) {
            let changed = drift.changed.iter().map(|copy| copy.at.clone()).collect();
            let others = drift.others.clone();
            return Self::Drifted(Box::new(DriftedCopies::new(review, changed, &others)));
        }
        let Some(touched) = review.passage(id).map(|of| of.touched.clone()) else { return Self::Nowhere };
        let mut places = Self::of_passage(Arc::clone(&review.known), id);
        if let Self::Passage { groups, .. } = &mut places {
            groups.sort_by_key(|group| !touched[group.clone()].contains(&true));
        }
        places
    }

    /// The places of what an entry of the taboo list hides.
    pub(crate) fn hidden_by(entry: &TabooEntry, snapshot: &Snapshot) -> Result<Self, IndexError> {
        let (runs, documents) = HiddenRuns::of(entry, snapshot)?;
        Ok(Self::Blots { documents, text: SoughtText::Taboo(runs) })
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
