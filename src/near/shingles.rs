//! Until the fast search is there.

use std::num::NonZeroUsize;

/// The hashes of all shingles of `k` tokens.
pub fn shingles(tokens: &[u64], k: NonZeroUsize) -> Vec<u64> {
    let k = k.get().min(tokens.len()).max(1);
    let hash = |window: &[u64]| window.iter().fold(0_u64, |hash, token| hash.rotate_left(1) ^ token);
    tokens.windows(k).map(hash).collect()
}
