//! What a session shows: rows of a view, a row in its documents, and what a decision would hide.

use std::path::PathBuf;
use std::sync::Arc;

use super::hidden::{Difference, Hidden};
use super::item::Item;
use super::view::View;
use crate::index::ranking::SPREAD;
use crate::query::filter::Problem;
use crate::query::{ByteSpan, Occurrence};

/// The rows of a view, as far as they are loaded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// What was asked for.
    pub view: View,
    /// The generation it was answered from.
    pub generation: u64,
    /// The rows.
    pub rows: Vec<Item>,
    /// What of the filter could not be understood; the rest of it holds.
    pub problems: Vec<Problem>,
    /// Passages are not found yet: meanwhile these are rows of blots where passages were asked for, and none
    /// where documents or files were.
    pub is_provisional: bool,
    /// Why there are none: a sentence.
    pub trouble: Option<String>,
    /// There are no more rows than these.
    pub complete: bool,
    /// The share of all rows looked at so far, 0 to 1.
    pub searched: f64,
    /// Blots that occur twice or more, in all.
    pub repeated: u64,
    /// The df that σ stands for.
    pub cut: Option<u32>,
    /// How many blots stand in 1 document, in 2 to 3, in 4 to 7, and so on.
    pub spread: [u64; SPREAD],
    /// The greatest df of a blot.
    pub greatest: u32,
    /// What is taboo among what was looked at.
    pub hidden: Hidden,
    /// Some that pass the filter are taboo, and so not among the rows; known where there is no row.
    pub hides_matches: bool,
    /// Of documents and files: how many tokens lie in passages, and how many there are, in all that is
    /// listed: the corpus, or the folder.
    pub share: Option<(u64, u64)>,
}

/// One document as the preview shows it.
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
    /// Duplicated token runs that were looked for in `examined`, in order, not overlapping.
    pub duplicated: Vec<Duplicated>,
    /// The part of `text` in which duplicated runs were looked for (a long document is examined in parts).
    pub examined: ByteSpan,
}

/// A run of duplicated tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicated {
    /// Where in the document's text.
    pub span: ByteSpan,
    /// It lies wholly in taboo text.
    pub taboo: bool,
}

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
