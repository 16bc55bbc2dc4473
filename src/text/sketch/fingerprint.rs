//! The SimHash of a document: 64 bits that differ in few places for similar documents.
//!
//! Each bit is the majority of that bit in the hashes of the document's shingles (Charikar, “Similarity estimation
//! techniques from rounding algorithms”, STOC 2002). A shingle's hash is a cyclic polynomial of its token hashes
//! (Cohen, “Recursive hashing functions for n-grams”, 1997), which rolls over the tokens.

use super::bit_counts::BitCounts;

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
        let is_set =
            |bit: &u32| hashes.iter().filter(|hash| *hash >> bit & 1 == 1).count() * 2 > hashes.len();
        (0..64).filter(is_set).fold(0, |all, bit| all | 1 << bit)
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
}
