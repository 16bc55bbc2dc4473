//! A passage: a group of copies, with what people sort and choose by.

use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::corpus::Stamp;
use crate::index::snapshot::{DocumentId, Snapshot};
use crate::query::page::{OpenFile, Reader};

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
    /// How many tokens it has.
    pub tokens: u32,
    /// How much of it and of the representative agree, 0 to 1.
    pub similarity: f32,
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
}

impl Passage {
    /// The copy that the others were compared with.
    pub fn representative(&self) -> &Spot {
        &self.copies[self.representative as usize]
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

    /// Tokens saved if one copy were kept: the representative.
    pub fn score(&self) -> u64 {
        self.copies.iter().map(|spot| u64::from(spot.tokens)).sum::<u64>() - u64::from(self.tokens())
    }
}

/// By what passages are sorted, the greatest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Order {
    /// How many copies there are.
    #[default]
    Copies,
    /// How many tokens long they are.
    Tokens,
    /// How many tokens would be saved if one copy were kept.
    Score,
    /// In how many documents they stand.
    Documents,
}

/// Sorts passages; those that are equal by `order` in an order that depends on the texts alone.
pub fn sort(found: &mut [Passage], order: Order) {
    found.sort_by_cached_key(|passage| key(passage, order));
}

/// The numbers of passages as [`sort`] would put them.
pub fn sorted(found: &[Passage], order: Order) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..found.len() as u32).collect();
    numbers.sort_by_cached_key(|&number| key(&found[number as usize], order));
    numbers
}

fn key(passage: &Passage, order: Order) -> impl Ord + use<> {
    let first = match order {
        Order::Copies => passage.copies.len() as u64,
        Order::Tokens => u64::from(passage.tokens()),
        Order::Score => passage.score(),
        Order::Documents => u64::from(passage.documents),
    };
    (Reverse(first), Reverse(passage.score()), passage.id)
}
