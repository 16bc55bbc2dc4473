//! In how many documents a feature is, roughly.

use rayon::prelude::*;

use crate::near::features::FeatureSets;

/// The most counters: 256 MiB.
const MOST: usize = 1 << 27;

/// A counter for each feature, which may share it with others: it never counts too little, and it is the same whatever
/// the number of threads.
///
/// Prefix filtering needs the same order of features in all documents, but any order will do. So these counters take
/// the place of a sorted list of all features with their document frequencies.
pub(super) struct Frequencies {
    counters: Vec<u16>,
    /// How far a feature is shifted right to the number of its counter. Features are hashes, so their upper bits are as
    /// good as any, and sorted features meet the counters in order.
    shift: u32,
}

impl Frequencies {
    /// Counts the features of some documents.
    pub(super) fn count(sets: &FeatureSets, documents: &[u32]) -> Self {
        let features: usize = documents.iter().map(|&document| sets.of(document as usize).len()).sum();
        let len = (2 * features).next_power_of_two().clamp(2, MOST);
        let shift = u64::BITS - len.ilog2();
        let mut counters = vec![0_u16; len];
        let part = len / rayon::current_num_threads().next_power_of_two().min(len);
        counters.par_chunks_mut(part).enumerate().for_each(|(number, counters)| {
            let first = number * part;
            for &document in documents {
                let features = sets.of(document as usize);
                let place = |counter: usize| {
                    features.partition_point(|feature| ((feature >> shift) as usize) < counter)
                };
                for feature in &features[place(first)..place(first + part)] {
                    let counter = &mut counters[(feature >> shift) as usize - first];
                    *counter = counter.saturating_add(1);
                }
            }
        });
        Self { counters, shift }
    }

    /// The count of a feature, between its document frequency and 65,535. It is 1 only for features of a single
    /// document.
    #[inline]
    pub(super) fn of(&self, feature: u64) -> u16 {
        self.counters[(feature >> self.shift) as usize]
    }
}
