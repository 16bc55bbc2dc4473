//! Which tokens only say again what an equal copy before them says: they add no context, and are not counted.
//!
//! A copy is left out only if it stands behind the one that it equals. So of every text the first one is counted,
//! whatever the passages are that it belongs to.

use super::super::group::RunGroup;
use super::super::token_run::TokenRun;
use super::place_bits::PlaceBits;

/// A bit for each gathered token.
pub(super) struct Again(PlaceBits);

impl Again {
    /// What the copies of some groups say again, of so many tokens.
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

    /// How many of so many tokens are not said again.
    pub(super) fn others(&self, tokens: u32) -> u64 {
        u64::from(tokens) - self.0.0.iter().map(|word| u64::from(word.count_ones())).sum::<u64>()
    }

    /// Whether a token, and the two before it, stand in such a copy.
    #[inline]
    pub(super) fn has(&self, place: u32) -> bool {
        self.0.has(place)
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
            let set: Vec<u32> = (0..256).filter(|&place| again.has(place)).collect();
            assert_eq!(set, (start..end).collect::<Vec<_>>());
            assert_eq!(again.others(256), 256 - set.len() as u64);
        }
    }
}
