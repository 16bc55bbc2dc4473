//! A bit for each place of a gathered token.

/// A bit for each place.
pub(super) struct PlaceBits(pub(super) Vec<u64>);

impl PlaceBits {
    /// No bit set, for `places` places.
    pub(super) fn new(places: u32) -> Self {
        Self(vec![0; places as usize / 64 + 1])
    }

    /// Whether the bit of a place is set.
    #[inline]
    pub(super) fn has(&self, place: u32) -> bool {
        self.0[place as usize / 64] >> (place % 64) & 1 == 1
    }
}
