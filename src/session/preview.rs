//! Answers [`super::Request::Preview`]: the verified copies of a row, document by document, and the
//! document of the current one with everything in it that is duplicated.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::duplicated::duplicated;
use super::{DocumentView, Preview};
use crate::index::IndexError;
use crate::index::posting::PartId;
use crate::index::snapshot::{DocumentId, Snapshot};
use crate::passage::Row;
use crate::passage::rows::stretch_of;
use crate::query::Occurrence;
use crate::query::page::{Page, Reader};
use crate::query::unblot::{Stretch, documents_of};
use crate::taboo::TabooSet;

/// How often a preview that grows is told.
const TELL: Duration = Duration::from_millis(60);

/// The copies of one row, as far as they were looked for.
pub struct Copies {
    row: Arc<Row>,
    generation: u64,
    /// Where to look, in the order of paths, and how many of these were looked into.
    documents: Vec<(DocumentId, Vec<PartId>)>,
    read: usize,
    text: Option<Stretch>,
    found: Arc<Vec<Occurrence>>,
}

impl Copies {
    /// Nothing looked for yet. Opens one document, for the row's text.
    pub fn new(snapshot: &Snapshot, reader: &mut Reader, row: Arc<Row>) -> Result<Self, IndexError> {
        let places = snapshot.find(row.id())?;
        let documents = documents_of(snapshot, &places);
        let text = stretch_of(snapshot, reader, &row)?.map(|(stretch, _)| stretch);
        let generation = snapshot.manifest().generation;
        Ok(Self { row, generation, documents, read: 0, text, found: Arc::default() })
    }

    /// Whether these are the copies of a row as a snapshot has it.
    pub fn is_of(&self, snapshot: &Snapshot, row: &Row) -> bool {
        *self.row == *row && self.generation == snapshot.manifest().generation
    }

    /// Looks into more documents, until `tell`, which gets what there is so far, says not to go on.
    /// `current` is the occurrence whose document is shown.
    pub fn load(
        &mut self,
        snapshot: &Snapshot,
        reader: &mut Reader,
        taboo: &TabooSet,
        current: usize,
        mut tell: impl FnMut(Preview) -> bool,
    ) -> Result<(), IndexError> {
        let mut shown: Option<Arc<DocumentView>> = None;
        let mut told = Instant::now();
        loop {
            let is_last = self.read == self.documents.len();
            if shown.is_none()
                && (current < self.found.len() || is_last)
                && let Some(occurrence) = self.found.get(current.min(self.found.len().saturating_sub(1)))
            {
                if let Some(page) = self.page_of(snapshot, reader, occurrence) {
                    // The text at once; what is duplicated in it needs other documents.
                    let mut view = view_of(&page);
                    if !tell(self.preview(current, Some(Arc::new(view.clone())))) {
                        return Ok(());
                    }
                    view.duplicated = duplicated(snapshot, reader, taboo, &page)?;
                    shown = Some(Arc::new(view));
                }
                told = Instant::now();
                if !tell(self.preview(current, shown.clone())) {
                    return Ok(());
                }
            }
            if is_last {
                tell(self.preview(current, shown));
                return Ok(());
            }
            if told.elapsed() >= TELL {
                told = Instant::now();
                if !tell(self.preview(current, shown.clone())) {
                    return Ok(());
                }
            }
            let (document, parts) = &self.documents[self.read];
            if let (Some(text), Ok(pages)) = (&self.text, reader.pages(snapshot, *document, parts)) {
                let mut copies: Vec<Occurrence> =
                    pages.iter().flat_map(|page| text.copies_in(page)).collect();
                // The seam between two parts is in both.
                copies.dedup();
                Arc::make_mut(&mut self.found).append(&mut copies);
            }
            self.read += 1;
        }
    }

    fn preview(&self, current: usize, document: Option<Arc<DocumentView>>) -> Preview {
        let unread = (self.documents.len() - self.read) as u32;
        let problem = (unread == 0 && self.found.is_empty()).then(|| {
            "None of the documents has this text any more; the list follows as soon as they are read again.".to_owned()
        });
        // As bytes, because there may be many: paths are compared name by name.
        let path = document.as_ref().map(|document| document.path.as_os_str());
        let in_document = |copy: &&Occurrence| path == Some(copy.path.as_os_str());
        Preview {
            copies: self.found.iter().filter(in_document).map(|copy| copy.text_span).collect(),
            row: Some(Arc::clone(&self.row)),
            occurrences: Arc::clone(&self.found),
            unread,
            current: current.min(self.found.len().saturating_sub(1)),
            document,
            problem,
        }
    }

    /// The page that an occurrence is on.
    fn page_of(&self, snapshot: &Snapshot, reader: &mut Reader, occurrence: &Occurrence) -> Option<Page> {
        let (document, parts) = self.documents.iter().find(|(document, _)| {
            snapshot.path(snapshot.file_of(*document)) == occurrence.path
                && snapshot.document(*document).record == occurrence.record.unwrap_or(0)
        })?;
        let pages = reader.pages(snapshot, *document, parts).ok()?;
        pages.into_iter().find(|page| {
            page.span.start <= occurrence.text_span.start && occurrence.text_span.end <= page.span.end
        })
    }
}

/// A page's document, without its duplicated runs.
fn view_of(page: &Page) -> DocumentView {
    DocumentView {
        path: page.file.path.clone(),
        text: page.file.text.clone(),
        line_starts: page.file.line_starts.clone(),
        duplicated: Vec::new(),
        examined: page.span,
    }
}
