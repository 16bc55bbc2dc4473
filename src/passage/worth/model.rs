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
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use super::super::gather::{Gathered, TokenStretch};
use super::again::Again;
use crate::corpus::portions;

/// Bits of a key that name a pair; the others tell what stands before it.
const PAIR_BITS: u32 = 40;
const BEFORE_BITS: u32 = u64::BITS - PAIR_BITS;
/// Tokens are counted by so many bits of their hashes, more for more texts.
const SLOT_BITS: RangeInclusive<u32> = 16..=22;
/// Gathered tokens for one place that counts.
const TOKENS_A_SLOT: u32 = 8;
/// Keys are divided by their first bits into so many parts, so that each is sorted in a cache.
const BUCKETS: usize = 256;
/// Tokens that are divided at once.
const AT_ONCE: u64 = 1 << 18;
/// So many keys are remembered, so that one that comes again soon is not sorted again: as many as fit a cache.
const RECENT: usize = 1 << 14;
/// Stands for all numbers.
const NUMBER: u64 = 0x9f3c_51d2_7b08_e64a;
/// A token that stands nowhere counts as this part of one that has one context.
const UNSEEN: f64 = 0.5;

/// Counts of contexts.
pub(super) struct Model {
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

/// What is counted of each token. Sums do not depend on who adds first.
struct Slots {
    bits: u32,
    /// Contexts of the pairs that it begins, and behind [`BEHIND`] different pairs that it begins.
    begun: Vec<AtomicU64>,
    /// Different pairs that it ends.
    ended: Vec<AtomicU32>,
}

/// The bits of contexts.
const BEHIND: u32 = 32;

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

/// An occurrence of a pair in its context: its key, and the slots of its tokens.
type Occurrence = (u64, u32, u32);

impl Model {
    /// Counts all texts but what stands there `again`, with so many bytes of `memory` for sorting.
    pub(super) fn of(gathered: &Gathered, again: &Again, memory: u64) -> Self {
        let slots = Slots::new(gathered.stretches.iter().map(|stretch| stretch.len).sum());
        let bytes = again.others(gathered.len()) * size_of::<Occurrence>() as u64;
        let fractions = bytes.div_ceil(memory.max(1)).clamp(1, BUCKETS as u64) as usize;
        let (mut pairs, mut different) = (Vec::new(), 0);
        for fraction in 0..fractions {
            let first = BUCKETS * fraction / fractions;
            let buckets = first..BUCKETS * (fraction + 1) / fractions;
            let divided = slots.divided(gathered, again, &buckets);
            let count = |found: &mut Vec<Occurrence>, bucket: usize| {
                found.clear();
                divided.iter().for_each(|of_some| found.extend_from_slice(&of_some[bucket - first]));
                slots.count(found)
            };
            let counted: Vec<_> = buckets.into_par_iter().map_init(Vec::new, count).collect();
            for (some, count) in counted {
                pairs.extend(some);
                different += count;
            }
        }
        let start_bits = (pairs.len() / 4).max(1).ilog2();
        let starts = starts(&pairs, start_bits);
        let is_used = |count: &&AtomicU32| count.load(Ordering::Relaxed) > 0;
        let tokens = slots.ended.iter().filter(is_used).count() as f64;
        Self { pairs, starts, start_bits, slots, different: different as f64, tokens }
    }

    /// How likely `second` stands behind `first`, or anywhere when that is not known; by what others have than
    /// the text that has `own`.
    pub(super) fn probability(&self, first: Option<u64>, second: u64, own: Own) -> f64 {
        let ended = self.slots.ended[self.slots.slot(second)].load(Ordering::Relaxed);
        let ended = f64::from(ended.saturating_sub(own.second));
        let anywhere = (ended + UNSEEN) / (self.different + UNSEEN * (self.tokens + 1.0));
        let Some(first) = first else { return anywhere };
        let begun = self.slots.begun[self.slots.slot(first)].load(Ordering::Relaxed);
        let behind = ((begun >> BEHIND) as u32).saturating_sub(own.first).max(1);
        let begun = (begun as u32).saturating_sub(own.first);
        if begun == 0 {
            return anywhere;
        }
        let pair = self.contexts(pair(first, second)).saturating_sub(own.pair).min(begun);
        (f64::from(pair) + f64::from(behind) * anywhere) / (f64::from(begun) + f64::from(behind))
    }

    /// In how many contexts a pair stands; 1 for one that is not known.
    fn contexts(&self, pair: u64) -> u32 {
        let bucket = pair.checked_shr(u64::BITS - self.start_bits).unwrap_or(0) as usize;
        let near = &self.pairs[self.starts[bucket] as usize..self.starts[bucket + 1] as usize];
        let found = near.iter().find(|&&known| known >> BEFORE_BITS == pair >> BEFORE_BITS);
        found.map_or(1, |known| (known & ((1 << BEFORE_BITS) - 1)) as u32)
    }
}

impl Slots {
    fn new(tokens: u32) -> Self {
        let bits = (tokens / TOKENS_A_SLOT).max(1).ilog2().clamp(*SLOT_BITS.start(), *SLOT_BITS.end());
        Self {
            bits,
            begun: (0..1 << bits).map(|_| AtomicU64::new(0)).collect(),
            ended: (0..1 << bits).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    fn slot(&self, token: u64) -> usize {
        (token >> (u64::BITS - self.bits)) as usize
    }

    /// The occurrences of the pairs that belong into some buckets, from some stretches after the other.
    fn divided(
        &self,
        gathered: &Gathered,
        again: &Again,
        buckets: &Range<usize>,
    ) -> Vec<Vec<Vec<Occurrence>>> {
        let some = portions(&gathered.stretches, AT_ONCE, |stretch| u64::from(stretch.len));
        let divide = |some: &[TokenStretch]| {
            let usual = AT_ONCE as usize / BUCKETS;
            let mut divided: Vec<Vec<Occurrence>> =
                (0..buckets.len()).map(|_| Vec::with_capacity(usual)).collect();
            // Only whether a key occurs matters, not how often.
            let mut recent = vec![0; RECENT];
            for stretch in some {
                let tokens = gathered.tokens(stretch);
                let token = |at: usize| folded(gathered, tokens[at]);
                let new = (1..tokens.len()).filter(|&at| !again.has(stretch.base + at as u32));
                // Where the token stands that `before` and `first` stand before.
                let (mut next, mut before, mut first) = (0, 0, 0);
                for at in new {
                    if at != next {
                        before = if at > 1 { context(token(at - 2)) } else { 0 };
                        first = token(at - 1);
                    }
                    let second = token(at);
                    let key = pair(first, second) >> BEFORE_BITS << BEFORE_BITS | before;
                    let bucket = (key >> (u64::BITS - BUCKETS.ilog2())) as usize;
                    if buckets.contains(&bucket)
                        && key != std::mem::replace(&mut recent[(key ^ key >> 32) as usize % RECENT], key)
                    {
                        let slots = (self.slot(first) as u32, self.slot(second) as u32);
                        divided[bucket - buckets.start].push((key, slots.0, slots.1));
                    }
                    (next, before, first) = (at + 1, context(first), second);
                }
            }
            divided
        };
        some.into_par_iter().map(divide).collect()
    }

    /// Counts the contexts of pairs: those with several, sorted, and how many pairs there are.
    fn count(&self, found: &mut [Occurrence]) -> (Vec<u64>, u64) {
        found.sort_unstable_by_key(|occurrence| occurrence.0);
        let (mut pairs, mut different) = (Vec::new(), 0);
        for of_pair in found.chunk_by(|a, b| a.0 >> BEFORE_BITS == b.0 >> BEFORE_BITS) {
            let contexts = of_pair.chunk_by(|a, b| a.0 == b.0).count() as u64;
            let (pair, first, second) = of_pair[0];
            different += 1;
            self.begun[first as usize].fetch_add(1 << BEHIND | contexts, Ordering::Relaxed);
            self.ended[second as usize].fetch_add(1, Ordering::Relaxed);
            if contexts > 1 {
                let most = (1 << BEFORE_BITS) - 1;
                pairs.push(pair >> BEFORE_BITS << BEFORE_BITS | contexts.min(most));
            }
        }
        (pairs, different)
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

/// A token as it is counted.
#[inline]
pub(super) fn folded(gathered: &Gathered, token: u64) -> u64 {
    if gathered.numbers.has(token) { NUMBER } else { token }
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
