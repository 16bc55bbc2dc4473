//! Which of the gathered tokens begin a line.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use dupi_text::token::Token;

/// A bit for each token: whether a line break lies between the start of the token before it and its own start.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct LineStarts {
    words: Vec<u64>,
    len: u32,
}

impl LineStarts {
    /// The number of bits.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Adds a bit.
    pub(super) fn push(&mut self, begins: bool) {
        if self.len.is_multiple_of(u64::BITS) {
            self.words.push(0);
        }
        if let Some(last) = self.words.last_mut() {
            *last |= u64::from(begins) << (self.len % u64::BITS);
        }
        self.len += 1;
    }

    /// Whether there are words for all tokens.
    pub(super) fn is_whole(&self) -> bool {
        self.words.len() as u32 == self.len.div_ceil(u64::BITS)
    }

    /// How many bits of a range are set.
    pub(super) fn count(&self, range: Range<u32>) -> u32 {
        let (first, last) = (range.start / u64::BITS, range.end / u64::BITS);
        let word = |number: u32| self.words.get(number as usize).copied().unwrap_or(0);
        let below = |word: u64, end: u32| (word & !(u64::MAX << (end % u64::BITS))).count_ones();
        let whole: u32 = (first..last).map(|number| word(number).count_ones()).sum();
        whole + below(word(last), range.end) - below(word(first), range.start)
    }
}

/// Whether the token with an index begins a line of a text. The end of the text counts as the begin of a line.
pub(super) fn begins_line(tokens: &[Token], at: u32, text: &str) -> bool {
    let Some(before) = (at as usize).checked_sub(1) else { return true };
    let between = |token: &Token| &text.as_bytes()[tokens[before].start as usize..token.start as usize];
    tokens.get(at as usize).is_none_or(|token| between(token).contains(&b'\n'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_set_bits_of_a_range_are_counted(bits in prop::collection::vec(any::<bool>(), 0..300), ends: [u16; 2]) {
            let mut starts = LineStarts::default();
            bits.iter().for_each(|&bit| starts.push(bit));
            let mut ends = ends.map(|end| u32::from(end) % (bits.len() as u32 + 1));
            ends.sort_unstable();
            let naive = bits[ends[0] as usize..ends[1] as usize].iter().filter(|&&bit| bit).count();
            prop_assert_eq!((starts.len() as usize, starts.count(ends[0]..ends[1]) as usize), (bits.len(), naive));
        }
    }
}
