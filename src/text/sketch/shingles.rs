//! Shingles: each k consecutive tokens of a document.

use std::num::NonZeroUsize;

use super::mix::avalanche;

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
    use super::*;
    use proptest::prelude::*;

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
