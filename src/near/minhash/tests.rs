//! Signatures estimate the resemblance of the sets and bags that they are made of, and find almost all similar ones.

use super::*;
use crate::features::{FeatureSets, Threshold};
use crate::jaccard;
use crate::pairs::{Equal, renamed};
use dupi_text::sketch::{Signer, avalanche};

#[test]
fn bands_find_almost_all_pairs_at_the_threshold_with_the_most_rows() {
    assert_eq!(Bands::choose(0.5), Bands { bands: 42, rows: 3 });
    assert_eq!(Bands::choose(0.8), Bands { bands: 21, rows: 6 });
    assert_eq!(Bands::choose(1.0), Bands { bands: 1, rows: 128 });
    assert_eq!(Bands::choose(0.01), Bands { bands: 128, rows: 1 });
    for percent in 5..=100 {
        let threshold = f64::from(percent) / 100.0;
        let bands = Bands::choose(threshold);
        assert!(bands.probability(threshold) >= 0.99, "{threshold}");
        assert!(bands.expected_recall(threshold) >= bands.probability(threshold), "{threshold}");
    }
}

#[test]
fn the_curve_rises_from_0_to_1() {
    let curve = Bands { bands: 42, rows: 3 }.curve();
    assert_eq!(curve[0], (0.0, 0.0));
    assert_eq!(curve[20], (1.0, 1.0));
    assert!(curve.is_sorted_by(|(_, a), (_, b)| a <= b));
    let at_half = 1.0 - (1.0_f64 - 0.125).powi(42);
    assert!((curve[10].1 - at_half).abs() < 1e-12);
}

const GO: &Tick = &|_| Ok(());

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
            sets.add(features.collect(), are_bags);
        }
    }
    sets
}

/// The pairs of different sets, as a search by signatures finds them, with all features in memory.
fn pairs(
    sets: &FeatureSets,
    threshold: f64,
    verify: bool,
    limit: &PairLimit,
) -> Result<Vec<Pair>, NearError> {
    let (equal, bands) = (Equal::find(sets), Bands::choose(threshold));
    let Some(least) = Threshold::new(threshold) else { return Ok(Vec::new()) };
    let signer = Signer::new(HASHES);
    let sign = |&document: &u32| {
        let mut hashes = [0; HASHES];
        let own = sets.get(document as usize);
        signer.sign(own.features, own.counts, &mut hashes);
        kept_bytes(&hashes, bands.width())
    };
    let signatures = Signatures::new(bands, equal.distinct.iter().flat_map(sign).collect());
    let found = signatures.candidates(floor(threshold, verify), limit, GO)?;
    let get = |number: u32| sets.get(number as usize);
    let verified = |pair: Pair| match verify {
        true => Some(Pair { similarity: least.compare(get(pair.a), get(pair.b))?, ..pair }),
        false => Some(pair),
    };
    let candidates = renamed(found.pairs, &equal.distinct).into_iter().filter_map(verified);
    let crowded: Vec<u32> = found.crowded.iter().map(|&number| equal.distinct[number as usize]).collect();
    let mut pairs = jaccard::join(sets, &crowded, least, limit, GO)?;
    pairs.extend(candidates);
    sort_pairs(&mut pairs);
    Ok(pairs)
}

fn both(sets: &FeatureSets, threshold: f64, verify: bool) -> (Vec<Pair>, Vec<Pair>) {
    let unlimited = PairLimit::for_list(u64::MAX);
    let exact = jaccard::pairs(sets, &Equal::find(sets), threshold, &unlimited, GO).unwrap();
    (pairs(sets, threshold, verify, &unlimited).unwrap(), exact)
}

#[test]
fn verified_pairs_are_exact_and_few_are_missing() {
    for are_bags in [false, true] {
        let sets = planted(2000, are_bags);
        for threshold in [0.3, 0.5, 0.8, 0.95] {
            let (found, exact) = both(&sets, threshold, true);
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
    let (found, exact) = both(&sets, 0.5, false);
    let error = |pair: &Pair| f64::from(pair.similarity) - sets.resemblance(pair.a as usize, pair.b as usize);
    assert!(found.iter().all(|pair| pair.similarity >= 0.5 && error(pair).abs() < 0.25));
    assert!(found.len().abs_diff(exact.len()) < exact.len() / 20);
}

#[test]
fn one_thread_and_two_find_the_same() {
    let sets = planted(300, false);
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| both(&sets, 0.4, true).0)
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
    let (found, exact) = both(&sets, 0.9, true);
    assert_eq!(exact.len(), 1500);
    assert!(found.len() >= 1485 && found.iter().all(|pair| exact.contains(pair)), "{}", found.len());
}

#[test]
fn an_impossible_threshold_and_empty_documents_give_no_pair() {
    let mut sets = FeatureSets::default();
    sets.add_set(vec![]);
    sets.add_set(vec![]);
    assert_eq!(both(&sets, 0.0, true).0, []);
    assert_eq!(both(&planted(3, false), 1.5, true).0, []);
}

#[test]
fn too_many_candidates_end_the_search() {
    let mut sets = FeatureSets::default();
    // Groups of 200 share a bucket, and each has 19,900 pairs.
    for number in 0..4000_u64 {
        let common = (0..50).map(|at| avalanche(number / 200 * 1000 + at));
        sets.add_set(common.chain([number << 32]).collect());
    }
    let found = pairs(&sets, 0.5, true, &PairLimit::for_clusters(0));
    assert!(matches!(found, Err(NearError::Pairs { .. })));
}

fn signed(sets: &FeatureSets, signer: &Signer, document: usize) -> Vec<u32> {
    let mut out = vec![0; signer.hashes()];
    let own = sets.get(document);
    signer.sign(own.features, own.counts, &mut out);
    out
}

/// The mean difference of estimate and resemblance over many pairs, and the mean square of it in units of the
/// variance of as many independent hashes.
fn error(
    pairs: u64,
    hashes: usize,
    mut make: impl FnMut(u64) -> (Vec<u64>, Vec<u64>),
    are_bags: bool,
) -> (f64, f64) {
    let signer = Signer::new(hashes);
    let (mut sum, mut squares, mut variances) = (0.0, 0.0, 0.0);
    for seed in 0..pairs {
        let mut sets = FeatureSets::default();
        for features in <[_; 2]>::from(make(seed)) {
            sets.add(features, are_bags);
        }
        let (a, b) = (signed(&sets, &signer, 0), signed(&sets, &signer, 1));
        let agreeing = a.iter().zip(&b).filter(|(a, b)| a == b).count();
        let resemblance = sets.resemblance(0, 1);
        let error = agreeing as f64 / hashes as f64 - resemblance;
        sum += error;
        squares += error * error;
        variances += resemblance * (1.0 - resemblance) / hashes as f64;
    }
    (sum / pairs as f64, squares / variances)
}

/// Two sets of 1 to `most` features, which share some.
fn sets(most: u64) -> impl FnMut(u64) -> (Vec<u64>, Vec<u64>) {
    move |seed| {
        let random = |number: u64| avalanche(seed * 1000 + number + 77);
        let (a, b) = (1 + random(0) % most, 1 + random(1) % most);
        let both = random(2) % (a.min(b) + 1);
        (
            (0..a).map(|at| random(10 + at)).collect(),
            (a - both..a - both + b).map(|at| random(10 + at)).collect(),
        )
    }
}

#[test]
fn estimates_are_not_biased_and_as_near_as_independent_hashes_are() {
    for (most, hashes) in [(1, 16), (2, 64), (5, 64), (50, 64), (50, 33), (300, 64)] {
        let pairs = 3000;
        let (bias, variance) = error(pairs, hashes, sets(most), false);
        // Four standard errors of the mean, each at most those of p = 1/2.
        let noise = 4.0 * (0.25 * 1.5 / hashes as f64 / pairs as f64).sqrt();
        assert!(bias.abs() < noise, "{most} features, {hashes} hashes: {bias}");
        assert!(most == 1 || variance < 1.25, "{most} features, {hashes} hashes: {variance}");
    }
}

#[test]
fn estimates_of_bags_are_not_biased() {
    let mut pair = sets(30);
    let bags = move |seed| {
        let (a, b) = pair(seed);
        let repeated = |of: Vec<u64>| of.into_iter().map(|feature| feature % 10).collect();
        (repeated(a), repeated(b))
    };
    let (bias, variance) = error(3000, 64, bags, true);
    assert!(bias.abs() < 4.0 * (0.25 * 1.5 / 64.0 / 3000.0_f64).sqrt(), "{bias}");
    assert!(variance < 1.25, "{variance}");
}

#[test]
fn a_set_is_signed_like_the_bag_that_has_each_once_and_nothing_has_no_signature() {
    let signer = Signer::new(20);
    let sign = |features: &[u64], counts: &[u32]| {
        let mut out = vec![0; 20];
        signer.sign(features, counts, &mut out);
        out
    };
    assert_eq!(sign(&[4, 5], &[1, 1]), sign(&[4, 5], &[]));
    assert_ne!(sign(&[4, 5], &[1, 2]), sign(&[4, 5], &[]));
    assert_eq!(sign(&[], &[]), [u32::MAX; 20]);
    assert!(!sign(&[4], &[]).contains(&u32::MAX));
}
