//! Compares hashes pair by pair.
//!
//! Most pairs are far apart, which 32 of their bits show. These are compared eight pairs at a time, in a loop that the
//! compiler makes vector instructions of, on any processor: a count of set bits is in the instruction set of only some.

use std::mem;

/// How many pairs are compared at once.
const LANES: usize = 8;
/// The largest distance for which clearing the lowest set bit again and again is faster than counting the set bits.
const CLEARED: u32 = 7;

/// Which pairs are reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition<'c> {
    /// Those that differ in at most this number of bits,
    pub(super) distance: u32,
    /// that agree in all these bits,
    pub(super) agree: u64,
    /// and that differ in each of these blocks.
    pub(super) differ: &'c [u64],
}

impl Condition<'_> {
    #[inline]
    fn holds(&self, difference: u64) -> bool {
        difference.count_ones() <= self.distance
            && difference & self.agree == 0
            && self.differ.iter().all(|block| difference & block != 0)
    }
}

/// Pairs of hashes that were found, and the memory to find them in.
#[derive(Debug, Default)]
pub(super) struct Comparer {
    /// The smaller hash of a pair is first.
    pub(super) found: Vec<(u64, u64)>,
    /// 32 bits of each hash, and padding so that a group of lanes may begin at the last one.
    short: Vec<u32>,
}

impl Comparer {
    /// Compares all hashes of a bucket with one another.
    pub(super) fn all(&mut self, hashes: &[u64], condition: Condition<'_>) {
        self.run(hashes, hashes, true, condition);
    }

    /// Compares each of some hashes with each of others.
    pub(super) fn across(&mut self, hashes: &[u64], others: &[u64], condition: Condition<'_>) {
        self.run(hashes, others, false, condition);
    }

    fn run(&mut self, hashes: &[u64], others: &[u64], same: bool, condition: Condition<'_>) {
        let pairs = Pairs { hashes, others, same, turn: turn(condition.agree), condition };
        self.short.clear();
        self.short.extend(others.iter().map(|&hash| pairs.short(hash)));
        self.short.resize(others.len() + LANES, 0);
        // A constant number of rounds lets the compiler unroll them.
        let run = match condition.distance {
            0 => Pairs::run::<0>,
            1 => Pairs::run::<1>,
            2 => Pairs::run::<2>,
            3 => Pairs::run::<3>,
            4 => Pairs::run::<4>,
            5 => Pairs::run::<5>,
            6 => Pairs::run::<6>,
            7 => Pairs::run::<7>,
            _ => Pairs::run::<{ CLEARED + 1 }>,
        };
        run(&pairs, &self.short, &mut self.found);
    }
}

/// By how many bits to turn a hash so that its lowest 32 bits have few of those that agree anyway.
fn turn(agree: u64) -> u32 {
    let agreeing = |turn: &u32| (agree.rotate_right(*turn) as u32).count_ones();
    [0, 16, 32, 48].into_iter().min_by_key(agreeing).unwrap_or(0)
}

/// The pairs to compare.
struct Pairs<'p> {
    hashes: &'p [u64],
    others: &'p [u64],
    /// Whether the others are the hashes: then each pair is compared once.
    same: bool,
    turn: u32,
    condition: Condition<'p>,
}

impl Pairs<'_> {
    #[inline]
    fn short(&self, hash: u64) -> u32 {
        hash.rotate_right(self.turn) as u32
    }

    fn run<const DISTANCE: u32>(&self, short: &[u32], found: &mut Vec<(u64, u64)>) {
        for (at, &hash) in self.hashes.iter().enumerate() {
            let own = self.short(hash);
            let mut next = if self.same { at + 1 } else { 0 };
            while next < self.others.len() {
                let Some(lanes) = short[next..].first_chunk::<LANES>() else { break };
                if self.any::<DISTANCE>(own, lanes) {
                    let behind = self.others.len().min(next + LANES);
                    for &other in &self.others[next..behind] {
                        if self.condition.holds(hash ^ other) {
                            found.push((hash.min(other), hash.max(other)));
                        }
                    }
                }
                next += LANES;
            }
        }
    }

    /// Whether any of some words differs from a word in at most the distance.
    #[inline]
    fn any<const DISTANCE: u32>(&self, own: u32, lanes: &[u32; LANES]) -> bool {
        let mut any = 0;
        for lane in lanes {
            let mut difference = own ^ lane;
            let near = if DISTANCE <= CLEARED {
                for _ in 0..DISTANCE {
                    difference &= difference.wrapping_sub(1);
                }
                difference == 0
            } else {
                difference.count_ones() <= self.condition.distance
            };
            any |= u32::from(near);
        }
        any != 0
    }
}

// Divides hashes into buckets whose hashes agree in some bits: one step of a radix sort.

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
    pub(super) fn choose(bits: u64, hashes: usize) -> Self {
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
            let digit = Digit::choose(bits, hashes.len());
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
