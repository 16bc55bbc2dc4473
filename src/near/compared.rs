//! The shingles of some documents, which are read again to compare them.

use std::collections::HashMap;

use super::by_shingles::BYTES_A_TOKEN;
use super::document::Document;
use super::documents::map;
use super::features::FeatureSets;
use super::settings::Shingling;
use super::sketch::{add, features};
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{DocumentId, Snapshot};

/// The features of some documents.
#[derive(Default)]
pub(super) struct Compared {
    /// The numbers of the documents, ascending.
    pub(super) numbers: Vec<u32>,
    pub(super) sets: FeatureSets,
}

impl Compared {
    /// The place of a document among them.
    pub(super) fn at(&self, number: u32) -> Option<u32> {
        self.numbers.binary_search(&number).ok().map(|at| at as u32)
    }

    /// The resemblance of two documents, if both are among them.
    pub(super) fn resemblance(&self, a: u32, b: u32) -> Option<f64> {
        Some(self.sets.resemblance(self.at(a)? as usize, self.at(b)? as usize))
    }

    /// Whether all of these documents are among them.
    pub(super) fn has_all(&self, numbers: &[u32]) -> bool {
        numbers.iter().all(|&number| self.at(number).is_some())
    }
}

/// Reads documents again.
pub(super) struct FeatureReader<'a> {
    pub(super) snapshot: &'a Snapshot,
    /// The documents by their numbers.
    pub(super) documents: &'a [Document],
    pub(super) shingling: Shingling,
    /// In bytes.
    pub(super) memory: u64,
}

impl FeatureReader<'_> {
    /// How many tokens a document has.
    pub(super) fn tokens(&self, number: u32) -> u64 {
        u64::from(self.documents[number as usize].tokens)
    }

    /// Whether the features of all of these documents are within the memory.
    pub(super) fn has_room(&self, numbers: &[u32]) -> bool {
        let tokens: u64 = numbers.iter().map(|&number| self.tokens(number)).sum();
        tokens * BYTES_A_TOKEN <= self.memory
    }

    /// The features of some documents, ascending. One that vanished meanwhile is left out.
    pub(super) fn features(&self, numbers: &[u32], tick: &Tick) -> Result<Compared, SearchError> {
        let of: HashMap<DocumentId, u32> =
            numbers.iter().map(|&number| (self.documents[number as usize].id, number)).collect();
        let made = map(
            self.snapshot,
            self.memory,
            tick,
            |id| of.contains_key(&id),
            |read| features(read.tokens, self.shingling),
        )?;
        let (mut found, mut sets) = (Vec::new(), FeatureSets::default());
        for (id, features) in made.documents {
            found.push(of[&id]);
            add(&mut sets, features, self.shingling);
        }
        Ok(Compared { numbers: found, sets })
    }
}
