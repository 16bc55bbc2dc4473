//! What a session shows: rows of a view, and a row in its documents.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::item::Item;
use crate::config::SavedFilters;
use crate::index::ranking::SPREAD;
use crate::query::filter::names::Kind;
use crate::query::filter::{Filter, Problem, Quantity, parse_for};
use crate::query::{ByteSpan, Occurrence};

/// What rows are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Tiles that stand in several documents, adjacent ones together.
    #[default]
    Blots,
    /// Whole duplicated stretches with all their copies.
    Passages,
    /// Documents by how much of them stands elsewhere too.
    Documents,
    /// One folder of the corpus: what lies in it, by how much of that stands elsewhere too.
    Files,
    /// The taboo list.
    Taboo,
}

impl Subject {
    /// Whether its rows are made from passages, which must be found first.
    pub fn is_from_passages(self) -> bool {
        matches!(self, Self::Passages | Self::Documents | Self::Files)
    }

    /// What a filter cannot ask of its rows.
    pub fn lacks(self) -> &'static [Kind] {
        use Kind::{Blot, Extension, Is, Number, Passage, Path, State};
        match self {
            Self::Passages | Self::Blots => &[Number(Quantity::Share)],
            Self::Documents | Self::Files => &[Number(Quantity::Score), Number(Quantity::Alike), State, Is],
            Self::Taboo => &[
                Path,
                Extension,
                Number(Quantity::Score),
                Number(Quantity::Alike),
                Number(Quantity::Share),
                Passage,
                Blot,
            ],
        }
    }
}

/// By what rows are sorted, the greatest first; paths from a to z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sort {
    /// How many copies there are.
    #[default]
    Copies,
    /// In how many documents they stand, or how many there are.
    Documents,
    /// How many tokens; of documents and folders, how many that lie in passages.
    Tokens,
    /// How many tokens would be saved if one copy were kept.
    Score,
    /// How much of it is duplicated.
    Share,
    /// Of documents: each by the one that it shares most with, the group first in which the most tokens are shared.
    Partner,
    /// By path, or for taboo texts by text.
    Path,
    /// What changed last, or was decided last.
    Recent,
}

impl Sort {
    /// The ways to sort the rows of a subject, the usual one first.
    pub fn ways(of: Subject) -> &'static [Self] {
        use Sort as S;
        match of {
            Subject::Blots => &[S::Documents],
            Subject::Passages => &[S::Copies, S::Documents, S::Tokens, S::Score, S::Path, S::Recent],
            Subject::Documents => &[S::Share, S::Partner, S::Tokens, S::Copies, S::Path, S::Recent],
            Subject::Files => &[S::Share, S::Tokens, S::Copies, S::Documents, S::Path],
            Subject::Taboo => &[S::Recent, S::Copies, S::Documents, S::Tokens, S::Path],
        }
    }

    /// This way, if there is such for a subject; else its usual one.
    pub fn or_usual(self, of: Subject) -> Self {
        let ways = Self::ways(of);
        if ways.contains(&self) { self } else { ways[0] }
    }

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Copies => "copies",
            Self::Documents => "documents",
            Self::Tokens => "tokens",
            Self::Score => "score",
            Self::Share => "share",
            Self::Partner => "partner",
            Self::Path => "path",
            Self::Recent => "recent",
        }
    }
}

/// Which rows are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// What the rows are about.
    pub of: Subject,
    /// How they are sorted; a way that is none of the subject's stands for its usual one.
    pub sort: Sort,
    /// Of files, the folder that is shown, relative to the corpus's base.
    pub folder: PathBuf,
    /// Only rows that pass this filter; its language is that of [`crate::query::filter`].
    pub filter: String,
    /// The saved filters that it may ask for.
    pub saved: Arc<SavedFilters>,
    /// Of blots, only those with df at or above mean + σ·sd; `None` for all that occur twice.
    pub sigma: Option<f64>,
    /// Show taboo rows too.
    pub show_taboo: bool,
    /// Of blots, one row each.
    pub unfolded: bool,
    /// Load at least so many rows.
    pub wanted: usize,
}

impl View {
    /// The filter, and what of it cannot be understood or asked of such rows.
    pub fn parsed(&self) -> (Filter, Vec<Problem>) {
        parse_for(&self.filter, &self.saved, self.of.lacks())
    }
}

/// What the taboo list takes out of the rows of a view: of passages out of all that are known, of blots out of
/// those that were looked at so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Rows.
    pub rows: u64,
    /// Copies (documents, where copies were not counted).
    pub copies: u64,
    /// The documents of all of them together; of blots the sum of the rows' documents.
    pub documents: u64,
}

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

impl Hidden {
    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
