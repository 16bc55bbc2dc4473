//! Signatures estimate the resemblance of the sets and bags that they are made of.

use crate::features::FeatureSets;
use dupi_text::sketch::Signer;
use dupi_text::sketch::mix::avalanche;

fn signed(sets: &FeatureSets, signer: &Signer, document: usize) -> Vec<u32> {
    let mut out = vec![0; signer.hashes()];
    signer.sign(sets.of(document), sets.counts(document), &mut out);
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
            if are_bags { sets.add_bag(features) } else { sets.add_set(features) }
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
