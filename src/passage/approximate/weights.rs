//! Weights of tokens: low for frequent ones such as `the` or `include`, high for rare names.

use rayon::prelude::*;

/// Tokens are counted by this many bits of their hashes.
const BITS: u32 = 18;
/// The greatest weight.
pub const FULL: u8 = 16;
/// A token that occurs at most this often has the full weight, however small the corpus is.
const RARE: u32 = 64;

/// The weight of every token, 1 to [`FULL`].
pub struct Weights {
    table: Vec<u8>,
    /// The mean over all occurrences of tokens in the texts.
    pub mean: u32,
}

impl Weights {
    /// Counts all tokens. The weight grows with the information of a token: the logarithm of the number of all tokens
    /// divided by the number of its occurrences.
    pub fn of<'a>(texts: impl ParallelIterator<Item = &'a [u64]>) -> Self {
        let count = |mut counts: Vec<u32>, text: &[u64]| {
            for &token in text {
                counts[slot(token)] += 1;
            }
            counts
        };
        let add = |mut a: Vec<u32>, b: Vec<u32>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let none = || vec![0_u32; 1 << BITS];
        let counts = texts.fold(none, count).reduce(none, add);
        let total: u64 = counts.iter().copied().map(u64::from).sum();
        let weight = |&count: &u32| {
            if count <= RARE {
                return FULL;
            }
            // Twice the information in bits, beyond the first five.
            let bits = (total as f64 / f64::from(count)).log2();
            ((bits - 5.0) * 2.0).clamp(1.0, f64::from(FULL)) as u8
        };
        let table: Vec<u8> = counts.iter().map(weight).collect();
        let sum: u64 =
            counts.iter().zip(&table).map(|(&count, &weight)| u64::from(count) * u64::from(weight)).sum();
        Self { table, mean: (sum / total.max(1)).max(1) as u32 }
    }

    /// The weight of a token.
    #[inline]
    pub fn get(&self, token: u64) -> u32 {
        u32::from(self.table[slot(token)])
    }

    /// The weight of a text.
    pub fn sum(&self, text: &[u64]) -> u32 {
        text.iter().map(|&token| self.get(token)).sum()
    }
}

fn slot(token: u64) -> usize {
    (token >> (u64::BITS - BITS)) as usize
}

#[cfg(test)]
impl Weights {
    /// Weights that are equal for all tokens.
    pub fn equal() -> Self {
        Self { table: vec![FULL; 1 << BITS], mean: u32::from(FULL) }
    }
}
