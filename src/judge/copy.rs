//! Reads a copy of a passage from its document, with its tokens.

use super::passages::{Passage, PassageCopy, SourceDocument};
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::page::{DocumentPage, DocumentReader};
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_text::token::Token;

/// The most copies that are tried when the files of the first ones have changed.
const TRIED: usize = 8;

/// A copy that was read from its document.
#[derive(Debug)]
pub struct OpenCopy {
    /// The page on which it begins.
    pub page: DocumentPage,
    /// Its tokens, with their spans in the file's text.
    pub tokens: Vec<Token>,
    /// Its range in the file's text.
    pub span: ByteSpan,
}

impl OpenCopy {
    /// Reads a copy; `None` when its file changed since the passage was found.
    pub fn read(
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
        sources: &[SourceDocument],
        spot: &PassageCopy,
    ) -> Option<Self> {
        let source = sources.get(spot.source as usize)?;
        source.open(snapshot, reader)?;
        let span = span_of(spot);
        let parts = parts_with(snapshot, source.id, span);
        let pages = reader.pages(snapshot, source.id, &parts).ok()?;
        Self::on(pages, span)
    }

    /// Reads the representative of a passage, or another copy when it cannot be read.
    pub fn of(
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
        sources: &[SourceDocument],
        passage: &Passage,
    ) -> Option<Self> {
        let copies = std::iter::once(passage.representative()).chain(&passage.copies);
        copies.take(TRIED).find_map(|spot| Self::read(snapshot, reader, sources, spot))
    }

    /// The text in a range of consecutive pages of one document.
    pub fn on(pages: Vec<DocumentPage>, span: ByteSpan) -> Option<Self> {
        let tokens = tokens_in(&pages, span);
        let page = pages.into_iter().find(|page| span.start < page.span.end)?;
        (!tokens.is_empty()).then_some(Self { page, tokens, span })
    }

    /// Its text.
    pub fn text(&self) -> &str {
        self.page.file.text.get(self.span.start as usize..self.span.end as usize).unwrap_or_default()
    }

    /// The language at its beginning, by name.
    pub fn language(&self) -> Option<String> {
        let language = self.page.tokeniser.language_at(&self.page.file.text, self.span.start as usize);
        language.map(|language| language.name().to_owned())
    }

    /// Its occurrence.
    pub fn occurrence(&self) -> Occurrence {
        self.page.file.occurrence(self.page.record, self.span.start as usize, self.span.end as usize)
    }

    /// The hashes of its tokens.
    pub fn hashes(&self) -> Vec<u64> {
        self.tokens.iter().map(|token| token.hash).collect()
    }

    /// The hashes of their names, where these are folded, and 0 elsewhere.
    pub fn names(&self) -> Vec<u32> {
        self.page.names(&self.tokens)
    }
}

/// The hashes of the tokens of some copies in one document, which is read once. `None` for each of them when its file
/// changed since the passage was found.
pub fn hashes_in(
    snapshot: &Snapshot,
    reader: &mut DocumentReader,
    sources: &[SourceDocument],
    spots: &[PassageCopy],
) -> Vec<Option<Vec<u64>>> {
    let mut pages = || {
        let source = sources.get(spots.first()?.source as usize)?;
        source.open(snapshot, reader)?;
        let mut parts: Vec<PartId> =
            spots.iter().flat_map(|spot| parts_with(snapshot, source.id, span_of(spot))).collect();
        parts.sort_unstable();
        parts.dedup();
        reader.pages(snapshot, source.id, &parts).ok()
    };
    let pages = pages().unwrap_or_default();
    let hashes = |spot: &PassageCopy| {
        let tokens = tokens_in(&pages, span_of(spot));
        (!tokens.is_empty()).then(|| tokens.iter().map(|token| token.hash).collect())
    };
    spots.iter().map(hashes).collect()
}

/// The range of a copy in its file's text.
fn span_of(spot: &PassageCopy) -> ByteSpan {
    ByteSpan { start: u64::from(spot.start), end: u64::from(spot.end) }
}

/// The tokens of consecutive pages of one document that lie in a range of its file's text.
fn tokens_in(pages: &[DocumentPage], span: ByteSpan) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for page in pages {
        let first = page.tokens.partition_point(|token| u64::from(token.start) < span.start);
        for token in page.tokens[first..].iter().take_while(|token| u64::from(token.start) < span.end) {
            // Neighbouring pages overlap.
            let is_new = tokens.last().is_none_or(|last| last.end <= token.start);
            if is_new && u64::from(token.end) <= span.end {
                tokens.push(*token);
            }
        }
    }
    tokens
}

/// The parts of a document that may overlap a range of its file's text.
fn parts_with(snapshot: &Snapshot, document: DocumentId, span: ByteSpan) -> Vec<PartId> {
    let table = snapshot.segments()[document.segment as usize].segment().table();
    let is_whole_file = table.document(document.document).record == 0;
    let may_hold = |part: &PartId| {
        let row = table.part(*part);
        // Offsets in a record are not offsets in the file.
        !is_whole_file || (u64::from(row.start) < span.end && span.start < u64::from(row.end))
    };
    table.parts_of(document.document).map(PartId).filter(may_hold).collect()
}
