//! Puts the occurrences of pairs in order: by a few bits of their keys first, which leaves little to sort.

/// An occurrence of a pair in its context: its key, and the slots of its tokens.
pub(super) type Occurrence = (u64, u32, u32);

/// The first bits of a key, which are the same in a bucket.
pub(super) const BUCKET_BITS: u32 = 8;
/// The most bits of the keys that are looked at first: the places where their groups begin fit the nearest cache.
const MOST_BITS: u32 = 12;

/// The memory of sorting; it is used again for the next bucket.
#[derive(Default)]
pub(super) struct Sorting {
    sorted: Vec<Occurrence>,
    /// For each value of the bits, where the next occurrence that has it belongs.
    next: Vec<u32>,
}

impl Sorting {
    /// The occurrences of a bucket, of which all keys begin alike, by their keys.
    pub(super) fn sorted(&mut self, parts: &[&[Occurrence]]) -> &[Occurrence] {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        let bits = len.max(2).ilog2().min(MOST_BITS);
        let value = |(key, ..): &Occurrence| (key << BUCKET_BITS >> (u64::BITS - bits)) as usize;
        let all = || parts.iter().copied().flatten();
        self.next.clear();
        self.next.resize(1 << bits, 0);
        all().for_each(|occurrence| self.next[value(occurrence)] += 1);
        let mut before = 0;
        for next in &mut self.next {
            before += std::mem::replace(next, before);
        }
        self.sorted.resize(len, (0, 0, 0));
        for occurrence in all() {
            let next = &mut self.next[value(occurrence)];
            self.sorted[*next as usize] = *occurrence;
            *next += 1;
        }
        // Where the next one would belong, the occurrences with the next value begin.
        let mut start = 0;
        for &end in &self.next {
            let alike = &mut self.sorted[start..end as usize];
            if alike.len() > 1 {
                alike.sort_unstable_by_key(|occurrence| occurrence.0);
            }
            start = end as usize;
        }
        &self.sorted
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn occurrences_are_sorted_by_their_keys(parts in prop::collection::vec(prop::collection::vec((0..40_u64, 0..3_u64), 0..60), 0..4)) {
            let occurrence = |(first, last): (u64, u64)| (7 << 56 | first << 49 | last, first as u32, last as u32);
            let parts: Vec<Vec<Occurrence>> =
                parts.into_iter().map(|part| part.into_iter().map(occurrence).collect()).collect();
            let mut expected = parts.concat();
            expected.sort_unstable();
            let parts: Vec<&[Occurrence]> = parts.iter().map(Vec::as_slice).collect();
            let mut sorting = Sorting::default();
            prop_assert_eq!(sorting.sorted(&parts), &expected[..]);
            // The memory is used again.
            prop_assert_eq!(sorting.sorted(&parts[..parts.len().min(1)]).len(), parts.first().map_or(0, |part| part.len()));
        }
    }
}
