//! How much of a document some ranges of its tokens cover.

use std::ops::Range;

/// How many tokens lie in some ranges.
pub(super) fn covered(mut ranges: Vec<Range<u32>>) -> u64 {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut reached = 0;
    let own = |range: &Range<u32>| {
        let start = range.start.max(reached);
        reached = reached.max(range.end);
        u64::from(range.end.saturating_sub(start))
    };
    ranges.iter().map(own).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_in_several_ranges_count_once() {
        assert_eq!(covered(vec![5..9, 0..3, 2..6, 20..21]), 10);
        assert_eq!(covered(Vec::new()), 0);
    }
}
