//! The work in parts, for several machines. Each way gives all pairs of the documents, equal ones included.
//!
//! Term-Split: each part has some of the signatures, and gives what pairs of documents have in common of these; the
//! sums give the pairs. Doc-Split: each part has an index of a block of documents, which all documents query.

use std::ops::Range;

use rayon::prelude::*;

use crate::error::NearError;
use crate::features::FeatureSets;
use crate::jaccard::join_block;
use crate::pair::Pair;
use crate::pair_limit::PairLimit;
use crate::threshold::Threshold;
use dupi_index::index::search::{SearchError, Tick};

/// What two documents have in common of some signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Intersection {
    /// The smaller number.
    pub a: u32,
    /// The larger number.
    pub b: u32,
    /// The number of common signatures, with repetitions.
    pub common: u64,
}

/// Term-Split: the intersections of all documents by the signatures of part `part` of `parts`, sorted. All parts
/// must have the same documents. Pairs whose sizes exclude a resemblance of `threshold` are left out.
///
/// The time and the result grow with the square of a signature's number of documents; [`IdfBounds`](super::IdfBounds)
/// leave frequent ones out.
///
/// # Errors
///
/// The error of `tick`, which is called with the progress, 0 to 1.
pub fn intersections(
    bags: &FeatureSets,
    part: u64,
    parts: u64,
    threshold: f64,
    tick: &Tick<'_>,
) -> Result<Vec<Intersection>, SearchError> {
    let Some(threshold) = Threshold::new(threshold) else { return Ok(Vec::new()) };
    let totals: Vec<u64> = (0..bags.len()).map(|number| bags.size(number)).collect();
    let mut postings: Vec<(u64, u32, u32)> = Vec::new();
    for number in 0..bags.len() {
        let counts = bags.counts(number);
        let own = bags.of(number).iter().enumerate().filter(|(_, feature)| *feature % parts.max(1) == part);
        postings
            .extend(own.map(|(at, &feature)| (feature, number as u32, counts.get(at).copied().unwrap_or(1))));
    }
    postings.par_sort_unstable();
    let can_match = |a: u32, b: u32| {
        let (a, b) = (totals[a as usize], totals[b as usize]);
        a.min(b) >= threshold.smallest(a.max(b))
    };
    let mut found = Vec::new();
    let (mut done, all) = (0, postings.len() as f64);
    let mut summed = 0;
    for list in postings.chunk_by(|first, second| first.0 == second.0) {
        for (at, &(_, a, count)) in list.iter().enumerate() {
            let behind = list[at + 1..].iter().filter(|(_, b, _)| can_match(a, *b));
            found.extend(behind.map(|&(_, b, other)| Intersection {
                a,
                b,
                common: u64::from(count.min(other)),
            }));
        }
        if found.len() > 2 * summed + (1 << 20) {
            sum(&mut found);
            summed = found.len();
        }
        done += list.len();
        tick(done as f64 / all)?;
    }
    sum(&mut found);
    Ok(found)
}

/// Term-Split: the pairs with a resemblance of at least `threshold`, sorted, from the intersections of all parts.
pub fn pairs_of(
    bags: &FeatureSets,
    parts: impl IntoIterator<Item = Vec<Intersection>>,
    threshold: f64,
) -> Vec<Pair> {
    let Some(threshold) = Threshold::new(threshold) else { return Vec::new() };
    let mut all = parts.into_iter().collect::<Vec<_>>().concat();
    sum(&mut all);
    let pair = |&Intersection { a, b, common }: &Intersection| {
        let sum = bags.size(a as usize) + bags.size(b as usize);
        let similarity = (common as f64 / (sum - common) as f64) as f32;
        threshold.is_reached(common, sum).then_some(Pair { a, b, similarity })
    };
    all.iter().filter_map(pair).collect()
}

/// Doc-Split: the pairs with a resemblance of at least `threshold` whose larger number is in a block of the documents,
/// sorted. The blocks together have the pairs of all documents.
///
/// # Errors
///
/// When there are more pairs than `limit` allows, and the error of `tick`, which is called with the progress, 0 to 1.
pub fn pairs_in_block(
    bags: &FeatureSets,
    block: Range<u32>,
    threshold: f64,
    limit: &PairLimit,
    tick: &Tick<'_>,
) -> Result<Vec<Pair>, NearError> {
    Threshold::new(threshold)
        .map_or(Ok(Vec::new()), |threshold| join_block(bags, block, threshold, limit, tick))
}

/// Adds up what each pair has in common, and sorts the pairs.
fn sum(found: &mut Vec<Intersection>) {
    found.par_sort_unstable();
    found.dedup_by(|next, kept| {
        let is_same = (next.a, next.b) == (kept.a, kept.b);
        if is_same {
            kept.common += next.common;
        }
        is_same
    });
}
