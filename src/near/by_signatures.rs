//! Similar documents by MinHash: a row and a signature of 256 bytes of each are kept in memory, and the shingles of
//! candidates are read again to compare them, in batches if there are many. Only those of documents that share a text with
//! very many others are all in memory at once.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_128;

use super::by_shingles::BYTES_A_TOKEN;
use super::clusters::Similarity;
use super::document::Document;
use super::documents::{Batches, ReadDocument, in_batches, map};
use super::equal::Equal;
use super::error::NearError;
use super::features::FeatureSets;
use super::found::Found;
use super::jaccard;
use super::memory::check_memory_or;
use super::minhash::{Candidates, Settings, Signatures};
use super::pair::Pair;
use super::pair_limit::{PairLimit, PairUse};
use super::settings::{NearSettings, SignatureRule};
use super::sketch::{add, features};
use super::threshold::Threshold;
use crate::index::snapshot::{DocumentId, Snapshot};
use crate::passage::Tick;

/// The memory for a document: its row, its signature, and its place in the tables by which candidates are found.
const BYTES_A_DOCUMENT: u64 = 448;
/// The files of a batch may take this part of the memory: their tokens take several times as much.
const BATCH_SHARE: u64 = 32;

pub(super) fn find(
    snapshot: &Snapshot,
    rule: SignatureRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    check_memory_or(
        snapshot.totals().documents * BYTES_A_DOCUMENT,
        settings.memory,
        ", or use --method simhash",
    )?;
    let threshold = settings.rule.threshold;
    let hashing = Settings { verify: rule.verify, ..Settings::default() };
    let (signed, too_large) =
        Signed::read(snapshot, rule, hashing, settings.memory, &|share| tick(share * 0.5))?;
    let Signed { documents, equal, signatures } = signed;
    // Most candidates may turn out not to be similar: they need not have room in clusters.
    let limit = PairLimit::new(settings.memory, PairUse::List);
    let candidates =
        signatures.candidates(hashing.bands(threshold), hashing.floor(threshold), &limit, &|share| {
            tick(0.5 + share * 0.2)
        })?;
    let name = |number: u32| equal.distinct[number as usize];
    let named = |pair: &Pair| Pair { a: name(pair.a), b: name(pair.b), ..*pair };
    let candidates = Candidates {
        pairs: candidates.pairs.iter().map(named).collect(),
        crowded: candidates.crowded.into_iter().map(name).collect(),
    };
    let (pairs, compared) = match Threshold::new(threshold) {
        Some(least) => {
            let verifier = Verifier { snapshot, documents: &documents, rule, memory: settings.memory, least };
            verifier.pairs(candidates, &settings.pair_limit(), &|share| tick(0.7 + share * 0.2))?
        }
        None => Default::default(),
    };
    // If the shingles of all candidates were too much for the memory, only the signatures are in it.
    let distinct = equal.distinct.clone();
    let similarity = |a: u32, b: u32| {
        let number = |of: u32| distinct.binary_search(&of).unwrap_or_default() as u32;
        compared.resemblance(a, b).unwrap_or_else(|| signatures.estimate(number(a), number(b)))
    };
    let tokens: Vec<u32> = documents.iter().map(|document| document.tokens).collect();
    let similarity = Similarity { of: &similarity, size: &|of| tokens[of as usize].into() };
    let tick = |share: f64| tick(0.9 + share * 0.1);
    let found = Found::new(snapshot, documents, equal, pairs, settings, &similarity, &tick)?;
    Ok(Found { too_large, ..found })
}

/// The documents with their signatures. Those with equal features have one signature, numbered as in `equal.distinct`.
struct Signed {
    documents: Vec<Document>,
    equal: Equal,
    signatures: Signatures,
}

impl Signed {
    fn read(
        snapshot: &Snapshot,
        rule: SignatureRule,
        hashing: Settings,
        memory: u64,
        tick: &Tick,
    ) -> Result<(Self, u64), NearError> {
        let make = |read: &ReadDocument| {
            let mut features = features(read.tokens, rule.shingling);
            features.sort_unstable();
            let bytes: Vec<u8> = features.iter().flat_map(|feature| feature.to_le_bytes()).collect();
            (Document::read(snapshot, read), xxh3_128(&bytes), features)
        };
        let mut signatures = Signatures::new(hashing.hashes);
        let (mut documents, mut equal) = (Vec::new(), Equal::default());
        // For each set of features the first document that has it, and for that one the others.
        let mut firsts: HashMap<u128, u32> = HashMap::new();
        let mut groups: HashMap<u32, Vec<u32>> = HashMap::new();
        let batches = Batches { memory, batch: memory / BATCH_SHARE };
        let too_large = in_batches(
            snapshot,
            batches,
            tick,
            |_| true,
            make,
            |made| {
                let mut sets = FeatureSets::default();
                for (_, (document, print, features)) in made {
                    let number = documents.len() as u32;
                    documents.push(document);
                    if features.is_empty() {
                        continue;
                    }
                    let first = *firsts.entry(print).or_insert(number);
                    if first == number {
                        equal.distinct.push(number);
                        add(&mut sets, features, rule.shingling);
                    } else {
                        groups.entry(first).or_insert_with(|| vec![first]).push(number);
                    }
                }
                let all: Vec<(&[u64], &[u32])> =
                    (0..sets.len()).map(|number| (sets.of(number), sets.counts(number))).collect();
                signatures.extend(all);
                Ok(())
            },
        )?;
        equal.groups = groups.into_values().collect();
        equal.groups.sort_unstable();
        Ok((Self { documents, equal, signatures }, too_large))
    }
}

/// The features of some documents.
#[derive(Default)]
struct Compared {
    /// The numbers of the documents, ascending.
    numbers: Vec<u32>,
    sets: FeatureSets,
}

impl Compared {
    /// The place of a document among them.
    fn at(&self, number: u32) -> Option<u32> {
        self.numbers.binary_search(&number).ok().map(|at| at as u32)
    }

    /// The resemblance of two documents, if both are among them.
    fn resemblance(&self, a: u32, b: u32) -> Option<f64> {
        Some(self.sets.resemblance(self.at(a)? as usize, self.at(b)? as usize))
    }
}

/// Compares candidates by their shingles.
struct Verifier<'a> {
    snapshot: &'a Snapshot,
    documents: &'a [Document],
    rule: SignatureRule,
    memory: u64,
    least: Threshold,
}

impl Verifier<'_> {
    /// The pairs, and the features of all that are in one if they were compared at once.
    fn pairs(
        &self,
        candidates: Candidates,
        limit: &PairLimit,
        tick: &Tick,
    ) -> Result<(Vec<Pair>, Compared), NearError> {
        let Candidates { pairs: mut wanted, crowded } = candidates;
        let (mut pairs, mut last) = (Vec::new(), Compared::default());
        if !crowded.is_empty() {
            let tokens: u64 = crowded.iter().map(|&number| self.tokens(number)).sum();
            check_memory_or(tokens * BYTES_A_TOKEN, self.memory, ", or use --method simhash")?;
            let Compared { numbers, sets } = self.features(&crowded, tick)?;
            let all: Vec<u32> = (0..sets.len() as u32).collect();
            let name = |number: u32| numbers[number as usize];
            let found = jaccard::join(&sets, &all, self.least, limit, &|_| Ok(()))?;
            pairs.extend(found.into_iter().map(|pair| Pair { a: name(pair.a), b: name(pair.b), ..pair }));
        }
        if self.rule.verify {
            let total = wanted.len().max(1) as f64;
            while !wanted.is_empty() {
                let done = 1.0 - wanted.len() as f64 / total;
                let rest = wanted.split_off(self.first(&wanted));
                let compared = self.compare(&wanted, &mut pairs, &|_| tick(done))?;
                last = if done == 0.0 && rest.is_empty() { compared } else { Compared::default() };
                wanted = rest;
            }
        } else {
            pairs.append(&mut wanted);
        }
        // The sort is stable: of a pair that was estimated too, the exact similarity stays.
        pairs.sort_by_key(|pair| (pair.a, pair.b));
        pairs.dedup_by_key(|pair| (pair.a, pair.b));
        Ok((pairs, last))
    }

    fn tokens(&self, number: u32) -> u64 {
        u64::from(self.documents[number as usize].tokens)
    }

    /// How many of the pairs can be compared at once within the memory; one at least.
    fn first(&self, pairs: &[Pair]) -> usize {
        let (mut seen, mut tokens) = (HashSet::new(), 0);
        let mut fits = |pair: &Pair| {
            for number in [pair.a, pair.b] {
                if seen.insert(number) {
                    tokens += self.tokens(number);
                }
            }
            tokens * BYTES_A_TOKEN <= self.memory
        };
        pairs.iter().take_while(|pair| fits(pair)).count().max(1)
    }

    /// Adds those of some candidates that are similar to `found`, and returns the features of all.
    fn compare(&self, pairs: &[Pair], found: &mut Vec<Pair>, tick: &Tick) -> Result<Compared, NearError> {
        let mut numbers: Vec<u32> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let compared = self.features(&numbers, tick)?;
        let compare = |pair: &Pair| {
            let (a, b) = (compared.at(pair.a)?, compared.at(pair.b)?);
            Some(Pair { similarity: jaccard::compare(&compared.sets, a, b, self.least)?, ..*pair })
        };
        found.extend(pairs.iter().filter_map(compare));
        Ok(compared)
    }

    /// The features of some documents, ascending, which are read again. One that vanished meanwhile is left out.
    fn features(&self, numbers: &[u32], tick: &Tick) -> Result<Compared, NearError> {
        let of: HashMap<DocumentId, u32> =
            numbers.iter().map(|&number| (self.documents[number as usize].id, number)).collect();
        let make = |read: &ReadDocument| features(read.tokens, self.rule.shingling);
        let made = map(self.snapshot, self.memory, tick, |id| of.contains_key(&id), make)?;
        let (mut found, mut sets) = (Vec::new(), FeatureSets::default());
        for (id, features) in made.documents {
            found.push(of[&id]);
            add(&mut sets, features, self.rule.shingling);
        }
        Ok(Compared { numbers: found, sets })
    }
}
