//! All pairs, by partitions of the documents.
//!
//! The resemblance of two bags is at most the size of the smaller one divided by the size of the larger one. So
//! documents are divided by their sizes into partitions that can match their own documents and those of the next
//! partition, and no others.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::index::{Asked, Index};
use super::ranked::RankedBags;
use crate::near::error::NearError;
use crate::near::features::FeatureSets;
use crate::near::pair::{Pair, sort_pairs};
use crate::near::pair_limit::PairLimit;
use crate::passage::Tick;

/// All pairs of documents whose bags of signatures have a resemblance of at least `threshold`, sorted by their numbers.
/// Documents without a common signature are no pair, whatever the threshold.
///
/// # Errors
///
/// When there are more pairs than `limit` allows, and the error of `tick`, which is called with the progress, 0 to 1.
pub fn pairs(
    bags: &FeatureSets,
    threshold: f64,
    limit: &PairLimit,
    tick: &Tick<'_>,
) -> Result<Vec<Pair>, NearError> {
    let bags = RankedBags::new(bags);
    let mut documents: Vec<u32> =
        (0..bags.len() as u32).filter(|&number| !bags.bag(number).is_empty()).collect();
    documents.par_sort_unstable_by_key(|&number| (bags.total(number), number));
    let (done, all) = (AtomicU64::new(0), 2.0 * documents.len() as f64);
    let mut found = Vec::new();
    let partitions = partitions(&bags, &documents, threshold);
    for (number, partition) in partitions.iter().enumerate() {
        let index = Index::new(&bags, partition, threshold, Asked::Larger);
        let asked = |document: u32, is_own: bool| {
            let order = |number: u32| (bags.total(number), number);
            let pairs = index.pairs(document, |other| !is_own || order(other) < order(document));
            limit.add(pairs.len())?;
            tick(done.fetch_add(1, Ordering::Relaxed) as f64 / all)?;
            Ok(pairs)
        };
        let own = partition.par_iter().map(|&document| asked(document, true));
        let larger = partitions.get(number + 1).copied().unwrap_or_default();
        let larger = larger.par_iter().map(|&document| asked(document, false));
        let some: Vec<Vec<Pair>> = own.chain(larger).collect::<Result<_, NearError>>()?;
        found.extend(some.into_iter().flatten());
    }
    sort_pairs(&mut found);
    Ok(found)
}

/// The fewest partitions that documents are divided into if their sizes allow it. Each has an index of its own, which
/// costs time even if it is small.
const USUAL: usize = 16;

/// Documents, which are sorted by size, in partitions. A document of a partition cannot match one of the next partition
/// but one.
fn partitions<'d>(bags: &RankedBags, documents: &'d [u32], threshold: f64) -> Vec<&'d [u32]> {
    let (mut partitions, mut rest) = (Vec::new(), documents);
    while let Some(&first) = rest.first() {
        // Within rounding, no document beyond this size matches the first one.
        let most = if threshold > 0.0 { bags.total(first) as f64 / threshold + 1e-6 } else { f64::INFINITY };
        let end = rest.partition_point(|&number| bags.total(number) as f64 <= most);
        let (partition, behind) = rest.split_at(end.max(documents.len() / USUAL).clamp(1, rest.len()));
        partitions.push(partition);
        rest = behind;
    }
    partitions
}
