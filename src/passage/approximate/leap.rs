//! Leaps over a long difference: finds where two texts that agreed for long agree again behind more differing tokens than a
//! gap may have.
//!
//! A statement that was added to a method, or a clause to a prayer, can be longer than the gap. Without a leap the text
//! would be two passages, of which each may be too short. A leap needs more evidence than a gap: what agrees
//! before it must be long, and behind it a run of several tokens must be equal.

use super::weights::Weights;

/// The most tokens that are skipped in either text.
pub const LONGEST: usize = 48;
/// The tokens of the run behind a leap.
const RUN: usize = 5;
/// Their weight, in means.
const WEIGHT: u32 = 4;

/// The tokens of each text that a leap looks at.
pub const LOOKED_AT: usize = LONGEST + RUN;

/// The fewest tokens to skip in each text, at most `most`, so that the next [`RUN`] tokens are equal.
pub fn leap(a: &[u64], b: &[u64], most: usize, weights: &Weights) -> Option<(usize, usize)> {
    let most = most.min(LONGEST);
    let runs = |text: &[u64]| (text.len() + 1).saturating_sub(RUN).min(most + 1);
    let mut of_b = [(0, 0); LONGEST + 1];
    let of_b = &mut of_b[..runs(b)];
    for (at, entry) in of_b.iter_mut().enumerate() {
        *entry = (b[at], at);
    }
    of_b.sort_unstable();
    let mut best: Option<(usize, usize)> = None;
    let is_equal = |x: usize, y: usize| {
        let run = &a[x..x + RUN];
        run == &b[y..y + RUN] && weights.sum(run) >= weights.mean * WEIGHT
    };
    for (x, &own) in a[..runs(a)].iter().enumerate() {
        let first = of_b.partition_point(|&(token, _)| token < own);
        let mates = of_b[first..].iter().take_while(|&&(token, _)| token == own);
        for &(_, y) in mates {
            let is_nearer = best.is_none_or(|known| (x.max(y), x) < (known.0.max(known.1), known.0));
            if is_nearer && is_equal(x, y) {
                best = Some((x, y));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaped(a: &str, b: &str, most: usize) -> Option<(usize, usize)> {
        let text = |words: &str| words.bytes().map(u64::from).collect::<Vec<u64>>();
        leap(&text(a), &text(b), most, &Weights::equal())
    }

    #[test]
    fn the_nearest_run_of_equal_tokens_is_found() {
        assert_eq!(leaped("XXXXXXXXXXabcdefgh", "YYabcdefghijk", 20), Some((10, 2)));
        assert_eq!(leaped("XXabcdeZZZfghij", "YfghijWWabcde", 20), Some((2, 8)));
        assert_eq!(leaped("XXabcdeZZfghij", "YYYYYYYYYfghijabcde", 20), Some((9, 9)));
    }

    #[test]
    fn a_run_that_is_short_or_far_is_not_enough() {
        assert_eq!(leaped("XXXXabcdX", "YYYYabcdY", 20), None);
        assert_eq!(leaped("XXXXabcde", "YYYYabcde", 3), None);
        assert_eq!(leaped("XXXXabcde", "YYYYabcde", 4), Some((4, 4)));
        assert_eq!(leaped("", "abcde", 4), None);
    }
}
