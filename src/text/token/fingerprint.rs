//! The fingerprint of a run of tokens. It identifies passages, the units that they consist of, and the texts of decisions.

use xxhash_rust::xxh3::Xxh3;

/// The 128-bit XXH3 hash of some tokens. A collision is so unlikely that it is not checked for.
pub fn fingerprint(tokens: &[u64]) -> u128 {
    const AT_ONCE: usize = 64;
    let mut hasher = Xxh3::new();
    let mut bytes = [0; AT_ONCE * 8];
    for some in tokens.chunks(AT_ONCE) {
        for (bytes, token) in bytes.chunks_exact_mut(8).zip(some) {
            bytes.copy_from_slice(&token.to_le_bytes());
        }
        hasher.update(&bytes[..some.len() * 8]);
    }
    hasher.digest128()
}
