//! Which of the gathered tokens are numbers. Only the hash of a token is kept, and numbers distinguish a table of
//! constants from code.

use std::sync::atomic::{AtomicU64, Ordering};

use dupi_text::token::Token;

/// Bits of the filter, as a power of two.
const BITS: u32 = 23;

/// The hashes of tokens that are numbers, in a Bloom filter of a fixed size: a token that is none is taken for one
/// with a probability of one in a hundred when there are 400,000 different numbers, and of one in a million when
/// there are 4,000.
pub struct Numbers(Vec<AtomicU64>);

impl Default for Numbers {
    fn default() -> Self {
        Self((0..1 << (BITS - 6)).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Numbers {
    /// Adds a token of a text if it is a number: if it begins with a digit.
    #[inline]
    pub fn note(&self, token: &Token, text: &str) {
        if text.as_bytes()[token.start as usize].is_ascii_digit() {
            self.add(token.hash);
        }
    }

    fn add(&self, token: u64) {
        for (word, bit) in places(token) {
            // Most numbers are known; reading does not take the line from other threads.
            if self.0[word].load(Ordering::Relaxed) & bit == 0 {
                self.0[word].fetch_or(bit, Ordering::Relaxed);
            }
        }
    }

    /// The bits of the filter that are set, ascending.
    pub(super) fn bits(&self) -> impl Iterator<Item = u32> {
        let words = (0..).zip(&self.0).map(|(number, word)| (number, word.load(Ordering::Relaxed)));
        words.flat_map(|(number, word)| {
            (0..u64::BITS).filter(move |bit| word >> bit & 1 == 1).map(move |bit| number * u64::BITS + bit)
        })
    }

    /// Adds a bit of another filter.
    pub(super) fn add_bit(&self, bit: u32) {
        self.0[(bit / u64::BITS) as usize].fetch_or(1 << (bit % u64::BITS), Ordering::Relaxed);
    }

    /// Whether a filter has such a bit.
    pub(super) fn has_bit(bit: u32) -> bool {
        bit < 1 << BITS
    }

    /// Whether a token is a number.
    #[inline]
    pub fn has(&self, token: u64) -> bool {
        // Both are looked up at once: a branch between them would often be guessed wrong.
        let [first, second] =
            places(token).map(|(word, bit)| self.0[word].load(Ordering::Relaxed) & bit != 0);
        first & second
    }
}

/// Where the bits of a token lie.
#[inline]
fn places(token: u64) -> [(usize, u64); 2] {
    let mixed = token.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    [token >> (u64::BITS - BITS), mixed >> (u64::BITS - BITS)].map(|at| ((at >> 6) as usize, 1 << (at & 63)))
}

impl Numbers {
    /// Some tokens.
    pub fn from_tokens(tokens: &[u64]) -> Self {
        let numbers = Self::default();
        tokens.iter().for_each(|&token| numbers.add(token));
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_with_a_digit_is_a_number() {
        let text = "0x41 and 7 of x86";
        let numbers = Numbers::default();
        let words = [(0, 4), (5, 8), (9, 10), (11, 13), (14, 17)];
        let token = |(start, end): (u32, u32)| Token { hash: u64::from(start + 1) << 50, start, end };
        words.map(token).iter().for_each(|token| numbers.note(token, text));
        let expected = [true, false, true, false, false];
        assert_eq!(words.map(|word| numbers.has(token(word).hash)), expected);
        assert!(!numbers.has(0));
    }
}
