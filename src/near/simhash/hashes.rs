//! Pairs and clusters of plain hashes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::search::search;
use super::settings::SimHashSettings;
use crate::forest::Forest;
use dupi_index::index::search::{SearchError, Tick};

/// The most pairs that are kept in memory, where they take 4 GiB.
const MOST_PAIRS: usize = 1 << 28;

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
///
/// The error of `tick`, which is called with the progress, 0 to 1. [`HashPairsError::TooMany`] for more than 2^28 pairs.
pub fn find_all(
    hashes: Vec<u64>,
    settings: SimHashSettings,
    tick: &Tick<'_>,
) -> Result<Vec<(u64, u64)>, HashPairsError> {
    find_at_most(hashes, settings, MOST_PAIRS, tick)
}

pub(super) fn find_at_most(
    hashes: Vec<u64>,
    settings: SimHashSettings,
    most: usize,
    tick: &Tick<'_>,
) -> Result<Vec<(u64, u64)>, HashPairsError> {
    let (hashes, repeated) = distinct(hashes);
    let found = Mutex::new(repeated.into_iter().map(|hash| (hash, hash)).collect::<Vec<_>>());
    let are_too_many = AtomicBool::new(false);
    let sink = |some: &[(u64, u64)]| {
        if some.is_empty() {
            return;
        }
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() + some.len() > most {
            are_too_many.store(true, Ordering::Relaxed);
        } else {
            found.extend_from_slice(some);
        }
    };
    let tick = |share| match are_too_many.load(Ordering::Relaxed) {
        true => Err(SearchError::Stopped),
        false => tick(share),
    };
    let searched = search(&hashes, settings, &sink, &tick);
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
///
/// The error of `tick`, which is called with the progress, 0 to 1.
pub fn find_clusters(
    mut hashes: Vec<u64>,
    settings: SimHashSettings,
    tick: &Tick<'_>,
) -> Result<Vec<Vec<u64>>, SearchError> {
    hashes.par_sort_unstable();
    let mut distinct = hashes.clone();
    distinct.dedup();
    let forest = Mutex::new(Forest::new(distinct.len()));
    let at = |hash: &u64| distinct.binary_search(hash).unwrap_or_default();
    search(
        &distinct,
        settings,
        &|some| {
            let joined: Vec<_> = some.iter().map(|(a, b)| (at(a), at(b))).collect();
            let mut forest = forest.lock().unwrap_or_else(PoisonError::into_inner);
            joined.into_iter().for_each(|(a, b)| {
                forest.join(a, b);
            });
        },
        tick,
    )?;
    let mut forest = forest.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The root of a tree is its first member, so members come behind the root's own hashes.
    let mut clusters: Vec<Vec<u64>> = Vec::new();
    let mut cluster_of = vec![usize::MAX; distinct.len()];
    let mut members = vec![0_u32; distinct.len()];
    let equal = || hashes.chunk_by(|a, b| a == b);
    for (number, equal) in equal().enumerate() {
        let members = &mut members[forest.root(number)];
        *members = members.saturating_add(u32::try_from(equal.len()).unwrap_or(u32::MAX));
    }
    for (number, equal) in equal().enumerate() {
        let root = forest.root(number);
        if members[root] < 2 {
            continue;
        }
        if number == root {
            cluster_of[root] = clusters.len();
            clusters.push(Vec::with_capacity(members[root] as usize));
        }
        clusters[cluster_of[root]].extend_from_slice(equal);
    }
    Ok(clusters)
}

/// The distinct hashes and those that are given several times, both sorted.
fn distinct(mut hashes: Vec<u64>) -> (Vec<u64>, Vec<u64>) {
    hashes.par_sort_unstable();
    let equal = hashes.chunk_by(|a, b| a == b);
    let repeated = equal.filter(|equal| equal.len() > 1).map(|equal| equal[0]).collect();
    hashes.dedup();
    (hashes, repeated)
}
