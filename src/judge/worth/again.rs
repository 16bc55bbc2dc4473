//! Which tokens only say again what an equal copy before them says: they add no context, and are not counted.
//!
//! A copy is left out only if it stands behind the one that it equals. So of every text the first one is counted,
//! whatever the passages are that it belongs to.

use std::ops::Range;

use crate::worth::number_places::PlaceBits;
use dupi_passage::TokenRun;
use dupi_passage::group::RunGroup;

/// A bit for each gathered token.
pub(super) struct Again(PlaceBits);

impl Again {
    /// What the copies of some groups say again, of `tokens` tokens.
    pub(super) fn of(groups: &[RunGroup], tokens: u32) -> Self {
        let mut again = Self(PlaceBits::new(tokens));
        for group in groups {
            let first = group.runs[group.representative as usize];
            let is_equal = |run: &&TokenRun| run.similarity >= 1.0 && run.tokens == first.tokens;
            for run in group.runs.iter().filter(|run| run.place > first.place).filter(is_equal) {
                // What stands before its first two pairs may be new.
                again.set(run.place + 2, run.end());
            }
        }
        again
    }

    /// Sets the bits of some places, word by word.
    fn set(&mut self, start: u32, end: u32) {
        let mut place = start;
        while place < end {
            let first = place % 64;
            let bits = (end - place).min(64 - first);
            self.0.0[place as usize / 64] |= u64::MAX >> (64 - bits) << first;
            place += bits;
        }
    }

    /// How many of `tokens` tokens are not said again.
    pub(super) fn others(&self, tokens: u32) -> u64 {
        u64::from(tokens) - self.0.0.iter().map(|word| u64::from(word.count_ones())).sum::<u64>()
    }

    /// Passes the tokens of a range of places on that are not said again, or have one of the two before them that is not.
    #[inline]
    pub(super) fn each_other(&self, places: Range<u32>, mut other: impl FnMut(u32)) {
        for (first, mut others) in self.others_by_word(places) {
            while others != 0 {
                other(first + others.trailing_zeros());
                others &= others - 1;
            }
        }
    }

    /// How many there are of these.
    pub(super) fn count_others(&self, places: Range<u32>) -> usize {
        self.others_by_word(places).map(|(_, others)| others.count_ones() as usize).sum()
    }

    /// The same, word by word: the first place of each, and a bit for each of these tokens.
    fn others_by_word(&self, places: Range<u32>) -> impl Iterator<Item = (u32, u64)> + '_ {
        let words = places.start / 64..places.end.div_ceil(64);
        words.map(move |word| {
            let first = word * 64;
            let (from, to) = (places.start.max(first) - first, (places.end - first).min(64));
            let within = (u64::MAX >> (64 - to)) & (u64::MAX << from);
            (first, !self.0.0[word as usize] & within)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_are_set_and_no_other() {
        for (start, end) in [(0, 0), (5, 5), (7, 5), (0, 1), (3, 64), (0, 64), (60, 70), (63, 193), (64, 128)]
        {
            let mut again = Again(PlaceBits(vec![0; 4]));
            again.set(start, end);
            let set: Vec<u32> = (0..256).filter(|&place| again.0.has(place)).collect();
            assert_eq!(set, (start..end).collect::<Vec<_>>());
            assert_eq!(again.others(256), 256 - set.len() as u64);
            for places in [0..0, 0..256, 7..7, 1..64, 64..128, 63..65, 130..200] {
                let mut others = Vec::new();
                again.each_other(places.clone(), |place| others.push(place));
                let expected: Vec<u32> = places.clone().filter(|place| !set.contains(place)).collect();
                assert_eq!((others.len(), &others), (again.count_others(places), &expected));
            }
        }
    }
}
