//! Compares candidates by their shingles, which are read again: in batches if there are many.

use std::collections::{HashMap, HashSet};

use crate::error::{LEAST_METHOD, NearError, PairLimit, check_memory};
use crate::features::{FeatureSets, Threshold};
use crate::pairs::{Equal, Pair, numbers_of, renamed};
use crate::settings::FeatureRule;
use crate::{SearchError, Tick, jaccard};
use dupi_base::parallel;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::documents::{Document, map};

/// The features of some documents.
#[derive(Default)]
pub(super) struct Compared {
    /// The numbers of the documents, ascending.
    pub(super) numbers: Vec<u32>,
    pub(super) sets: FeatureSets,
}

impl Compared {
    /// The place of a document among them.
    fn at(&self, number: u32) -> Option<usize> {
        self.numbers.binary_search(&number).ok()
    }

    /// The resemblance of two documents, if both are among them.
    pub(super) fn resemblance(&self, a: u32, b: u32) -> Option<f64> {
        Some(self.sets.resemblance(self.at(a)?, self.at(b)?))
    }
}

/// Reads documents again and compares them.
pub(super) struct Verifier<'a> {
    pub(super) snapshot: &'a Snapshot,
    /// The documents by their numbers.
    pub(super) documents: &'a [Document],
    pub(super) rule: FeatureRule<'a>,
    /// In bytes.
    pub(super) memory: u64,
    pub(super) least: Threshold,
}

/// What was found among candidates.
#[derive(Default)]
pub(super) struct Verified {
    pub(super) pairs: Vec<Pair>,
    /// Those pairs whose sets are equal.
    pub(super) same: Vec<(u32, u32)>,
    /// The features of all that are in a pair, if they were compared at once.
    pub(super) compared: Compared,
    /// Documents of candidates that were not read: they vanished meanwhile.
    pub(super) away: Vec<u32>,
}

impl Verified {
    /// Notes which of some pairs have equal sets.
    pub(super) fn add_same(&mut self, pairs: &[Pair]) {
        let same = pairs.iter().filter(|pair| pair.similarity == 1.0);
        self.same.extend(same.map(|pair| (pair.a, pair.b)));
    }
}

impl Verifier<'_> {
    /// The memory that the features of a document take.
    fn bytes(&self, number: u32) -> u64 {
        u64::from(self.documents[number as usize].tokens) * self.rule.bytes_a_token()
    }

    /// The features of some documents, ascending. One that vanished meanwhile is left out.
    fn read(&self, numbers: &[u32], tick: &Tick) -> Result<Compared, SearchError> {
        let id = |number: u32| self.documents[number as usize].id;
        let of: HashMap<DocumentId, u32> = numbers.iter().map(|&number| (id(number), number)).collect();
        let is_wanted = |id| of.contains_key(&id);
        let make = |read: &dupi_index::query::documents::ReadDocument| self.rule.make(read.tokens);
        let mut found = Compared::default();
        for (document, features) in map(self.snapshot, self.memory, tick, is_wanted, make)?.documents {
            found.numbers.push(of[&document.id]);
            found.sets.add(features, self.rule.is_bag());
        }
        Ok(found)
    }

    /// The features of all documents of some pairs, or none if the memory has no room for them. `known` are those that
    /// were compared last.
    pub(super) fn features(
        &self,
        known: Compared,
        pairs: &[Pair],
        tick: &Tick,
    ) -> Result<Compared, SearchError> {
        let numbers = numbers_of(pairs);
        if numbers.iter().map(|&number| self.bytes(number)).sum::<u64>() > self.memory {
            return Ok(Compared::default());
        }
        if numbers.iter().all(|&number| known.at(number).is_some()) {
            return Ok(known);
        }
        drop(known);
        self.read(&numbers, tick)
    }

    /// Adds the pairs of documents that share a text with very many others.
    pub(super) fn join(
        &self,
        crowded: &[u32],
        found: &mut Verified,
        limit: &PairLimit,
        tick: &Tick,
    ) -> Result<(), NearError> {
        let bytes = crowded.iter().map(|&number| self.bytes(number)).sum();
        check_memory(bytes, self.memory, LEAST_METHOD)?;
        let Compared { numbers, sets } = self.read(crowded, tick)?;
        let equal = Equal::find(&sets);
        let pairs = jaccard::join(&sets, &equal.distinct, self.least, limit, &|_| Ok(()))?;
        found.pairs.extend(renamed(pairs, &numbers));
        for group in &equal.groups {
            let name = |number: u32| numbers[number as usize];
            found.same.extend(group[1..].iter().map(|&other| (name(group[0]), name(other))));
        }
        Ok(())
    }

    /// Adds those candidates that are similar.
    pub(super) fn compare(
        &self,
        mut candidates: Vec<Pair>,
        found: &mut Verified,
        tick: &Tick,
    ) -> Result<(), SearchError> {
        let total = candidates.len().max(1) as f64;
        while !candidates.is_empty() {
            let done = 1.0 - candidates.len() as f64 / total;
            let rest = candidates.split_off(self.batch(&candidates));
            let numbers = numbers_of(&candidates);
            let compared = self.read(&numbers, &|_| tick(done))?;
            let compare = |pair: &Pair| {
                let [a, b] = [compared.at(pair.a)?, compared.at(pair.b)?].map(|at| compared.sets.get(at));
                Some(Pair { similarity: self.least.compare(a, b)?, ..*pair })
            };
            let similar: Vec<Pair> = parallel::flat_map(&candidates, compare);
            found.add_same(&similar);
            found.pairs.extend(similar);
            found.away.extend(numbers.iter().filter(|&&number| compared.at(number).is_none()));
            found.compared = if done == 0.0 && rest.is_empty() { compared } else { Compared::default() };
            candidates = rest;
        }
        Ok(())
    }

    /// How many of the pairs can be compared at once within the memory; one at least.
    fn batch(&self, pairs: &[Pair]) -> usize {
        let (mut seen, mut bytes) = (HashSet::new(), 0);
        let mut fits = |pair: &Pair| {
            let new = [pair.a, pair.b].into_iter().filter(|number| seen.insert(*number));
            bytes += new.map(|number| self.bytes(number)).sum::<u64>();
            bytes <= self.memory
        };
        pairs.iter().take_while(|pair| fits(pair)).count().max(1)
    }
}
