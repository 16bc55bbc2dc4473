//! Rolling fingerprints: each token in, the fingerprint of the tile that ends with it out.

use super::Blotter;

/// Fingerprints the tile that ends with each token.
pub(super) trait Roll {
    /// Takes the next token's hash, and that of the token that leaves the tile (0 while it fills).
    fn roll(&mut self, number: u32, incoming: u64, outgoing: u64) -> u64;
}

/// Cyclic polynomial (Cohen, “Recursive hashing functions for n-grams”, 1997): rotate, then XOR.
pub(super) struct Ordered {
    hash: u64,
    k: u32,
}

impl Ordered {
    pub(super) fn new(k: u32) -> Self {
        Self { hash: 0, k }
    }
}

impl Roll for Ordered {
    #[inline]
    fn roll(&mut self, _: u32, incoming: u64, outgoing: u64) -> u64 {
        self.hash = self.hash.rotate_left(1) ^ outgoing.rotate_left(self.k) ^ incoming;
        self.hash
    }
}

/// XOR of the tokens; n streams of them, of which each token feeds one. One stream is `circular`.
pub(super) struct Streams {
    hashes: Vec<u64>,
}

impl Streams {
    pub(super) fn new(count: u32) -> Self {
        Self { hashes: vec![0; count as usize] }
    }
}

impl Roll for Streams {
    #[inline]
    fn roll(&mut self, number: u32, incoming: u64, outgoing: u64) -> u64 {
        let stream = number as usize % self.hashes.len();
        self.hashes[stream] ^= incoming ^ outgoing;
        self.hashes[stream]
    }
}

impl Blotter {
    /// How far apart the tokens of a tile are: 1, or n when n streams are interleaved.
    pub(super) fn stride(self) -> u32 {
        match self {
            Self::Circular | Self::Ordered => 1,
            Self::Interleaved(n) => n,
        }
    }
}

/// Spreads a fingerprint over all bits, so that its upper ones can be kept (the finaliser of MurmurHash3).
#[inline]
pub(super) fn spread(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}
