//! The edits that turn the representative of a passage into another copy.

use super::copy::OpenCopy;
use super::passages::{Passage, SourceDocument};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::Occurrence;
use dupi_index::query::page::DocumentReader;
use dupi_passage::align::{TABLE, matched_within};
use dupi_text::token::Token;

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
