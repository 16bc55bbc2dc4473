//! In how many documents a feature is, roughly.

use std::sync::atomic::{AtomicU16, Ordering};

use dupi_base::parallel;

use crate::features::FeatureSets;

/// The most counters.
const MOST: usize = 1 << 27;
/// So many counters stay in a processor's cache.
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
pub(super) struct Frequencies {
    /// By the places of the features in the sets.
    of_features: Vec<AtomicU16>,
}

impl Frequencies {
    /// Counts the features of some documents.
    pub(super) fn count(sets: &FeatureSets, documents: &[u32]) -> Self {
        let features: usize = documents.iter().map(|&document| sets.of(document as usize).len()).sum();
        let len = (2 * features).next_power_of_two().clamp(2, MOST);
        // Features are hashes, so their upper bits are as good as any, and sorted features meet the counters in order.
        let shift = u64::BITS - len.ilog2();
        let parts = (PARTS * rayon::current_num_threads()).next_power_of_two().min(len);
        let mean = features / documents.len().max(1);
        let stretches = (len / CACHED).min(mean / FEATURES).next_power_of_two().clamp(parts, len);
        let width = len / stretches;
        let mut of_features = Vec::new();
        of_features.resize_with(sets.feature_count(), AtomicU16::default);
        let count = |part: usize| {
            let own = part * (stretches / parts)..(part + 1) * (stretches / parts);
            let mut counters = vec![0_u16; width];
            let first = (own.start * width) as u64;
            // For each document, the place of its first feature of the stretch.
            let mut places: Vec<usize> = documents
                .iter()
                .map(|&document| {
                    sets.of(document as usize).partition_point(|feature| feature >> shift < first)
                })
                .collect();
            for stretch in own {
                let first = (stretch * width) as u64;
                counters.fill(0);
                for (&document, &place) in documents.iter().zip(&places) {
                    for feature in &sets.of(document as usize)[place..] {
                        let Some(counter) = counters.get_mut(((feature >> shift) - first) as usize) else {
                            break;
                        };
                        *counter = counter.saturating_add(1);
                    }
                }
                for (&document, place) in documents.iter().zip(&mut places) {
                    let noted = &of_features[sets.start(document as usize)..];
                    for feature in &sets.of(document as usize)[*place..] {
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
    pub(super) fn of<'a>(&'a self, sets: &FeatureSets, document: u32) -> impl Iterator<Item = u16> + use<'a> {
        let (start, len) = (sets.start(document as usize), sets.of(document as usize).len());
        self.of_features[start..start + len].iter().map(|count| count.load(Ordering::Relaxed))
    }
}
