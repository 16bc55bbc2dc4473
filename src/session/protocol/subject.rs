//! What rows can be about: the subjects of lists, how the rows of each can be sorted and filtered, and what identifies
//! a row. A new kind of row adds a variant to [`Subject`] and to [`ItemId`].

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::blot::Blot;
use crate::passage::passages::PassageId;
use crate::query::filter::Quantity;
use crate::query::filter::names::TermKind;

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
    pub fn lacks(self) -> &'static [TermKind] {
        use TermKind::{Blot, Extension, Is, Number, Passage, Path, State};
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

/// What a selection holds on to while rows come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ItemId {
    /// The first of adjacent blots.
    Blot(Blot),
    /// A passage.
    Passage(PassageId),
    /// A document, by what its path and record hash to.
    Document(u64),
    /// A folder or file, by what its path hashes to.
    Folder(u64),
    /// A taboo text, by what it hashes to.
    Taboo(u64),
}

impl ItemId {
    /// The identity of a folder or file.
    pub fn of_folder(path: &Path) -> Self {
        Self::Folder(xxh3_64(path.as_os_str().as_bytes()))
    }
}
