//! All copies in one document or file, whatever their passages. Each is compared with the copy in the document's
//! partner, if there is one.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::paired_copies::document_at;
use crate::known::passages::KnownPassages;
use crate::known::passages::Shares;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::DocumentId;
use dupi_index::query::Occurrence;
use dupi_index::query::page::{DocumentPage, DocumentReader};
use dupi_judge::copy::OpenCopy;
use dupi_judge::passages::{Passage, PassageCopy, PassageId};
use dupi_judge::shares::{PlacedCopy, outermost, placed_copies};

/// The copies in a document or file.
pub(crate) struct CopiesWithin {
    known: Arc<KnownPassages>,
    shares: Arc<Shares>,
    /// The document, or the first one of the file; `None` if there is none.
    document: Option<DocumentId>,
    /// The copies that do not lie within longer ones, in the order of their places.
    placed: Vec<PlacedCopy>,
    /// Reads the copies that they are compared with.
    others: DocumentReader,
}

impl CopiesWithin {
    /// The copies in a file, or in one record of it.
    pub(crate) fn new(
        known: Arc<KnownPassages>,
        shares: Arc<Shares>,
        path: &Path,
        record: Option<u32>,
    ) -> Self {
        let sources = sources(&known, path, record);
        let all = placed_copies(&known.passages.found, &shares.hidden, sources.clone());
        let documents = all.chunk_by(|a, b| a.source == b.source);
        let placed_copies = documents.flat_map(|of| outermost(of).map(|(at, _)| *at)).collect();
        let document = match sources.is_empty() {
            false => Some(known.passages.sources[sources.start as usize].id),
            true => document_at(&known.snapshot, path, record),
        };
        let others = DocumentReader::new(&known.snapshot);
        Self { known, shares, document, placed: placed_copies, others }
    }

    /// Whether it was made from these passages and shares.
    pub(crate) fn is_of(&self, known: &Arc<KnownPassages>, shares: &Arc<Shares>) -> bool {
        Arc::ptr_eq(&self.known, known) && Arc::ptr_eq(&self.shares, shares)
    }

    /// The copies in the file as it is now; none if it has changed since they were found.
    pub(crate) fn occurrences(&self, reader: &mut DocumentReader) -> Vec<Occurrence> {
        let mut found = Vec::with_capacity(self.placed.len());
        for of in self.placed.chunk_by(|a, b| a.source == b.source) {
            let source = &self.known.passages.sources[of[0].source as usize];
            let Some((file, record)) = source.open(&self.known.snapshot, reader) else { return Vec::new() };
            found.extend(of.iter().map(|at| {
                let spot = self.spot(at);
                file.occurrence(record, spot.start as usize, spot.end as usize)
            }));
        }
        found
    }

    /// The passage of a copy, and how many tokens the copy has.
    pub(crate) fn stretch(&self, number: usize) -> Option<(PassageId, u32)> {
        let at = self.placed.get(number)?;
        Some((self.passage(at).id, self.spot(at).tokens))
    }

    /// A copy in its document.
    pub(crate) fn standing(&self, number: usize, reader: &mut DocumentReader) -> Option<OpenCopy> {
        let spot = self.spot(self.placed.get(number)?);
        OpenCopy::read(&self.known.snapshot, reader, &self.known.passages.sources, spot)
    }

    /// The copy that a copy is compared with, and their similarity if it is known. It is the one in the partner of its
    /// document if the partner has the passage, else the representative, or another copy if this is the representative.
    pub(crate) fn counterpart(&mut self, number: usize) -> Option<(OpenCopy, Option<f32>)> {
        let at = *self.placed.get(number)?;
        let passage = self.passage(&at);
        let partner = self.shares.documents[at.source as usize].partner;
        let in_partner =
            passage.copies.iter().position(|spot| partner.is_some_and(|of| of.source == spot.source));
        let (own, first) = (at.copy as usize, passage.representative as usize);
        let another = || if own == first { usize::from(own == 0) } else { first };
        let other = in_partner.unwrap_or_else(another);
        let (own_spot, spot) = (passage.copies[own], passage.copies[other]);
        let similarity = match first {
            _ if own == first => Some(spot.similarity),
            _ if other == first => Some(own_spot.similarity),
            _ => None,
        };
        let (snapshot, sources) = (&self.known.snapshot, &self.known.passages.sources);
        Some((OpenCopy::read(snapshot, &mut self.others, sources, &spot)?, similarity))
    }

    /// The first page of the document, for when it has no copies.
    pub(crate) fn alone(&self, reader: &mut DocumentReader) -> Option<DocumentPage> {
        let (snapshot, document) = (&self.known.snapshot, self.document?);
        let table = snapshot.segment(document.segment).table();
        let first: Vec<PartId> = table.parts_of(document.document).map(PartId).take(1).collect();
        reader.pages(snapshot, document, &first).ok()?.into_iter().next()
    }

    fn passage(&self, at: &PlacedCopy) -> &Passage {
        &self.known.passages.found[at.passage as usize]
    }

    fn spot(&self, at: &PlacedCopy) -> &PassageCopy {
        &self.passage(at).copies[at.copy as usize]
    }
}

/// The sources that belong to a file, or to one record of it. Sources are in the order of paths.
fn sources(known: &KnownPassages, path: &Path, record: Option<u32>) -> Range<u32> {
    let sources = &known.passages.sources;
    let key = |id: DocumentId| {
        let path = known.snapshot.path(known.snapshot.file_of(id)).as_os_str();
        (path, record.map(|_| known.snapshot.document(id).record))
    };
    let wanted = (path.as_os_str(), record);
    let start = sources.partition_point(|source| key(source.id) < wanted);
    let end = sources.partition_point(|source| key(source.id) <= wanted);
    start as u32..end as u32
}
