//! Scans texts for seeds in common with a probe, of which several form a chain. It only tells which texts are worth a
//! comparison: whatever the search chains ([`super::super::approximate::chain`]), it finds too.

use std::collections::{HashMap, VecDeque};

use super::super::approximate::chain::REACH;
use super::super::approximate::seeds::SeedLengths;

/// A window of the probe with more places counts as being everywhere.
const MANY: usize = 16;
/// How many hits are looked back at in a text that is known to have a chain.
const FEW: usize = 32;
/// The base of the rolling fingerprint. Any number that is 5 modulo 8 will do.
const BASE: u64 = 0x0bad_5eed_cafe_f00d;
/// Bits of the filter, as a power of two.
const FILTER_BITS: u32 = 20;

/// The windows of a probe that are as long as a seed.
pub struct ProbeWindows {
    lengths: SeedLengths,
    drift: i64,
    /// Which fingerprints there may be.
    filter: Vec<u64>,
    /// For each fingerprint, where its windows begin.
    places: HashMap<u64, Vec<u32>>,
}

/// A window of a text that the probe has too: where it begins in the text, and in the probe if it has few places there.
#[derive(Clone, Copy)]
struct Hit {
    own: i64,
    of_probe: Option<i64>,
}

impl ProbeWindows {
    /// The windows of a probe. Seeds of a chain are at most `drift` tokens off the diagonal of the first.
    pub fn new(probe: &[u64], lengths: SeedLengths, drift: u32) -> Self {
        let mut places: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut filter = vec![0; 1 << (FILTER_BITS - 6)];
        for (at, print) in prints(probe, lengths.least as usize) {
            let (word, bit) = slot(print);
            filter[word] |= bit;
            places.entry(print).or_default().push(at as u32);
        }
        Self { lengths, drift: i64::from(drift), filter, places }
    }

    /// How many windows of a text are in a chain with windows before them that the probe has too; 0 for a text without a
    /// chain.
    pub fn chained(&self, text: &[u64]) -> usize {
        let needed = i64::from(self.lengths.chained - self.lengths.least);
        // From the first seed of a chain to either side, and to the last window of a seed.
        let reach = 2 * (i64::from(REACH + self.lengths.chained) + self.drift);
        let mut before: VecDeque<Hit> = VecDeque::new();
        let mut count = 0;
        for (own, print) in prints(text, self.lengths.least as usize) {
            let (word, bit) = slot(print);
            if self.filter[word] & bit == 0 {
                continue;
            }
            let Some(places) = self.places.get(&print) else { continue };
            if needed == 0 {
                count += 1;
                continue;
            }
            let own = own as i64;
            while before.front().is_some_and(|hit| own - hit.own > reach) {
                before.pop_front();
            }
            let known = before.len();
            let looked_at = if count > 0 { FEW } else { known };
            let continues = |hit: &Hit| {
                let earlier = before.iter().rev().take(looked_at);
                earlier.clone().any(|before| self.are_chained(before, hit, needed))
            };
            let everywhere = [Hit { own, of_probe: None }];
            let hits = places.iter().map(|&place| Hit { own, of_probe: Some(i64::from(place)) });
            let hits: Vec<Hit> = if places.len() > MANY { everywhere.into() } else { hits.collect() };
            count += usize::from(hits.iter().any(continues));
            before.extend(hits);
        }
        count
    }

    /// Whether two hits may be in one chain that is long enough.
    fn are_chained(&self, before: &Hit, hit: &Hit, needed: i64) -> bool {
        let of_text = hit.own - before.own;
        let (Some(from), Some(to)) = (before.of_probe, hit.of_probe) else { return true };
        let of_probe = to - from;
        (of_text - of_probe).abs() <= 2 * self.drift && of_text.max(of_probe.abs()) >= needed
    }
}

/// The windows of a text with their fingerprints.
fn prints(text: &[u64], length: usize) -> impl Iterator<Item = (usize, u64)> {
    let plus = |print: u64, token: u64| print.wrapping_mul(BASE).wrapping_add(token);
    let leaving = (0..length).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut print = 0;
    text.iter().enumerate().filter_map(move |(at, &token)| {
        print = plus(print, token);
        if let Some(gone) = at.checked_sub(length) {
            print = print.wrapping_sub(text[gone].wrapping_mul(leaving));
        }
        (at + 1 >= length).then(|| (at + 1 - length, print))
    })
}

/// The word and the bit of a fingerprint in the filter.
fn slot(print: u64) -> (usize, u64) {
    let bit = print.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - FILTER_BITS);
    ((bit >> 6) as usize, 1 << (bit & 63))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::approximate::seeds::Seeds;
    use super::super::super::gather::Gathered;
    use super::*;

    const LENGTHS: SeedLengths = SeedLengths { least: 4, chained: 8 };

    fn chained(a: &str, b: &str, drift: u32) -> bool {
        let text = |words: &str| words.bytes().map(u64::from).collect::<Vec<u64>>();
        ProbeWindows::new(&text(a), LENGTHS, drift).chained(&text(b)) > 0
    }

    #[test]
    fn a_long_run_or_two_short_ones_near_one_diagonal_are_a_chain() {
        assert!(chained("12abcdefgh34", "56abcdefgh78", 2));
        assert!(chained("abcd123efgh", "abcd4567efgh", 2));
        assert!(!chained("12abcdef34", "56abcdef78", 2));
        assert!(!chained("abcd123efgh", "efgh456abcd", 2));
        assert!(!chained("abcd123efgh", "abcd123456789efgh", 2));
    }

    proptest! {
        #[test]
        fn every_chain_of_the_search_is_found(
            a in prop::collection::vec(0..12_u64, 0..120), b in prop::collection::vec(0..12_u64, 0..120),
            drift in 1..9_u32, same in 0..60_usize, at in 0..120_usize,
        ) {
            // Random texts with a piece in common.
            let mut b = b;
            b.splice(at.min(b.len())..at.min(b.len()), a.iter().copied().take(same));
            let gathered = Gathered::of_texts(&[a.clone(), b.clone()], &[]);
            let seeds = Seeds::find(&gathered, LENGTHS, 1 << 20, &|_| Ok(())).unwrap();
            let in_first = |seed: u32| (seeds.seeds[seed as usize].place as usize) < a.len();
            let is_chain = |one: u32| {
                let named = seeds.named(seeds.seeds[one as usize].name);
                named.iter().any(|&other| !in_first(other) && seeds.are_chained(one, other, drift))
            };
            if (0..seeds.seeds.len() as u32).any(|one| in_first(one) && is_chain(one)) {
                prop_assert!(ProbeWindows::new(&a, LENGTHS, drift).chained(&b) > 0);
            }
        }
    }
}
