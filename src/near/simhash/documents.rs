//! Pairs of documents whose fingerprints are near each other.
//!
//! A million documents with one fingerprint have half a million million pairs, and so have a million documents from one
//! template, whose fingerprints differ here and there. So documents with equal fingerprints are grouped first, and only
//! the groups are searched. If there are more pairs than the caller takes, what is reported is a minimum spanning
//! forest of them: pairs that connect what all pairs would connect, by the smallest distances. It does not depend on
//! the order in which the pairs are found, since the forest of some pairs and further ones is the forest of all.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::search::{Sink, search};
use super::settings::SimHashSettings;
use crate::forest::Forest;
use crate::pair::Pair;
use dupi_index::index::search::{SearchError, Tick};

/// The pairs of documents that were found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NearFingerprints {
    /// Pairs by the numbers of their documents, sorted. The similarity is the share of the 64 bits that agree.
    pub pairs: Vec<Pair>,
    /// How many more pairs there are. If there are any, `pairs` connects the same documents with as few pairs as
    /// possible, those of the smallest distances.
    pub omitted: u64,
}

/// So many pairs are handed over at once.
const BATCH: usize = 1 << 12;

/// A pair of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Near {
    distance: u32,
    a: u32,
    b: u32,
}

/// All pairs of documents whose fingerprints are near each other, equal ones included, if there are at most `most`. The
/// fingerprints are given by the numbers of the documents. A document without one is in no pair.
///
/// # Errors
///
/// The error of `tick`, which is called with the progress, 0 to 1.
pub fn near_fingerprints(
    fingerprints: &[Option<u64>],
    settings: SimHashSettings,
    most: usize,
    tick: &Tick<'_>,
) -> Result<NearFingerprints, SearchError> {
    found_by(fingerprints, most, |hashes, sink| search(hashes, settings, sink, tick))
}

/// The same from all pairs of documents with different fingerprints that are near each other. Each fingerprint is named by
/// one document that has it.
pub(crate) fn of_pairs(
    fingerprints: &[Option<u64>],
    pairs: &[(u32, u32)],
    most: usize,
) -> Result<NearFingerprints, SearchError> {
    let of = |number: u32| fingerprints.get(number as usize).copied().flatten();
    found_by(fingerprints, most, |_, sink| {
        for some in pairs.chunks(BATCH) {
            let hashes = some.iter().filter_map(|&(a, b)| Some((of(a)?, of(b)?)));
            sink(&hashes.map(|(a, b)| (a.min(b), a.max(b))).collect::<Vec<_>>());
        }
        Ok(())
    })
}

/// The pairs that `search` finds of distinct fingerprints, ascending.
fn found_by(
    fingerprints: &[Option<u64>],
    most: usize,
    search: impl FnOnce(&[u64], &Sink<'_>) -> Result<(), SearchError>,
) -> Result<NearFingerprints, SearchError> {
    let mut documents: Vec<(u64, u32)> =
        (0..).zip(fingerprints).filter_map(|(number, hash)| Some(((*hash)?, number))).collect();
    documents.par_sort_unstable();
    let groups: Vec<&[(u64, u32)]> = documents.chunk_by(|a, b| a.0 == b.0).collect();
    let hashes: Vec<u64> = groups.iter().map(|group| group[0].0).collect();
    let found = Mutex::new(Found { near: Vec::new(), all: 0, most, groups: groups.len() });
    let at = |hash| hashes.binary_search(&hash).unwrap_or_default() as u32;
    search(&hashes, &|some| {
        let near = |&(a, b): &(u64, u64)| {
            let near = Near { distance: (a ^ b).count_ones(), a: at(a), b: at(b) };
            (near, groups[near.a as usize].len() as u64 * groups[near.b as usize].len() as u64)
        };
        let some: Vec<_> = some.iter().map(near).collect();
        found.lock().unwrap_or_else(PoisonError::into_inner).add(&some);
    })?;
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let equal = |group: &&[(u64, u32)]| group.len() as u64 * (group.len() as u64 - 1) / 2;
    let all = found.all.saturating_add(groups.iter().map(equal).sum());
    Ok(reported(&groups, found, all, most))
}

/// The pairs of groups while they are found.
struct Found {
    near: Vec<Near>,
    /// How many pairs of documents they are.
    all: u64,
    most: usize,
    groups: usize,
}

impl Found {
    fn add(&mut self, some: &[(Near, u64)]) {
        for &(near, pairs) in some {
            self.near.push(near);
            self.all = self.all.saturating_add(pairs);
        }
        // A forest has fewer pairs than there are groups.
        if self.all > self.most as u64 && self.near.len() > 2 * self.groups.max(self.most) {
            self.thin();
        }
    }

    /// Keeps a minimum spanning forest (Kruskal 1956). Pairs of equal distance are ordered by their numbers, so there
    /// is only one.
    fn thin(&mut self) {
        self.near.par_sort_unstable();
        let mut forest = Forest::new(self.groups);
        self.near.retain(|near| forest.join(near.a as usize, near.b as usize));
    }
}

fn reported(groups: &[&[(u64, u32)]], mut found: Found, all: u64, most: usize) -> NearFingerprints {
    let is_all = all <= most as u64;
    if !is_all {
        found.thin();
    }
    let pair = |a: u32, b: u32, distance: u32| Pair {
        a: a.min(b),
        b: a.max(b),
        similarity: 1.0 - distance as f32 / u64::BITS as f32,
    };
    let mut pairs = Vec::new();
    for group in groups {
        for (at, (_, first)) in group.iter().enumerate() {
            pairs.extend(group[at + 1..].iter().map(|(_, other)| pair(*first, *other, 0)));
            if !is_all {
                break;
            }
        }
    }
    let of = |group: u32| if is_all { groups[group as usize] } else { &groups[group as usize][..1] };
    for near in &found.near {
        for (_, a) in of(near.a) {
            pairs.extend(of(near.b).iter().map(|(_, b)| pair(*a, *b, near.distance)));
        }
    }
    pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
    let omitted = all - pairs.len() as u64;
    NearFingerprints { pairs, omitted }
}
