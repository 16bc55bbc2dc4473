//! What the search keeps of a document.

use super::frequencies::Frequencies;
use super::overlap::Features;
use crate::features::FeatureSets;
use crate::threshold::Threshold;

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
    pub(super) fn new(
        sets: &FeatureSets,
        document: u32,
        frequencies: &Frequencies,
        threshold: Threshold,
    ) -> Option<Self> {
        let all = Features::of(sets, document);
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
