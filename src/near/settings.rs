//! What is searched for, and how.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStrExt;

use crate::Tick;
use crate::clusters::Linkage;
use crate::error::PairLimit;
use crate::minhash::Bands;
use crate::spotsigs::{Antecedents, IdfBounds, signatures};

use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::documents::Document;
use dupi_text::sketch::{USUAL_SHINGLE, shingles};

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

/// What a search for similar documents reads, how, and to whom it tells its progress.
#[derive(Clone, Copy)]
pub(super) struct Query<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) settings: &'a NearSettings,
    pub(super) tick: &'a Tick<'a>,
}

impl NearSettings {
    /// Whether the sketches that an index keeps are used: with the usual shingles, and with MinHash for thresholds at which
    /// eight bits of each hash are enough.
    pub fn uses_sketches(&self) -> bool {
        match &self.method {
            Method::MinHash(rule) => {
                rule.shingling == Shingling::default() && Bands::choose(self.rule.threshold).width() == 1
            }
            Method::SimHash(rule) => rule.shingle == USUAL_SHINGLE,
            Method::Identical(_) | Method::Jaccard(_) | Method::SpotSigs(_) => false,
        }
    }

    /// Limits the pairs that may be found.
    pub(super) fn pair_limit(&self) -> PairLimit {
        if self.clusters { PairLimit::for_clusters(self.memory) } else { PairLimit::for_list(self.memory) }
    }
}

/// How a document becomes features, for the methods that compare all features of two documents.
#[derive(Clone, Copy)]
pub(super) enum FeatureRule<'a> {
    Shingles(Shingling),
    Spots(&'a SpotRule),
}

impl<'a> FeatureRule<'a> {
    /// The rule of a method; `None` if it compares something else.
    pub(super) fn from_method(method: &'a Method) -> Option<Self> {
        match method {
            Method::Jaccard(shingling) => Some(Self::Shingles(*shingling)),
            Method::SpotSigs(rule) => Some(Self::Spots(rule)),
            Method::Identical(_) | Method::MinHash(_) | Method::SimHash(_) => None,
        }
    }

    /// The features of a document with these tokens; those of a set each once.
    pub(super) fn make(self, tokens: &[u64]) -> Vec<u64> {
        let mut features = match self {
            Self::Shingles(shingling) => shingles(tokens, shingling.size),
            Self::Spots(rule) => signatures(tokens, &rule.antecedents),
        };
        if !self.is_bag() {
            features.sort_unstable();
            features.dedup();
            features.shrink_to_fit();
        }
        features
    }

    /// Whether each occurrence of a feature counts.
    pub(super) fn is_bag(self) -> bool {
        match self {
            Self::Shingles(shingling) => shingling.bag,
            Self::Spots(_) => true,
        }
    }

    /// The memory that the features and their index take for each token. In running text about a third of the tokens begin
    /// a spot signature.
    pub(super) fn bytes_a_token(self) -> u64 {
        match self {
            Self::Shingles(_) => 24,
            Self::Spots(_) => 8,
        }
    }

    /// Which features count, if that depends on all documents.
    pub(super) fn bounds(self) -> Option<IdfBounds> {
        match self {
            Self::Spots(rule) if rule.idf != IdfBounds::default() => Some(rule.idf),
            _ => None,
        }
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

// Which document of a cluster is kept: its representative.

/// The representative of a cluster. Of equals, the first one by path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The document with the most tokens.
    #[default]
    Longest,
    /// The document whose file was changed first.
    Oldest,
    /// The document whose file was changed last.
    Newest,
    /// The document whose path has the fewest bytes.
    ShortestPath,
    /// The document that is the most similar to the others, on average. Similarities below the threshold count as 0.
    Central,
}

impl Keep {
    /// Chooses among documents, each with its number and the sum of its similarities to the others. The numbers ascend
    /// with the paths.
    pub(super) fn choose(
        self,
        snapshot: &Snapshot,
        documents: &[Document],
        members: impl Iterator<Item = (u32, f64)>,
    ) -> Option<u32> {
        let path = |document: &Document| {
            snapshot.path(snapshot.file_of(document.id)).as_os_str().as_bytes().len() as i64
        };
        let merit = |(number, sum): (u32, f64)| {
            let document = &documents[number as usize];
            let merit = match self {
                Self::Longest => i64::from(document.tokens),
                Self::Oldest => document.mtime.saturating_neg(),
                Self::Newest => document.mtime,
                Self::ShortestPath => -path(document),
                // Sums of up to a billion similarities, to six digits.
                Self::Central => (sum * 1e6) as i64,
            };
            (merit, Reverse(number))
        };
        members.map(merit).max().map(|(_, Reverse(number))| number)
    }
}
