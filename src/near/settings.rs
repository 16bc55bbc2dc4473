//! What is searched for, and how.

use std::num::NonZeroUsize;

use super::clusters::Linkage;
use super::keep::Keep;
use super::minhash::{self, KeptBits};
use super::pair_limit::{PairLimit, PairUse};
use super::spotsigs::{Antecedents, IdfBounds};
use dupi_text::sketch::USUAL_SHINGLE;

/// How documents are compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// Documents with the same tokens or bytes, and folders with the same contents.
    Identical(Identity),
    /// All pairs with a Jaccard resemblance of their shingles at or above the threshold.
    Jaccard(Shingling),
    /// Almost all of these pairs, found by short signatures, for very many documents.
    MinHash(SignatureRule),
    /// All pairs with fingerprints of 64 bits that differ in few bits.
    SimHash(FingerprintRule),
    /// All pairs with a Jaccard resemblance of their spot signatures at or above the threshold.
    SpotSigs(SpotRule),
}

/// How documents are compared by SpotSigs.
#[derive(Clone, Debug, PartialEq)]
pub struct SpotRule {
    /// The words that signatures begin with.
    pub antecedents: Antecedents,
    /// Which signatures count.
    pub idf: IdfBounds,
}

/// How documents are compared by MinHash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureRule {
    /// What a signature is made of.
    pub shingling: Shingling,
    /// Whether pairs are compared by all their shingles. If not, their similarity is an estimate.
    pub verify: bool,
}

/// How documents are compared by SimHash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FingerprintRule {
    /// In how many bits two fingerprints may differ.
    pub distance: u32,
    /// The tokens of a shingle.
    pub shingle: NonZeroUsize,
}

/// What a document is made into for Jaccard's measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shingling {
    /// The tokens of a shingle.
    pub size: NonZeroUsize,
    /// Whether it counts how often a document has a shingle.
    pub bag: bool,
}

impl Default for Shingling {
    fn default() -> Self {
        Self { size: USUAL_SHINGLE, bag: false }
    }
}

/// The settings of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct NearSettings {
    /// How documents are compared.
    pub method: Method,
    /// Which pairs are similar, and how they become clusters.
    pub rule: ClusterRule,
    /// Whether clusters are made, or pairs only.
    pub clusters: bool,
    /// The memory limit in bytes.
    pub memory: u64,
}

impl NearSettings {
    /// Whether the sketches that an index keeps are used: with the usual shingles, and with MinHash for thresholds at which
    /// eight bits of each hash are enough.
    pub fn uses_sketches(&self) -> bool {
        let has_enough_bits =
            || minhash::MinHashSettings::default().kept_bits(self.rule.threshold) == KeptBits::Eight;
        match &self.method {
            Method::MinHash(rule) => rule.shingling == Shingling::default() && has_enough_bits(),
            Method::SimHash(rule) => rule.shingle == USUAL_SHINGLE,
            Method::Identical(_) | Method::Jaccard(_) | Method::SpotSigs(_) => false,
        }
    }

    /// How many pairs may be found.
    pub(super) fn pair_limit(&self) -> PairLimit {
        PairLimit::new(self.memory, if self.clusters { PairUse::Clusters } else { PairUse::List })
    }
}

/// What identical documents have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Identity {
    /// Their tokens.
    #[default]
    Tokens,
    /// All bytes of their files. Of records, all bytes of their texts.
    Bytes,
}

/// How clusters are made of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClusterRule {
    /// The smallest similarity of a pair. SimHash has a distance instead.
    pub threshold: f64,
    /// When clusters are joined.
    pub linkage: Linkage,
    /// Which document represents a cluster.
    pub keep: Keep,
}
