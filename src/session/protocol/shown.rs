//! What a session shows of a row: its copies in their documents, and what a decision about it would hide.

use std::sync::Arc;

use super::document::DocumentView;
use super::hidden::Difference;
use crate::query::{ByteSpan, Occurrence};
use crate::session::rows::Item;

/// A selected row in its documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    /// The row; `None` for an empty preview.
    pub row: Option<Item>,
    /// Its verified copies so far, in the order of paths; of a document or file the copies that stand in it,
    /// those left out that lie within longer ones.
    pub occurrences: Arc<Vec<Occurrence>>,
    /// Documents of its posting list that are not read yet.
    pub unread: u32,
    /// How alike each of `occurrences` and the representative are, in whole percent, rounded down; empty
    /// where all are equal.
    pub alike: Arc<Vec<u8>>,
    /// How many of `occurrences` stand in each slice of the corpus, its files in the order of paths; empty
    /// until that order is known.
    pub heat: Arc<Vec<u16>>,
    /// Which of `occurrences` `document` shows.
    pub current: usize,
    /// How alike the current copy and what stands beside it are, 0 to 1.
    pub similarity: f32,
    /// The document of the current occurrence.
    pub document: Option<Arc<DocumentView>>,
    /// The copies in that file, as spans of its text, in order and not overlapping.
    pub copies: Vec<ByteSpan>,
    /// The tokens of the current copy that differ from the representative, as spans of the document's text.
    pub differs: Vec<ByteSpan>,
    /// Whether the current copy was compared: `differs` and `beside` are known.
    pub is_compared: bool,
    /// The representative beside it; beside a copy in a document its counterpart in the document's partner, if
    /// that has one.
    pub beside: Option<Arc<Beside>>,
    /// Why there is no document: a sentence.
    pub problem: Option<String>,
}

/// The copy that the others are compared with, in its document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beside {
    /// Where it stands.
    pub at: Occurrence,
    /// Its document; nothing was looked for in it.
    pub document: Arc<DocumentView>,
    /// Its tokens that differ from the current copy.
    pub differs: Vec<ByteSpan>,
    /// Where the tokens begin that belong together, ascending: in the current copy's document, and here.
    pub pairs: Vec<(u32, u32)>,
}

/// What a decision would hide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WouldHide {
    /// The chosen rows.
    pub rows: Vec<Item>,
    /// All that would vanish, the chosen rows with it.
    pub all: Difference,
    /// What would vanish beyond the chosen rows.
    pub others: Difference,
    /// The first of these: the beginnings of their texts, and how many copies they have.
    pub first: Vec<(String, u64)>,
    /// All rows were looked at.
    pub complete: bool,
}
