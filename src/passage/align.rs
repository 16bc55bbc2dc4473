//! Which tokens of two copies belong together.

/// Marks in the table of choices.
const BOTH: u8 = 0;
const SKIP_A: u8 = 1;
const SKIP_B: u8 = 2;

/// The pairs of equal tokens that stand in the same order in both texts, as many as possible, ascending: a
/// longest common subsequence, with the tokens of a pair no further out of step than the lengths of the
/// texts differ and `slack` more.
pub fn matched(a: &[u64], b: &[u64], slack: usize) -> Vec<(u32, u32)> {
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[head..], &b[head..]);
    let tail = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (middle_a, middle_b) = (&rest_a[..rest_a.len() - tail], &rest_b[..rest_b.len() - tail]);
    let mut pairs: Vec<(u32, u32)> = (0..head as u32).map(|at| (at, at)).collect();
    let inner = banded(middle_a, middle_b, slack);
    pairs.extend(inner.into_iter().map(|(x, y)| (x + head as u32, y + head as u32)));
    let tails = (a.len() - tail) as u32..a.len() as u32;
    pairs.extend(tails.zip((b.len() - tail) as u32..));
    pairs
}

/// Longest common subsequence (Hunt, Szymanski 1977 pose it; here by the classic table, within a band).
fn banded(a: &[u64], b: &[u64], slack: usize) -> Vec<(u32, u32)> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    // Column x of row y is token y + x - below of `b`; `below` is how far `b` may lag behind.
    let below = a.len().saturating_sub(b.len()) + slack;
    let width = below + b.len().saturating_sub(a.len()) + slack + 1;
    let mut lengths = vec![0_u32; width + 1];
    let mut choices = vec![BOTH; a.len() * width];
    for (y, token) in a.iter().enumerate() {
        // Left of the band nothing is matched.
        let mut left = 0;
        for x in 0..width {
            let Some(at) = (y + x).checked_sub(below).filter(|&at| at < b.len()) else {
                // Beyond either end of `b` what was reached stays.
                let outside_after = y + x >= below;
                if outside_after {
                    lengths[x] = left.max(lengths[x + 1]);
                    choices[y * width + x] = if left >= lengths[x + 1] { SKIP_B } else { SKIP_A };
                    left = lengths[x];
                }
                continue;
            };
            let above = lengths[x + 1];
            let (length, choice) = if *token == b[at] {
                (lengths[x] + 1, BOTH)
            } else if above >= left {
                (above, SKIP_A)
            } else {
                (left, SKIP_B)
            };
            lengths[x] = length;
            choices[y * width + x] = choice;
            left = length;
        }
    }
    let mut pairs = Vec::new();
    let (mut y, mut x) = (a.len() as isize - 1, width as isize - 1);
    while y >= 0 && x >= 0 && x < width as isize {
        let at = y + x - below as isize;
        if at < 0 {
            break;
        }
        match choices[y as usize * width + x as usize] {
            BOTH if (at as usize) < b.len() => {
                pairs.push((y as u32, at as u32));
                y -= 1;
            }
            SKIP_A => {
                y -= 1;
                x += 1;
            }
            _ => x -= 1,
        }
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive(a: &[u64], b: &[u64]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for (y, one) in a.iter().enumerate() {
            for (x, other) in b.iter().enumerate() {
                table[y + 1][x + 1] =
                    if one == other { table[y][x] + 1 } else { table[y][x + 1].max(table[y + 1][x]) };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn as_many_tokens_are_matched_as_can_be(
            a in prop::collection::vec(0..6_u64, 0..40),
            b in prop::collection::vec(0..6_u64, 0..40),
        ) {
            let pairs = matched(&a, &b, 50);
            prop_assert!(pairs.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1));
            prop_assert!(pairs.iter().all(|&(x, y)| a[x as usize] == b[y as usize]));
            prop_assert_eq!(pairs.len(), naive(&a, &b));
        }
    }

    #[test]
    fn a_narrow_band_still_matches_what_is_nearly_in_step() {
        let a: Vec<u64> = (0..1000).collect();
        let mut b = a.clone();
        b.remove(500);
        b[100] = 7777;
        assert_eq!(matched(&a, &b, 2).len(), 998);
        assert_eq!(matched(&a, &[], 2), []);
    }
}
