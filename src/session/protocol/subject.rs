//! What rows can be about: the subjects of lists, how the rows of each can be sorted and filtered, and what identifies
//! a row. A new kind of row adds a variant to [`Subject`] and to [`ItemId`].

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use dupi_base::config::Kind;
use dupi_index::query::filter::Quantity;
use dupi_index::query::filter::names::TermKind;
use dupi_judge::passages::PassageId;
use dupi_text::blot::Blot;

/// What the rows of a list are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Tiles that occur in several documents; adjacent ones are one row.
    #[default]
    Blots,
    /// Passages with all their copies.
    Passages,
    /// Documents with the share of their text that lies in passages.
    Documents,
    /// Folders that are the same, identical documents, and clusters of similar ones.
    Clusters,
    /// What a change copies, or changes on one side only.
    Review,
    /// The contents of one folder, with the share of their text that lies in passages.
    Files,
    /// The taboo list.
    Taboo,
}

impl Subject {
    /// Whether its rows are made from passages, which must be found first.
    pub fn is_from_passages(self) -> bool {
        matches!(self, Self::Passages | Self::Documents | Self::Files)
    }

    /// Whether its lists need passages: their rows are made from them, or the passages that they hide are counted.
    pub fn needs_passages(self) -> bool {
        self.is_from_passages() || self == Self::Taboo
    }

    /// Whether its rows are clusters of documents, which must be compared first.
    pub fn is_from_clusters(self) -> bool {
        self == Self::Clusters
    }

    /// Whether its rows are those of a review, which must be made first.
    pub fn is_from_review(self) -> bool {
        self == Self::Review
    }

    /// The kinds of filter terms that do not apply to its rows.
    pub fn lacks(self) -> &'static [TermKind] {
        use TermKind::{Blot, Extension, Is, Kind, Number, Passage, Path, Since, State};
        match self {
            Self::Passages => &[Number(Quantity::Share)],
            Self::Blots => &[Number(Quantity::Share), Kind, Since],
            Self::Documents | Self::Files => {
                &[Number(Quantity::Score), Number(Quantity::Alike), Kind, Since, State, Is]
            }
            Self::Clusters => &[Number(Quantity::Score), Number(Quantity::Share), Kind, Since, Passage, Blot],
            Self::Review => &[Number(Quantity::Share), Since, Blot],
            Self::Taboo => &[
                Path,
                Extension,
                Number(Quantity::Score),
                Number(Quantity::Alike),
                Number(Quantity::Share),
                Kind,
                Since,
                Passage,
                Blot,
            ],
        }
    }
}

/// The key by which rows are sorted. Numbers are sorted in descending order, paths and texts in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sort {
    /// The number of copies.
    #[default]
    Copies,
    /// The number of documents.
    Documents,
    /// The number of tokens; for documents and folders, of those that lie in passages.
    Tokens,
    /// The number of tokens that keeping one copy would save.
    Score,
    /// The number of whole lines that could be deleted if only one copy were kept.
    Lines,
    /// The information, in bits, that keeping one copy would save.
    Worth,
    /// The number of folders with a copy.
    Spread,
    /// The share of tokens that lie in passages.
    Share,
    /// For documents: each next to the document that it shares most with; the group that shares the most tokens is
    /// first.
    Partner,
    /// For clusters: the bytes that keeping one document of each would save.
    Wasted,
    /// For clusters: the mean similarity of the other documents to the representative.
    Similarity,
    /// The path; for taboo entries, the text.
    Path,
    /// The time of the last change, or of the decision.
    Recent,
}

impl Sort {
    /// The sort keys of a subject, the default first.
    pub fn ways(of: Subject) -> &'static [Self] {
        match of {
            Subject::Blots => &[Self::Documents],
            Subject::Passages => {
                use Sort::{Copies, Documents, Lines, Path, Recent, Score, Spread, Tokens, Worth};
                &[Worth, Copies, Documents, Spread, Tokens, Score, Lines, Path, Recent]
            }
            Subject::Documents => {
                &[Self::Share, Self::Partner, Self::Tokens, Self::Copies, Self::Path, Self::Recent]
            }
            Subject::Clusters => &[Self::Wasted, Self::Copies, Self::Similarity],
            Subject::Review => &[Self::Worth, Self::Copies, Self::Tokens, Self::Path],
            Subject::Files => &[Self::Share, Self::Tokens, Self::Copies, Self::Documents, Self::Path],
            Subject::Taboo => &[Self::Recent, Self::Copies, Self::Documents, Self::Tokens, Self::Path],
        }
    }

    /// This key if the subject has it, else the subject's default.
    pub fn or_usual(self, of: Subject) -> Self {
        let ways = Self::ways(of);
        if ways.contains(&self) { self } else { ways[0] }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Copies => "copies",
            Self::Documents => "documents",
            Self::Tokens => "tokens",
            Self::Score => "score",
            Self::Lines => "lines",
            Self::Worth => "worth",
            Self::Spread => "spread",
            Self::Share => "share",
            Self::Partner => "partner",
            Self::Wasted => "wasted bytes",
            Self::Similarity => "similarity",
            Self::Path => "path",
            Self::Recent => "recent",
        }
    }
}

/// The identity of a row. A selection keeps it while rows are added and removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ItemId {
    /// A row of blots, by its first blot.
    Blot(Blot),
    /// A passage.
    Passage(PassageId),
    /// The line of a kind that is set aside.
    Aside(Kind),
    /// A document, by a hash of its path and record.
    Document(u64),
    /// A cluster of documents or folders, by its name.
    Cluster(u64),
    /// A document or folder of a cluster, by a hash of its path and record.
    Member(u64),
    /// A passage that a change touches, or what drifted.
    Review(PassageId),
    /// A folder or file, by a hash of its path.
    Folder(u64),
    /// A taboo entry, by a hash of its text.
    Taboo(u64),
}

impl ItemId {
    /// The identity of a folder or file.
    pub fn of_folder(path: &Path) -> Self {
        Self::Folder(xxh3_64(path.as_os_str().as_bytes()))
    }
}

/// What names a document or folder of a cluster: a hash of its path and record.
pub fn member_hash(path: &Path, record: Option<u32>) -> u64 {
    xxh3_64_with_seed(path.as_os_str().as_bytes(), u64::from(record.unwrap_or(0)))
}
