//! Postings. Within a shard, a posting is one machine word: the key of a blot, the part it occurs in, and a mark.
//!
//! ```text
//! 63              26 25            1    0
//! │ key (38 bits)   │ part (25 bits) │ mark │
//! ```
//!
//! Sorting the words sorts by blot, then by part; equal tiles of one part become adjacent.

use dupi_text::blot::{BLOT_BITS, Blot};

const SHARD_BITS: u32 = 6;
const PART_BITS: u32 = 25;
/// Bits of a key: those of a blot below its shard's.
pub const KEY_BITS: u32 = BLOT_BITS - SHARD_BITS;
/// The intended number of postings per bucket when sorting, and the maximal number of buckets, so that their ends
/// fit into a cache.
const BUCKET: usize = 32;
const MAX_BUCKET_BITS: u32 = 13;
const _: () = assert!(KEY_BITS + PART_BITS + 1 == u64::BITS);

/// The number of shards of a segment: equal fractions of the blot space, enough for an even distribution over up to
/// sixty cores.
pub const SHARDS: usize = 1 << SHARD_BITS;

/// The maximal number of parts of a segment.
pub const MAX_PARTS: u32 = 1 << PART_BITS;

/// The number of a part within its segment. A document has one part, or several if it is long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub u32);

/// A blot and a part, within a shard, with a mark if the blot occurs more than once in the part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting(u64);

impl Posting {
    /// A posting without a mark.
    pub fn new(blot: Blot, part: PartId) -> Self {
        debug_assert!(part.0 < MAX_PARTS);
        Self(key_of(blot) << (PART_BITS + 1) | u64::from(part.0) << 1)
    }

    /// The same posting with `base` added to its part, for concatenated batches.
    pub fn shifted(self, base: u32) -> Self {
        Self(self.0 + (u64::from(base) << 1))
    }

    /// The same posting with the mark.
    pub fn marked(self) -> Self {
        Self(self.0 | 1)
    }

    /// The key of its blot: the bits below the shard's.
    pub fn key(self) -> u64 {
        self.0 >> (PART_BITS + 1)
    }

    /// The part, with the mark.
    pub fn place(self) -> PartRef {
        PartRef(self.0 as u32 & (MAX_PARTS * 2 - 1))
    }

    /// Whether blot and part are the same, regardless of the mark.
    pub fn is_same_place(self, other: Self) -> bool {
        self.0 >> 1 == other.0 >> 1
    }
}

/// A part, with a mark if a blot occurs more than once in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartRef(u32);

impl PartRef {
    /// A part with or without the mark.
    pub fn new(part: PartId, marked: bool) -> Self {
        Self(part.0 << 1 | u32::from(marked))
    }

    /// The part.
    pub fn part(self) -> PartId {
        PartId(self.0 >> 1)
    }

    /// Whether the blot occurs there more than once.
    pub fn is_marked(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The shard of a blot: its highest bits.
pub fn shard_of(blot: Blot) -> usize {
    (blot.get() >> KEY_BITS) as usize
}

/// The key of a blot: the bits below the shard's.
pub fn key_of(blot: Blot) -> u64 {
    blot.get() & ((1 << KEY_BITS) - 1)
}

/// The blot of a key in a shard; `None` for invalid numbers.
pub fn blot_of(shard: usize, key: u64) -> Option<Blot> {
    (shard < SHARDS && key >> KEY_BITS == 0).then(|| Blot::new((shard as u64) << KEY_BITS | key))?
}

/// Sorts one shard's postings of several batches and merges those of the same blot and part into one with the mark.
/// Each piece comes with the number of its batch's first part.
///
/// Keys are hashes, so one pass by their highest bits gives buckets of a few dozen postings, which are sorted in
/// the L1 cache.
pub fn sort_and_fold(pieces: &[(u32, Vec<Posting>)]) -> Vec<Posting> {
    let count: usize = pieces.iter().map(|(_, piece)| piece.len()).sum();
    let bucket_bits = (count / BUCKET).checked_ilog2().unwrap_or(0).min(MAX_BUCKET_BITS);
    let bucket = |posting: Posting| (posting.key() >> (KEY_BITS - bucket_bits)) as usize;
    let mut ends = vec![0_usize; (1 << bucket_bits) + 1];
    for &posting in pieces.iter().flat_map(|(_, piece)| piece) {
        ends[bucket(posting) + 1] += 1;
    }
    for at in 1..ends.len() {
        ends[at] += ends[at - 1];
    }
    let mut postings = vec![Posting(0); count];
    for (base, piece) in pieces {
        for posting in piece {
            let end = &mut ends[bucket(*posting)];
            postings[*end] = posting.shifted(*base);
            *end += 1;
        }
    }
    let mut start = 0;
    for &end in &ends[..ends.len() - 1] {
        postings[start..end].sort_unstable();
        start = end;
    }
    fold(&mut postings);
    postings
}

/// Merges sorted postings of the same blot and part into one with the mark.
fn fold(postings: &mut Vec<Posting>) {
    postings.dedup_by(|next, kept| {
        let is_same = kept.is_same_place(*next);
        if is_same {
            *kept = kept.marked();
        }
        is_same
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_posting_has_the_blot_and_part_it_was_made_of() {
        let blot = Blot::from_hash(u64::MAX);
        let posting = Posting::new(blot, PartId(MAX_PARTS - 1));
        assert_eq!(blot_of(shard_of(blot), posting.key()), Some(blot));
        assert_eq!(posting.marked().place(), PartRef::new(PartId(MAX_PARTS - 1), true));
        assert_eq!(Posting::new(blot, PartId(3)).shifted(4).place().part(), PartId(7));
    }

    #[test]
    fn folding_marks_blots_that_occur_twice_in_one_part() {
        let [a, b] = [1 << 40, 2 << 40].map(Blot::from_hash);
        let at = |blot, part| Posting::new(blot, PartId(part));
        let sorted = sort_and_fold(&[(0, vec![at(b, 1), at(a, 2), at(a, 1)]), (1, vec![at(a, 1), at(a, 1)])]);
        assert_eq!(sorted, [at(a, 1), at(a, 2).marked(), at(b, 1)]);
    }

    #[test]
    fn many_postings_come_out_in_order() {
        let mut random = 1_u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            Posting::new(Blot::from_hash(random), PartId(random as u32 % 50))
        };
        let pieces: Vec<(u32, Vec<Posting>)> =
            (0..5).map(|piece| (piece * 50, (0..3000).map(|_| next()).collect())).collect();
        let mut expected: Vec<Posting> = pieces
            .iter()
            .flat_map(|(base, piece)| piece.iter().map(|posting| posting.shifted(*base)))
            .collect();
        expected.sort();
        expected.dedup();
        assert_eq!(sort_and_fold(&pieces), expected);
    }
}
