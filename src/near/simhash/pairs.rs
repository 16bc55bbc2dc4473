//! Pairs and clusters of hashes that are near each other.
//!
//! A million documents from one template have fingerprints that differ here and there, and half a million million pairs. If
//! there are more pairs than the caller takes, what is reported is a minimum spanning forest of them: pairs that connect
//! what all pairs would connect, by the smallest distances. It does not depend on the order in which the pairs are found,
//! since the forest of some pairs and further ones is the forest of all.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::plan::SimHashSettings;
use super::search::{Sink, search_near};
use crate::pairs::{Forest, Pair};
use crate::{SearchError, Tick};

/// The most pairs that are kept in memory, where they take 4 GiB.
const MOST_PAIRS: usize = 1 << 28;

/// The pairs of documents that were found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NearPairs {
    /// Pairs by the numbers of their documents, sorted. The similarity is the share of the 64 bits that agree.
    pub pairs: Vec<Pair>,
    /// The number of further pairs. If there are any, `pairs` connects the same documents with as few pairs as possible,
    /// those of the smallest distances.
    pub omitted: u64,
}

/// Pairs of hashes, by their distances and the places of the hashes, while they are found.
struct Found {
    near: Vec<(u32, u32, u32)>,
    all: u64,
    most: usize,
    hashes: usize,
}

impl Found {
    /// Keeps a minimum spanning forest (Kruskal 1956). Pairs of equal distance are ordered by their hashes, so there is
    /// only one.
    fn thin(&mut self) {
        self.near.par_sort_unstable();
        let mut forest = Forest::new(self.hashes);
        self.near.retain(|&(_, a, b)| forest.join(a as usize, b as usize));
    }
}

/// The pairs that `search` finds of documents with distinct fingerprints: all of them if there are at most `most`. The
/// search gets the fingerprints in ascending order.
///
/// # Errors
/// The error of the search.
pub(crate) fn near_pairs(
    mut documents: Vec<(u64, u32)>,
    most: usize,
    search: impl FnOnce(&[u64], &Sink) -> Result<(), SearchError>,
) -> Result<NearPairs, SearchError> {
    documents.par_sort_unstable();
    let hashes: Vec<u64> = documents.iter().map(|&(hash, _)| hash).collect();
    let found = Mutex::new(Found { near: Vec::new(), all: 0, most, hashes: hashes.len() });
    let at = |hash| hashes.binary_search(&hash).unwrap_or_default() as u32;
    search(&hashes, &|some| {
        let some: Vec<_> = some.iter().map(|&(a, b)| ((a ^ b).count_ones(), at(a), at(b))).collect();
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        found.all += some.len() as u64;
        found.near.extend(some);
        // A forest has fewer pairs than there are hashes.
        if found.all > found.most as u64 && found.near.len() > 2 * found.hashes.max(found.most) {
            found.thin();
        }
    })?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    if found.all > most as u64 {
        found.thin();
    }
    let pair = |&(distance, a, b): &(u32, u32, u32)| {
        let (a, b) = (documents[a as usize].1, documents[b as usize].1);
        Pair { a: a.min(b), b: a.max(b), similarity: 1.0 - distance as f32 / u64::BITS as f32 }
    };
    let mut pairs: Vec<Pair> = found.near.iter().map(pair).collect();
    pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
    Ok(NearPairs { omitted: found.all - pairs.len() as u64, pairs })
}

/// Why the pairs of a list of hashes were not found.
#[derive(Debug, thiserror::Error)]
pub enum HashPairsError {
    /// The caller stopped the search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// There are more pairs than are kept in memory.
    #[error(
        "more than {0} pairs of hashes are near each other; use a smaller --distance, or find-clusters, which keeps no pairs"
    )]
    TooMany(usize),
}

/// All pairs of hashes that are near each other, each once, sorted; in a pair the smaller hash is first. A hash that
/// is given several times is one hash, and is in a pair with itself, once. So the number of pairs does not grow with
/// the square of the number of equal hashes.
///
/// # Errors
/// The error of `tick`, which is called with the progress, 0 to 1. [`HashPairsError::TooMany`] for more than 2^28 pairs.
pub fn find_all(
    hashes: Vec<u64>,
    settings: SimHashSettings,
    tick: &Tick,
) -> Result<Vec<(u64, u64)>, HashPairsError> {
    find_at_most(hashes, settings, MOST_PAIRS, tick)
}

pub(super) fn find_at_most(
    mut hashes: Vec<u64>,
    settings: SimHashSettings,
    most: usize,
    tick: &Tick,
) -> Result<Vec<(u64, u64)>, HashPairsError> {
    hashes.par_sort_unstable();
    let repeated = hashes.chunk_by(|a, b| a == b).filter(|equal| equal.len() > 1);
    let found = Mutex::new(repeated.map(|equal| (equal[0], equal[0])).collect::<Vec<_>>());
    hashes.dedup();
    let are_too_many = AtomicBool::new(false);
    let sink = |some: &[(u64, u64)]| {
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() + some.len() <= most {
            found.extend_from_slice(some);
        } else if !some.is_empty() {
            are_too_many.store(true, Ordering::Relaxed);
        }
    };
    let tick = |share| match are_too_many.load(Ordering::Relaxed) {
        true => Err(SearchError::Stopped),
        false => tick(share),
    };
    let searched = search_near(&hashes, settings, &sink, &tick);
    if are_too_many.into_inner() {
        return Err(HashPairsError::TooMany(most));
    }
    searched?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.par_sort_unstable();
    Ok(found)
}

/// The clusters of hashes: hashes are in one cluster if a chain of near pairs joins them, so two members of a cluster
/// may be far apart. Each cluster is sorted, and the clusters by their first members. A hash that is given several
/// times is as often in its cluster; a hash that is near no other one is in none. The pairs are not kept in memory.
///
/// # Errors
/// The error of `tick`, which is called with the progress, 0 to 1.
pub fn find_clusters(
    mut hashes: Vec<u64>,
    settings: SimHashSettings,
    tick: &Tick,
) -> Result<Vec<Vec<u64>>, SearchError> {
    hashes.par_sort_unstable();
    let mut distinct = hashes.clone();
    distinct.dedup();
    let forest = Mutex::new(Forest::new(distinct.len()));
    let at = |hash: &u64| distinct.binary_search(hash).unwrap_or_default();
    let join = |some: &[(u64, u64)]| {
        let joined: Vec<_> = some.iter().map(|(a, b)| (at(a), at(b))).collect();
        let mut forest = forest.lock().unwrap_or_else(PoisonError::into_inner);
        for (a, b) in joined {
            forest.join(a, b);
        }
    };
    search_near(&distinct, settings, &join, tick)?;
    let mut forest = forest.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A root is the first member of its cluster.
    let mut rooted: Vec<(usize, u64)> = Vec::with_capacity(hashes.len());
    for (number, equal) in hashes.chunk_by(|a, b| a == b).enumerate() {
        let root = forest.root(number);
        rooted.extend(equal.iter().map(|&hash| (root, hash)));
    }
    rooted.par_sort_unstable();
    let clusters = rooted.chunk_by(|a, b| a.0 == b.0).filter(|members| members.len() > 1);
    Ok(clusters.map(|members| members.iter().map(|&(_, hash)| hash).collect()).collect())
}
