//! The rarest features of each document, and an inverted index of them.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use rayon::prelude::*;

use crate::features::{FeatureSets, Threshold};
use crate::{SearchError, Tick};
use dupi_base::parallel;

/// The most counters.
const MOST: usize = 1 << 27;
/// The number of counters that stay in a processor's cache.
const CACHED: usize = 1 << 17;
/// How many features a document should have for a stretch of counters, on average: it costs a look at each document.
const FEATURES: usize = 8;
/// In how many parts the counters are, for each thread.
const PARTS: usize = 4;

/// For each feature of each document a counter, which the feature may share with others: it never counts too little, and
/// it is the same whatever the number of threads.
///
/// Prefix filtering needs the same order of features in all documents, but any order will do. So these counters take
/// the place of a sorted list of all features with their document frequencies. They are counted one stretch after the other,
/// which stays in the cache meanwhile, and noted beside the features, so that they are read in order later.
struct Frequencies {
    /// By the places of the features in the sets.
    of_features: Vec<AtomicU16>,
}

impl Frequencies {
    /// Counts the features of some documents.
    fn count(sets: &FeatureSets, documents: &[u32]) -> Self {
        let features: usize = documents.iter().map(|&document| sets.features(document as usize).len()).sum();
        let len = (2 * features).next_power_of_two().clamp(2, MOST);
        // Features are hashes, so their upper bits are as good as any, and sorted features meet the counters in order.
        let shift = u64::BITS - len.ilog2();
        let parts = (PARTS * rayon::current_num_threads()).next_power_of_two().min(len);
        let mean = features / documents.len().max(1);
        let stretches = (len / CACHED).min(mean / FEATURES).next_power_of_two().clamp(parts, len);
        let width = len / stretches;
        let mut of_features = Vec::new();
        let all = sets.len().checked_sub(1).map_or(0, |last| sets.places(last).end);
        of_features.resize_with(all, AtomicU16::default);
        let count = |part: usize| {
            let own = part * (stretches / parts)..(part + 1) * (stretches / parts);
            let mut counters = vec![0_u16; width];
            let first = (own.start * width) as u64;
            // For each document, the place of its first feature of the stretch.
            let mut places: Vec<usize> = documents
                .iter()
                .map(|&document| {
                    sets.features(document as usize).partition_point(|feature| feature >> shift < first)
                })
                .collect();
            for stretch in own {
                let first = (stretch * width) as u64;
                counters.fill(0);
                for (&document, &place) in documents.iter().zip(&places) {
                    for feature in &sets.features(document as usize)[place..] {
                        let Some(counter) = counters.get_mut(((feature >> shift) - first) as usize) else {
                            break;
                        };
                        *counter = counter.saturating_add(1);
                    }
                }
                for (&document, place) in documents.iter().zip(&mut places) {
                    let noted = &of_features[sets.places(document as usize).start..];
                    for feature in &sets.features(document as usize)[*place..] {
                        let Some(&counter) = counters.get(((feature >> shift) - first) as usize) else {
                            break;
                        };
                        noted[*place].store(counter, Ordering::Relaxed);
                        *place += 1;
                    }
                }
            }
        };
        parallel::for_each(parts, &count);
        Self { of_features }
    }

    /// The counts of the features of a document, in their order: each between its document frequency and 65,535. It is 1
    /// only for features of a single document.
    fn of<'a>(&'a self, sets: &FeatureSets, document: u32) -> impl Iterator<Item = u16> + use<'a> {
        self.of_features[sets.places(document as usize)].iter().map(|count| count.load(Ordering::Relaxed))
    }
}

/// After how many features it is asked again whether too many are rare.
const BLOCK: usize = 64;

/// A document that may have a partner. Features that no other document has are left out of its prefix, but they count
/// in it: they are its first.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) document: u32,
    /// The number of features, or the sum of the counts, of the whole document.
    pub(super) size: u64,
    /// Features of the prefix that is probed, the rarest first.
    pub(super) prefix: Box<[PrefixFeature]>,
    /// How many of them are in the prefix that is indexed.
    pub(super) indexed: usize,
}

/// A feature in a prefix.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrefixFeature {
    pub(super) feature: u64,
    /// How much of the document comes before it in the order of rarity.
    pub(super) before: u64,
}

impl Record {
    /// Reads a document; `None` if it can have no partner, because it is empty or its features are too rare.
    fn new(
        sets: &FeatureSets,
        document: u32,
        frequencies: &Frequencies,
        threshold: Threshold,
    ) -> Option<Self> {
        let all = sets.get(document as usize);
        let size = all.size();
        if size == 0 {
            return None;
        }
        let (probed, indexed) = (threshold.probed(size), threshold.indexed(size));
        let mut before = 0;
        let mut counted = frequencies.of(sets, document).enumerate();
        loop {
            let (mut block, mut alone) = (0, 0);
            for (at, frequency) in counted.by_ref().take(BLOCK) {
                // Without a branch for each feature, since about as many are alone as not.
                alone += if frequency == 1 { all.count(at) } else { 0 };
                block += 1;
            }
            before += alone;
            if before >= probed {
                return None;
            }
            if block < BLOCK {
                break;
            }
        }
        let mut ranked = Vec::new();
        for ((at, &feature), frequency) in all.features.iter().enumerate().zip(frequencies.of(sets, document))
        {
            if frequency > 1 {
                ranked.push((frequency, feature, at as u32));
            }
        }
        ranked.sort_unstable();
        let mut prefix = Vec::new();
        for (_, feature, at) in ranked {
            if before >= probed {
                break;
            }
            prefix.push(PrefixFeature { feature, before });
            before += all.count(at as usize);
        }
        let indexed = prefix.partition_point(|feature| feature.before < indexed);
        Some(Self { document, size, prefix: prefix.into(), indexed })
    }
}

/// The records of some documents, by size.
pub(super) fn records(
    sets: &FeatureSets,
    documents: &[u32],
    threshold: Threshold,
    tick: &Tick,
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

/// For each feature of a prefix that is indexed, the records that have it there.
pub(super) struct Prefixes {
    /// Sorted by feature and record.
    postings: Vec<PrefixPosting>,
    /// For each value of the upper bits of a feature, the first posting; and the end of the last.
    starts: Vec<u32>,
    /// How far a feature is shifted right to that value.
    shift: u32,
}

/// A record with a feature in its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PrefixPosting {
    feature: u64,
    pub(super) record: u32,
    /// How much of the record comes before the feature, or `u32::MAX` if that is more.
    pub(super) before: u32,
}

impl Prefixes {
    /// Indexes the first features of records, as many as `indexed` says. The records are named by their places.
    pub(super) fn new(records: &[Record], indexed: impl Fn(&Record) -> usize + Sync) -> Self {
        let posting = |record, &PrefixFeature { feature, before }: &PrefixFeature| PrefixPosting {
            feature,
            record,
            before: u32::try_from(before).unwrap_or(u32::MAX),
        };
        let mut postings: Vec<PrefixPosting> = records
            .par_iter()
            .enumerate()
            .flat_map_iter(|(number, record)| {
                record.prefix[..indexed(record)].iter().map(move |feature| posting(number as u32, feature))
            })
            .collect();
        postings.par_sort_unstable();
        let bits = postings.len().next_power_of_two().ilog2().clamp(1, 30);
        let shift = u64::BITS - bits;
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        let mut start = 0;
        for upper in 0..1_u64 << bits {
            while postings.get(start as usize).is_some_and(|posting| posting.feature >> shift < upper) {
                start += 1;
            }
            starts.push(start);
        }
        starts.push(postings.len() as u32);
        Self { postings, starts, shift }
    }

    /// The postings of a feature whose records are in a range.
    pub(super) fn postings(&self, feature: u64, records: &Range<u32>) -> &[PrefixPosting] {
        let upper = (feature >> self.shift) as usize;
        let bucket = &self.postings[self.starts[upper] as usize..self.starts[upper + 1] as usize];
        let place = |record: u32| {
            bucket.partition_point(|posting| (posting.feature, posting.record) < (feature, record))
        };
        &bucket[place(records.start)..place(records.end)]
    }
}
