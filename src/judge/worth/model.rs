//! How likely a token is behind another one, by all texts, each counted once however often it was copied.
//!
//! What is copied often is frequent because of its copies, and would seem to tell nothing if all its occurrences were
//! counted. So what counts is in how many different contexts something stands, as in the lower orders of Kneser and
//! Ney (“Improved backing-off for m-gram language modeling”, 1995): a pair of tokens counts once for each different
//! token before it, and a token once for each different token before it. A copy in the same context adds nothing.
//!
//! Pairs and tokens are put together as Witten and Bell do (“The zero-frequency problem”, 1991, method C): the more
//! different tokens are known to follow a token, the more likely another one follows it.
//!
//! All numbers are one token. The values in a table of constants would take many bits, and tell a reader nothing.

use std::ops::{Range, RangeInclusive};

use rayon::prelude::*;

use super::places::NumberPlaces;
use super::sorting::{BUCKET_BITS, Occurrence, Sorting};
use crate::worth::places::Again;
use dupi_base::corpus::portions;
use dupi_base::parallel;
use dupi_passage::gather::{Gathered, TokenStretch};

/// Bits of a key that name a pair; the others tell what stands before it.
const PAIR_BITS: u32 = 40;
const BEFORE_BITS: u32 = u64::BITS - PAIR_BITS;
/// The bits of their hashes by which tokens are counted, more for more texts.
const SLOT_BITS: RangeInclusive<u32> = 16..=22;
/// Gathered tokens for one place that counts.
const TOKENS_A_SLOT: u32 = 8;
/// The number of parts into which keys are divided by their first bits, so that each is sorted in a cache.
const BUCKETS: usize = 1 << BUCKET_BITS;
/// The number of them that are counted before the counts are added to the slots.
const BUCKETS_AT_ONCE: usize = 32;
/// The slots have 2 to this power parts.
const PART_BITS: u32 = 4;
/// Tokens that are divided at once.
const AT_ONCE: u64 = 1 << 18;
/// The number of keys that are remembered, so that one that comes again soon is not sorted again. They fit a cache.
const RECENT: usize = 1 << 14;
/// Stands for all numbers.
pub(super) const NUMBER: u64 = 0x9f3c_51d2_7b08_e64a;
/// A token that stands nowhere counts as this part of one that has one context.
const UNSEEN: f64 = 0.5;

/// Counts of contexts.
pub(super) struct Model {
    /// Which of the gathered tokens are numbers.
    pub(super) numbers: NumberPlaces,
    /// Pairs with two contexts or more, sorted: the pair's bits, then how many it has.
    pairs: Vec<u64>,
    /// Where the pairs begin that share their first bits.
    starts: Vec<u32>,
    start_bits: u32,
    slots: Slots,
    /// How many different pairs there are.
    different: f64,
    /// How many different tokens.
    tokens: f64,
}

/// What is counted of each token.
struct Slots {
    bits: u32,
    of: Vec<Counted>,
}

/// What is counted of a token.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted {
    /// Different pairs that it ends.
    ended: u32,
    /// Different pairs that it begins.
    behind: u32,
    /// Contexts of these.
    begun: u32,
}

/// How often a text itself has what is looked for: that does not tell how likely it is elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own {
    /// How often it has the pair.
    pub pair: u32,
    /// How often it has the first token.
    pub first: u32,
    /// How often it has the second token.
    pub second: u32,
}

impl Model {
    /// Counts all texts but what stands there `again`, with `memory` bytes for sorting.
    pub(super) fn count(gathered: &Gathered, again: &Again, memory: u64) -> Self {
        let numbers = NumberPlaces::new(gathered);
        let mut slots = Slots::new(gathered.stretches.iter().map(|stretch| stretch.len).sum());
        let bits = slots.bits;
        let bytes = again.others(gathered.len()) * size_of::<Occurrence>() as u64;
        let fractions = bytes.div_ceil(memory.max(1)).clamp(1, BUCKETS as u64) as usize;
        let (mut pairs, mut different) = (Vec::new(), 0_u32);
        for fraction in 0..fractions {
            let first = BUCKETS * fraction / fractions;
            let mut buckets = first..BUCKETS * (fraction + 1) / fractions;
            let divided = slots.divided(gathered, &numbers, again, &buckets);
            let count = |sorting: &mut Sorting, bucket: usize| {
                let parts: Vec<&[Occurrence]> =
                    divided.iter().map(|of_some| &of_some[bucket - first][..]).collect();
                Counts::of(sorting.sorted(&parts), bits)
            };
            while !buckets.is_empty() {
                let some = buckets.start..buckets.end.min(buckets.start + BUCKETS_AT_ONCE);
                buckets.start = some.end;
                let counted: Vec<Counts> =
                    parallel::map_init(&some.collect::<Vec<_>>(), Sorting::default, |sorting, _, &bucket| {
                        count(sorting, bucket)
                    });
                slots.add(&counted);
                for counts in counted {
                    pairs.extend(counts.pairs);
                    different += counts.different;
                }
            }
        }
        tracing::debug!(
            others = again.others(gathered.len()),
            fractions,
            different,
            kept = pairs.len(),
            "pairs"
        );
        let start_bits = (pairs.len() / 4).max(1).ilog2();
        let starts = starts(&pairs, start_bits);
        let tokens = slots.of.iter().filter(|counted| counted.ended > 0).count() as f64;
        Self { numbers, pairs, starts, start_bits, slots, different: f64::from(different), tokens }
    }

    /// How likely a token stands anywhere; by what others have than the text that has it so often.
    pub(super) fn anywhere(&self, token: Counted, own: u32) -> f64 {
        let ended = f64::from(token.ended.saturating_sub(own));
        (ended + UNSEEN) / (self.different + UNSEEN * (self.tokens + 1.0))
    }

    /// How likely `second` stands behind `first` by the number of contexts of the pair; by what others have than the
    /// text that has `own`.
    pub(super) fn behind(&self, first: Counted, second: Counted, contexts: u32, own: Own) -> f64 {
        let anywhere = self.anywhere(second, own.second);
        let behind = first.behind.saturating_sub(own.first).max(1);
        let begun = first.begun.saturating_sub(own.first);
        if begun == 0 {
            return anywhere;
        }
        let pair = contexts.saturating_sub(own.pair).min(begun);
        (f64::from(pair) + f64::from(behind) * anywhere) / (f64::from(begun) + f64::from(behind))
    }

    /// What is counted of a token.
    pub(super) fn counted(&self, token: u64) -> Counted {
        self.slots.of[self.slots.slot(token)]
    }

    /// In how many contexts each of some pairs stands; 1 for one that is not known. Fills `near` with where they may
    /// be known.
    pub(super) fn contexts(&self, pairs: &[u64], near: &mut Vec<Range<u32>>, contexts: &mut Vec<u32>) {
        let range = |pair: &u64| {
            let bucket = pair.checked_shr(u64::BITS - self.start_bits).unwrap_or(0) as usize;
            self.starts[bucket]..self.starts[bucket + 1]
        };
        near.clear();
        near.extend(pairs.iter().map(range));
        // Without branches all are fetched at the same time. The searches then find them in a near cache.
        let last = self.pairs.len().saturating_sub(1);
        let fetched = near.iter().map(|near| self.pairs.get(last.min(near.start as usize)).copied());
        std::hint::black_box(fetched.flatten().fold(0, |all, known| all ^ known));
        let find = |(pair, near): (&u64, &Range<u32>)| {
            let mut near = self.pairs[near.start as usize..near.end as usize].iter();
            let found = near.find(|&&known| known >> BEFORE_BITS == pair >> BEFORE_BITS);
            found.map_or(1, |known| (known & ((1 << BEFORE_BITS) - 1)) as u32)
        };
        contexts.clear();
        contexts.extend(pairs.iter().zip(near.iter()).map(find));
    }
}

impl Slots {
    fn new(tokens: u32) -> Self {
        let bits = (tokens / TOKENS_A_SLOT).max(1).ilog2().clamp(*SLOT_BITS.start(), *SLOT_BITS.end());
        Self { bits, of: vec![Counted::default(); 1 << bits] }
    }

    fn slot(&self, token: u64) -> usize {
        (token >> (u64::BITS - self.bits)) as usize
    }

    /// The occurrences of the pairs that belong into some buckets, from some stretches after the other.
    fn divided(
        &self,
        gathered: &Gathered,
        numbers: &NumberPlaces,
        again: &Again,
        buckets: &Range<usize>,
    ) -> Vec<Vec<Vec<Occurrence>>> {
        let some = portions(&gathered.stretches, AT_ONCE, |stretch| u64::from(stretch.len));
        let divide = |some: &&[TokenStretch]| {
            let others = |stretch: &TokenStretch| {
                let start = stretch.base + stretch.len.min(1);
                start..stretch.base + stretch.len
            };
            // Hardly ever is one bucket so much fuller than the others.
            let count: usize = some.iter().map(|stretch| again.count_others(others(stretch))).sum();
            let usual = count / BUCKETS * 9 / 8;
            let mut divided: Vec<Vec<Occurrence>> =
                (0..buckets.len()).map(|_| Vec::with_capacity(usual)).collect();
            // Only whether a key occurs matters, not how often.
            let mut recent = vec![0; RECENT];
            for stretch in *some {
                let tokens = gathered.tokens(stretch);
                let token =
                    |at: usize| if numbers.has(stretch.base + at as u32) { NUMBER } else { tokens[at] };
                // Where the token stands that `before` and `first` stand before.
                let (mut next, mut before, mut first) = (0, 0, 0);
                again.each_other(others(stretch), |place| {
                    let at = (place - stretch.base) as usize;
                    if at != next {
                        before = if at > 1 { context(token(at - 2)) } else { 0 };
                        first = token(at - 1);
                    }
                    let second = token(at);
                    let key = pair(first, second) >> BEFORE_BITS << BEFORE_BITS | before;
                    let bucket = (key >> (u64::BITS - BUCKET_BITS)) as usize;
                    if buckets.contains(&bucket)
                        && key != std::mem::replace(&mut recent[(key ^ key >> 32) as usize % RECENT], key)
                    {
                        let slots = (self.slot(first) as u32, self.slot(second) as u32);
                        divided[bucket - buckets.start].push((key, slots.0, slots.1));
                    }
                    (next, before, first) = (at + 1, context(first), second);
                });
            }
            divided
        };
        parallel::map(&some, divide)
    }

    /// Adds what was counted. Each part of the slots is changed by one thread, which needs no locks for it.
    fn add(&mut self, counted: &[Counts]) {
        let size = self.of.len() >> PART_BITS;
        // A part has a power of two of slots.
        let within = |slot: u32| slot as usize & (size - 1);
        self.of.par_chunks_mut(size).enumerate().for_each(|(part, of)| {
            for counts in counted {
                for &(slot, contexts) in &counts.begun[part] {
                    let counted = &mut of[within(slot)];
                    counted.behind += 1;
                    counted.begun += contexts;
                }
                counts.ended[part].iter().for_each(|&slot| of[within(slot)].ended += 1);
            }
        });
    }
}

/// What is counted of the pairs of a bucket.
struct Counts {
    /// Pairs with two contexts or more, as in the model.
    pairs: Vec<u64>,
    /// How many different pairs there are.
    different: u32,
    /// For each part of the slots those of the tokens that begin a pair, with its contexts.
    begun: Vec<Vec<(u32, u32)>>,
    /// For each part of the slots those of the tokens that end a pair.
    ended: Vec<Vec<u32>>,
}

impl Counts {
    /// Counts occurrences, which are sorted, in 2 to the power of `bits` slots.
    fn of(found: &[Occurrence], bits: u32) -> Self {
        let usual = (found.len() >> PART_BITS) + 8;
        let mut counts = Self {
            pairs: Vec::new(),
            different: 0,
            begun: (0..1 << PART_BITS).map(|_| Vec::with_capacity(usual)).collect(),
            ended: (0..1 << PART_BITS).map(|_| Vec::with_capacity(usual)).collect(),
        };
        let part = |slot: u32| (slot >> (bits - PART_BITS)) as usize;
        for of_pair in found.chunk_by(|a, b| a.0 >> BEFORE_BITS == b.0 >> BEFORE_BITS) {
            let contexts = 1 + of_pair.windows(2).filter(|two| two[0].0 != two[1].0).count() as u64;
            let (pair, first, second) = of_pair[0];
            counts.different += 1;
            counts.begun[part(first)].push((first, contexts as u32));
            counts.ended[part(second)].push(second);
            if contexts > 1 {
                let most = (1 << BEFORE_BITS) - 1;
                counts.pairs.push(pair >> BEFORE_BITS << BEFORE_BITS | contexts.min(most));
            }
        }
        counts
    }
}

/// The name of a pair.
pub(super) fn pair(first: u64, second: u64) -> u64 {
    let mixed = (first.rotate_left(23) ^ second).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// What of a key tells the token before a pair.
fn context(token: u64) -> u64 {
    token.wrapping_mul(0xff51_afd7_ed55_8ccd) >> PAIR_BITS
}

/// For each value of the first bits where the pairs begin that have it, and where the last ones end.
fn starts(pairs: &[u64], bits: u32) -> Vec<u32> {
    let mut starts = Vec::with_capacity((1 << bits) + 1);
    for (at, pair) in (0..).zip(pairs) {
        let value = pair.checked_shr(u64::BITS - bits).unwrap_or(0) as usize;
        while starts.len() <= value {
            starts.push(at);
        }
    }
    starts.resize((1 << bits) + 1, pairs.len() as u32);
    starts
}
