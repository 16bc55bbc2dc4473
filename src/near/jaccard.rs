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

mod frequencies;
mod overlap;
mod prefixes;
mod record;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::equal::Equal;
use super::error::NearError;
use super::features::FeatureSets;
use super::pair::{Pair, sort_pairs};
use super::pair_limit::PairLimit;
use super::threshold::Threshold;
use dupi_base::parallel;
use dupi_index::index::search::{SearchError, Tick};
use frequencies::Frequencies;
use overlap::{Features, overlap, resemblance};
use prefixes::{PrefixPosting, Prefixes};
use record::Record;

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
/// The error of `tick`, which gets the progress, 0 to 1.
pub fn pairs(
    sets: &FeatureSets,
    equal: &Equal,
    threshold: f64,
    tick: &Tick<'_>,
) -> Result<Vec<Pair>, SearchError> {
    pairs_within(sets, equal, threshold, &PairLimit::none(), tick).map_err(|error| match error {
        NearError::Search(error) => error,
        // Without a limit there is no other error.
        _ => SearchError::TooMany,
    })
}

/// [`pairs`], if there are not too many.
///
/// # Errors
/// When there are more pairs than `limit` allows, and the error of `tick`, which gets the progress, 0 to 1.
pub fn pairs_within(
    sets: &FeatureSets,
    equal: &Equal,
    threshold: f64,
    limit: &PairLimit,
    tick: &Tick<'_>,
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
    tick: &Tick<'_>,
) -> Result<Vec<Pair>, NearError> {
    let records = records(sets, documents, threshold, tick)?;
    let prefixes = Prefixes::new(&records, |record| record.indexed);
    tick(0.3)?;
    let search = Search { sets, records: &records, prefixes: &prefixes, threshold };
    let part = records.len().div_ceil(PARTS).max(LEAST_PART);
    let done = AtomicUsize::new(0);
    let search_part = |_: &mut (), number: usize, probes: &&[Record]| {
        let start = number * part;
        let smaller = |at: usize, probe: &Record| {
            let smallest = threshold.smallest(probe.size);
            records.partition_point(|record| record.size < smallest)..start + at
        };
        let found = search.part(probes, start + probes.len(), smaller, |_, _| true, limit)?;
        let done = probes.len() + done.fetch_add(probes.len(), Ordering::Relaxed);
        tick(0.3 + 0.7 * done as f64 / records.len() as f64)?;
        Ok(found)
    };
    let found: Result<Vec<Vec<Pair>>, NearError> =
        parallel::try_map_init(&records.chunks(part).collect::<Vec<_>>(), || (), search_part);
    let mut pairs = found?.concat();
    sort_pairs(&mut pairs);
    Ok(pairs)
}

/// The pairs whose larger number is in a block of the documents, sorted, those of equal features too: the documents of
/// the block are indexed, and all documents before them are looked up. The blocks together have all pairs.
///
/// # Errors
/// When there are more pairs than `limit` allows, and the error of `tick`, which gets the progress, 0 to 1.
pub(super) fn join_block(
    sets: &FeatureSets,
    block: Range<u32>,
    threshold: Threshold,
    limit: &PairLimit,
    tick: &Tick<'_>,
) -> Result<Vec<Pair>, NearError> {
    let documents: Vec<u32> = (0..block.end.min(sets.len() as u32)).collect();
    let all = records(sets, &documents, threshold, tick)?;
    let records: Vec<Record> = all.iter().filter(|record| record.document >= block.start).cloned().collect();
    let is_before = |probe: &Record, record: &Record| probe.document < record.document;
    look_up(sets, (&all, &records), is_before, threshold, limit, tick)
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
    tick: &Tick<'_>,
) -> Result<Vec<Pair>, NearError> {
    let documents: Vec<u32> = (0..sets.len() as u32).collect();
    let all = records(sets, &documents, threshold, tick)?;
    let (before, behind): (Vec<Record>, Vec<Record>) =
        all.into_iter().partition(|record| record.document < border);
    look_up(sets, (&before, &behind), |_, _| true, threshold, limit, tick)
}

/// The pairs of the first records with those of the others for which `is_asked` holds, sorted. Both are in the order of
/// their sizes.
fn look_up(
    sets: &FeatureSets,
    (all, records): (&[Record], &[Record]),
    is_asked: impl Fn(&Record, &Record) -> bool + Sync,
    threshold: Threshold,
    limit: &PairLimit,
    tick: &Tick<'_>,
) -> Result<Vec<Pair>, NearError> {
    // A document that is looked up may be smaller: then the longer prefix is needed.
    let prefixes = Prefixes::new(records, |record| record.prefix.len());
    let search = Search { sets, records, prefixes: &prefixes, threshold };
    let done = AtomicUsize::new(0);
    let search_part = |probes: &&[Record]| {
        let of_like_size = |_: usize, probe: &Record| {
            let smallest = threshold.smallest(probe.size);
            let first = records.partition_point(|record| record.size < smallest);
            first..records.partition_point(|record| threshold.smallest(record.size) <= probe.size)
        };
        let found = search.part(probes, records.len(), of_like_size, &is_asked, limit)?;
        let done = probes.len() + done.fetch_add(probes.len(), Ordering::Relaxed);
        tick(0.3 + 0.7 * done as f64 / all.len() as f64)?;
        Ok(found)
    };
    let part = all.len().div_ceil(PARTS).max(LEAST_PART);
    let found: Result<Vec<Vec<Pair>>, NearError> =
        parallel::try_map(&all.chunks(part).collect::<Vec<_>>(), search_part);
    let mut pairs = found?.concat();
    sort_pairs(&mut pairs);
    Ok(pairs)
}

/// The records of some documents, by size.
fn records(
    sets: &FeatureSets,
    documents: &[u32],
    threshold: Threshold,
    tick: &Tick<'_>,
) -> Result<Vec<Record>, SearchError> {
    let frequencies = Frequencies::count(sets, documents);
    tick(0.1)?;
    let read = |&document: &u32| Record::new(sets, document, &frequencies, threshold);
    let mut records: Vec<Record> = parallel::flat_map(documents, read);
    drop(frequencies);
    records.par_sort_unstable_by_key(|record| (record.size, record.document));
    tick(0.2)?;
    Ok(records)
}

/// The resemblance of two documents if it reaches the threshold.
pub(super) fn compare(sets: &FeatureSets, a: u32, b: u32, threshold: Threshold) -> Option<f32> {
    compare_with(sets, a, sets, b, threshold)
}

/// The resemblance of a document and of one of other sets if it reaches the threshold.
pub(super) fn compare_with(
    sets: &FeatureSets,
    a: u32,
    others: &FeatureSets,
    b: u32,
    threshold: Threshold,
) -> Option<f32> {
    let (a, b) = (Features::of(sets, a), Features::of(others, b));
    let sum = a.size() + b.size();
    Some(resemblance(overlap(a, b, threshold.overlap(sum))?, sum))
}

/// Records in the order of their sizes, with an index of their prefixes.
struct Search<'a> {
    sets: &'a FeatureSets,
    records: &'a [Record],
    prefixes: &'a Prefixes,
    threshold: Threshold,
}

impl Search<'_> {
    /// The pairs of some documents with the records that are in the `range` of their place and size and for which
    /// `is_asked` holds. All ranges end at `end` or before.
    fn part(
        &self,
        probes: &[Record],
        end: usize,
        range: impl Fn(usize, &Record) -> Range<usize>,
        is_asked: impl Fn(&Record, &Record) -> bool,
        limit: &PairLimit,
    ) -> Result<Vec<Pair>, NearError> {
        let mut pairs = Vec::new();
        // For each record the last probe that met it, counted from 1.
        let mut last_probes = vec![0_u32; end];
        for (at, probe) in probes.iter().enumerate() {
            let before = pairs.len();
            let range = range(at, probe);
            let mut is_new = |record: u32| {
                let number = at as u32 + 1;
                std::mem::replace(&mut last_probes[record as usize], number) != number
                    && is_asked(probe, &self.records[record as usize])
            };
            self.probe(probe, range.start as u32..range.end as u32, &mut is_new, &mut pairs);
            limit.add(pairs.len() - before)?;
        }
        Ok(pairs)
    }

    /// The pairs of a document with records in a range.
    fn probe(
        &self,
        probe: &Record,
        range: Range<u32>,
        is_new: &mut impl FnMut(u32) -> bool,
        pairs: &mut Vec<Pair>,
    ) {
        if range.is_empty() {
            return;
        }
        let features = Features::of(self.sets, probe.document);
        for feature in &probe.prefix {
            for &PrefixPosting { record, before, .. } in self.prefixes.of(feature.feature, &range) {
                if !is_new(record) {
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
                if let Some(both) = overlap(features, Features::of(self.sets, other.document), least) {
                    pairs.push(Pair {
                        a: probe.document.min(other.document),
                        b: probe.document.max(other.document),
                        similarity: resemblance(both, sum),
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
