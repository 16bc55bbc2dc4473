//! Weights of tokens: low for frequent ones such as `the` or `include`, high for rare names.

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use rayon::prelude::*;

use super::super::gather::Gathered;

/// Tokens are counted by this many bits of their hashes.
const BITS: u32 = 18;
/// The greatest weight.
pub const FULL: u8 = 16;
/// A token that occurs at most this often has the full weight, however small the corpus is.
const RARE: u32 = 64;

/// The fewest tokens that a corpus counts as having, as a power of two.
const SMALL: f64 = 16.0;
/// So few tokens are counted at once, without tables for several threads.
const FEW: usize = u16::MAX as usize;
/// The fewest texts that are counted in one table, where there are many.
const IN_A_TASK: usize = 1 << 14;
/// The steps of the mean.
const MEAN_STEP: u32 = 4;

/// The weights of texts in which no token is frequent. Most small texts are compared with these.
static ALL_FULL: LazyLock<Arc<[u8]>> = LazyLock::new(|| vec![FULL; 1 << BITS].into());

thread_local! {
    /// The counts of the texts that a thread looks at, else zero. They take longer to make than a small text to count.
    static COUNTS: RefCell<Vec<u16>> = const { RefCell::new(Vec::new()) };
}

/// The weight of every token, 1 to [`FULL`].
pub struct Weights {
    table: Arc<[u8]>,
    /// The mean over all occurrences of tokens in the texts, in steps.
    pub mean: u32,
}

impl Weights {
    /// Counts all tokens. The weight grows with the information of a token: the logarithm of the number of all tokens
    /// divided by the number of its occurrences. Both numbers count in steps, so that a few more files hardly ever change
    /// how other texts are compared: all tokens as powers of four (few tokens as one number), and occurrences as powers
    /// of two.
    pub fn of<'a>(texts: impl ParallelIterator<Item = &'a [u64]>) -> Self {
        let texts: Vec<&[u64]> = texts.collect();
        let total: usize = texts.iter().map(|text| text.len()).sum();
        if total <= FEW { Self::of_few(&texts, total) } else { Self::of_many(&texts) }
    }

    /// The weights of so few tokens that their counts have 16 bits. Of those that are not there nothing is computed.
    fn of_few(texts: &[&[u64]], total: usize) -> Self {
        let tokens = || texts.iter().copied().flatten().copied();
        COUNTS.with_borrow_mut(|counts| {
            counts.resize(1 << BITS, 0);
            tokens().for_each(|token| counts[slot(token)] += 1);
            let mut table = Arc::clone(&ALL_FULL);
            let mut sum = 0;
            for token in tokens() {
                let count = u32::from(counts[slot(token)]);
                if count > RARE {
                    let weight = weight(count, total as u64);
                    if table[slot(token)] != weight {
                        Arc::make_mut(&mut table)[slot(token)] = weight;
                    }
                }
                sum += u64::from(table[slot(token)]);
            }
            tokens().for_each(|token| counts[slot(token)] = 0);
            Self::with(table, sum, total as u64)
        })
    }

    fn of_many(texts: &[&[u64]]) -> Self {
        let count = |mut counts: Vec<u32>, text: &&[u64]| {
            for &token in *text {
                counts[slot(token)] += 1;
            }
            counts
        };
        let add = |mut a: Vec<u32>, b: Vec<u32>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let none = || vec![0_u32; 1 << BITS];
        let counts = texts.par_iter().with_min_len(IN_A_TASK).fold(none, count).reduce(none, add);
        let total: u64 = counts.iter().copied().map(u64::from).sum();
        let table: Arc<[u8]> = counts.iter().map(|&count| weight(count, total)).collect();
        let sum: u64 =
            counts.iter().zip(&*table).map(|(&count, &weight)| u64::from(count) * u64::from(weight)).sum();
        Self::with(table, sum, total)
    }

    fn with(table: Arc<[u8]>, sum: u64, total: u64) -> Self {
        let mean = (sum / total.max(1)) as u32;
        Self { table, mean: ((mean + MEAN_STEP / 2) / MEAN_STEP * MEAN_STEP).max(MEAN_STEP) }
    }

    /// The weights of the tokens in all stretches.
    pub fn of_all(gathered: &Gathered) -> Self {
        Self::of(gathered.stretches.par_iter().map(|stretch| gathered.tokens(stretch)))
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

/// The weight of a token by its frequency and the number of tokens.
fn weight(count: u32, total: u64) -> u8 {
    if count <= RARE {
        return FULL;
    }
    let all = ((total.max(1) as f64).log2() / 2.0).round() * 2.0;
    // Twice the information in bits, beyond the first five.
    let bits = all.max(SMALL) - f64::from(count.ilog2()) - 0.5;
    ((bits - 5.0) * 2.0).clamp(1.0, f64::from(FULL)) as u8
}

fn slot(token: u64) -> usize {
    (token >> (u64::BITS - BITS)) as usize
}

#[cfg(test)]
impl Weights {
    /// Weights that are equal for all tokens.
    pub fn equal() -> Self {
        Self { table: Arc::clone(&ALL_FULL), mean: u32::from(FULL) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_tokens_weigh_the_same_counted_either_way() {
        for count in [0_u64, 1, 500, 20_000, 60_000] {
            // Some are frequent, and most are rare.
            let token = |at: u64| (at % 7 * (at % 900) * (at % 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let text: Vec<u64> = (0..count).map(token).collect();
            let texts = text.split_at(text.len() / 3);
            let texts = [texts.0, texts.1];
            let (few, many) = (Weights::of_few(&texts, text.len()), Weights::of_many(&texts));
            assert_eq!((few.mean, few.table), (many.mean, many.table), "{count}");
        }
    }
}
