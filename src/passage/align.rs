//! Aligns the tokens of two copies.

/// The steps in the table of choices: match both tokens, skip one of `a`, skip one of `b`.
const BOTH: u8 = 0;
const SKIP_A: u8 = 1;
const SKIP_B: u8 = 2;

/// The usual memory limit for the alignment of two copies, in bytes.
pub const TABLE: usize = 32 << 20;

/// The ascending pairs of positions of a longest common subsequence within a band: the offset between the tokens of a
/// pair is at most the difference of the lengths plus `slack`. Without a slack, only the common prefix and the common
/// suffix are matched.
fn in_band(a: &[u64], b: &[u64], slack: Option<usize>) -> Vec<(u32, u32)> {
    let (head, tail) = ends(a, b);
    let mut pairs: Vec<(u32, u32)> = (0..head as u32).map(|at| (at, at)).collect();
    if let Some(slack) = slack {
        let inner = banded(&a[head..a.len() - tail], &b[head..b.len() - tail], slack);
        pairs.extend(inner.into_iter().map(|(x, y)| (x + head as u32, y + head as u32)));
    }
    let tails = (a.len() - tail) as u32..a.len() as u32;
    pairs.extend(tails.zip((b.len() - tail) as u32..));
    pairs
}

/// The ascending pairs of positions of a nearly longest common subsequence, found in at most `memory` bytes. When the
/// table would be larger, the texts are first divided at sequences that occur once in each (Bram Cohen's patience diff).
/// Of a piece that is still too large only the common prefix and suffix are matched.
pub fn matched_within(a: &[u64], b: &[u64], memory: usize) -> Vec<(u32, u32)> {
    let divisions = if slack_within(a, b, memory).is_some() { Vec::new() } else { divisions(a, b) };
    let (mut start_a, mut start_b) = (0, 0);
    let mut pairs = Vec::new();
    for (end_a, end_b) in divisions.into_iter().chain([(a.len(), b.len())]) {
        let (one, other) = (&a[start_a..end_a], &b[start_b..end_b]);
        let found = in_band(one, other, slack_within(one, other, memory));
        pairs.extend(found.into_iter().map(|(x, y)| (x + start_a as u32, y + start_b as u32)));
        (start_a, start_b) = (end_a, end_b);
    }
    pairs
}

/// The length in tokens of a sequence at which texts are divided.
const LANDMARK: usize = 8;

/// The slack that the memory for the table allows; `None` when it is too small.
fn slack_within(a: &[u64], b: &[u64], memory: usize) -> Option<usize> {
    const LEAST: usize = 8;
    const MOST: usize = 256;
    let width = memory / a.len().max(1);
    let slack = width.checked_sub(a.len().abs_diff(b.len()) + 1)? / 2;
    (slack >= LEAST).then_some(slack.min(MOST))
}

/// The positions of sequences that occur once in each text, as many as possible that have the same order in both.
fn divisions(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let once = |text: &[u64]| -> Vec<(u64, usize)> {
        let windows = text.windows(LANDMARK).enumerate();
        let mut windows: Vec<(u64, usize)> = windows.map(|(at, window)| (hash_of(window), at)).collect();
        windows.sort_unstable();
        let alone = windows.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1);
        alone.map(|same| same[0]).collect()
    };
    let in_b = once(b);
    let shared = |&(print, at): &(u64, usize)| {
        let found = in_b.binary_search_by_key(&print, |&(print, _)| print).ok()?;
        let other = in_b[found].1;
        (a[at..at + LANDMARK] == b[other..other + LANDMARK]).then_some((at, other))
    };
    let mut shared: Vec<(usize, usize)> = once(a).iter().filter_map(shared).collect();
    shared.sort_unstable();
    ascending(&shared)
}

fn hash_of(window: &[u64]) -> u64 {
    window
        .iter()
        .fold(0, |print: u64, token| print.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ token)
}

/// The longest subsequence of pairs whose second members ascend.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair with the smallest second member that ends such a subsequence; and the predecessor of each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (number, &(_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < second);
        before[number] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut run: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |&number| before[number]).map(|at| pairs[at]).collect();
    run.reverse();
    run
}

/// The lengths of the common prefix and, in the rest, of the common suffix.
fn ends(a: &[u64], b: &[u64]) -> (usize, usize) {
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    (head, tail)
}

/// Longest common subsequence by the classic dynamic programming table, restricted to a band.
fn banded(a: &[u64], b: &[u64], slack: usize) -> Vec<(u32, u32)> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    // Column x of row y is token y + x - below of `b`; `below` is the largest negative offset.
    let below = a.len().saturating_sub(b.len()) + slack;
    let width = below + b.len().saturating_sub(a.len()) + slack + 1;
    let mut lengths = vec![0_u32; width + 1];
    let mut choices = vec![BOTH; a.len() * width];
    for (y, token) in a.iter().enumerate() {
        // Nothing is matched left of the band.
        let mut left = 0;
        for x in 0..width {
            let Some(at) = (y + x).checked_sub(below).filter(|&at| at < b.len()) else {
                // Outside of `b` the length does not change.
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
            let pairs = in_band(&a, &b, Some(50));
            prop_assert!(pairs.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1));
            prop_assert!(pairs.iter().all(|&(x, y)| a[x as usize] == b[y as usize]));
            prop_assert_eq!(pairs.len(), naive(&a, &b));
        }
    }

    #[test]
    fn copies_of_any_length_are_compared_in_little_memory() {
        const MEMORY: usize = 64 << 10;
        let a: Vec<u64> = (0..20_000).map(|at| if at % 3 == 0 { 1 } else { at }).collect();
        // One token changed, many added, and some left out.
        let mut b = a.clone();
        b[100] = 77_777;
        b.splice(5000..5000, 30_000..36_000);
        b.drain(24_000..24_010);
        let pairs = matched_within(&a, &b, MEMORY);
        assert!(pairs.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1));
        assert!(pairs.iter().all(|&(x, y)| a[x as usize] == b[y as usize]));
        assert_eq!(pairs.len(), a.len() - 11);
        // Without a sequence to divide at.
        let (zeros, ones) = (vec![0; 100_000], vec![1; 50_000]);
        assert_eq!(matched_within(&zeros, &ones, MEMORY), []);
        assert_eq!(matched_within(&zeros, &zeros[..50_000], MEMORY).len(), 50_000);
    }

    #[test]
    fn a_narrow_band_still_matches_what_is_nearly_in_step() {
        let a: Vec<u64> = (0..1000).collect();
        let mut b = a.clone();
        b.remove(500);
        b[100] = 7777;
        assert_eq!(in_band(&a, &b, Some(2)).len(), 998);
        assert_eq!(in_band(&a, &[], Some(2)), []);
    }
}
