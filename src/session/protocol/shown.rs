//! The answers about a row: its copies in their documents, and what a decision about it would hide.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::items::Item;
use super::listing::TabooDifference;
use super::subject::ItemId;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_judge::headline::LineStretch;
use dupi_judge::passages::PassageId;
use dupi_review::change::blame::BlamedLines;

/// A selected row in its documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    /// The row; `None` for an empty preview.
    pub row: Option<Item>,
    /// Its verified copies so far, in the order of paths; for a document or file the copies in it, without those that
    /// lie within longer ones.
    pub occurrences: Arc<Vec<Occurrence>>,
    /// The number of documents of its posting list that are not read yet.
    pub unread: u32,
    /// The similarity of each of `occurrences` to the representative, in whole percent, rounded down; empty where all
    /// are equal.
    pub alike: Arc<Vec<u8>>,
    /// The line that names the function or section in which each of `occurrences` begins, where one was found; later
    /// ones can be missing.
    pub within: Arc<Vec<Option<Arc<str>>>>,
    /// How each of `occurrences` differs from the copy that the current one is compared with, `None` where it cannot be
    /// read; later ones can be missing. Empty where all are equal.
    pub variants: Arc<Vec<Option<CopyVariant>>>,
    /// How many of `occurrences` lie in each slice of the corpus, whose files are taken in the order of paths; empty
    /// until that order is known.
    pub heat: Arc<Vec<u16>>,
    /// The number of the occurrence that `document` shows.
    pub current: usize,
    /// The similarity of the current copy and the copy beside it, 0 to 1.
    pub similarity: f32,
    /// The document of the current occurrence.
    pub document: Option<Arc<DocumentView>>,
    /// The copies in that file, as spans of its text, in order and not overlapping. In source code they are extended to
    /// the lines that they cover whole.
    pub copies: Vec<ByteSpan>,
    /// The words of the current copy that differ from the representative, as spans of the document's text.
    pub differs: Vec<ByteSpan>,
    /// For a row of a review: which of `occurrences` the change touches; later ones can be missing.
    pub changed: Arc<Vec<bool>>,
    /// For a row of a review: the lines of the document that the change adds, from 0.
    pub added: Arc<Vec<Range<u32>>>,
    /// Whether the current copy was compared: only then `differs` and `beside` are known.
    pub is_compared: bool,
    /// The copy that the current one is compared with: the representative; for a copy in a document, the counterpart in
    /// the document's partner, if there is one.
    pub beside: Option<Arc<CounterpartView>>,
    /// For a document or file: the passage that the current occurrence is a copy of, and how many tokens it has.
    pub stretch: Option<(PassageId, u32)>,
    /// Why there is no document: a sentence.
    pub problem: Option<String>,
}

impl Preview {
    /// The bytes of the document at which it and the copy beside it begin to differ, ascending: the first token without
    /// a counterpart between two that have one. Where only the other copy has such tokens, it is the token that
    /// follows.
    pub fn differences(&self) -> Vec<u64> {
        let Some(beside) = &self.beside else { return Vec::new() };
        let pairs = &beside.pairs;
        let ours = self
            .differs
            .iter()
            .map(|span| (pairs.partition_point(|&(ours, _)| u64::from(ours) < span.start), span.start));
        let theirs = beside.differs.iter().filter_map(|span| {
            let next = pairs.partition_point(|&(_, theirs)| u64::from(theirs) < span.start);
            let follows = pairs.get(next).or(pairs.last())?;
            Some((next, u64::from(follows.0)))
        });
        let mut all: Vec<(usize, u64)> = ours.chain(theirs).collect();
        all.sort_unstable();
        all.dedup_by_key(|(next, _)| *next);
        all.into_iter().map(|(_, byte)| byte).collect()
    }
}

/// How a copy differs from the one that it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyVariant {
    /// The same in copies with the same words.
    pub print: u64,
    /// How many words differ; 0 if none does.
    pub differing: u32,
}

/// The copy that the others are compared with, in its document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CounterpartView {
    /// Its place.
    pub at: Occurrence,
    /// Its document. No duplicated runs were searched in it.
    pub document: Arc<DocumentView>,
    /// Its words that differ from the current copy.
    pub differs: Vec<ByteSpan>,
    /// The byte offsets of tokens that correspond, ascending: in the current copy's document, and in this one.
    pub pairs: Vec<(u32, u32)>,
}

/// What a taboo decision would hide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TabooPreview {
    /// The chosen rows.
    pub rows: Vec<Item>,
    /// All that would be hidden, with the chosen rows.
    pub all: TabooDifference,
    /// What would be hidden beyond the chosen rows.
    pub others: TabooDifference,
    /// The first of these others: the beginnings of their texts, and their numbers of copies.
    pub first: Vec<(String, u64)>,
    /// Whether all rows were counted.
    pub complete: bool,
}

/// A document as the preview shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentView {
    /// Relative to the corpus's base.
    pub path: PathBuf,
    /// The file's text, decoded to UTF-8.
    pub text: Arc<String>,
    /// Byte offset of each line's start in `text`.
    pub line_starts: Arc<[u32]>,
    /// The name of the language when it is source code.
    pub language: Option<&'static str>,
    /// The duplicated runs of tokens within `examined`, in order, not overlapping.
    pub duplicated: Vec<Duplicated>,
    /// The part of `text` in which duplicated runs were searched. A long document is examined in parts.
    pub examined: ByteSpan,
}

impl DocumentView {
    /// A copy as it is highlighted: in source code extended to the lines that it covers whole; and whether it begins
    /// and whether it ends inside a line of source code.
    pub fn in_lines(&self, copy: ByteSpan) -> (ByteSpan, [bool; 2]) {
        let (start, end) = (copy.start as usize, copy.end as usize);
        if self.language.is_none() || self.text.get(start..end).is_none() {
            return (copy, [false; 2]);
        }
        let LineStretch { span, begins_inside, ends_inside } = LineStretch::around(&self.text, start..end);
        (ByteSpan { start: span.start as u64, end: span.end as u64 }, [begins_inside, ends_inside])
    }
}

/// A run of duplicated tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicated {
    /// Its span in the document's text.
    pub span: ByteSpan,
    /// Whether all of it lies in taboo text.
    pub taboo: bool,
}

/// A row with its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPlaces {
    /// Its name, as reports print it.
    pub id: String,
    /// Its copies, or the documents and folders that it is about, the most important first.
    pub places: Vec<RowPlace>,
}

/// A place of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// The file or folder, relative to the corpus's base.
    pub path: PathBuf,
    /// The first line, from 1; `None` for a folder.
    pub line: Option<u32>,
}

/// The places of some rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacesAnswer {
    /// The rows that were asked about.
    pub of: Vec<ItemId>,
    /// Those that have places, in this order.
    pub rows: Vec<RowPlaces>,
}

/// The answer to [`Request::Blame`](super::Request::Blame).
#[derive(Clone, Debug, PartialEq)]
pub struct BlameAnswer {
    /// The copy that was asked about.
    pub at: Occurrence,
    /// Where its lines come from, those of most lines first; or why that is not known: a sentence.
    pub lines: Result<Vec<BlamedLines>, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_where_either_copy_has_tokens_that_the_other_has_not() {
        let spans = |starts: &[u64]| -> Vec<ByteSpan> {
            starts.iter().map(|&start| ByteSpan { start, end: start + 4 }).collect()
        };
        // A word is replaced at 10, one is missing before 30, one is added at 40, and one is missing at the end.
        let beside = CounterpartView {
            differs: spans(&[11, 25, 60]),
            pairs: vec![(0, 0), (20, 21), (30, 31), (50, 51)],
            ..CounterpartView::default()
        };
        let preview =
            Preview { differs: spans(&[10, 40]), beside: Some(Arc::new(beside)), ..Preview::default() };
        assert_eq!(preview.differences(), [10, 30, 40, 50]);
        assert_eq!(Preview::default().differences(), [0; 0]);
    }
}
