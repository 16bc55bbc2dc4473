//! Where the stretch of a place lies among all stretches: a step of a table leaves few to search.

use std::ops::Range;

use super::stretch::TokenStretch;

/// Places for one entry, as a power of two. An entry takes four bytes, the tokens of its places 2,048 and more.
const STEP_BITS: u32 = 8;

/// For each step of places, the number of stretches that begin at or before its first place.
pub(crate) struct PlaceIndex(Vec<u32>);

impl PlaceIndex {
    /// The index of some stretches, which are sorted by place.
    pub(crate) fn new(stretches: &[TokenStretch]) -> Self {
        let len = stretches.last().map_or(0, |last| last.base + last.len);
        let mut begun = Vec::with_capacity((len >> STEP_BITS) as usize + 2);
        for (number, stretch) in (0..).zip(stretches) {
            begun.resize(begun.len().max((stretch.base.div_ceil(1 << STEP_BITS)) as usize), number);
        }
        begun.resize((len >> STEP_BITS) as usize + 2, stretches.len() as u32);
        Self(begun)
    }

    /// The number of the stretch that has a place, one of those from which the index was made.
    pub(crate) fn stretch_at(&self, stretches: &[TokenStretch], place: u32) -> usize {
        let near = self.near(place);
        near.start + stretches[near].partition_point(|stretch| stretch.base <= place) - 1
    }

    /// The stretches that may have a place: the last that begins at or before it is among them.
    fn near(&self, place: u32) -> Range<usize> {
        let step = (place >> STEP_BITS) as usize;
        (self.0[step] as usize).saturating_sub(1)..self.0[step + 1] as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_stretch_of_a_place_is_near(parts in prop::collection::vec((0..400_u32, 1..700_u32), 1..40)) {
            let mut base = 0;
            let stretch = |(gap, len): (u32, u32)| {
                let stretch = TokenStretch { document: 0, base: base + gap, first: 0, len, chunk: 0, at: 0, spans: 0, lines: 0 };
                base += gap + len;
                stretch
            };
            let stretches: Vec<TokenStretch> = parts.into_iter().map(stretch).collect();
            let index = PlaceIndex::new(&stretches);
            for place in stretches[0].base..base {
                let expected = stretches.partition_point(|stretch| stretch.base <= place) - 1;
                prop_assert_eq!(index.stretch_at(&stretches, place), expected);
            }
        }
    }
}
