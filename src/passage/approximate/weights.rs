//! Weights of tokens: low for frequent ones such as `the` or `include`, high for rare names.

use rayon::prelude::*;

use super::super::gather::Gathered;

/// Tokens are counted by this many bits of their hashes.
const BITS: u32 = 18;
/// The greatest weight.
pub const FULL: u8 = 16;
/// A token that occurs at most this often has the full weight, however small the corpus is.
const RARE: u32 = 64;

/// A corpus counts as having at least so many tokens, as a power of two.
const SMALL: f64 = 16.0;
/// The steps of the mean.
const MEAN_STEP: u32 = 4;

/// The weight of every token, 1 to [`FULL`].
pub struct Weights {
    table: Vec<u8>,
    /// The mean over all occurrences of tokens in the texts, in steps.
    pub mean: u32,
}

impl Weights {
    /// Counts all tokens. The weight grows with the information of a token: the logarithm of the number of all tokens
    /// divided by the number of its occurrences. Both numbers count in steps, so that a few more files hardly ever change
    /// how other texts are compared: all tokens as powers of four (few tokens as one number), and occurrences as powers
    /// of two.
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
        let all = ((total.max(1) as f64).log2() / 2.0).round() * 2.0;
        let all = all.max(SMALL);
        let weight = |&count: &u32| {
            if count <= RARE {
                return FULL;
            }
            // Twice the information in bits, beyond the first five.
            let bits = all - f64::from(count.ilog2()) - 0.5;
            ((bits - 5.0) * 2.0).clamp(1.0, f64::from(FULL)) as u8
        };
        let table: Vec<u8> = counts.iter().map(weight).collect();
        let sum: u64 =
            counts.iter().zip(&table).map(|(&count, &weight)| u64::from(count) * u64::from(weight)).sum();
        let mean = (sum / total.max(1)) as u32;
        Self { table, mean: ((mean + MEAN_STEP / 2) / MEAN_STEP * MEAN_STEP).max(MEAN_STEP) }
    }

    /// The weights of the tokens in all stretches.
    pub fn of_all(gathered: &Gathered) -> Self {
        let stretches = gathered.stretches.par_iter().with_min_len(1 << 14);
        Self::of(stretches.map(|stretch| gathered.tokens(stretch)))
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
