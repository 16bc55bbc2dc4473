//! Signatures: a few hashes of a set that agree in two sets as often as the sets resemble each other.

use crate::near::mix::{avalanche, scatter};

/// No hash yet.
const NONE: u32 = u32::MAX;

/// Signs sets and bags, each by itself.
///
/// A feature is hashed to one place of the signature and to a number there, and the smallest number at a place stays: one
/// permutation (Li, Owen and Zhang, “One permutation hashing”, 2012). Places that get none are filled by further rounds with
/// other hashes, and those that as many rounds as there are places leave empty by the smallest of all features (Dahlgaard,
/// Knudsen and Thorup, “Fast similarity sketching”, 2017). At each place the feature that stays is then the one that is
/// first in an order of all features that does not depend on the set. So two signatures agree at a place with the
/// probability of their resemblance exactly, for small sets too, where other ways to fill empty places (Shrivastava,
/// “Optimal densification for fast and accurate minwise hashing”, 2017) vary more.
#[derive(Clone, Debug)]
pub struct Signer {
    /// A number for each round.
    rounds: Vec<u64>,
}

impl Signer {
    /// Makes signatures of `hashes` numbers, at least one.
    pub fn new(hashes: usize) -> Self {
        Self { rounds: (1..=2 * hashes.max(1) as u64).map(avalanche).collect() }
    }

    /// How many hashes a signature has.
    pub fn hashes(&self) -> usize {
        self.rounds.len() / 2
    }

    /// Writes the signature of features and, for a bag, their counts, into `out`, which has [`hashes`](Self::hashes)
    /// places. A bag is signed as the set of (feature, 1), (feature, 2), … up to its count. Without features there is no
    /// signature: all places are then `u32::MAX`, which is in no other signature.
    pub fn sign(&self, features: &[u64], counts: &[u32], out: &mut [u32]) {
        out.fill(NONE);
        if counts.iter().all(|&count| count == 1) {
            self.sign_set(features, out);
        } else {
            let repeats = |(&feature, &count): (&u64, &u32)| {
                (0..count).map(move |number| {
                    if number == 0 { feature } else { avalanche(feature ^ scatter(number.into())) }
                })
            };
            self.sign_set(&features.iter().zip(counts).flat_map(repeats).collect::<Vec<u64>>(), out);
        }
    }

    fn sign_set(&self, features: &[u64], out: &mut [u32]) {
        let places = out.len() as u64;
        let hash = |feature: u64, round: u64| {
            let hash = avalanche(feature ^ round);
            (((hash >> 32) * places) >> 32, (hash as u32).min(NONE - 1))
        };
        for &feature in features {
            let (place, number) = hash(feature, self.rounds[0]);
            let least = &mut out[place as usize];
            *least = number.min(*least);
        }
        let mut empty = out.iter().filter(|&&least| least == NONE).count();
        if empty == 0 || features.is_empty() {
            return;
        }
        // In which round a place was filled.
        let mut filled: Vec<usize> =
            out.iter().map(|&least| if least == NONE { usize::MAX } else { 0 }).collect();
        for (number, &round) in self.rounds.iter().enumerate().skip(1) {
            let only = number.checked_sub(out.len());
            if only.is_some_and(|place| filled[place] < number) {
                continue;
            }
            for &feature in features {
                let (place, value) = hash(feature, round);
                let place = only.unwrap_or(place as usize);
                if filled[place] == usize::MAX {
                    filled[place] = number;
                    empty -= 1;
                    out[place] = value;
                } else if filled[place] == number {
                    out[place] = value.min(out[place]);
                }
            }
            if empty == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::features::FeatureSets;

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
}
