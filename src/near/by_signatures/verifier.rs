//! Compares candidates by their shingles, which are read again: in batches if there are many.

use std::collections::HashSet;

use crate::by_shingles::BYTES_A_TOKEN;
use crate::compared::{Compared, FeatureReader};
use crate::equal::Equal;
use crate::error::NearError;
use crate::jaccard;
use crate::memory::check_memory_or;
use crate::minhash::Candidates;
use crate::pair::{Pair, numbers_of};
use crate::pair_limit::PairLimit;
use crate::threshold::Threshold;
use dupi_base::parallel;
use dupi_index::index::search::Tick;

/// The features of all documents of some pairs, or none if the memory has no room for them. `known` are those that were
/// compared last.
pub(super) fn of_pairs(
    known: Compared,
    reader: &FeatureReader,
    pairs: &[Pair],
    tick: &Tick,
) -> Result<Compared, NearError> {
    let numbers = numbers_of(pairs);
    if !reader.has_room(&numbers) {
        return Ok(Compared::default());
    }
    if known.has_all(&numbers) {
        return Ok(known);
    }
    drop(known);
    Ok(reader.features(&numbers, tick)?)
}

/// What is known of the pairs that are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// They are compared by their shingles.
    Candidates,
    /// They were, and are similar.
    Compared,
    /// Their estimates are what counts.
    Estimated,
}

/// Compares candidates by their shingles.
pub(super) struct Verifier<'a> {
    pub(super) reader: &'a FeatureReader<'a>,
    pub(super) given: Given,
    pub(super) least: Threshold,
}

/// What came of the candidates.
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
    fn add_same(&mut self, pairs: &[Pair]) {
        let same = pairs.iter().filter(|pair| pair.similarity == 1.0);
        self.same.extend(same.map(|pair| (pair.a, pair.b)));
    }
}

impl Verifier<'_> {
    /// What comes of candidates.
    pub(super) fn pairs(
        &self,
        candidates: Candidates,
        limit: &PairLimit,
        tick: &Tick,
    ) -> Result<Verified, NearError> {
        let Candidates { pairs: mut wanted, crowded } = candidates;
        let mut found = Verified::default();
        if !crowded.is_empty() {
            self.join(&crowded, &mut found, limit, tick)?;
        }
        if self.given == Given::Candidates {
            let total = wanted.len().max(1) as f64;
            while !wanted.is_empty() {
                let done = 1.0 - wanted.len() as f64 / total;
                let rest = wanted.split_off(self.first(&wanted));
                let compared = self.compare(&wanted, &mut found, &|_| tick(done))?;
                found.compared = if done == 0.0 && rest.is_empty() { compared } else { Compared::default() };
                wanted = rest;
            }
        } else {
            if self.given == Given::Compared {
                found.add_same(&wanted);
            }
            found.pairs.append(&mut wanted);
        }
        // The sort is stable: of a pair that was estimated too, the exact similarity stays.
        found.pairs.sort_by_key(|pair| (pair.a, pair.b));
        found.pairs.dedup_by_key(|pair| (pair.a, pair.b));
        Ok(found)
    }

    /// Adds the pairs of documents that share a text with very many others.
    fn join(
        &self,
        crowded: &[u32],
        found: &mut Verified,
        limit: &PairLimit,
        tick: &Tick,
    ) -> Result<(), NearError> {
        let tokens: u64 = crowded.iter().map(|&number| self.reader.tokens(number)).sum();
        check_memory_or(tokens * BYTES_A_TOKEN, self.reader.memory, ", or use --method simhash")?;
        let Compared { numbers, sets } = self.reader.features(crowded, tick)?;
        let name = |number: u32| numbers[number as usize];
        let equal = Equal::find(&sets);
        let pairs = jaccard::join(&sets, &equal.distinct, self.least, limit, &|_| Ok(()))?;
        found.pairs.extend(pairs.into_iter().map(|pair| Pair { a: name(pair.a), b: name(pair.b), ..pair }));
        for group in &equal.groups {
            found.same.extend(group[1..].iter().map(|&other| (name(group[0]), name(other))));
        }
        Ok(())
    }

    /// How many of the pairs can be compared at once within the memory; one at least.
    fn first(&self, pairs: &[Pair]) -> usize {
        let (mut seen, mut tokens) = (HashSet::new(), 0);
        let mut fits = |pair: &Pair| {
            for number in [pair.a, pair.b] {
                if seen.insert(number) {
                    tokens += self.reader.tokens(number);
                }
            }
            tokens * BYTES_A_TOKEN <= self.reader.memory
        };
        pairs.iter().take_while(|pair| fits(pair)).count().max(1)
    }

    /// Adds those of some candidates that are similar to `found`, and returns the features of all.
    fn compare(&self, pairs: &[Pair], found: &mut Verified, tick: &Tick) -> Result<Compared, NearError> {
        let numbers = numbers_of(pairs);
        let compared = self.reader.features(&numbers, tick)?;
        let compare = |pair: &Pair| {
            let (a, b) = (compared.at(pair.a)?, compared.at(pair.b)?);
            Some(Pair { similarity: jaccard::compare(&compared.sets, a, b, self.least)?, ..*pair })
        };
        let similar: Vec<Pair> = parallel::flat_map(pairs, compare);
        found.add_same(&similar);
        found.pairs.extend(similar);
        found.away.extend(numbers.iter().filter(|&&number| compared.at(number).is_none()));
        Ok(compared)
    }
}
