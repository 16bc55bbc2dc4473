//! Where the copies of a row are to be found: the documents of posting lists, in which its text is looked for, or copies
//! that are known.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::copies_within::CopiesWithin;
use super::hidden_runs::HiddenRuns;
use crate::index::IndexError;
use crate::index::posting::PartId;
use crate::index::snapshot::{DocumentId, Snapshot};
use crate::passage::BlotRun;
use crate::passage::passages::{Passage, PassageId};
use crate::passage::rows::anchored_text_of;
use crate::query::Occurrence;
use crate::query::page::{DocumentPage, DocumentReader};
use crate::query::unblot::{AnchoredText, documents_of};
use crate::session::rows::known_passages::KnownPassages;
use crate::session::rows::shares::Shares;
use crate::taboo::Entry;

/// Where to look.
pub enum CopyPlaces {
    /// Documents of posting lists, for a text.
    Blots { documents: Vec<(DocumentId, Vec<PartId>)>, text: SoughtText },
    /// Copies that are known, those of one document together; and which of them were found.
    Passage { known: Arc<KnownPassages>, id: PassageId, groups: Vec<Range<usize>>, numbers: Vec<usize> },
    /// Copies that are known, in one file.
    Within(Box<CopiesWithin>),
    /// Nowhere.
    Nowhere,
}

impl CopyPlaces {
    /// Those of a row of blots: the documents that have its first blot.
    pub fn of_blots(
        row: &BlotRun,
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
    ) -> Result<Self, IndexError> {
        let documents = documents_of(snapshot, &snapshot.find(row.id())?);
        let text = anchored_text_of(snapshot, reader, row)?;
        let text = text.map_or(SoughtText::Nothing, |(stretch, _)| SoughtText::AnchoredText(stretch));
        Ok(Self::Blots { documents, text })
    }

    /// Those of a passage; none if it is not known.
    pub fn of_passage(known: Arc<KnownPassages>, id: PassageId) -> Self {
        match known.get(id).map(groups) {
            Some(groups) => Self::Passage { known, id, groups, numbers: Vec::new() },
            None => Self::Nowhere,
        }
    }

    /// The copies in a file, or in one record of it (from 1; 0 for a file that is one document).
    pub fn within(
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

    /// What an entry of the taboo list hides.
    pub fn hidden_by(entry: &Entry, snapshot: &Snapshot) -> Result<Self, IndexError> {
        let (runs, documents) = HiddenRuns::of(entry, snapshot)?;
        Ok(Self::Blots { documents, text: SoughtText::Taboo(runs) })
    }
}

/// What is looked for in documents.
pub enum SoughtText {
    /// Copies of a stretch.
    AnchoredText(AnchoredText),
    /// What a taboo text hides.
    Taboo(HiddenRuns),
    /// Nothing: the row's text is gone.
    Nothing,
}

impl SoughtText {
    /// The copies on a page.
    pub fn copies_in(&self, page: &DocumentPage) -> Vec<Occurrence> {
        match self {
            Self::AnchoredText(stretch) => stretch.copies_in(page),
            Self::Taboo(runs) => runs.runs_in(page),
            Self::Nothing => Vec::new(),
        }
    }
}

/// The copies of a passage, those of one document together.
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
