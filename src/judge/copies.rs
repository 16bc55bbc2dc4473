//! Reads copies of a passage from their documents, with their tokens; tells the edits that turn the representative into another
//! copy; and compares the copies with a given one instead of the representative.

use std::cmp::Reverse;
use std::path::Path;

use crate::passages::{Passage, PassageCopy, SourceDocument};
use dupi_base::parallel;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::page::{DocumentPage, DocumentReader};
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_passage::Measure;
use dupi_passage::align::{TABLE, matched_within};
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
        Self::on(pages_of(snapshot, reader, sources, &[*spot])?, span_of(spot))
    }

    /// Reads the representative of a passage, or another copy when it cannot be read.
    pub fn new(
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
    let pages = pages_of(snapshot, reader, sources, spots).unwrap_or_default();
    let hashes = |spot: &PassageCopy| {
        let tokens = tokens_in(&pages, span_of(spot));
        (!tokens.is_empty()).then(|| tokens.iter().map(|token| token.hash).collect())
    };
    spots.iter().map(hashes).collect()
}

/// The pages on which some copies in one document lie; `None` when its file changed since the passage was found.
fn pages_of(
    snapshot: &Snapshot,
    reader: &mut DocumentReader,
    sources: &[SourceDocument],
    spots: &[PassageCopy],
) -> Option<Vec<DocumentPage>> {
    let source = sources.get(spots.first()?.source as usize)?;
    source.open(snapshot, reader)?;
    let mut parts: Vec<PartId> =
        spots.iter().flat_map(|spot| parts_with(snapshot, source.id, span_of(spot))).collect();
    parts.sort_unstable();
    parts.dedup();
    reader.pages(snapshot, source.id, &parts).ok()
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

/// A difference between a copy and the representative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Its position in the copy; empty for a deletion.
    pub at: Occurrence,
    /// The text of the copy.
    pub text: String,
    /// The text of the representative.
    pub instead_of: String,
}

/// The edits of each copy of a passage. A copy whose file has changed has none.
pub fn edits(snapshot: &Snapshot, sources: &[SourceDocument], passage: &Passage) -> Vec<Vec<Edit>> {
    if passage.copies.iter().all(|spot| spot.similarity >= 1.0) {
        return vec![Vec::new(); passage.copies.len()];
    }
    let mut reader = DocumentReader::new(snapshot);
    let first = OpenCopy::read(snapshot, &mut reader, sources, passage.representative());
    let Some(first) = first else { return vec![Vec::new(); passage.copies.len()] };
    let copies = passage.copies.iter().map(|spot| {
        // Equal copies need not be read.
        let copy = (spot.similarity < 1.0).then(|| OpenCopy::read(snapshot, &mut reader, sources, spot));
        copy.flatten().map(|copy| between(&first, &copy)).unwrap_or_default()
    });
    copies.collect()
}

/// The texts of the copies of a passage that differ from the representative. A copy that is equal, or whose file has
/// changed, has none.
pub fn texts(snapshot: &Snapshot, sources: &[SourceDocument], passage: &Passage) -> Vec<Option<String>> {
    let mut reader = DocumentReader::new(snapshot);
    let copies = passage.copies.iter().map(|spot| {
        let copy = (spot.similarity < 1.0).then(|| OpenCopy::read(snapshot, &mut reader, sources, spot));
        copy.flatten().map(|copy| copy.text().to_owned())
    });
    copies.collect()
}

/// The edits from one text to another, in order.
pub fn between(from: &OpenCopy, to: &OpenCopy) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut done_from, mut done_to) = (0, 0);
    let pairs = matched_within(&from.hashes(), &to.hashes(), TABLE);
    let ends = (from.tokens.len() as u32, to.tokens.len() as u32);
    for (one, other) in pairs.into_iter().chain([ends]) {
        let (old, new) = (done_from..one as usize, done_to..other as usize);
        if !old.is_empty() || !new.is_empty() {
            let behind =
                done_to.checked_sub(1).map_or(to.span.start, |before| u64::from(to.tokens[before].end));
            let (start, end) = span(&to.tokens[new]).unwrap_or((behind as usize, behind as usize));
            let instead_of =
                span(&from.tokens[old]).and_then(|(start, end)| from.page.file.text.get(start..end));
            edits.push(Edit {
                at: to.page.file.occurrence(to.page.record, start, end),
                text: to.page.file.text.get(start..end).unwrap_or_default().to_owned(),
                instead_of: instead_of.unwrap_or_default().to_owned(),
            });
        }
        (done_from, done_to) = (one as usize + 1, other as usize + 1);
    }
    edits
}

/// The range of some tokens in their text.
fn span(tokens: &[Token]) -> Option<(usize, usize)> {
    Some((tokens.first()?.start as usize, tokens.last()?.end as usize))
}

/// The passage with the copy in a document whose path satisfies `is_base` as its representative, and the similarities
/// of the others to it, by the measure of the search. Of several such copies it is the one most similar to the
/// representative. `None` if there is none, or if its file has changed.
///
/// What the search said of the passage stays: its id, so that decisions about it hold, its kind, worth, deletable
/// lines and family.
pub fn with_base(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    passage: &Passage,
    measure: &Measure,
    is_base: &(dyn Fn(&Path) -> bool + Sync),
) -> Option<Passage> {
    let path = |spot: &PassageCopy| snapshot.path(snapshot.file_of(sources[spot.source as usize].id));
    let copies = passage.copies.iter().enumerate().filter(|(_, spot)| is_base(path(spot)));
    // The representative is most similar to itself, but others can be equal to it.
    let rank = |(number, spot): &(usize, &PassageCopy)| {
        let is_representative = *number == passage.representative as usize;
        (is_representative, (f64::from(spot.similarity) * 1e9) as u64, Reverse(*number))
    };
    let (representative, _) = copies.max_by_key(rank)?;
    with_representative(snapshot, sources, passage, measure, representative)
}

/// Copies with their similarity to a representative, by the measure of the search. Those keep theirs of which the file has
/// changed. `None` if that of the representative has. Each document is read once, for all copies in it.
pub(super) fn similar_to(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    representative: &PassageCopy,
    copies: &[PassageCopy],
    measure: &Measure,
) -> Option<Vec<PassageCopy>> {
    let reader = || DocumentReader::new(snapshot);
    let own = hashes_in(snapshot, &mut reader(), sources, &[*representative]).pop()??;
    let mut numbers: Vec<usize> = (0..copies.len()).collect();
    numbers.sort_by_key(|&number| copies[number].source);
    let documents: Vec<&[usize]> = numbers.chunk_by(|&a, &b| copies[a].source == copies[b].source).collect();
    let compare = |reader: &mut DocumentReader, numbers: &[usize]| -> Vec<PassageCopy> {
        let copies: Vec<PassageCopy> = numbers.iter().map(|&number| copies[number]).collect();
        let texts = hashes_in(snapshot, reader, sources, &copies);
        let similar = |(copy, text): (&PassageCopy, Option<Vec<u64>>)| match text {
            Some(text) => PassageCopy { similarity: similarity(&own, &text, measure), ..*copy },
            None => *copy,
        };
        copies.iter().zip(texts).map(similar).collect()
    };
    let compared = parallel::map_init(&documents, reader, |reader, _, numbers| compare(reader, numbers));
    let mut similar = copies.to_vec();
    for (&number, copy) in numbers.iter().zip(compared.into_iter().flatten()) {
        similar[number] = copy;
    }
    Some(similar)
}

/// The similarity of two texts by their tokens.
fn similarity(a: &[u64], b: &[u64], measure: &Measure) -> f32 {
    let matches = if a == b { a.len() } else { matched_within(a, b, TABLE).len() };
    measure.similarity(matches as u32, [a.len() as u32, b.len() as u32])
}

/// The passage with the copy of this number as its representative. `None` if there is none, or if its file has changed.
/// Otherwise as [`with_base`].
pub fn with_representative(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    passage: &Passage,
    measure: &Measure,
    representative: usize,
) -> Option<Passage> {
    let before = passage.representative as usize;
    if representative == before {
        return Some(passage.clone());
    }
    let base = passage.copies.get(representative)?;
    let mut copies = similar_to(snapshot, sources, base, &passage.copies, measure)?;
    // What the search said of the two holds for both.
    copies[before].similarity = base.similarity;
    Some(Passage { copies, representative: representative as u32, ..passage.clone() })
}
