//! Answers [`super::Request::Preview`]: the verified copies of a row, document by document, and the
//! document of the current one with everything in it that is duplicated.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{DocumentView, Duplicated, Preview};
use crate::index::IndexError;
use crate::index::posting::PartId;
use crate::index::snapshot::{DocumentId, LivePlace, Snapshot};
use crate::passage::Row;
use crate::query::page::{Page, Reader};
use crate::query::unblot::{copies_in, documents_of};
use crate::query::{ByteSpan, Occurrence};
use crate::taboo::TabooSet;
use crate::token::Token;

/// How often a preview that grows is told.
const TELL: Duration = Duration::from_millis(60);

/// The copies of one row, as far as they were looked for.
pub struct Copies {
    row: Arc<Row>,
    generation: u64,
    /// Where to look, in the order of paths, and how many of these were looked into.
    documents: Vec<(DocumentId, Vec<PartId>)>,
    read: usize,
    text: Vec<Token>,
    found: Arc<Vec<Occurrence>>,
}

impl Copies {
    /// Nothing looked for yet. Opens one document, for the row's text.
    pub fn new(snapshot: &Snapshot, reader: &mut Reader, row: Arc<Row>) -> Result<Self, IndexError> {
        let places = snapshot.find(row.id())?;
        let documents = documents_of(snapshot, &places);
        let text = row_text(snapshot, reader, &documents, &row);
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
        let span = snapshot.manifest().recipe.tile_tokens();
        let mut shown: Option<Arc<DocumentView>> = None;
        let mut told = Instant::now();
        loop {
            let is_last = self.read == self.documents.len();
            if shown.is_none()
                && (current < self.found.len() || is_last)
                && let Some(occurrence) = self.found.get(current.min(self.found.len().saturating_sub(1)))
            {
                shown = self.document(snapshot, reader, taboo, occurrence)?;
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
            if let Ok(pages) = reader.pages(snapshot, *document, parts) {
                let found = Arc::make_mut(&mut self.found);
                for page in &pages {
                    let copies = copies_in(page, self.row.id(), &self.text, span);
                    found.extend(
                        copies.into_iter().filter(|copy| found.last() != Some(copy)).collect::<Vec<_>>(),
                    );
                }
            }
            self.read += 1;
        }
    }

    fn preview(&self, current: usize, document: Option<Arc<DocumentView>>) -> Preview {
        let unread = (self.documents.len() - self.read) as u32;
        let problem = (unread == 0 && self.found.is_empty()).then(|| {
            "None of the documents has this text any more; the list follows as soon as they are read again.".to_owned()
        });
        Preview {
            row: Some(Arc::clone(&self.row)),
            occurrences: Arc::clone(&self.found),
            unread,
            current: current.min(self.found.len().saturating_sub(1)),
            document,
            problem,
        }
    }

    /// The document of an occurrence, with its duplicated runs.
    fn document(
        &self,
        snapshot: &Snapshot,
        reader: &mut Reader,
        taboo: &TabooSet,
        occurrence: &Occurrence,
    ) -> Result<Option<Arc<DocumentView>>, IndexError> {
        let at = self.documents.iter().find(|(document, _)| {
            snapshot.path(snapshot.file_of(*document)) == occurrence.path
                && snapshot.document(*document).record == occurrence.record.unwrap_or(0)
        });
        let Some((document, parts)) = at else { return Ok(None) };
        let Ok(pages) = reader.pages(snapshot, *document, parts) else { return Ok(None) };
        let holds = |page: &&Page| {
            page.span.start <= occurrence.text_span.start && occurrence.text_span.end <= page.span.end
        };
        let Some(page) = pages.iter().find(holds) else { return Ok(None) };
        let copies = self.found.iter().filter(|copy| copy.path == occurrence.path).map(|copy| copy.text_span);
        Ok(Some(Arc::new(DocumentView {
            path: occurrence.path.clone(),
            text: page.file.text.clone(),
            line_starts: page.file.line_starts.clone(),
            duplicated: duplicated(snapshot, taboo, page)?,
            examined: page.span,
            copies: copies.collect(),
        })))
    }
}

/// The tokens of a row's text, from the first of its documents that still has it.
fn row_text(
    snapshot: &Snapshot,
    reader: &mut Reader,
    documents: &[(DocumentId, Vec<PartId>)],
    row: &Row,
) -> Vec<Token> {
    let from = |document: DocumentId, parts: &[PartId], reader: &mut Reader| {
        let pages = reader.pages(snapshot, document, parts).ok()?;
        pages.iter().find_map(|page| {
            let tile = page.tiles.iter().find(|tile| tile.blot == row.id())?;
            let first = tile.first as usize;
            let tokens = page.tokens.get(first..first + row.tokens as usize)?;
            let text = page.text_between(first, first + tokens.len() - 1);
            text.starts_with(&row.text).then(|| tokens.to_vec())
        })
    };
    let path = |document: &DocumentId| snapshot.path(snapshot.file_of(*document));
    let own = documents.iter().filter(|(document, _)| path(document) == row.path);
    own.chain(documents).find_map(|(document, parts)| from(*document, parts, reader)).unwrap_or_default()
}

/// The runs of a page whose tiles are repeated somewhere in the corpus.
fn duplicated(snapshot: &Snapshot, taboo: &TabooSet, page: &Page) -> Result<Vec<Duplicated>, IndexError> {
    let mut runs: Vec<Duplicated> = Vec::new();
    for tile in &page.tiles {
        if !is_repeated(&snapshot.find(tile.blot)?) {
            continue;
        }
        let span = ByteSpan { start: u64::from(tile.start), end: u64::from(tile.end) };
        let taboo = taboo.contains(tile.blot);
        match runs.last_mut() {
            Some(last) if last.taboo == taboo && span.start <= last.span.end => {
                last.span.end = last.span.end.max(span.end);
            }
            // Where taboo and other text meet, the tiles overlap: what is not taboo keeps its whole length.
            Some(last) if span.start < last.span.end => {
                if taboo {
                    let rest = ByteSpan { start: last.span.end, ..span };
                    runs.push(Duplicated { span: rest, taboo });
                } else {
                    last.span.end = span.start;
                    runs.push(Duplicated { span, taboo });
                }
            }
            _ => runs.push(Duplicated { span, taboo }),
        }
    }
    runs.retain(|run| run.span.start < run.span.end);
    Ok(runs)
}

/// Two places, be they in one document or in two, or one with the mark.
fn is_repeated(places: &[LivePlace]) -> bool {
    places.len() > 1 || places.first().is_some_and(|only| only.place.is_marked())
}
