//! A passage: a group of copies, with the properties that rows are sorted and filtered by.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::kind::{HeadSigns, Kind};
use super::unit::Unit;
use dupi_base::corpus::Stamp;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::filter::ReviewState;
use dupi_index::query::page::{DocumentReader, OpenFile};
use dupi_index::taboo::{AcceptedId, AcceptedSet, CorrectedKinds};
use dupi_text::token::{Language, Tokeniser};

/// Identifies a passage by the tokens of its representative. Rows of identical documents and folders have ids that are
/// made of the texts of the documents, and of their names in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PassageId(pub u64);

impl fmt::Display for PassageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A document that was read for a search, with the stamp of its file at that time.
#[derive(Clone, Copy, Debug)]
pub struct SourceDocument {
    /// The document.
    pub id: DocumentId,
    /// Its file's stamp.
    pub stamp: Stamp,
    /// How many tokens it had.
    pub tokens: u32,
    /// xxh3-64 of its text.
    pub text: u64,
    /// Its language, when it is source code.
    pub language: Option<Language>,
    /// What its head says of it.
    pub head: HeadSigns,
}

impl SourceDocument {
    /// A document of a file with this stamp, with its text, the number of its tokens, and how it was tokenised.
    pub fn new(id: DocumentId, stamp: Stamp, text: &str, tokens: usize, tokeniser: Tokeniser) -> Self {
        let (language, head) = (tokeniser.language(), HeadSigns::of(text));
        Self { id, stamp, tokens: tokens as u32, text: xxh3_64(text.as_bytes()), language, head }
    }

    /// Opens its file, and returns it with the number of the document's record; `None` when the file has changed.
    pub fn open(
        &self,
        snapshot: &Snapshot,
        reader: &mut DocumentReader,
    ) -> Option<(Arc<OpenFile>, Option<u32>)> {
        let file = reader.file(snapshot.path(snapshot.file_of(self.id))).ok()?;
        let record = snapshot.document(self.id).record;
        (file.stamp() == self.stamp).then_some((file, (record > 0).then_some(record)))
    }
}

/// A copy of a passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassageCopy {
    /// The index of its document in the sources.
    pub source: u32,
    /// Its first byte in the file's text.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The index of its first token in its document.
    pub first: u32,
    /// How many tokens it has.
    pub tokens: u32,
    /// Its similarity to the representative, 0 to 1.
    pub similarity: f32,
}

impl PassageCopy {
    /// The index in its document of the token after its last one.
    pub fn end_token(&self) -> u32 {
        self.first + self.tokens
    }
}

/// A maximal duplicated stretch of text with all its copies.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Its id.
    pub id: PassageId,
    /// Its copies, sorted by path and position.
    pub copies: Vec<PassageCopy>,
    /// The index of the copy that the others were compared with.
    pub representative: u32,
    /// How many documents contain a copy.
    pub documents: u32,
    /// A longer passage that contains this one.
    pub parent: Option<PassageId>,
    /// What its copies are.
    pub unit: Unit,
    /// The head of its family: of the passages around it the one that a list shows; its own name if it is the head.
    pub family: PassageId,
    /// How many other passages its family has, if it is the head; else 0.
    pub members: u64,
    /// What its text is; `None` if its files have changed since they were searched.
    pub kind: Option<Kind>,
    /// The information, in bits, that keeping one copy would save.
    pub worth: u64,
    /// How many whole lines could be deleted if only the representative were kept: lines of which all tokens are in a
    /// copy.
    pub lines: u64,
}

impl Passage {
    /// The copy that the others were compared with.
    pub fn representative(&self) -> &PassageCopy {
        &self.copies[self.representative as usize]
    }

    /// The decision about it. Taboo takes precedence over accepted. It is open again when it has more copies than when
    /// it was accepted.
    pub fn state(&self, is_taboo: bool, accepted: &AcceptedSet) -> ReviewState {
        let then = accepted.copies(AcceptedId::Passage(self.id.0));
        let is_to_fix = accepted.is_to_fix(AcceptedId::Passage(self.id.0));
        ReviewState::of(is_taboo, then, self.copies.len() as u64).or_fix(is_to_fix)
    }

    /// What its text is, as corrected by the user.
    pub fn kind_by(&self, corrected: &CorrectedKinds) -> Option<Kind> {
        corrected.of(self.id.0).or(self.kind)
    }

    /// Whether it is the head of its family, which a list shows for all of it.
    pub fn is_head(&self) -> bool {
        self.family == self.id
    }

    /// How many tokens the representative has, or the tree of a folder.
    pub fn tokens(&self) -> u32 {
        match &self.unit {
            Unit::Folder(tree) => tree.tokens,
            _ => self.representative().tokens,
        }
    }

    /// The mean similarity of the copies, 0 to 1.
    pub fn similarity(&self) -> f64 {
        let sum: f64 = self.copies.iter().map(|spot| f64::from(spot.similarity)).sum();
        sum / self.copies.len() as f64
    }

    /// How many tokens would be saved if only the representative were kept. Tokens in overlapping copies count once.
    pub fn score(&self) -> u64 {
        if let Unit::Folder(tree) = &self.unit {
            return u64::from(tree.tokens) * (self.copies.len() as u64 - 1);
        }
        let mut reached = (u32::MAX, 0);
        let own = |spot: &PassageCopy| {
            let from = if reached.0 == spot.source { spot.first.max(reached.1) } else { spot.first };
            reached = (spot.source, spot.end_token().max(from));
            u64::from(reached.1 - from)
        };
        self.copies.iter().map(own).sum::<u64>() - u64::from(self.tokens())
    }
}
