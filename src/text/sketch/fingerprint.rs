//! The SimHash of a document: 64 bits that differ in few places for similar documents.
//!
//! Each bit is the majority of that bit in the hashes of the document's shingles (Charikar, “Similarity estimation
//! techniques from rounding algorithms”, STOC 2002). A shingle's hash is a cyclic polynomial of its token hashes
//! (Cohen, “Recursive hashing functions for n-grams”, 1997), which rolls over the tokens.

use std::num::NonZeroUsize;

/// The fingerprint of a document, given the hashes of its tokens, by shingles of `shingle` tokens (at least 1). A
/// shingle counts as often as it occurs. A bit that is set in exactly half of the shingles is 0. A document that is
/// shorter than a shingle is one shingle; the fingerprint of no tokens is 0.
pub fn fingerprint(tokens: &[u64], shingle: usize) -> u64 {
    let shingle = shingle.clamp(1, tokens.len().max(1));
    // After `shingle` rotations by one bit, the token that leaves is rotated by so many bits, modulo 64.
    let turns = (shingle % 64) as u32;
    let (first, rest) = tokens.split_at(shingle.min(tokens.len()));
    let mut hash = first.iter().fold(0_u64, |hash, token| hash.rotate_left(1) ^ token);
    if rest.is_empty() {
        return hash;
    }
    let mut counts = BitCounts::new();
    counts.add(hash);
    let mut roll = |leaving: u64, token: u64| {
        hash = hash.rotate_left(1) ^ leaving.rotate_left(turns) ^ token;
        hash
    };
    let (eights, last) = rest.as_chunks::<8>();
    let (leaving_eights, leaving_last) = tokens[..rest.len()].as_chunks::<8>();
    for (leaving, eight) in leaving_eights.iter().zip(eights) {
        let mut hashes = [0; 8];
        for (hash, (leaving, token)) in hashes.iter_mut().zip(leaving.iter().zip(eight)) {
            *hash = roll(*leaving, *token);
        }
        counts.add_eight(&hashes);
    }
    for (leaving, token) in leaving_last.iter().zip(last) {
        counts.add(roll(*leaving, *token));
    }
    counts.majority()
}

// Counts, for each of 64 bit positions, the words in which the bit is set.
//
// The counts lie across words: plane p has bit p of all 64 counts. Two words and a plane go through a full adder of 64
// lanes at once (a carry-save adder; Warren, “Hacker's Delight”, section 5-1), so a word costs about five operations
// and not one for each bit.

/// Planes: the number of bits of a count.
const PLANES: usize = 48;

/// The counts of set bits by position, of up to 2^47 words.
#[derive(Clone, Debug)]
pub(super) struct BitCounts {
    words: u64,
    planes: [u64; PLANES],
    /// For each plane, a word of its weight that waits for another one; bit p of `waiting_at` says whether there is
    /// one.
    waiting: [u64; PLANES],
    waiting_at: u64,
}

impl BitCounts {
    pub(super) fn new() -> Self {
        Self { words: 0, planes: [0; PLANES], waiting: [0; PLANES], waiting_at: 0 }
    }

    /// Counts the bits of a word.
    #[inline]
    pub(super) fn add(&mut self, word: u64) {
        self.words += 1;
        self.carry(word, 0);
    }

    /// Counts eight words at once.
    #[inline]
    pub(super) fn add_eight(&mut self, words: &[u64; 8]) {
        let (mut ones, mut twos, mut fours) = (self.planes[0], self.planes[1], self.planes[2]);
        let [a, b, c, d, e, f, g, h] = *words;
        let two_a = full_add(&mut ones, a, b);
        let two_b = full_add(&mut ones, c, d);
        let four_a = full_add(&mut twos, two_a, two_b);
        let two_a = full_add(&mut ones, e, f);
        let two_b = full_add(&mut ones, g, h);
        let four_b = full_add(&mut twos, two_a, two_b);
        let eight = full_add(&mut fours, four_a, four_b);
        self.planes[..3].copy_from_slice(&[ones, twos, fours]);
        self.words += 8;
        self.carry(eight, 3);
    }

    /// Adds a word whose bits count 2^plane each.
    #[inline]
    fn carry(&mut self, mut word: u64, mut plane: usize) {
        while self.waiting_at >> plane & 1 == 1 && plane + 1 < PLANES {
            self.waiting_at ^= 1 << plane;
            word = full_add(&mut self.planes[plane], word, self.waiting[plane]);
            plane += 1;
        }
        self.waiting[plane] = word;
        self.waiting_at |= 1 << plane;
    }

    /// The bits that are set in more than half of the words.
    pub(super) fn majority(mut self) -> u64 {
        // A word that waits for nothing else goes into the planes by a ripple.
        for plane in 0..PLANES {
            if self.waiting_at >> plane & 1 == 1 {
                let mut carried = self.waiting[plane];
                for plane in &mut self.planes[plane..] {
                    (*plane, carried) = (*plane ^ carried, *plane & carried);
                }
            }
        }
        let half = self.words / 2;
        let (mut more, mut equal) = (0, u64::MAX);
        for (number, plane) in self.planes.iter().enumerate().rev() {
            if half >> number & 1 == 1 {
                equal &= plane;
            } else {
                more |= equal & plane;
                equal &= !plane;
            }
        }
        more
    }
}

/// Adds two words to a plane. Returns the carries.
#[inline]
fn full_add(plane: &mut u64, a: u64, b: u64) -> u64 {
    let either = a ^ b;
    let carries = a & b | either & *plane;
    *plane ^= either;
    carries
}

// Hashes of numbers.

/// A bijection whose result has no visible structure: the finaliser of MurmurHash3 (Appleby 2011).
#[inline]
pub fn avalanche(mut number: u64) -> u64 {
    number = (number ^ (number >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    number = (number ^ (number >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    number ^ (number >> 33)
}

/// A cheaper bijection, of which only the upper bits are mixed well (Fibonacci hashing: Knuth, “The Art of Computer
/// Programming” 3, 6.4).
#[inline]
pub fn scatter(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

// Shingles: each k consecutive tokens of a document.

/// The most tokens of a shingle. In longer ones the rotation of the hash would repeat.
pub const MAX_SHINGLE: usize = 64;

/// The hashes of all shingles of `k` tokens, in the order of the text, which has `tokens` as hashes. A shingle depends
/// on the order of its tokens. A text of fewer than `k` tokens is one shingle as a whole; one without tokens has none.
/// More than [`MAX_SHINGLE`] tokens count as that many.
///
/// The hash is a cyclic polynomial (Cohen, “Recursive hashing functions for n-grams”, 1997) with a finaliser: each
/// shingle takes two rotations, however long it is.
pub fn shingles(tokens: &[u64], k: NonZeroUsize) -> Vec<u64> {
    let k = k.get().min(MAX_SHINGLE).min(tokens.len());
    let (first, later) = tokens.split_at(k);
    let mut hash = first.iter().fold(0_u64, |hash, token| hash.rotate_left(1) ^ token);
    let mut hashes = Vec::with_capacity(later.len() + 1);
    hashes.extend((k > 0).then(|| avalanche(hash)));
    hashes.extend(later.iter().zip(tokens).map(|(token, leaving)| {
        hash = hash.rotate_left(1) ^ leaving.rotate_left(k as u32) ^ token;
        avalanche(hash)
    }));
    hashes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive_majority(words: &[u64]) -> u64 {
        let is_set = |bit: &u32| words.iter().filter(|word| *word >> bit & 1 == 1).count() * 2 > words.len();
        (0..64).filter(is_set).fold(0, |all, bit| all | 1 << bit)
    }

    /// Every shingle hashed by itself, every bit counted by itself.
    fn naive(tokens: &[u64], shingle: usize) -> u64 {
        if tokens.is_empty() {
            return 0;
        }
        let shingles = tokens.windows(shingle.min(tokens.len()));
        let hashes: Vec<u64> = shingles
            .map(|window| {
                let turned = window.iter().rev().zip(0_u32..);
                turned.fold(0, |all, (token, turns)| all ^ token.rotate_left(turns % 64))
            })
            .collect();
        naive_majority(&hashes)
    }

    fn mixed(number: u64) -> u64 {
        let mixed = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb)
    }

    proptest! {
        #[test]
        fn the_fingerprint_is_what_its_definition_says(
            few in prop::collection::vec(0..30_u64, 0..200),
            shingle in prop_oneof![1..10_usize, Just(64), Just(65), Just(150), Just(1000)],
        ) {
            let tokens: Vec<u64> = few.into_iter().map(|number| mixed(number + 1)).collect();
            prop_assert_eq!(fingerprint(&tokens, shingle), naive(&tokens, shingle));
        }
    }

    #[test]
    fn similar_documents_have_similar_fingerprints() {
        let tokens: Vec<u64> = (1..=1000).map(mixed).collect();
        let mut edited = tokens.clone();
        edited[500] = mixed(5000);
        let other: Vec<u64> = (2001..=3000).map(mixed).collect();
        let distance = |others: &[u64]| (fingerprint(&tokens, 4) ^ fingerprint(others, 4)).count_ones();
        assert!(distance(&edited) <= 6, "{}", distance(&edited));
        assert!(distance(&other) >= 16, "{}", distance(&other));
    }

    #[test]
    fn no_tokens_have_fingerprint_0_and_few_tokens_are_one_shingle() {
        assert_eq!(fingerprint(&[], 4), 0);
        assert_eq!(fingerprint(&[6], 4), 6);
        assert_eq!(fingerprint(&[1, 8], 4), 2 ^ 8);
    }

    proptest! {
        #[test]
        fn a_bit_is_set_if_more_than_half_of_the_words_have_it(
            words in prop::collection::vec(prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), 0..4_u64], 0..300),
            singles in 0..40_usize,
        ) {
            let mut counts = BitCounts::new();
            let (first, rest) = words.split_at(singles.min(words.len()));
            first.iter().for_each(|&word| counts.add(word));
            let (eights, rest) = rest.as_chunks::<8>();
            eights.iter().for_each(|words| counts.add_eight(words));
            rest.iter().for_each(|&word| counts.add(word));
            prop_assert_eq!(counts.majority(), naive_majority(&words));
        }
    }

    fn of(tokens: &[u64], k: usize) -> Vec<u64> {
        shingles(tokens, NonZeroUsize::new(k).unwrap())
    }

    proptest! {
        #[test]
        fn rolling_gives_what_each_window_gives_by_itself(
            tokens in proptest::collection::vec(any::<u64>(), 0..150),
            k in 1_usize..70,
        ) {
            let polynomial =
                |window: &[u64]| window.iter().fold(0_u64, |hash, token| hash.rotate_left(1) ^ token);
            let width = k.min(64).min(tokens.len()).max(1);
            let naive: Vec<u64> = tokens.windows(width).map(|window| avalanche(polynomial(window))).collect();
            prop_assert_eq!(of(&tokens, k), naive);
        }
    }

    #[test]
    fn a_shingle_depends_on_the_order_of_its_tokens() {
        assert_ne!(of(&[1, 2, 3], 3), of(&[3, 2, 1], 3));
        assert_ne!(of(&[7, 7], 2), of(&[9, 9], 2));
    }

    #[test]
    fn a_short_text_is_one_shingle() {
        assert_eq!(of(&[1, 2], 5).len(), 1);
        assert_eq!(of(&[1, 2], 5), of(&[1, 2], 2));
        assert!(of(&[], 5).is_empty());
    }
}
