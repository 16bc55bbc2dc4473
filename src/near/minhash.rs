//! Pairs of documents whose Jaccard resemblance reaches a threshold, by MinHash: a short signature of each document stands
//! for its features (Broder, “On the resemblance and containment of documents”, 1997), and only documents that agree in a
//! band of their signatures are compared.
//!
//! Below 10,000 short documents this takes as long as [`jaccard::pairs`], and half as long at a
//! million.
//!
//! [`pairs`] works on features in memory. For more documents than that, [`Signatures`] takes them in parts and forgets their
//! features; its [`Candidates`] tell which documents must be read again to compare them.

mod bands;
mod signatures;
#[cfg(test)]
mod signer_tests;

use rayon::prelude::*;

pub use bands::Bands;
pub(super) use signatures::{CROWD, key as band_key};
pub use signatures::{Candidates, KeptHash, Signatures, estimate};

use super::equal::Equal;
use super::error::NearError;
use super::features::FeatureSets;
use super::jaccard;
use super::pair::Pair;
use super::pair_limit::PairLimit;
use super::threshold::Threshold;
use dupi_base::parallel;
use dupi_index::index::search::Tick;
use dupi_text::sketch::Signer;

/// How far below the threshold an estimate may be, in standard deviations, for the pair to be compared.
const DEVIATIONS: f64 = 4.0;

/// How documents are signed and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinHashSettings {
    /// How many hashes a signature has. None counts as one.
    pub hashes: usize,
    /// Whether the features of candidates are compared. If not, a pair is reported by its estimate alone.
    pub verify: bool,
}

impl Default for MinHashSettings {
    fn default() -> Self {
        Self { hashes: 128, verify: true }
    }
}

/// How many bits of each hash of a signature are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptBits {
    /// As many as an index keeps.
    Eight,
    /// Twice as many.
    Sixteen,
}

impl MinHashSettings {
    /// The bands for a threshold.
    pub fn bands(self, threshold: f64) -> Bands {
        Bands::choose(threshold, self.hashes.max(1))
    }

    /// How many bits of each hash are needed for a threshold. Bands of one row have so few values of 8 bits that most
    /// documents would agree in one by chance.
    pub fn kept_bits(self, threshold: f64) -> KeptBits {
        if self.bands(threshold).rows > 1 { KeptBits::Eight } else { KeptBits::Sixteen }
    }

    /// The least estimate of a candidate. With verification it is so far below the threshold that of pairs at the
    /// threshold fewer than one in 10,000 is lost by it.
    pub fn floor(self, threshold: f64) -> f64 {
        threshold - if self.verify { DEVIATIONS * self.deviation(threshold) } else { 0.0 }
    }

    /// The standard deviation of estimates of pairs at the threshold.
    fn deviation(self, threshold: f64) -> f64 {
        (threshold * (1.0 - threshold) / self.hashes.max(1) as f64).max(0.0).sqrt()
    }
}

/// Pairs of different sets of features whose resemblance is `threshold` or more, sorted, each set named by the first
/// document that has it, as [`jaccard::pairs`] reports them: with verification some of those pairs, usually 99 of 100 or more
/// ([`Bands::expected_recall`]), and none else. Without it the similarity is an estimate, and so is what reaches the threshold.
///
/// Documents that agree in a band with more than a few hundred others, because of a text that they all have, are not compared
/// each with each, but by [`jaccard::pairs`], whose rare features tell them apart. Their similarity is always exact.
///
/// # Errors
/// When there are more candidates and pairs than `limit` allows, and the error of `tick`, which gets the progress, 0 to 1.
pub fn pairs(
    sets: &FeatureSets,
    equal: &Equal,
    threshold: f64,
    settings: MinHashSettings,
    limit: &PairLimit,
    tick: &Tick<'_>,
) -> Result<Vec<Pair>, NearError> {
    let Some(least) = Threshold::new(threshold) else { return Ok(Vec::new()) };
    let candidates = |tick: &Tick<'_>| match settings.kept_bits(threshold) {
        KeptBits::Eight => candidates::<u8>(sets, equal, threshold, settings, limit, tick),
        KeptBits::Sixteen => candidates::<u16>(sets, equal, threshold, settings, limit, tick),
    };
    let found = candidates(&|done| tick(0.7 * done))?;
    let name = |number: u32| equal.distinct[number as usize];
    let verify = |pair: Pair| {
        let (a, b) = (name(pair.a), name(pair.b));
        let similarity = if settings.verify { jaccard::compare(sets, a, b, least)? } else { pair.similarity };
        Some(Pair { a, b, similarity })
    };
    let mut pairs: Vec<Pair> = parallel::flat_map(&found.pairs, |pair| verify(*pair));
    tick(0.8)?;
    let crowded: Vec<u32> = found.crowded.into_iter().map(name).collect();
    let exact = jaccard::join(sets, &crowded, least, limit, &|done| tick(0.8 + 0.2 * done))?;
    // The sort is stable: of a pair that was estimated too, the exact similarity stays.
    pairs.splice(..0, exact);
    pairs.par_sort_by_key(|pair| (pair.a, pair.b));
    pairs.dedup_by_key(|pair| (pair.a, pair.b));
    Ok(pairs)
}

/// The candidates among the documents that are named in `equal`.
fn candidates<H: KeptHash>(
    sets: &FeatureSets,
    equal: &Equal,
    threshold: f64,
    settings: MinHashSettings,
    limit: &PairLimit,
    tick: &Tick<'_>,
) -> Result<Candidates, NearError> {
    let signer = Signer::new(settings.hashes);
    let sign = |hashes: &mut Vec<u32>, &document: &u32| {
        let document = document as usize;
        signer.sign(sets.of(document), sets.counts(document), hashes);
        hashes.iter().map(|&hash| H::of(hash)).collect::<Vec<H>>()
    };
    let signed = equal.distinct.par_iter().map_init(|| vec![0; signer.hashes()], sign);
    let signatures = Signatures::new(signer.hashes(), signed.flatten_iter().collect());
    tick(0.3)?;
    let (bands, floor) = (settings.bands(threshold), settings.floor(threshold));
    signatures.candidates(bands, floor, limit, &|done| tick(0.3 + 0.7 * done))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_text::sketch::mix::avalanche;

    const GO: &Tick<'_> = &|_| Ok(());

    /// Sets of 5 to 100 features, each with an edited copy, some of them twice.
    fn planted(number: u64, are_bags: bool) -> FeatureSets {
        let mut sets = FeatureSets::default();
        for group in 0..number {
            let len = 5 + avalanche(group) % 95;
            for copy in 0..2 + u64::from(group % 7 == 0) {
                let edits = avalanche(group + 9_999) % 100 * (copy % 2);
                let feature = |at: u64| {
                    let is_edited = avalanche(group * 1000 + at + 7) % 100 < edits;
                    avalanche(group << 20 | at << 1 | u64::from(is_edited))
                };
                let features =
                    (0..len).map(feature).flat_map(|feature| vec![feature; 1 + (feature % 3) as usize]);
                if are_bags { sets.add_bag(features.collect()) } else { sets.add_set(features.collect()) }
            }
        }
        sets
    }

    fn both(sets: &FeatureSets, threshold: f64, settings: MinHashSettings) -> (Vec<Pair>, Vec<Pair>) {
        let equal = Equal::find(sets);
        let exact = jaccard::pairs(sets, &equal, threshold, GO).unwrap();
        (pairs(sets, &equal, threshold, settings, &PairLimit::none(), GO).unwrap(), exact)
    }

    #[test]
    fn verified_pairs_are_exact_and_few_are_missing() {
        for are_bags in [false, true] {
            let sets = planted(2000, are_bags);
            for threshold in [0.3, 0.5, 0.8, 0.95] {
                let (found, exact) = both(&sets, threshold, MinHashSettings::default());
                assert!(found.iter().all(|pair| exact.contains(pair)), "{threshold}");
                assert!(
                    found.len() as f64 >= 0.99 * exact.len() as f64,
                    "{threshold}: {} {}",
                    found.len(),
                    exact.len()
                );
            }
        }
    }

    #[test]
    fn unverified_pairs_are_reported_by_their_estimates() {
        let sets = planted(500, false);
        let (found, exact) =
            both(&sets, 0.5, MinHashSettings { verify: false, ..MinHashSettings::default() });
        let error =
            |pair: &Pair| f64::from(pair.similarity) - sets.resemblance(pair.a as usize, pair.b as usize);
        assert!(found.iter().all(|pair| pair.similarity >= 0.5 && error(pair).abs() < 0.25));
        assert!(found.len().abs_diff(exact.len()) < exact.len() / 20);
    }

    #[test]
    fn one_thread_and_two_find_the_same() {
        let sets = planted(300, false);
        let [one, two] = [1, 2].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| both(&sets, 0.4, MinHashSettings::default()).0)
        });
        assert!(!one.is_empty());
        assert_eq!(one, two);
    }

    #[test]
    fn documents_crowded_by_a_common_text_are_joined_exactly() {
        let mut sets = FeatureSets::default();
        for number in 0..3000_u64 {
            let own = (0..20).map(|at| avalanche(number / 2 * 100 + at));
            sets.add_set((0..30).map(avalanche).chain(own).chain([number << 32]).collect());
        }
        let (found, exact) = both(&sets, 0.9, MinHashSettings::default());
        assert_eq!(exact.len(), 1500);
        assert!(found.len() >= 1485 && found.iter().all(|pair| exact.contains(pair)), "{}", found.len());
    }

    #[test]
    fn an_impossible_threshold_and_empty_documents_give_no_pair() {
        let mut sets = FeatureSets::default();
        sets.add_set(vec![]);
        sets.add_set(vec![]);
        assert_eq!(both(&sets, 0.0, MinHashSettings::default()).0, []);
        assert_eq!(both(&planted(3, false), 1.5, MinHashSettings::default()).0, []);
    }

    #[test]
    fn too_many_candidates_end_the_search() {
        use crate::pair_limit::PairUse;
        let mut sets = FeatureSets::default();
        // Groups of 200 share a bucket, and each has 19,900 pairs.
        for number in 0..4000_u64 {
            let common = (0..50).map(|at| avalanche(number / 200 * 1000 + at));
            sets.add_set(common.chain([number << 32]).collect());
        }
        let limit = PairLimit::new(0, PairUse::Clusters);
        let found = pairs(&sets, &Equal::find(&sets), 0.5, MinHashSettings::default(), &limit, GO);
        assert!(matches!(found, Err(NearError::Pairs { .. })));
    }
}
