//! A passage: a group of copies, with what people sort and choose by.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::corpus::Stamp;
use crate::index::snapshot::{DocumentId, Snapshot};
use crate::query::filter::State;
use crate::query::page::{OpenFile, Reader};
use crate::taboo::{AcceptedId, AcceptedSet};
use crate::token::Language;

/// Names a passage by its text: the same tokens have the same one, today and tomorrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PassageId(pub u64);

impl fmt::Display for PassageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A document that was read, and how its file stood then.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Which.
    pub id: DocumentId,
    /// Its file's stamp.
    pub stamp: Stamp,
    /// How many tokens it had.
    pub tokens: u32,
    /// Its language, when it is source code.
    pub language: Option<Language>,
}

impl Source {
    /// Its file, if it is as it was when it was read, and the record of it that the document is.
    pub fn open(&self, snapshot: &Snapshot, reader: &mut Reader) -> Option<(Arc<OpenFile>, Option<u32>)> {
        let file = reader.file(snapshot.path(snapshot.file_of(self.id))).ok()?;
        let record = snapshot.document(self.id).record;
        (file.stamp() == self.stamp).then_some((file, (record > 0).then_some(record)))
    }
}

/// A copy of a passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The number of its document among the sources.
    pub source: u32,
    /// Its first byte in the file's text.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The number of its first token in its document.
    pub first: u32,
    /// How many tokens it has.
    pub tokens: u32,
    /// How much of it and of the representative agree, 0 to 1.
    pub similarity: f32,
}

impl Spot {
    /// The number of the token behind its last one in its document.
    pub fn behind(&self) -> u32 {
        self.first + self.tokens
    }
}

/// A duplicated stretch with all its copies.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Its name.
    pub id: PassageId,
    /// Its copies, by path and place.
    pub copies: Vec<Spot>,
    /// Which of the copies the others were compared with.
    pub representative: u32,
    /// In how many documents they stand.
    pub documents: u32,
    /// A longer passage that holds this one.
    pub parent: Option<PassageId>,
    /// The information, in bits, that keeping one copy would save.
    pub worth: u64,
}

impl Passage {
    /// The copy that the others were compared with.
    pub fn representative(&self) -> &Spot {
        &self.copies[self.representative as usize]
    }

    /// What was decided about it; taboo goes before accepted. It is open again when it has more copies than it was
    /// accepted with.
    pub fn state(&self, is_taboo: bool, accepted: &AcceptedSet) -> State {
        let then = accepted.copies(AcceptedId::Passage(self.id.0));
        State::of(is_taboo, then, self.copies.len() as u64)
    }

    /// The tokens of the representative.
    pub fn tokens(&self) -> u32 {
        self.representative().tokens
    }

    /// How alike the copies are on average, 0 to 1.
    pub fn similarity(&self) -> f64 {
        let sum: f64 = self.copies.iter().map(|spot| f64::from(spot.similarity)).sum();
        sum / self.copies.len() as f64
    }

    /// Tokens saved if one copy were kept: the representative. Those of copies that overlap count once.
    pub fn score(&self) -> u64 {
        let mut reached = (u32::MAX, 0);
        let own = |spot: &Spot| {
            let from = if reached.0 == spot.source { spot.first.max(reached.1) } else { spot.first };
            reached = (spot.source, spot.behind().max(from));
            u64::from(reached.1 - from)
        };
        self.copies.iter().map(own).sum::<u64>() - u64::from(self.tokens())
    }
}
