//! Pairs added files with removed ones, as git does: equal texts first, then the most similar ones of which at least half
//! of the lines agree.
//!
//! The library that reads the repository finds renames between two trees. A change may end in the working tree, or come
//! from a patch, so they are looked for here.

use std::cmp::Reverse;
use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::lines::lines_of;

/// The most pairs that are compared; with more, only equal texts are paired.
const MOST_PAIRS: usize = 1 << 16;

/// For each added text the index of the removed text that it comes from, if there is one. Each removed text is taken once.
pub fn renames(removed: &[&str], added: &[&str]) -> Vec<Option<usize>> {
    let mut from = vec![None; added.len()];
    let mut is_taken = vec![false; removed.len()];
    let mut by_text: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, text) in removed.iter().enumerate().rev().filter(|(_, text)| !text.is_empty()) {
        by_text.entry(text).or_default().push(number);
    }
    for (number, text) in added.iter().enumerate() {
        if let Some(same) = by_text.get_mut(text).and_then(Vec::pop) {
            (from[number], is_taken[same]) = (Some(same), true);
        }
    }
    if removed.len().saturating_mul(added.len()) > MOST_PAIRS {
        return from;
    }
    let bags: Vec<LineBag> = removed.iter().map(|text| LineBag::of(text)).collect();
    let mut pairs = Vec::new();
    for (to, text) in added.iter().enumerate().filter(|(to, _)| from[*to].is_none()) {
        let bag = LineBag::of(text);
        let open = bags.iter().enumerate().filter(|(number, _)| !is_taken[*number]);
        pairs.extend(open.filter_map(|(number, other)| Some((Reverse(bag.shared(other)?), to, number))));
    }
    pairs.sort_unstable();
    for (_, to, number) in pairs {
        if from[to].is_none() && !is_taken[number] {
            (from[to], is_taken[number]) = (Some(number), true);
        }
    }
    from
}

/// The lines of a text with their bytes, without their order.
struct LineBag {
    lines: HashMap<u64, (u64, u64)>,
    bytes: u64,
}

impl LineBag {
    fn of(text: &str) -> Self {
        let mut lines: HashMap<u64, (u64, u64)> = HashMap::new();
        for line in lines_of(text) {
            let (count, bytes) = lines.entry(xxh3_64(line.trim_end().as_bytes())).or_default();
            (*count, *bytes) = (*count + 1, line.len() as u64);
        }
        Self { lines, bytes: text.len() as u64 }
    }

    /// The bytes of the lines that both have, if they are at least half of the larger text.
    fn shared(&self, other: &Self) -> Option<u64> {
        let most = self.bytes.max(other.bytes);
        if self.bytes.min(other.bytes) * 2 < most {
            return None;
        }
        let both = |(line, (count, bytes)): (&u64, &(u64, u64))| {
            other.lines.get(line).map_or(0, |(theirs, _)| count.min(theirs) * bytes)
        };
        let shared: u64 = self.lines.iter().map(both).sum();
        (shared > 0 && shared * 2 >= most).then_some(shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_come_first_then_the_most_similar() {
        let [a, b, c] = ["a\nb\nc\nd\n", "a\nb\nX\nd\n", "q\nr\ns\n"];
        assert_eq!(renames(&[a, c], &[c, b]), [Some(1), Some(0)]);
        assert_eq!(renames(&[b, a], &[a]), [Some(1)]);
        assert_eq!(renames(&[c], &[a, b]), [None, None]);
        assert_eq!(renames(&[a], &["a\nb\nX\nY\nZ\n", b]), [None, Some(0)], "each is taken once");
        assert_eq!(renames(&[a], &["a\nX\nY\nZ\n"]), [None], "less than half");
        assert_eq!(renames(&["", ""], &["", "a"]), [None, None], "empty files come from nowhere");
        assert_eq!(renames(&[], &[a]), [None]);
    }
}
