//! The copies of what has drifted: those that the change changed first, each beside one that was left as it was.

use std::sync::Arc;

use crate::known::review::KnownReview;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::Occurrence;
use dupi_index::query::page::DocumentReader;
use dupi_judge::copy::OpenCopy;

/// The copies of what has drifted.
pub(crate) struct DriftedCopies {
    review: Arc<KnownReview>,
    /// The copies that were changed, then the others.
    places: Vec<Occurrence>,
    changed: usize,
    /// The numbers of those that could be read.
    numbers: Vec<usize>,
    /// Reads the copies that they are compared with.
    others: DocumentReader,
}

impl DriftedCopies {
    /// The copies of a drift, of which the first ones were changed.
    pub(crate) fn new(review: Arc<KnownReview>, changed: Vec<Occurrence>, others: &[Occurrence]) -> Self {
        let reader = DocumentReader::new(&review.known.snapshot);
        let (count, mut places) = (changed.len(), changed);
        places.extend(others.iter().cloned());
        Self { review, places, changed: count, numbers: Vec::new(), others: reader }
    }

    /// How many copies there are.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether they are those of this review.
    pub(crate) fn is_of(&self, review: &Arc<KnownReview>) -> bool {
        Arc::ptr_eq(&self.review, review)
    }

    /// Reads the copy with a number; `None` if its file has changed since.
    pub(crate) fn read(&mut self, number: usize, reader: &mut DocumentReader) -> Option<Occurrence> {
        let at = self.places.get(number)?;
        open(&self.review.known.snapshot, reader, at)?;
        self.numbers.push(number);
        Some(at.clone())
    }

    /// Which of the copies that were read were changed.
    pub(crate) fn are_changed(&self) -> Vec<bool> {
        self.numbers.iter().map(|number| *number < self.changed).collect()
    }

    /// A copy that was read, by its number among these.
    pub(crate) fn standing(&self, number: usize, reader: &mut DocumentReader) -> Option<OpenCopy> {
        open(&self.review.known.snapshot, reader, &self.places[*self.numbers.get(number)?])
    }

    /// The copy that a copy which was read is compared with: the first one of the other side.
    pub(crate) fn counterpart(&mut self, number: usize) -> Option<OpenCopy> {
        let own = *self.numbers.get(number)?;
        let other = if own < self.changed { self.changed } else { 0 };
        open(&self.review.known.snapshot, &mut self.others, self.places.get(other)?)
    }
}

/// A copy in its document; `None` if the file has changed since it was indexed.
fn open(snapshot: &Snapshot, reader: &mut DocumentReader, at: &Occurrence) -> Option<OpenCopy> {
    let file = snapshot.texts().find(|&file| snapshot.path(file) == at.path)?;
    let table = snapshot.segment(file.segment).table();
    let is_it = |document: &u32| table.document(*document).record == at.record.unwrap_or(0);
    let document = table.documents_of(file.file).find(is_it)?;
    let id = DocumentId { segment: file.segment, document };
    let parts: Vec<PartId> = table.parts_of(document).map(PartId).collect();
    let pages = reader.pages(snapshot, id, &parts).ok()?;
    if pages.iter().any(|page| page.part.is_none()) {
        return None;
    }
    OpenCopy::on(pages, at.text_span)
}
