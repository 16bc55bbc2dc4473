//! Bits for the places of the gathered tokens: which of them hold numbers. It is asked once for each, and known while the pairs are divided.

use rayon::prelude::*;

use dupi_passage::gather::Gathered;

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
        let places = NumberPlaces::of(&gathered);
        for (place, token) in (0..).zip(texts.concat()) {
            assert_eq!(places.has(place), token == 3 || token == 7, "{place}");
        }
    }
}
