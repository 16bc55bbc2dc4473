//! Compares hashes pair by pair.
//!
//! Most pairs are far apart, which 32 of their bits show. These are compared eight pairs at a time, in a loop that the
//! compiler makes vector instructions of, on any processor: a count of set bits is in the instruction set of only some.

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
    /// 32 bits of each hash, and so many more that a group of lanes may begin at the last one.
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
