//! Which places of the gathered tokens hold numbers. It is asked once for each, and known while the pairs are divided.

use rayon::prelude::*;

use super::super::gather::Gathered;
use super::place_bits::PlaceBits;

/// Words that one thread fills at once.
const AT_ONCE: usize = 1 << 12;

/// A bit for each place of a gathered token.
pub(super) struct NumberPlaces(PlaceBits);

impl NumberPlaces {
    /// The places of all numbers.
    pub(super) fn of(gathered: &Gathered) -> Self {
        let mut bits = PlaceBits::new(gathered.len());
        bits.0.par_chunks_mut(AT_ONCE).enumerate().for_each(|(number, words)| {
            let start = (number * AT_ONCE * 64) as u32;
            let end = gathered.len().min(start.saturating_add((AT_ONCE * 64) as u32));
            let from = gathered.stretches.partition_point(|stretch| stretch.base + stretch.len <= start);
            for stretch in gathered.stretches[from..].iter().take_while(|stretch| stretch.base < end) {
                let tokens = gathered.tokens(stretch);
                let (first, last) = (stretch.base.max(start), end.min(stretch.base + stretch.len));
                for place in first..last {
                    let is_number = gathered.numbers.has(tokens[(place - stretch.base) as usize]);
                    words[((place - start) / 64) as usize] |= u64::from(is_number) << (place % 64);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_of_numbers_are_known() {
        let texts: Vec<Vec<u64>> =
            (1..700_u64).map(|text| (0..text).map(|at| (text * 31 + at * at) % 9 + 1).collect()).collect();
        let hashes = |texts: &[Vec<u64>]| -> Vec<Vec<u64>> {
            texts.iter().map(|text| text.iter().map(|token| token << 50).collect()).collect()
        };
        let gathered = Gathered::of_texts(&hashes(&texts), &[3 << 50, 7 << 50]);
        let places = NumberPlaces::of(&gathered);
        for (place, token) in (0..).zip(texts.concat()) {
            assert_eq!(places.has(place), token == 3 || token == 7, "{place}");
        }
    }
}
