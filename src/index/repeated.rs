//! A compact, approximate set of the repeated blots, with few false positives and no false negatives; and the parts
//! of documents that have any of them.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::IndexError;
use super::posting::{PartId, SHARDS, key_of, shard_of};
use super::ranking::Tally;
use super::snapshot::{LivePart, Snapshot};
use super::stream::merge_shard;
use crate::blot::{BLOT_BITS, Blot};

/// Bits of the filter per blot in it; also the inverse of the rate of false positives.
const BITS_A_BLOT: u64 = 64;

/// The repeated blots of a snapshot, and the parts in which they occur.
pub struct Repeated {
    /// For each shard, the keys of repeated blots.
    shards: Vec<KeyFilter>,
    /// For each segment, a bit per part.
    parts: Vec<Vec<AtomicU64>>,
}

struct KeyFilter {
    bits: Vec<u64>,
    /// A key is mapped to a bit by dropping this many of its lowest bits.
    shift: u32,
}

impl Repeated {
    /// Scans all postings of a snapshot.
    pub fn scan(snapshot: &Snapshot) -> Result<Self, IndexError> {
        let segments = snapshot.segments();
        let empty = |count: usize| (0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let parts: Vec<Vec<AtomicU64>> =
            segments.iter().map(|live| empty(live.segment().table().part_count())).collect();
        let scan = |shard| {
            let mut keys = Vec::new();
            merge_shard(segments, shard, &|| false, |blot, lists| {
                if lists.single().is_some_and(|(_, place)| !place.is_marked()) {
                    return Ok(());
                }
                let mut tally = Tally::default();
                for (segment, places) in lists.iter() {
                    tally.add(&segments[segment], places);
                }
                if tally.ranked(blot).is_some() {
                    keys.push(key_of(blot));
                    for (segment, places) in lists.iter() {
                        for part in places.iter().map(|place| place.part().0) {
                            let word = &parts[segment][part as usize / 64];
                            let bit = 1 << (part % 64);
                            if word.load(Ordering::Relaxed) & bit == 0 {
                                word.fetch_or(bit, Ordering::Relaxed);
                            }
                        }
                    }
                }
                Ok(())
            })?;
            Ok(KeyFilter::new(&keys))
        };
        let shards = (0..SHARDS).into_par_iter().map(scan).collect::<Result<_, IndexError>>()?;
        Ok(Self { shards, parts })
    }

    /// Given blots, and the parts that have any of some places: what a scan would find if nothing else were repeated.
    pub fn of(
        snapshot: &Snapshot,
        blots: impl IntoIterator<Item = Blot>,
        places: impl IntoIterator<Item = LivePart>,
    ) -> Self {
        let parts = |count: usize| (0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let mut bits: Vec<Vec<AtomicU64>> =
            snapshot.segments().iter().map(|live| parts(live.segment().table().part_count())).collect();
        for LivePart { segment, place } in places {
            let part = place.part().0;
            *bits[segment as usize][part as usize / 64].get_mut() |= 1 << (part % 64);
        }
        let mut keys = vec![Vec::new(); SHARDS];
        for blot in blots {
            keys[shard_of(blot)].push(key_of(blot));
        }
        Self { shards: keys.iter().map(|keys| KeyFilter::new(keys)).collect(), parts: bits }
    }

    /// Whether a blot may be repeated. `false` is certain.
    #[inline]
    pub fn may_contain(&self, blot: Blot) -> bool {
        self.shards[shard_of(blot)].may_contain(key_of(blot))
    }

    /// Whether a part of a segment has a repeated blot.
    pub fn has_part(&self, segment: u32, part: PartId) -> bool {
        self.parts[segment as usize][part.0 as usize / 64].load(Ordering::Relaxed) >> (part.0 % 64) & 1 == 1
    }
}

impl KeyFilter {
    fn new(keys: &[u64]) -> Self {
        let key_bits = BLOT_BITS - SHARDS.ilog2();
        let bits = (keys.len() as u64 * BITS_A_BLOT).next_power_of_two().ilog2().clamp(6, key_bits);
        let mut filter = Self { bits: vec![0; 1 << (bits - 6)], shift: key_bits - bits };
        for key in keys {
            let at = key >> filter.shift;
            filter.bits[at as usize / 64] |= 1 << (at % 64);
        }
        filter
    }

    #[inline]
    fn may_contain(&self, key: u64) -> bool {
        let at = key >> self.shift;
        self.bits[at as usize / 64] >> (at % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_has_all_its_keys_and_few_false_positives() {
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 26;
        let keys: Vec<u64> = (0..1000).map(key).collect();
        let filter = KeyFilter::new(&keys);
        assert!(keys.iter().all(|&key| filter.may_contain(key)));
        let wrong = (1000..101_000).filter(|&number| filter.may_contain(key(number))).count();
        assert!(wrong < 3000, "{wrong} of 100,000");
        assert!(!KeyFilter::new(&[]).may_contain(7));
    }
}
