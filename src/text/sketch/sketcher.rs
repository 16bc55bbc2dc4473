//! One pass over the tokens of a document, from which all parts of its sketch come.

use std::borrow::Cow;
use std::mem;
use std::num::NonZeroUsize;

use super::fingerprint::{BitCounts, avalanche, scatter};
use super::{HASHES, MAX_SHINGLE, Sketch};

/// How many tokens are gathered before their shingles are hashed, with those of the last shingle before them.
const TOKENS: usize = 1024;
/// So many features are kept to fill the empty places of a signature. Of so many different ones hardly ever a place is
/// left empty.
const FEATURES: usize = 4096;

/// The sketch of a document with the whole hashes of its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeSketch {
    /// The hash of all shingles, each as often as it occurs: equal bags of shingles have equal ones. Never 0.
    pub bag: u128,
    /// The fingerprint, as [`fingerprint`](super::fingerprint) makes it.
    pub fingerprint: u64,
    /// The signature of the set of shingles, as [`Signer`] makes it.
    pub signature: [u32; HASHES],
}

impl WholeSketch {
    /// What of it is kept.
    pub fn kept(&self) -> Sketch {
        let Self { bag, fingerprint, signature } = *self;
        Sketch { bag, fingerprint, signature: signature.map(|hash| hash as u8) }
    }
}

/// Makes the sketches of documents, one after the other, from the hashes of their tokens. Takes little memory, however long
/// a document is, unless it has few different shingles.
///
/// A text shorter than a shingle is one shingle as a whole, as in [`shingles`](super::shingles()).
pub struct Sketcher {
    shingle: usize,
    signer: Signer,
    /// The tokens whose shingles are not hashed yet. If some were, the last ones of those come first.
    tokens: Box<[u64; TOKENS]>,
    len: usize,
    /// Whether shingles of this document were hashed.
    has_begun: bool,
    /// The cyclic polynomial of the last shingle.
    hash: u64,
    counts: BitCounts,
    bag: (u64, u64),
    least: [u32; HASHES],
    /// All shingles so far; none once every place of the signature is filled.
    features: Vec<u64>,
    /// How many features are kept.
    limit: usize,
    is_full: bool,
}

impl Sketcher {
    /// For shingles of `shingle` tokens, at most [`MAX_SHINGLE`].
    pub fn new(shingle: NonZeroUsize) -> Self {
        Self {
            shingle: shingle.get().min(MAX_SHINGLE),
            signer: Signer::new(HASHES),
            tokens: Box::new([0; TOKENS]),
            len: 0,
            has_begun: false,
            hash: 0,
            counts: BitCounts::new(),
            bag: (0, 0),
            least: [NONE; HASHES],
            features: Vec::new(),
            limit: FEATURES,
            is_full: false,
        }
    }

    /// The sketch of a document with these tokens; none without tokens.
    pub fn sketch(&mut self, tokens: &[u64]) -> Option<WholeSketch> {
        tokens.iter().for_each(|&token| self.push(token));
        self.finish()
    }

    /// Adds the hash of the next token of the document.
    #[inline]
    pub fn push(&mut self, token: u64) {
        self.tokens[self.len] = token;
        self.len += 1;
        if self.len == TOKENS {
            self.hash_shingles();
        }
    }

    /// The sketch of the document, which ends here; none if it had no tokens. The next token begins another one.
    pub fn finish(&mut self) -> Option<WholeSketch> {
        if self.len == 0 {
            return None;
        }
        self.hash_shingles();
        if !self.is_full {
            self.signer.fill(&self.features, &mut self.least);
        }
        let bag = u128::from(self.bag.0) << 64 | u128::from(self.bag.1);
        let counts = mem::replace(&mut self.counts, BitCounts::new());
        let sketch = WholeSketch {
            bag: bag.max(1),
            fingerprint: counts.majority(),
            signature: mem::replace(&mut self.least, [NONE; HASHES]),
        };
        (self.len, self.has_begun, self.hash, self.bag) = (0, false, 0, (0, 0));
        (self.limit, self.is_full) = (FEATURES, false);
        self.features.clear();
        self.features.shrink_to(FEATURES + TOKENS);
        Some(sketch)
    }

    /// Hashes the shingles that end in the gathered tokens.
    fn hash_shingles(&mut self) {
        let width = self.shingle.min(self.len);
        if !self.has_begun {
            self.has_begun = true;
            self.hash = self.tokens[..width].iter().fold(0, |hash, token| hash.rotate_left(1) ^ token);
            self.counts.add(self.hash);
            self.add(self.hash);
        }
        // After `width` rotations by one bit, the token that leaves is rotated by `width` bits.
        let (turns, end, mut at) = (width as u32, self.len, width);
        while at + 8 <= end {
            let mut hashes = [0; 8];
            for (number, hash) in hashes.iter_mut().enumerate() {
                self.roll(at + number, turns);
                *hash = self.hash;
            }
            self.counts.add_eight(&hashes);
            hashes.iter().for_each(|&hash| self.add(hash));
            at += 8;
        }
        for at in at..end {
            self.roll(at, turns);
            self.counts.add(self.hash);
            self.add(self.hash);
        }
        self.tokens.copy_within(end - width..end, 0);
        self.len = width;
        self.thin();
    }

    /// Moves on to the shingle that ends with the token at this place.
    #[inline]
    fn roll(&mut self, at: usize, turns: u32) {
        let leaving = self.tokens[at - turns as usize];
        self.hash = self.hash.rotate_left(1) ^ leaving.rotate_left(turns) ^ self.tokens[at];
    }

    /// Adds a shingle to the signature and to the bag.
    #[inline]
    fn add(&mut self, hash: u64) {
        let feature = avalanche(hash);
        let mixed = self.signer.mixed(feature);
        let least = &mut self.least[Signer::place(mixed, HASHES)];
        *least = Signer::number(mixed).min(*least);
        self.bag = (self.bag.0.wrapping_add(feature), self.bag.1.wrapping_add(mixed));
        if !self.is_full {
            self.features.push(feature);
        }
    }

    /// Forgets the features if every place of the signature is filled, and repeated ones if there are too many.
    fn thin(&mut self) {
        if self.is_full {
            return;
        }
        self.is_full = !self.least.contains(&NONE);
        if self.is_full {
            self.features.clear();
        } else if self.features.len() > self.limit {
            self.features.sort_unstable();
            self.features.dedup();
            self.limit = FEATURES.max(2 * self.features.len());
        }
    }
}

// Signatures: a few hashes of a set that agree in two sets as often as the sets resemble each other.

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{fingerprint, shingles};
    use super::*;

    /// Each part of the sketch by itself.
    fn naive(tokens: &[u64], shingle: NonZeroUsize) -> Option<(u64, [u32; HASHES])> {
        let mut features = shingles(tokens, shingle);
        features.sort_unstable();
        features.dedup();
        let mut signature = [0; HASHES];
        Signer::new(HASHES).sign(&features, &[], &mut signature);
        let width = shingle.get().min(MAX_SHINGLE);
        (!tokens.is_empty()).then(|| (fingerprint(tokens, width), signature))
    }

    proptest! {
        #[test]
        fn a_sketch_is_what_its_parts_are_by_themselves(
            documents in prop::collection::vec(
                (prop::collection::vec(0..400_u64, 0..90), 1..60_usize, 1..400_u64), 1..4),
            shingle in prop_oneof![1..10_usize, Just(63), Just(64), Just(65), Just(1000)],
        ) {
            let shingle = NonZeroUsize::new(shingle).unwrap();
            let mut sketcher = Sketcher::new(shingle);
            for (some, times, kinds) in documents {
                // Documents of some thousand tokens, with few or many different ones.
                let tokens: Vec<u64> = some
                    .iter()
                    .cycle()
                    .take(some.len() * times)
                    .enumerate()
                    .map(|(at, token)| avalanche((token + at as u64 / 90) % kinds + 1))
                    .collect();
                let made = sketcher.sketch(&tokens);
                prop_assert_eq!(made.map(|made| (made.fingerprint, made.signature)), naive(&tokens, shingle));
            }
        }
    }

    #[test]
    fn a_long_document_of_few_shingles_is_signed_like_its_shingles() {
        let usual = NonZeroUsize::new(5).unwrap();
        for kinds in [1, 2, 40] {
            let tokens: Vec<u64> = (0..20_000_u64).map(|at| avalanche(at % kinds)).collect();
            let made = Sketcher::new(usual).sketch(&tokens).unwrap();
            assert_eq!(Some((made.fingerprint, made.signature)), naive(&tokens, usual), "{kinds}");
        }
    }

    #[test]
    fn the_hash_of_a_bag_does_not_depend_on_the_order_and_counts_repeats() {
        let single = NonZeroUsize::new(1).unwrap();
        let mut sketcher = Sketcher::new(single);
        let mut bag = |tokens: &[u64]| sketcher.sketch(tokens).unwrap().bag;
        assert_eq!(bag(&[1, 2, 3]), bag(&[3, 1, 2]));
        assert_ne!(bag(&[1, 2, 3]), bag(&[1, 2, 3, 3]));
        assert_ne!(bag(&[1, 2]), bag(&[1, 3]));
    }

    #[test]
    fn what_is_kept_is_the_lower_bits() {
        let whole = Sketcher::new(NonZeroUsize::MIN).sketch(&[1, 2, 3]).unwrap();
        let kept = whole.kept();
        assert_eq!((kept.bag, kept.fingerprint), (whole.bag, whole.fingerprint));
        assert!(
            kept.signature.iter().zip(whole.signature).all(|(&kept, whole)| u32::from(kept) == whole % 256)
        );
    }
}
