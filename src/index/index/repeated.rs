//! A compact, approximate set of the repeated blots, with few false positives and no false negatives; and the parts
//! of documents that have any of them.
//!
//! A scan of all postings makes it (`scan`). Processes that need the same one share a sealed file (`file`).

mod error;
mod file;
mod scan;

use super::map::Scratch;
use super::posting::{KEY_BITS, PartId, SHARDS, key_of, shard_of};
use super::snapshot::{LivePart, Snapshot};
use dupi_text::blot::Blot;

pub use error::RepeatedError;
pub use file::{repeated_name, shared, tallied};

/// Bits of a filter per blot in it; also the inverse of the rate of false positives.
const BITS_A_BLOT: u64 = 64;

/// The repeated blots of a snapshot, and the parts in which they occur.
pub struct Repeated {
    /// For each shard, where the filter of its keys lies among the words.
    filters: Vec<KeyFilter>,
    /// For each segment, where its bits, one for each part, begin among the words.
    parts: Vec<usize>,
    words: Words,
}

/// A filter: a key is mapped to a bit by dropping its lowest bits.
#[derive(Clone, Copy)]
struct KeyFilter {
    /// Its first word.
    start: usize,
    /// The binary logarithm of the number of its bits.
    bits: u32,
}

/// The words of the filters, and then those of the parts.
enum Words {
    Held(Vec<u64>),
    Mapped(Scratch),
}

impl Repeated {
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
        Self { filters, parts, words: Words::Held(words) }
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
        match &self.words {
            Words::Held(words) => words,
            Words::Mapped(mapped) => mapped.numbers(),
        }
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
