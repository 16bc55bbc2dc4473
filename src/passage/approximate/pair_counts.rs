//! Counts the pairs of consecutive tokens in the texts of a group, in an open table.

/// Marks what is in no table, or more than once.
const NONE: u32 = u32::MAX;

/// The pairs of consecutive tokens in some texts. A pair that a text has several times is counted as several pairs.
#[derive(Default)]
pub struct PairCounts {
    /// For each slot, the number of the pair there, or [`NONE`].
    table: Vec<u32>,
    pairs: Vec<CountedPair>,
    texts: u32,
}

#[derive(Clone, Copy)]
struct CountedPair {
    key: u64,
    /// The number of texts that have it.
    weight: u32,
    /// The last text in which it was met, and how often.
    text: u32,
    times: u32,
    /// Where it begins in one of the texts.
    place: u32,
}

impl PairCounts {
    /// Removes all texts, and makes room for texts of `tokens` tokens.
    pub fn clear(&mut self, tokens: usize) {
        self.table.clear();
        self.table.resize((tokens * 2).next_power_of_two(), NONE);
        self.pairs.clear();
        self.texts = 0;
    }

    /// Adds a text that stands for `weight` equal ones, and appends the numbers of its pairs to `numbers`.
    pub fn add(&mut self, text: &[u64], weight: u32, numbers: &mut Vec<u32>) {
        self.texts += 1;
        for pair in text.windows(2) {
            let key = key(pair);
            let number = self.number(key);
            let of = &mut self.pairs[number as usize];
            if of.text != self.texts {
                (of.text, of.times) = (self.texts, 0);
            }
            of.times += 1;
            let times = u64::from(of.times);
            let number = if times == 1 { number } else { self.number(key ^ times.wrapping_mul(SPREAD)) };
            self.pairs[number as usize].weight += weight;
            numbers.push(number);
        }
    }

    /// The number of texts that have the pair with a number.
    pub fn weight(&self, number: u32) -> u32 {
        self.pairs[number as usize].weight
    }

    /// Notes where each pair begins in one of the texts.
    pub fn place(&mut self, text: &[u64]) {
        self.pairs.iter_mut().for_each(|of| (of.place, of.times) = (NONE, 0));
        for (at, pair) in (0..).zip(text.windows(2)) {
            if let Some(number) = self.find(key(pair)).1 {
                let of = &mut self.pairs[number as usize];
                of.place = if of.times == 0 { at } else { NONE };
                of.times += 1;
            }
        }
    }

    /// Where a pair begins in the text that [`Self::place`] was called with, if it occurs there once.
    pub fn place_of(&self, pair: &[u64]) -> Option<u32> {
        let place = self.pairs[self.find(key(pair)).1? as usize].place;
        (place != NONE).then_some(place)
    }

    /// The slot of a key, and the number of its pair if it has one.
    fn find(&self, key: u64) -> (usize, Option<u32>) {
        let mask = self.table.len() - 1;
        let mut at = (key ^ key >> 32) as usize & mask;
        loop {
            match self.table[at] {
                NONE => return (at, None),
                number if self.pairs[number as usize].key == key => return (at, Some(number)),
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn number(&mut self, key: u64) -> u32 {
        let (slot, known) = self.find(key);
        known.unwrap_or_else(|| {
            let number = self.pairs.len() as u32;
            self.pairs.push(CountedPair { key, weight: 0, text: 0, times: 0, place: NONE });
            self.table[slot] = number;
            number
        })
    }
}

/// An odd number with well-mixed bits, as in Fibonacci hashing.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

fn key(pair: &[u64]) -> u64 {
    (pair[0].rotate_left(23) ^ pair[1]).wrapping_mul(SPREAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_counted_as_often_as_each_text_has_it() {
        let mut counts = PairCounts::default();
        for _ in 0..2 {
            counts.clear(8);
            let (mut first, mut second) = (Vec::new(), Vec::new());
            counts.add(&[1, 2, 1, 2], 3, &mut first);
            counts.add(&[7, 1, 2, 9], 2, &mut second);
            let weights = |numbers: &[u32]| numbers.iter().map(|&of| counts.weight(of)).collect::<Vec<_>>();
            assert_eq!((weights(&first), weights(&second)), (vec![5, 3, 3], vec![2, 5, 2]));
            counts.place(&[7, 1, 2, 9, 2, 9]);
            let places = [[7, 1], [1, 2], [2, 9], [2, 1], [5, 5]].map(|pair| counts.place_of(&pair));
            assert_eq!(places, [Some(0), Some(1), None, None, None]);
        }
    }
}
