//! Selection of tiles: every tile, or the smallest of each window by robust winnowing.
//!
//! Winnowing (Schleimer, Wilkerson, Aiken 2003) keeps about two tiles of w + 1, and at least one of any w
//! consecutive ones. The choice depends only on the fingerprints of a window, so two documents that share a run of
//! w tiles keep the same tile of it. Tiles are ordered by a hash of the fingerprint and not by the fingerprint
//! itself: otherwise the kept blots would crowd at the low end of the blot space, and so in few shards.

use super::blotter::RawTile;
use super::recipe::MAX_WINDOW;

/// Passes the kept tiles to a sink, in order and each at most once.
pub(super) trait Select {
    /// Adds the next tile.
    fn push(&mut self, tile: RawTile, sink: &mut impl FnMut(RawTile));
    /// Ends the selection.
    fn finish(self, sink: &mut impl FnMut(RawTile));
}

/// Keeps every tile.
pub(super) struct Every;

impl Select for Every {
    #[inline]
    fn push(&mut self, tile: RawTile, sink: &mut impl FnMut(RawTile)) {
        sink(tile);
    }

    fn finish(self, _: &mut impl FnMut(RawTile)) {}
}

const SLOTS: usize = MAX_WINDOW as usize;

/// Keeps the smallest tile of each window. Among equal ones it keeps the choice of the previous window, or else the
/// rightmost. Fewer tiles than a window give their smallest.
///
/// When a window has its smallest tile twice, a second one is kept too. Otherwise a text that overlaps its own copy
/// would not be recognised as repeated.
pub(super) struct Winnow {
    window: u32,
    /// A power of two minus one: slots are taken modulo the window's size, rounded up.
    mask: u32,
    count: u32,
    /// The number and rank of the smallest tile in the window.
    least: u32,
    least_rank: u64,
    /// The last equal tile before it, if it was found in the same scan.
    twin: Option<u32>,
    /// Whether an equal tile is kept already.
    has_twin: bool,
    /// Tiles before this number are kept or dropped already.
    next: u32,
    ranks: [u64; SLOTS],
    tiles: [RawTile; SLOTS],
}

impl Winnow {
    pub(super) fn new(window: u32) -> Self {
        let window = window.clamp(1, MAX_WINDOW);
        Self {
            window,
            mask: window.next_power_of_two() - 1,
            count: 0,
            least: 0,
            least_rank: u64::MAX,
            twin: None,
            has_twin: false,
            next: 0,
            ranks: [0; SLOTS],
            tiles: [RawTile::default(); SLOTS],
        }
    }

    #[inline]
    fn slot(&self, number: u32) -> usize {
        (number & self.mask) as usize % SLOTS
    }

    /// Updates the smallest tile: the rightmost of equal ones.
    #[inline]
    fn weigh(&mut self, number: u32, rank: u64) {
        if rank <= self.least_rank {
            self.twin = (rank == self.least_rank).then_some(self.least);
            (self.least, self.least_rank) = (number, rank);
        }
    }

    /// Finds the smallest tile of the window that ends with tile `last`.
    fn rescan(&mut self, last: u32) {
        self.least_rank = u64::MAX;
        for number in last + 1 - self.window..=last {
            self.weigh(number, self.ranks[self.slot(number)]);
        }
    }

    /// Keeps the smallest tile and its twin.
    #[inline]
    fn keep_least(&mut self, sink: &mut impl FnMut(RawTile)) {
        let twin = self.twin.take();
        self.has_twin = twin.is_some();
        if let Some(twin) = twin {
            self.keep(twin, sink);
        }
        self.keep(self.least, sink);
    }

    #[inline]
    fn keep(&mut self, number: u32, sink: &mut impl FnMut(RawTile)) {
        if number >= self.next {
            self.next = number + 1;
            sink(self.tiles[self.slot(number)]);
        }
    }
}

impl Select for Winnow {
    #[inline]
    fn push(&mut self, tile: RawTile, sink: &mut impl FnMut(RawTile)) {
        let number = self.count;
        self.count += 1;
        let rank = rank(tile.hash);
        let slot = self.slot(number);
        self.ranks[slot] = rank;
        self.tiles[slot] = tile;
        if number < self.window {
            self.weigh(number, rank);
            if self.count == self.window {
                self.keep_least(sink);
            }
            return;
        }
        // In the usual case nothing is kept, which takes three comparisons.
        if rank < self.least_rank {
            (self.least, self.least_rank) = (number, rank);
            self.keep_least(sink);
        } else if self.least + self.window <= number {
            self.rescan(number);
            self.keep_least(sink);
        } else if rank == self.least_rank && !self.has_twin {
            self.has_twin = true;
            self.keep(number, sink);
        }
    }

    fn finish(mut self, sink: &mut impl FnMut(RawTile)) {
        if (1..self.window).contains(&self.count) {
            self.keep_least(sink);
        }
    }
}

/// The order of tiles. The constants are the fractional parts of the golden ratio and of √2.
#[inline]
pub(super) fn rank(hash: u64) -> u64 {
    let mixed = (hash ^ 0x6a09_e667_f3bc_c908).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn tiles(hashes: &[u64]) -> Vec<RawTile> {
        (0..)
            .zip(hashes)
            .map(|(first, &hash)| RawTile { hash, first, start: first, end: first + 1 })
            .collect()
    }

    fn select(mut selection: impl Select, tiles: &[RawTile]) -> Vec<u32> {
        let mut kept = Vec::new();
        let mut sink = |tile: RawTile| kept.push(tile.first);
        for &tile in tiles {
            selection.push(tile, &mut sink);
        }
        selection.finish(&mut sink);
        kept
    }

    /// The definition, implemented window by window.
    fn reference(tiles: &[RawTile], w: usize) -> Vec<u32> {
        let mut kept = BTreeSet::new();
        let (mut chosen, mut has_twin) = (None, false);
        for window in tiles.windows(w.min(tiles.len()).max(1)) {
            let least = window.iter().map(|t| rank(t.hash)).min();
            let equals = || window.iter().filter(|t| Some(rank(t.hash)) == least).map(|t| t.first);
            if !equals().any(|first| Some(first) == chosen) {
                (chosen, has_twin) = (equals().next_back(), false);
                kept.extend(chosen);
            }
            if let (false, Some(twin)) = (has_twin, equals().rfind(|&first| Some(first) != chosen)) {
                has_twin = true;
                kept.insert(twin);
            }
        }
        kept.into_iter().collect()
    }

    proptest! {
        #[test]
        fn winnowing_keeps_what_its_definition_keeps(
            hashes in prop_oneof![
                prop::collection::vec(0..4_u64, 0..120),
                prop::collection::vec(any::<u64>(), 0..120),
            ],
            w in prop_oneof![1..12_usize, Just(64), Just(119)],
        ) {
            let tiles = tiles(&hashes);
            prop_assert_eq!(select(Winnow::new(w as u32), &tiles), reference(&tiles, w));
        }
    }

    #[test]
    fn the_widest_window_fits() {
        let hashes: Vec<u64> = (0..2000).map(|i| i * i % 501).collect();
        let tiles = tiles(&hashes);
        assert_eq!(select(Winnow::new(MAX_WINDOW), &tiles), reference(&tiles, MAX_WINDOW as usize));
    }

    #[test]
    fn a_tile_that_occurs_twice_in_a_window_is_kept_twice() {
        let tiles = tiles(&[5; 20]);
        assert_eq!(select(Winnow::new(8), &tiles), [6, 7, 14, 15]);
        assert_eq!(select(Every, &tiles).len(), 20);
    }

    #[test]
    fn about_two_of_nine_tiles_are_kept_from_windows_of_eight() {
        let hashes: Vec<u64> = (0..9000).map(super::super::blotter::avalanche).collect();
        let kept = select(Winnow::new(8), &tiles(&hashes)).len();
        assert!((1900..2100).contains(&kept), "{kept}");
    }
}
