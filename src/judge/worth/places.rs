//! Bits for the places of the gathered tokens: which of them hold numbers, and which only say again what an equal copy before
//! them says. Numbers are asked for once for each token, and known while the pairs are divided.
//!
//! What is said again adds no context, and is not counted. A copy is left out only if it stands behind the one that it equals. So
//! of every text the first one is counted, whatever the passages are that it belongs to.

use std::ops::Range;

use rayon::prelude::*;

use dupi_passage::TokenRun;
use dupi_passage::gather::Gathered;
use dupi_passage::group::RunGroup;

/// Words that one thread fills at once.
const AT_ONCE: usize = 1 << 12;

/// A bit for each place of a gathered token.
pub(super) struct NumberPlaces(PlaceBits);

impl NumberPlaces {
    /// The places of all numbers.
    pub(super) fn new(gathered: &Gathered) -> Self {
        let mut bits = PlaceBits::new(gathered.len());
        bits.0.par_chunks_mut(AT_ONCE).enumerate().for_each(|(number, words)| {
            let start = (number * AT_ONCE * 64) as u32;
            let end = gathered.len().min(start.saturating_add((AT_ONCE * 64) as u32));
            let from = gathered.stretches.partition_point(|stretch| stretch.base + stretch.len <= start);
            for stretch in gathered.stretches[from..].iter().take_while(|stretch| stretch.base < end) {
                let tokens = gathered.tokens(stretch);
                let (first, last) = (stretch.base.max(start), end.min(stretch.base + stretch.len));
                let tokens = &tokens[(first - stretch.base) as usize..(last - stretch.base) as usize];
                // Each word is written once for a stretch; the first one may begin within it.
                let (of_first, others) = tokens.split_at(tokens.len().min((64 - first as usize % 64) % 64));
                let bits = |tokens: &[u64]| {
                    let bit = |(at, &token): (usize, &u64)| u64::from(gathered.numbers.has(token)) << at;
                    tokens.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
                };
                let at = ((first - start) / 64) as usize;
                words[at] |= bits(of_first) << (first % 64);
                for (word, tokens) in
                    words[at + usize::from(!first.is_multiple_of(64))..].iter_mut().zip(others.chunks(64))
                {
                    *word |= bits(tokens);
                }
            }
        });
        Self(bits)
    }

    /// Whether a place holds a number.
    #[inline]
    pub(super) fn has(&self, place: u32) -> bool {
        self.0.has(place)
    }
}

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

/// A bit for each gathered token.
pub(super) struct Again(PlaceBits);

impl Again {
    /// What the copies of some groups say again, of `tokens` tokens.
    pub(super) fn from_groups(groups: &[RunGroup], tokens: u32) -> Self {
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
    use super::super::tests::gathered;
    use super::*;

    #[test]
    fn all_places_of_numbers_are_known() {
        let texts: Vec<Vec<u64>> =
            (1..700_u64).map(|text| (0..text).map(|at| (text * 31 + at * at) % 9 + 1).collect()).collect();
        let hashes = |texts: &[Vec<u64>]| -> Vec<Vec<u64>> {
            texts.iter().map(|text| text.iter().map(|token| token << 50).collect()).collect()
        };
        let gathered = gathered(&hashes(&texts), &[3 << 50, 7 << 50]);
        let places = NumberPlaces::new(&gathered);
        for (place, token) in (0..).zip(texts.concat()) {
            assert_eq!(places.has(place), token == 3 || token == 7, "{place}");
        }
    }

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
