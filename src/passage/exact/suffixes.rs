//! Suffix arrays of sequences of numbers, and their longest-common-prefix arrays.
//!
//! The suffix array is built by induced sorting (SA-IS: Nong, Zhang, Chan, “Two efficient algorithms for linear time
//! suffix array construction”, 2011), the lengths of common prefixes in the order of the text (Kasai et al., “Linear-time
//! longest-common-prefix computation in suffix arrays and its applications”, 2001). Both take linear time for any
//! sequence.

/// Marks an empty entry.
const NONE: u32 = u32::MAX;

/// The suffixes of a sequence in lexicographic order, each as the index of its start. Every number of the sequence must be
/// below `letters`.
pub fn sorted_suffixes(text: &[u32], letters: u32) -> Vec<u32> {
    match text {
        [] => Vec::new(),
        [_] => vec![0],
        _ => induced(text, letters as usize),
    }
}

/// The length of the common prefix of each suffix and the one before it in order; 0 for the first.
pub fn common_lengths(text: &[u32], order: &[u32]) -> Vec<u32> {
    // The rank of each suffix.
    let mut rank = vec![0; order.len()];
    for (at, &suffix) in (0..).zip(order) {
        rank[suffix as usize] = at;
    }
    let mut lengths = vec![0; order.len()];
    let mut common = 0_usize;
    for (start, &at) in rank.iter().enumerate() {
        let Some(before) = (at as usize).checked_sub(1) else {
            common = 0;
            continue;
        };
        let (a, b) = (&text[start..], &text[order[before] as usize..]);
        common += a[common..].iter().zip(&b[common..]).take_while(|(a, b)| a == b).count();
        lengths[at as usize] = common as u32;
        common = common.saturating_sub(1);
    }
    lengths
}

/// Suffix sorting by induction from the leftmost S-type suffixes.
fn induced(text: &[u32], letters: usize) -> Vec<u32> {
    let is_s = types(text);
    let is_leftmost = |at: usize| at > 0 && is_s[at] && !is_s[at - 1];
    let buckets = Buckets::new(text, letters);
    let mut order = vec![NONE; text.len()];

    // First, the leftmost suffixes in any order, to sort their substrings.
    let mut ends = buckets.ends();
    for at in (1..text.len()).filter(|&at| is_leftmost(at)) {
        ends[text[at] as usize] -= 1;
        order[ends[text[at] as usize] as usize] = at as u32;
    }
    induce(text, &is_s, &buckets, &mut order);
    let leftmost: Vec<u32> = order.iter().copied().filter(|&at| is_leftmost(at as usize)).collect();
    if leftmost.is_empty() {
        return order;
    }

    // Equal substrings get equal names.
    let next_leftmost =
        |at: usize| (at + 1..text.len()).find(|&next| is_leftmost(next)).unwrap_or(text.len() - 1);
    let mut names = vec![NONE; text.len()];
    let mut count = 0;
    let mut before: Option<usize> = None;
    for &at in &leftmost {
        let at = at as usize;
        let is_same = before.is_some_and(|before| {
            let (end, other) = (next_leftmost(at), next_leftmost(before));
            let is_last = |end: usize| end == text.len() - 1 && !is_leftmost(end);
            end - at == other - before
                && !is_last(end)
                && !is_last(other)
                && text[at..=end] == text[before..=other]
        });
        count += u32::from(!is_same);
        names[at] = count - 1;
        before = Some(at);
    }
    let places: Vec<u32> = (0..text.len() as u32).filter(|&at| is_leftmost(at as usize)).collect();
    let reduced: Vec<u32> = places.iter().map(|&at| names[at as usize]).collect();
    drop(names);
    let sorted: Vec<u32> = if (count as usize) < reduced.len() {
        sorted_suffixes(&reduced, count).into_iter().map(|at| places[at as usize]).collect()
    } else {
        leftmost
    };

    // All other suffixes are induced from their true order.
    order.fill(NONE);
    let mut ends = buckets.ends();
    for &at in sorted.iter().rev() {
        let letter = text[at as usize] as usize;
        ends[letter] -= 1;
        order[ends[letter] as usize] = at;
    }
    induce(text, &is_s, &buckets, &mut order);
    order
}

/// Which suffixes are smaller than the next one (S-type). The last is not, because the end of the text is the smallest.
fn types(text: &[u32]) -> Vec<bool> {
    let mut is_s = vec![false; text.len()];
    for at in (0..text.len() - 1).rev() {
        is_s[at] = text[at] < text[at + 1] || (text[at] == text[at + 1] && is_s[at + 1]);
    }
    is_s
}

/// Induces the order of the L-type suffixes from the entries in `order`, and then that of the S-type ones.
fn induce(text: &[u32], is_s: &[bool], buckets: &Buckets, order: &mut [u32]) {
    let mut starts = buckets.starts();
    let mut put = |order: &mut [u32], at: usize| {
        let start = &mut starts[text[at] as usize];
        order[*start as usize] = at as u32;
        *start += 1;
    };
    put(order, text.len() - 1);
    for number in 0..order.len() {
        let at = order[number];
        if at != NONE && at > 0 && !is_s[at as usize - 1] {
            put(order, at as usize - 1);
        }
    }
    let mut ends = buckets.ends();
    for number in (0..order.len()).rev() {
        let at = order[number];
        if at != NONE && at > 0 && is_s[at as usize - 1] {
            let at = at as usize - 1;
            let end = &mut ends[text[at] as usize];
            *end -= 1;
            order[*end as usize] = at as u32;
        }
    }
}

/// The ranges in the suffix array of the suffixes that begin with each letter.
struct Buckets {
    /// For each letter, the index after its last suffix.
    ends: Vec<u32>,
}

impl Buckets {
    fn new(text: &[u32], letters: usize) -> Self {
        let mut ends = vec![0; letters];
        for &letter in text {
            ends[letter as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        Self { ends }
    }

    fn ends(&self) -> Vec<u32> {
        self.ends.clone()
    }

    fn starts(&self) -> Vec<u32> {
        std::iter::once(0).chain(self.ends.iter().copied()).take(self.ends.len()).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &[u32], letters: u32) {
        let order = sorted_suffixes(text, letters);
        let mut expected: Vec<u32> = (0..text.len() as u32).collect();
        expected.sort_by_key(|&at| &text[at as usize..]);
        assert_eq!(order, expected, "{text:?}");
        let common = |pair: &[u32]| {
            let (a, b) = (&text[pair[0] as usize..], &text[pair[1] as usize..]);
            a.iter().zip(b).take_while(|(a, b)| a == b).count() as u32
        };
        let lengths: Vec<u32> =
            std::iter::once(0).chain(order.windows(2).map(common)).take(text.len()).collect();
        assert_eq!(common_lengths(text, &order), lengths);
    }

    proptest! {
        #[test]
        fn suffixes_come_in_order(letters in 1..5_u32, seed in prop::collection::vec(0..60_u32, 0..80)) {
            let text: Vec<u32> = seed.into_iter().map(|letter| letter % letters).collect();
            check(&text, letters);
        }
    }

    #[test]
    fn one_letter_and_long_periods_are_sorted_in_linear_time() {
        for period in [1, 2, 1000] {
            let text: Vec<u32> = (0..1 << 18).map(|at| at % period).collect();
            let order = sorted_suffixes(&text, period);
            assert!(order.windows(2).all(|pair| text[pair[0] as usize] <= text[pair[1] as usize]));
            let lengths = common_lengths(&text, &order);
            assert_eq!(lengths.iter().max().copied(), Some((1 << 18) - period));
        }
    }
}
