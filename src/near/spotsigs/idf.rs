//! Leaves out signatures that are too frequent or too rare.

use rayon::prelude::*;

use crate::features::FeatureSets;

/// Which signatures count, by their inverse document frequency: log(n / df) / log(n) for a signature that df of n
/// documents have. It is 1 for a signature of one document, and 0 for one of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdfBounds {
    /// The smallest that counts: a larger one leaves out more frequent signatures.
    pub min: f64,
    /// The largest that counts: a smaller one leaves out more rare signatures.
    pub max: f64,
}

impl Default for IdfBounds {
    /// All signatures count.
    fn default() -> Self {
        Self { min: 0.0, max: 1.0 }
    }
}

impl IdfBounds {
    /// Whether a signature with this document frequency counts.
    pub(crate) fn is_within(self, documents: f64, frequency: f64) -> bool {
        let idf = if documents > 1.0 { (documents / frequency).ln() / documents.ln() } else { 1.0 };
        // A logarithm's last digit must not decide.
        idf >= self.min - 1e-12 && idf <= self.max + 1e-12
    }

    /// The bags without the signatures that do not count. The documents keep their numbers.
    pub fn apply(self, bags: FeatureSets) -> FeatureSets {
        if self == Self::default() {
            return bags;
        }
        let is_within = |frequency: usize| self.is_within(bags.len() as f64, frequency as f64);
        let mut all: Vec<u64> = (0..bags.len()).flat_map(|document| bags.of(document)).copied().collect();
        all.par_sort_unstable();
        let equal = all.chunk_by(|a, b| a == b);
        let kept: Vec<u64> = equal.filter(|equal| is_within(equal.len())).map(|equal| equal[0]).collect();
        drop(all);
        let mut bounded = FeatureSets::default();
        for document in 0..bags.len() {
            let features = bags.of(document);
            let places: Vec<usize> =
                (0..features.len()).filter(|&at| kept.binary_search(&features[at]).is_ok()).collect();
            let features: Vec<u64> = places.iter().map(|&at| features[at]).collect();
            if bags.are_bags() {
                let counts: Vec<u32> = places.iter().map(|&at| bags.counts(document)[at]).collect();
                bounded.add_counted(&features, &counts);
            } else {
                bounded.add_set(features);
            }
        }
        bounded
    }
}
