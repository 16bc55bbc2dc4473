//! A compact, approximate set of the repeated blots, with few false positives and no false negatives; and the parts
//! of documents that have any of them.
//!
//! A scan of all postings makes it, shard by shard. Processes that need the same one share a sealed file (`file`).

mod file;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::IndexError;
use super::posting::{KEY_BITS, PartId, SHARDS, key_of, shard_of};
use super::ranking::Tally;
use super::snapshot::{LivePart, LiveSegment, Snapshot};
use super::stream::{PostingLists, merge_shard};
use dupi_base::storage::map::Scratch;
use dupi_text::blot::Blot;

pub use file::{RepeatedError, repeated_name, shared, tallied};

/// Bits of a filter per blot in it; also the inverse of the rate of false positives.
const BITS_A_BLOT: u64 = 64;

/// The repeated blots of a snapshot, and the parts in which they occur.
pub struct Repeated {
    /// For each shard, where the filter of its keys lies among the words.
    filters: Vec<KeyFilter>,
    /// For each segment, where its bits, one for each part, begin among the words.
    parts: Vec<usize>,
    /// The words of the filters, and then those of the parts.
    words: Scratch,
}

/// A filter: a key is mapped to a bit by dropping its lowest bits.
#[derive(Clone, Copy)]
struct KeyFilter {
    /// Its first word.
    start: usize,
    /// The binary logarithm of the number of its bits.
    bits: u32,
}

impl Repeated {
    /// Scans all postings of a snapshot.
    pub fn scan(snapshot: &Snapshot) -> Result<Self, IndexError> {
        let parts = PartBits::new(snapshot);
        let filters = (0..SHARDS).into_par_iter().map(|shard| scan_shard(snapshot, shard, &parts));
        let filters = filters.collect::<Result<Vec<_>, IndexError>>()?;
        Ok(Self::joined(filters, parts.into_words()))
    }

    /// Given blots, and the parts that have any of some places: what a scan would find if nothing else were repeated.
    pub fn of(
        snapshot: &Snapshot,
        blots: impl IntoIterator<Item = Blot>,
        places: impl IntoIterator<Item = LivePart>,
    ) -> Self {
        let mut parts: Vec<Vec<u64>> = words_of_parts(snapshot).map(|words| vec![0; words]).collect();
        for LivePart { segment, place } in places {
            let part = place.part().0;
            parts[segment as usize][part as usize / 64] |= 1 << (part % 64);
        }
        let mut keys = vec![Vec::new(); SHARDS];
        for blot in blots {
            keys[shard_of(blot)].push(key_of(blot));
        }
        Self::joined(keys.iter().map(|keys| filter(keys)).collect(), parts)
    }

    /// Joins the filters of all shards and the bits of the parts of each segment.
    fn joined<T: AsRef<[u64]>>(filters: Vec<T>, parts: Vec<Vec<u64>>) -> Self {
        let of_filters = filters.iter().map(|filter| filter.as_ref().len()).sum::<usize>();
        let mut words = Vec::with_capacity(of_filters + parts.iter().map(Vec::len).sum::<usize>());
        let placed = filters.into_iter().map(|filter| {
            let (start, filter) = (words.len(), filter.as_ref());
            words.extend_from_slice(filter);
            KeyFilter { start, bits: (filter.len() as u64 * 64).ilog2() }
        });
        let filters: Vec<KeyFilter> = placed.collect();
        let placed = parts.iter().map(|bits| {
            let start = words.len();
            words.extend_from_slice(bits);
            start
        });
        let parts = placed.collect();
        Self { filters, parts, words: words.into() }
    }

    /// Whether a blot may be repeated. `false` is certain.
    #[inline]
    pub fn may_contain(&self, blot: Blot) -> bool {
        self.filters[shard_of(blot)].may_contain(self.words(), key_of(blot))
    }

    /// Whether a part of a segment has a repeated blot.
    pub fn has_part(&self, segment: u32, part: PartId) -> bool {
        let word = self.words()[self.parts[segment as usize] + part.0 as usize / 64];
        word >> (part.0 % 64) & 1 == 1
    }

    #[inline]
    fn words(&self) -> &[u64] {
        self.words.numbers()
    }
}

/// The filter of the repeated blots of a shard. Their parts are added, also those of dead documents.
fn scan_shard(snapshot: &Snapshot, shard: usize, parts: &PartBits) -> Result<Vec<u64>, IndexError> {
    let segments = snapshot.segments();
    let mut keys = Vec::new();
    merge_shard(segments, shard, &|| false, |blot, lists| {
        if is_repeated(segments, &lists) {
            keys.push(key_of(blot));
            for (segment, places) in lists.iter() {
                places.iter().for_each(|place| parts.add_part(segment, place.part().0));
            }
        }
        Ok(())
    })?;
    Ok(filter(&keys))
}

fn is_repeated(segments: &[LiveSegment], lists: &PostingLists) -> bool {
    if lists.single().is_some_and(|(_, place)| !place.is_marked()) {
        return false;
    }
    let mut tally = Tally::default();
    for (segment, places) in lists.iter() {
        tally.add(&segments[segment], places);
    }
    tally.is_repeated()
}

/// For each segment, a bit per part.
struct PartBits(Vec<Vec<AtomicU64>>);

impl PartBits {
    fn new(snapshot: &Snapshot) -> Self {
        let empty = |words: usize| (0..words).map(|_| AtomicU64::new(0)).collect();
        Self(words_of_parts(snapshot).map(empty).collect())
    }

    fn add_part(&self, segment: usize, part: u32) {
        let word = &self.0[segment][part as usize / 64];
        let bit = 1 << (part % 64);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    fn into_words(self) -> Vec<Vec<u64>> {
        self.0.into_iter().map(|bits| bits.into_iter().map(AtomicU64::into_inner).collect()).collect()
    }
}

/// How many words the bits of the parts of each segment take.
fn words_of_parts(snapshot: &Snapshot) -> impl Iterator<Item = usize> {
    snapshot.segments().iter().map(|live| live.segment().table().part_count().div_ceil(64))
}

/// The words of a filter with some keys.
fn filter(keys: &[u64]) -> Vec<u64> {
    let bits = (keys.len() as u64 * BITS_A_BLOT).next_power_of_two().ilog2().clamp(6, KEY_BITS);
    let mut words = vec![0; 1 << (bits - 6)];
    for key in keys {
        let at = key >> (KEY_BITS - bits);
        words[at as usize / 64] |= 1 << (at % 64);
    }
    words
}

impl KeyFilter {
    /// How many words it has.
    fn words(self) -> usize {
        1 << (self.bits - 6)
    }

    #[inline]
    fn may_contain(self, words: &[u64], key: u64) -> bool {
        let at = key >> (KEY_BITS - self.bits);
        words[self.start + at as usize / 64] >> (at % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_has_all_its_keys_and_few_false_positives() {
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 26;
        let of = |keys: &[u64]| {
            let others = (1..SHARDS).map(|_| filter(&[]));
            Repeated::joined(std::iter::once(filter(keys)).chain(others).collect(), Vec::new())
        };
        let keys: Vec<u64> = (0..1000).map(key).collect();
        let repeated = of(&keys);
        let has = |key: u64| repeated.filters[0].may_contain(repeated.words(), key);
        assert!(keys.iter().all(|&key| has(key)));
        let wrong = (1000..101_000).filter(|&number| has(key(number))).count();
        assert!(wrong < 3000, "{wrong} of 100,000");
        let none = of(&[]);
        assert!(!none.filters[0].may_contain(none.words(), 7));
        assert_eq!((repeated.filters[0].words(), repeated.filters[1].words()), (1 << 10, 1));
    }
}
