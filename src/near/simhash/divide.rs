//! Divides hashes into buckets whose hashes agree in some bits: one step of a radix sort.

use std::mem;

/// The most bits that hashes are divided by at once. So the buckets' ends and the places where they are written stay in
/// the processor's fastest cache.
const WIDEST: u32 = 8;
/// The most buckets.
const MOST: usize = 1 << WIDEST;
/// A bucket should have 2^this hashes or more: a bucket costs as much as some hashes.
const USUAL: u32 = 2;

/// Some bits of a hash, moved together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digit {
    /// The bits.
    pub(super) mask: u64,
    runs: [Run; WIDEST as usize],
    len: usize,
}

/// Neighbouring bits of a hash, and where they go.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    from: u32,
    mask: u64,
    to: u32,
}

impl Digit {
    /// The highest of the `bits` by which it is worth dividing this number of hashes.
    pub(super) fn of(bits: u64, hashes: usize) -> Self {
        let most = hashes.max(1).ilog2().saturating_sub(USUAL).clamp(1, WIDEST);
        let (mut mask, mut rest) = (0, bits);
        for _ in 0..most.min(bits.count_ones()) {
            let highest = 1 << rest.ilog2();
            mask |= highest;
            rest ^= highest;
        }
        let (mut digit, mut rest, mut to) = (Self { mask, runs: Default::default(), len: 0 }, mask, 0);
        while rest != 0 {
            let from = rest.trailing_zeros();
            let width = (rest >> from).trailing_ones();
            let mask = (1 << width) - 1;
            digit.runs[digit.len] = Run { from, mask, to };
            digit.len += 1;
            rest &= !(mask << from);
            to += width;
        }
        digit
    }

    /// The number that the bits are in a hash.
    #[inline]
    fn get(&self, hash: u64) -> usize {
        self.runs[..self.len].iter().fold(0, |all, run| all | (hash >> run.from & run.mask) << run.to)
            as usize
    }
}

/// Where the buckets end; the first begins at 0.
pub(super) struct Buckets {
    ends: [usize; MOST],
    count: usize,
}

impl Buckets {
    /// Copies the hashes to `into`, which has as many, so that those with an equal digit are together.
    pub(super) fn divide(hashes: &[u64], into: &mut [u64], digit: &Digit) -> Self {
        let of = digit.runs[0];
        match digit.len {
            1 => Self::by(hashes, into, digit, |hash| (hash >> of.from & of.mask) as usize),
            _ => Self::by(hashes, into, digit, |hash| digit.get(hash)),
        }
    }

    fn by(hashes: &[u64], into: &mut [u64], digit: &Digit, of: impl Fn(u64) -> usize) -> Self {
        let count = 1 << digit.mask.count_ones();
        let mut ends = [0; MOST];
        for &hash in hashes {
            ends[of(hash)] += 1;
        }
        // The starts, which become the ends while hashes are written.
        let mut start = 0;
        for end in &mut ends[..count] {
            start += mem::replace(end, start);
        }
        for &hash in hashes {
            let end = &mut ends[of(hash)];
            into[*end] = hash;
            *end += 1;
        }
        Self { ends, count }
    }

    /// The buckets with at least two hashes.
    pub(super) fn of<'h>(&self, hashes: &'h mut [u64]) -> impl Iterator<Item = &'h mut [u64]> {
        let mut rest = hashes;
        let mut start = 0;
        let sizes = self.ends[..self.count].iter().map(move |&end| end - mem::replace(&mut start, end));
        sizes
            .filter(|&size| size > 0)
            .map_while(move |size| rest.split_off_mut(..size))
            .filter(|bucket| bucket.len() > 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn buckets_have_the_hashes_that_agree_in_a_digit(
            hashes in prop::collection::vec(prop_oneof![any::<u64>(), 0..9_u64], 0..2000),
            bits in prop_oneof![any::<u64>(), Just(u64::MAX), (0..64_u32).prop_map(|bit| 1 << bit)],
        ) {
            prop_assume!(bits != 0);
            let digit = Digit::of(bits, hashes.len());
            prop_assert_eq!(digit.mask & !bits, 0);
            prop_assert!(digit.mask != 0 && digit.mask > bits & !digit.mask);
            let mut divided = vec![0; hashes.len()];
            let buckets = Buckets::divide(&hashes, &mut divided, &digit);
            let mut expected = hashes;
            expected.sort_by_key(|hash| hash & digit.mask);
            prop_assert_eq!(&divided, &expected);
            let buckets: Vec<Vec<u64>> = buckets.of(&mut divided).map(|bucket| bucket.to_vec()).collect();
            let equal = expected.chunk_by(|a, b| (a ^ b) & digit.mask == 0).filter(|equal| equal.len() > 1);
            prop_assert_eq!(buckets, equal.map(<[u64]>::to_vec).collect::<Vec<_>>());
        }
    }
}
