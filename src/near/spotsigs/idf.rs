//! Leaves out signatures that are too frequent or too rare.

use super::ranked::frequencies;
use crate::near::features::FeatureSets;

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
    /// The bags without the signatures that do not count. The documents keep their numbers.
    pub fn apply(self, bags: &FeatureSets) -> FeatureSets {
        if self == Self::default() {
            return bags.clone();
        }
        let documents = bags.len() as f64;
        let counts = |&(_, frequency): &(u64, u32)| {
            let idf =
                if documents > 1.0 { (documents / f64::from(frequency)).ln() / documents.ln() } else { 1.0 };
            // A logarithm's last digit must not decide.
            idf >= self.min - 1e-12 && idf <= self.max + 1e-12
        };
        let kept: Vec<u64> =
            frequencies(bags).iter().filter(|found| counts(found)).map(|&(feature, _)| feature).collect();
        let is_set = (0..bags.len()).all(|document| bags.counts(document).is_empty());
        let mut bounded = FeatureSets::default();
        for document in 0..bags.len() {
            let counts = bags.counts(document);
            let repeated = |(at, &feature): (usize, &u64)| {
                let count = if kept.binary_search(&feature).is_ok() {
                    counts.get(at).copied().unwrap_or(1)
                } else {
                    0
                };
                std::iter::repeat_n(feature, count as usize)
            };
            let features = bags.of(document).iter().enumerate().flat_map(repeated).collect();
            if is_set { bounded.add_set(features) } else { bounded.add_bag(features) }
        }
        bounded
    }
}
