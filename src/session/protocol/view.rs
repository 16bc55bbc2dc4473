//! Which rows are asked for: what they are about, how they are sorted and filtered.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::config::SavedFilters;
use crate::query::filter::names::Kind;
use crate::query::filter::{Filter, Problem, Quantity, parse_for};

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
    /// How much information, in bits, would be saved if one copy were kept.
    Worth,
    /// Over how many folders the copies stand.
    Spread,
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
            Subject::Passages => {
                &[S::Worth, S::Copies, S::Documents, S::Spread, S::Tokens, S::Score, S::Path, S::Recent]
            }
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
            Self::Worth => "worth",
            Self::Spread => "spread",
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
