//! Signatures: a few hashes of a set that agree in two sets as often as the sets resemble each other.

use std::borrow::Cow;

use super::mix::{avalanche, scatter};

/// No hash yet.
pub(super) const NONE: u32 = u32::MAX;
/// Most documents are signed in fewer rounds than it is worth to sort out repeated features for.
const ROUNDS_WITH_REPEATS: usize = 4;

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
        for &feature in features {
            let mixed = self.mixed(feature);
            let least = &mut out[Self::place(mixed, out.len())];
            *least = Self::number(mixed).min(*least);
        }
        self.fill(features, out);
    }

    /// The hash of a feature in the first round.
    #[inline]
    pub(super) fn mixed(&self, feature: u64) -> u64 {
        avalanche(feature ^ self.rounds[0])
    }

    /// The place of a hash among `places`.
    #[inline]
    pub(super) fn place(mixed: u64, places: usize) -> usize {
        (((mixed >> 32) * places as u64) >> 32) as usize
    }

    /// The number of a hash at its place.
    #[inline]
    pub(super) fn number(mixed: u64) -> u32 {
        (mixed as u32).min(NONE - 1)
    }

    /// Fills the places that the first round left empty, from all features; they may be repeated.
    pub(super) fn fill(&self, features: &[u64], out: &mut [u32]) {
        let mut empty = out.iter().filter(|&&least| least == NONE).count();
        if empty == 0 || features.is_empty() {
            return;
        }
        // In which round a place was filled.
        let mut filled: Vec<usize> =
            out.iter().map(|&least| if least == NONE { usize::MAX } else { 0 }).collect();
        let mut features = Cow::Borrowed(features);
        for (number, &round) in self.rounds.iter().enumerate().skip(1) {
            if number == ROUNDS_WITH_REPEATS {
                let distinct = features.to_mut();
                distinct.sort_unstable();
                distinct.dedup();
            }
            let only = number.checked_sub(out.len());
            if only.is_some_and(|place| filled[place] < number) {
                continue;
            }
            for &feature in &*features {
                let mixed = avalanche(feature ^ round);
                let place = only.unwrap_or(Self::place(mixed, out.len()));
                if filled[place] == usize::MAX {
                    filled[place] = number;
                    empty -= 1;
                    out[place] = Self::number(mixed);
                } else if filled[place] == number {
                    out[place] = Self::number(mixed).min(out[place]);
                }
            }
            if empty == 0 {
                return;
            }
        }
    }
}
