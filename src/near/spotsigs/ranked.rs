//! Bags of features for comparison: features are numbered from the rarest to the most frequent.

use rayon::prelude::*;

use crate::near::features::FeatureSets;

/// The features that at least two documents have, by rank: 0 is the rarest. Others make no pair, but count in totals.
#[derive(Clone, Debug)]
pub(super) struct RankedBags {
    /// For each document, its ranks with their counts, sorted.
    bags: Vec<Vec<(u32, u32)>>,
    /// For each document, how many features it has, each as often as it has it.
    totals: Vec<u64>,
    /// How many ranks there are.
    pub(super) ranks: usize,
}

/// Each feature once, sorted, with the number of documents that have it.
pub(super) fn frequencies(bags: &FeatureSets) -> Vec<(u64, u32)> {
    let mut all: Vec<u64> = (0..bags.len()).flat_map(|document| bags.of(document)).copied().collect();
    all.par_sort_unstable();
    let equal = all.chunk_by(|a, b| a == b);
    equal.map(|equal| (equal[0], u32::try_from(equal.len()).unwrap_or(u32::MAX))).collect()
}

impl RankedBags {
    pub(super) fn new(bags: &FeatureSets) -> Self {
        let shared: Vec<(u64, u32)> =
            frequencies(bags).into_iter().filter(|&(_, documents)| documents > 1).collect();
        let mut order: Vec<u32> = (0..shared.len() as u32).collect();
        order.par_sort_unstable_by_key(|&at| (shared[at as usize].1, at));
        let mut ranks = vec![0; shared.len()];
        (0_u32..).zip(&order).for_each(|(rank, &at)| ranks[at as usize] = rank);
        let ranked = |document: usize| {
            let counts = bags.counts(document);
            let rank = |(at, feature): (usize, &u64)| {
                let found = shared.binary_search_by_key(feature, |&(feature, _)| feature).ok()?;
                Some((ranks[found], counts.get(at).copied().unwrap_or(1)))
            };
            let mut bag: Vec<_> = bags.of(document).iter().enumerate().filter_map(rank).collect();
            bag.sort_unstable();
            (bag, bags.size(document))
        };
        let (bags, totals) = (0..bags.len()).into_par_iter().map(ranked).unzip();
        Self { bags, totals, ranks: order.len() }
    }

    /// How many documents there are.
    pub(super) fn len(&self) -> usize {
        self.bags.len()
    }

    /// The shared features of a document, rarest first, with their counts.
    pub(super) fn bag(&self, document: u32) -> &[(u32, u32)] {
        &self.bags[document as usize]
    }

    /// How many features a document has, each as often as it has it.
    pub(super) fn total(&self, document: u32) -> u64 {
        self.totals[document as usize]
    }

    /// The first features of a document, behind which fewer than `share` of all its features remain: each with its rank
    /// and how many features there are from it on, which have a rank.
    pub(super) fn prefix(&self, document: u32, share: f64) -> impl Iterator<Item = (u32, u64)> {
        let (least, bag) = (least(self.total(document), share), self.bag(document));
        let mut rest = size(bag);
        bag.iter().map_while(move |&(rank, count)| {
            let from_here = rest;
            rest -= u64::from(count);
            (from_here >= least).then_some((rank, from_here))
        })
    }

    /// The size of the intersection of two documents, or 0 once it is clear that they do not resemble each other enough.
    pub(super) fn common(&self, a: u32, b: u32, threshold: f64) -> u64 {
        let least = least_common(self.total(a), self.total(b), threshold);
        let (mut rest, mut others) = (self.bag(a), self.bag(b));
        let (mut left, mut left_others, mut common) = (size(rest), size(others), 0);
        while let ([(rank, count), behind @ ..], [(other, other_count), behind_other @ ..]) = (rest, others) {
            if common + left.min(left_others) < least {
                return 0;
            }
            if rank <= other {
                left -= u64::from(*count);
                rest = behind;
            }
            if other <= rank {
                left_others -= u64::from(*other_count);
                others = behind_other;
            }
            if rank == other {
                common += u64::from(*count.min(other_count));
            }
        }
        common
    }
}

/// How many features a bag has, each as often as it has it.
fn size(bag: &[(u32, u32)]) -> u64 {
    bag.iter().map(|&(_, count)| u64::from(count)).sum()
}

/// How many features bags of two sizes have in common if their resemblance is at least `threshold`.
pub(super) fn least_common(a: u64, b: u64, threshold: f64) -> u64 {
    least(a + b, threshold / (1.0 + threshold))
}

/// How many of so many features are at least this share of them; at least one.
fn least(features: u64, share: f64) -> u64 {
    // Rounding must not miss a pair at the threshold: a smaller bound only costs time.
    ((features as f64 * share - 1e-6).ceil() as u64).max(1)
}

/// The resemblance of two bags with so many features each, of which so many are common.
pub(super) fn resemblance(a: u64, b: u64, common: u64) -> f64 {
    let either = a + b - common;
    if either == 0 { 0.0 } else { common as f64 / either as f64 }
}
