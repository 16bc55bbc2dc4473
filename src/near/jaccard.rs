//! All pairs of documents whose Jaccard resemblance reaches a threshold, exactly, by prefix filtering.
//!
//! Features are ordered by document frequency, the rarest first. If two sets share as much as the threshold demands,
//! their first features in this order, as many as either set can do without plus one, have one in common (Chaudhuri,
//! Ganti and Kaushik, “A primitive operator for similarity joins in data cleaning”, 2006). An inverted index of these
//! prefixes gives the candidates (AllPairs: Bayardo, Ma and Srikant, “Scaling up all pairs similarity search”, 2007).
//! Sizes that differ too much are skipped, and the place of the first common feature bounds what can be shared (PPJoin:
//! Xiao and others, “Efficient similarity joins for near duplicate detection”, 2008). What is left is counted, until
//! too much is missing: elaborate filters cost more than they save (Mann, Augsten and Bouros, “An empirical evaluation
//! of set similarity join techniques”, 2016).
//!
//! A bag is the set of (feature, 1), (feature, 2), … up to its count: the resemblance of bags is that of these sets.
//! They are not written out. A feature that is partly in a prefix is in it, which adds candidates and loses none.

mod prefixes;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Tick;
use crate::error::{NearError, PairLimit};
use crate::features::{FeatureSets, Threshold, overlap, resemblance};
use crate::pairs::{Equal, Pair, sort_pairs};
use dupi_base::parallel;
use prefixes::{PrefixPosting, Prefixes, Record, records};

/// In how many parts the work is done, at the most. Each needs 4 bytes a document.
const PARTS: usize = 64;
/// The fewest documents of a part.
const LEAST_PART: usize = 64;

/// All pairs of different sets of features whose resemblance is `threshold` or more, sorted. Each set is named by the
/// first document that has it: `equal`, of [`Equal::find`] on the same sets, tells which others have it too, and
/// [`Equal::all_pairs`] adds their pairs. So a document in 10,000 copies is compared once, and not 50 million times.
///
/// Nothing is missed and nothing is estimated: a pair is reported if and only if [`FeatureSets::resemblance`] of the
/// two is at least `threshold`, as `f64`. Documents that share no feature are no pair, whatever the threshold. The
/// result does not depend on the number of threads.
///
/// # Errors
/// When there are more pairs than `limit` allows, and the error of `tick`, which gets the progress, 0 to 1.
pub fn pairs(
    sets: &FeatureSets,
    equal: &Equal,
    threshold: f64,
    limit: &PairLimit,
    tick: &Tick,
) -> Result<Vec<Pair>, NearError> {
    Threshold::new(threshold)
        .map_or(Ok(Vec::new()), |threshold| join(sets, &equal.distinct, threshold, limit, tick))
}

/// The pairs of some documents, of which no two have equal features.
pub(super) fn join(
    sets: &FeatureSets,
    documents: &[u32],
    threshold: Threshold,
    limit: &PairLimit,
    tick: &Tick,
) -> Result<Vec<Pair>, NearError> {
    let records = records(sets, documents, threshold, tick)?;
    let prefixes = Prefixes::new(&records, |record| record.indexed);
    let smaller = |at: usize, probe: &Record| {
        let smallest = threshold.smallest(probe.size);
        records.partition_point(|record| record.size < smallest)..at
    };
    Search { sets, records: &records, prefixes, threshold }.pairs(&records, smaller, limit, tick)
}

/// The pairs of a document before `border` and one from there on, sorted, those of equal features too.
///
/// # Errors
/// When there are more pairs than `limit` allows, and the error of `tick`, which gets the progress, 0 to 1.
pub(super) fn join_across(
    sets: &FeatureSets,
    border: u32,
    threshold: Threshold,
    limit: &PairLimit,
    tick: &Tick,
) -> Result<Vec<Pair>, NearError> {
    let documents: Vec<u32> = (0..sets.len() as u32).collect();
    let all = records(sets, &documents, threshold, tick)?;
    let (before, behind): (Vec<Record>, Vec<Record>) =
        all.into_iter().partition(|record| record.document < border);
    // A document that is looked up may be smaller: then the longer prefix is needed.
    let prefixes = Prefixes::new(&behind, |record| record.prefix.len());
    let of_like_size = |_: usize, probe: &Record| {
        let smallest = threshold.smallest(probe.size);
        let first = behind.partition_point(|record| record.size < smallest);
        first..behind.partition_point(|record| threshold.smallest(record.size) <= probe.size)
    };
    Search { sets, records: &behind, prefixes, threshold }.pairs(&before, of_like_size, limit, tick)
}

/// Records in the order of their sizes, with an index of their prefixes.
struct Search<'a> {
    sets: &'a FeatureSets,
    records: &'a [Record],
    prefixes: Prefixes,
    threshold: Threshold,
}

impl Search<'_> {
    /// The pairs of some documents with the records that are in the `range` of their place and size, sorted.
    fn pairs(
        &self,
        probes: &[Record],
        range: impl Fn(usize, &Record) -> Range<usize> + Sync,
        limit: &PairLimit,
        tick: &Tick,
    ) -> Result<Vec<Pair>, NearError> {
        tick(0.3)?;
        let part = probes.len().div_ceil(PARTS).max(LEAST_PART);
        let done = AtomicUsize::new(0);
        let search_part = |_: &mut (), number: usize, some: &&[Record]| {
            let mut pairs = Vec::new();
            // For each record the last probe that met it, counted from 1.
            let mut last_probes = vec![0_u32; self.records.len()];
            for (at, probe) in some.iter().enumerate() {
                let before = pairs.len();
                let range = range(number * part + at, probe);
                self.probe(probe, range, at as u32 + 1, &mut last_probes, &mut pairs);
                limit.add(pairs.len() - before)?;
            }
            let done = some.len() + done.fetch_add(some.len(), Ordering::Relaxed);
            tick(0.3 + 0.7 * done as f64 / probes.len() as f64)?;
            Ok(pairs)
        };
        let found: Result<Vec<Vec<Pair>>, NearError> =
            parallel::try_map_init(&probes.chunks(part).collect::<Vec<_>>(), || (), search_part);
        let mut pairs = found?.concat();
        sort_pairs(&mut pairs);
        Ok(pairs)
    }

    /// The pairs of a document with records in a range that it did not meet yet.
    fn probe(
        &self,
        probe: &Record,
        range: Range<usize>,
        number: u32,
        last_probes: &mut [u32],
        pairs: &mut Vec<Pair>,
    ) {
        if range.is_empty() {
            return;
        }
        let range = range.start as u32..range.end as u32;
        let features = self.sets.get(probe.document as usize);
        for feature in &probe.prefix {
            for &PrefixPosting { record, before, .. } in self.prefixes.postings(feature.feature, &range) {
                if std::mem::replace(&mut last_probes[record as usize], number) == number {
                    continue;
                }
                let other = &self.records[record as usize];
                let sum = probe.size + other.size;
                let least = self.threshold.overlap(sum);
                // This is the first common feature: nothing before it is shared.
                let most = (probe.size - feature.before).min(other.size - u64::from(before));
                if most < least {
                    continue;
                }
                if let Some(both) = overlap(features, self.sets.get(other.document as usize), least) {
                    pairs.push(Pair {
                        a: probe.document.min(other.document),
                        b: probe.document.max(other.document),
                        similarity: resemblance(both, sum) as f32,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
