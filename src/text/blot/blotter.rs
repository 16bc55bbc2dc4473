//! Rolling fingerprints: each token completes a tile.
//!
//! A fingerprint depends only on the tile's k token hashes, not on its position. Rings are fixed arrays; nothing
//! here allocates.

use crate::token::Token;

use super::recipe::{MAX_K, MAX_STREAMS};

/// A tile with its full 64-bit fingerprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RawTile {
    pub(super) hash: u64,
    pub(super) first: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A rolling fingerprint.
pub(super) trait Roll {
    /// Adds the next token. Returns the tile that ends with it, once there are enough tokens.
    fn push(&mut self, token: Token) -> Option<RawTile>;
}

/// Hash and start of the last `N` tokens (a power of two), by token number.
struct Ring<const N: usize>([(u64, u32); N]);

impl<const N: usize> Ring<N> {
    fn new() -> Self {
        const { assert!(N.is_power_of_two()) };
        Self([(0, 0); N])
    }

    #[inline]
    fn slot(&mut self, number: u32) -> &mut (u64, u32) {
        &mut self.0[number as usize & (N - 1)]
    }
}

/// The maximal number of tokens of an ordered or circular tile.
pub(super) const NARROW: usize = MAX_K as usize;
/// The maximal number of tokens that an interleaved tile spans, rounded up.
pub(super) const WIDE: usize = (MAX_K * MAX_STREAMS) as usize;

/// Cyclic polynomial (Cohen 1997): rotate, then XOR. Order matters, and repeated tokens do not cancel each other,
/// because each is rotated differently.
pub(super) struct Ordered {
    k: u32,
    count: u32,
    hash: u64,
    ring: Ring<NARROW>,
}

impl Ordered {
    pub(super) fn new(k: u32) -> Self {
        Self { k: k.clamp(1, MAX_K), count: 0, hash: 0, ring: Ring::new() }
    }
}

impl Roll for Ordered {
    #[inline]
    fn push(&mut self, token: Token) -> Option<RawTile> {
        let number = self.count;
        self.count += 1;
        // The slot of a token that has not arrived yet holds 0, which has no effect.
        let (leaving, _) = *self.ring.slot(number.wrapping_sub(self.k));
        *self.ring.slot(number) = (token.hash, token.start);
        // After k rotations by one bit the leaving token is rotated by k bits: for k = 64, not at all.
        self.hash = self.hash.rotate_left(1) ^ leaving.rotate_left(self.k) ^ token.hash;
        let first = self.count.checked_sub(self.k)?;
        Some(RawTile { hash: avalanche(self.hash), first, start: self.ring.slot(first).1, end: token.end })
    }
}

/// XOR of k token hashes of one of n interleaved streams; with n = 1, of k consecutive tokens.
pub(super) struct Xor<const RING: usize> {
    streams: u32,
    /// How many tokens later a token leaves the tile: k · n.
    reach: u32,
    /// Tokens before a tile's last: (k − 1) · n.
    lead: u32,
    count: u32,
    stream: u32,
    hashes: [u64; MAX_STREAMS as usize],
    ring: Ring<RING>,
}

impl<const RING: usize> Xor<RING> {
    pub(super) fn new(k: u32, streams: u32) -> Self {
        let k = k.clamp(1, MAX_K);
        let streams = streams.clamp(1, (RING as u32 / MAX_K).min(MAX_STREAMS));
        Self {
            streams,
            reach: k * streams,
            lead: (k - 1) * streams,
            count: 0,
            stream: 0,
            hashes: [0; MAX_STREAMS as usize],
            ring: Ring::new(),
        }
    }
}

impl<const RING: usize> Roll for Xor<RING> {
    #[inline]
    fn push(&mut self, token: Token) -> Option<RawTile> {
        let number = self.count;
        self.count += 1;
        let (leaving, _) = *self.ring.slot(number.wrapping_sub(self.reach));
        *self.ring.slot(number) = (token.hash, token.start);
        let hash = &mut self.hashes[self.stream as usize % MAX_STREAMS as usize];
        *hash ^= leaving ^ token.hash;
        let hash = *hash;
        self.stream += 1;
        if self.stream == self.streams {
            self.stream = 0;
        }
        let first = number.checked_sub(self.lead)?;
        Some(RawTile { hash, first, start: self.ring.slot(first).1, end: token.end })
    }
}

/// Mixes all bits (the finaliser of SplitMix64, Stafford's variant 13), so that the upper bits, which become the
/// blot, depend on every bit.
#[inline]
pub(super) fn avalanche(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tiles(mut roll: impl Roll, hashes: &[u64]) -> Vec<RawTile> {
        let tokens = (0..).zip(hashes).map(|(i, &hash)| Token { hash, start: i * 10, end: i * 10 + 5 });
        tokens.filter_map(|token| roll.push(token)).collect()
    }

    /// Every window as an explicit list of token hashes.
    fn reference(hashes: &[u64], k: usize, n: usize, print: impl Fn(&[u64]) -> u64) -> Vec<RawTile> {
        let span = (k - 1) * n + 1;
        let windows = hashes.windows(span).enumerate();
        windows
            .map(|(first, window)| RawTile {
                hash: print(&window.iter().copied().step_by(n).collect::<Vec<_>>()),
                first: first as u32,
                start: first as u32 * 10,
                end: (first + span - 1) as u32 * 10 + 5,
            })
            .collect()
    }

    fn xor(window: &[u64]) -> u64 {
        window.iter().fold(0, |all, hash| all ^ hash)
    }

    fn polynomial(window: &[u64]) -> u64 {
        let turned = window.iter().rev().zip(0..);
        avalanche(turned.fold(0, |all, (hash, turns)| all ^ hash.rotate_left(turns)))
    }

    proptest! {
        #[test]
        fn rolling_gives_what_each_window_gives_by_itself(
            few in prop::collection::vec(0..3_u64, 0..200),
            k in prop_oneof![1..=MAX_K, Just(1), Just(MAX_K)],
            n in 1..=MAX_STREAMS,
        ) {
            let hashes: Vec<u64> = few.into_iter().map(|h| avalanche(h + 1)).collect();
            let width = k as usize;
            prop_assert_eq!(
                tiles(Ordered::new(k), &hashes),
                reference(&hashes, width, 1, polynomial)
            );
            prop_assert_eq!(
                tiles(Xor::<NARROW>::new(k, 1), &hashes),
                reference(&hashes, width, 1, xor)
            );
            let k = 1 + k % 9;
            prop_assert_eq!(
                tiles(Xor::<WIDE>::new(k, n), &hashes),
                reference(&hashes, k as usize, n as usize, xor)
            );
        }
    }

    #[test]
    fn the_widest_interleaving_fits_its_ring() {
        let hashes: Vec<u64> = (1..3000).map(avalanche).collect();
        assert_eq!(
            tiles(Xor::<WIDE>::new(MAX_K, MAX_STREAMS), &hashes),
            reference(&hashes, MAX_K as usize, MAX_STREAMS as usize, xor)
        );
    }

    #[test]
    fn only_the_ordered_blotter_sees_order_and_repetition() {
        let print = |roll, hashes: &[u64]| tiles(roll, hashes)[0].hash;
        let ordered = |hashes: &[u64]| print(Ordered::new(4), hashes);
        assert_ne!(ordered(&[1, 2, 3, 4]), ordered(&[1, 2, 4, 3]));
        assert_ne!(ordered(&[7, 7, 3, 4]), ordered(&[9, 9, 3, 4]));
        let circular = |hashes: &[u64]| tiles(Xor::<NARROW>::new(4, 1), hashes)[0].hash;
        assert_eq!(circular(&[1, 2, 3, 4]), circular(&[4, 2, 1, 3]));
        assert_eq!(circular(&[7, 7, 3, 4]), circular(&[9, 9, 3, 4]));
    }
}
