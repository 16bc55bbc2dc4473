//! Finds where two texts agree again behind a difference after which no single run of equal tokens tells it: where only
//! every second or third token is the same, or only frequent ones.
//!
//! The next tokens of both texts are aligned: the common subsequence of the greatest weight, by the classic table of
//! dynamic programming (Needleman & Wunsch, 1970) in a band around the diagonal. It is accepted when its tokens have the
//! weight of several.

use super::weights::Weights;

/// How many tokens of each text are aligned.
pub const AHEAD: usize = 16;
/// The weight of the common tokens that are enough, in means.
const ENOUGH: u32 = 2;

/// Positions in both texts, from the first aligned tokens.
type Pairs = Vec<(usize, usize)>;

/// The ascending pairs of equal tokens by which two texts go on to agree, if they do. At most `gap` consecutive tokens of
/// either text are in no pair.
pub fn resume(a: &[u64], b: &[u64], gap: usize, weights: &Weights) -> Option<Pairs> {
    const WIDTH: usize = AHEAD + 1;
    let (a, b) = (&a[..a.len().min(AHEAD)], &b[..b.len().min(AHEAD)]);
    if !may_resume(a, b, weights) {
        return None;
    }
    let weigh = |text: &[u64]| {
        let mut sums = [0_u32; WIDTH];
        for (at, &token) in text.iter().enumerate() {
            sums[at + 1] = sums[at] + weights.get(token);
        }
        sums
    };
    let (of_a, of_b) = (weigh(a), weigh(b));
    let band = |y: usize| y.saturating_sub(gap)..(y + gap + 1).min(b.len());
    let mut table = [[0_u32; WIDTH]; WIDTH];
    let mut best: Option<(i64, usize, usize)> = None;
    for (y, &token) in a.iter().enumerate() {
        let columns = band(y);
        // Left and right of the band nothing is gained.
        table[y + 1][columns.start] = table[y][columns.start];
        for x in columns.clone() {
            let either = table[y][x + 1].max(table[y + 1][x]);
            let with = if token == b[x] { table[y][x] + weights.get(token) } else { 0 };
            table[y + 1][x + 1] = either.max(with);
            if with > either && with >= weights.mean * ENOUGH {
                let lost = of_a[y + 1].max(of_b[x + 1]) - with;
                let score = i64::from(with) - i64::from(lost);
                if best.is_none_or(|(known, ..)| score > known) {
                    best = Some((score, y + 1, x + 1));
                }
            }
        }
        for x in columns.end..b.len() {
            table[y + 1][x + 1] = table[y + 1][columns.end];
        }
    }
    let (_, mut y, mut x) = best?;
    let mut pairs = Vec::new();
    while y > 0 && x > 0 && table[y][x] > 0 {
        if table[y][x] == table[y - 1][x] {
            y -= 1;
        } else if table[y][x] == table[y][x - 1] {
            x -= 1;
        } else {
            (y, x) = (y - 1, x - 1);
            pairs.push((y, x));
        }
    }
    pairs.reverse();
    let mut end = (0, 0);
    let is_near = |&(y, x): &(usize, usize)| {
        let before = std::mem::replace(&mut end, (y + 1, x + 1));
        y - before.0 <= gap && x - before.1 <= gap
    };
    pairs.iter().all(is_near).then_some(pairs)
}

/// Whether the tokens that both texts have weigh enough, wherever they stand. `false` is certain, and most often the answer.
fn may_resume(a: &[u64], b: &[u64], weights: &Weights) -> bool {
    // A half of each hash is compared, which takes half the time.
    let mut of_b = [0_u32; AHEAD];
    of_b.iter_mut().zip(b).for_each(|(half, &token)| *half = token as u32);
    let has = |token: u64| of_b.iter().fold(false, |has, &half| has | (half == token as u32));
    let common: u32 = a.iter().map(|&token| if has(token) { weights.get(token) } else { 0 }).sum();
    common >= weights.mean * ENOUGH
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn resumed(a: &str, b: &str) -> Option<Pairs> {
        let text = |words: &str| words.bytes().map(u64::from).collect::<Vec<u64>>();
        resume(&text(a), &text(b), 3, &Weights::equal())
    }

    proptest! {
        #[test]
        fn texts_whose_common_tokens_weigh_too_little_do_not_resume(a: Vec<u8>, b: Vec<u8>, kinds in 1..40_u8) {
            let text = |of: &[u8]| of.iter().take(AHEAD).map(|token| u64::from(token % kinds)).collect::<Vec<u64>>();
            let (a, b, weights) = (text(&a), text(&b), Weights::equal());
            let common = a.iter().filter(|token| b.contains(token)).count() as u32;
            // A token that is 0 is taken for one beyond the end.
            let is_certain = b.len() == AHEAD || !a.contains(&0);
            prop_assert!(may_resume(&a, &b, &weights) == (common >= ENOUGH) || !is_certain);
            if common < ENOUGH {
                prop_assert_eq!(resume(&a, &b, AHEAD, &weights), None);
            }
        }
    }

    #[test]
    fn single_tokens_are_enough_together() {
        assert_eq!(resumed("XaXbc", "YaYbc"), Some(vec![(1, 1), (3, 3), (4, 4)]));
        assert_eq!(resumed("XaXXb", "YaYb"), Some(vec![(1, 1), (4, 3)]));
    }

    #[test]
    fn one_token_or_a_long_difference_is_not_enough() {
        assert_eq!(resumed("XaXX", "YaYY"), None);
        assert_eq!(resumed("XXXXab", "YYYYab"), None);
        assert_eq!(resumed("", "abc"), None);
    }
}
