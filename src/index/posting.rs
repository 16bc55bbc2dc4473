//! A posting in one machine word: within a shard, the key of a blot, the part it stands in, and a mark.
//!
//! ```text
//! 63              26 25            1    0
//! │ key (38 bits)   │ part (25 bits) │ mark │
//! ```
//!
//! Sorting the words sorts by blot, then by part, and brings the several tiles of one part together.

use crate::blot::{BLOT_BITS, Blot};

const SHARD_BITS: u32 = 6;
const PART_BITS: u32 = 25;
const KEY_BITS: u32 = BLOT_BITS - SHARD_BITS;
const _: () = assert!(KEY_BITS + PART_BITS + 1 == u64::BITS);

/// Shards of a segment: equal fractions of the blot space, so many that two cores or sixty share them evenly.
pub const SHARDS: usize = 1 << SHARD_BITS;

/// The most parts that one segment can number.
pub const MAX_PARTS: u32 = 1 << PART_BITS;

/// The number of a part within its segment. A document is one part, or several when it is long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub u32);

/// (blot, part) within a shard, and whether the blot stands more than once in that part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting(u64);

impl Posting {
    /// A posting without the mark.
    pub fn new(blot: Blot, part: PartId) -> Self {
        debug_assert!(part.0 < MAX_PARTS);
        Self(key_of(blot) << (PART_BITS + 1) | u64::from(part.0) << 1)
    }

    /// The same posting with its part counted `base` further, as when batches are put one behind the other.
    pub fn shifted(self, base: u32) -> Self {
        Self(self.0 + (u64::from(base) << 1))
    }

    /// The same posting, marked.
    pub fn marked(self) -> Self {
        Self(self.0 | 1)
    }

    /// The blot's bits below its shard.
    pub fn key(self) -> u64 {
        self.0 >> (PART_BITS + 1)
    }

    /// Where the blot stands.
    pub fn place(self) -> Place {
        Place(self.0 as u32 & (MAX_PARTS * 2 - 1))
    }

    /// The same blot in the same part, whatever the mark.
    pub fn is_same_place(self, other: Self) -> bool {
        self.0 >> 1 == other.0 >> 1
    }
}

/// A part and the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(u32);

impl Place {
    /// From a part and its mark.
    pub fn new(part: PartId, marked: bool) -> Self {
        Self(part.0 << 1 | u32::from(marked))
    }

    /// The part.
    pub fn part(self) -> PartId {
        PartId(self.0 >> 1)
    }

    /// Whether the blot stands there more than once.
    pub fn is_marked(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The shard of a blot: its uppermost bits.
pub fn shard_of(blot: Blot) -> usize {
    (blot.get() >> KEY_BITS) as usize
}

/// The blot's bits below its shard.
pub fn key_of(blot: Blot) -> u64 {
    blot.get() & ((1 << KEY_BITS) - 1)
}

/// The blot of a key in a shard; `None` for numbers that no blot has.
pub fn blot_of(shard: usize, key: u64) -> Option<Blot> {
    (shard < SHARDS && key >> KEY_BITS == 0).then(|| Blot::new((shard as u64) << KEY_BITS | key))?
}

/// Sorts a shard's postings and leaves one for each (blot, part), marked where there were several.
pub fn sort_and_fold(postings: &mut Vec<Posting>) {
    postings.sort_unstable();
    let mut kept = 0;
    for at in 0..postings.len() {
        let posting = postings[at];
        if kept > 0 && postings[kept - 1].is_same_place(posting) {
            postings[kept - 1] = postings[kept - 1].marked();
        } else {
            postings[kept] = posting;
            kept += 1;
        }
    }
    postings.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_posting_gives_back_what_it_was_made_of() {
        let blot = Blot::from_hash(u64::MAX);
        let posting = Posting::new(blot, PartId(MAX_PARTS - 1));
        assert_eq!(blot_of(shard_of(blot), posting.key()), Some(blot));
        assert_eq!(posting.marked().place(), Place::new(PartId(MAX_PARTS - 1), true));
        assert_eq!(Posting::new(blot, PartId(3)).shifted(4).place().part(), PartId(7));
    }

    #[test]
    fn folding_marks_what_stands_twice_in_one_part() {
        let [a, b] = [1 << 40, 2 << 40].map(Blot::from_hash);
        let at = |blot, part| Posting::new(blot, PartId(part));
        let mut postings = vec![at(b, 1), at(a, 2), at(a, 1), at(a, 2), at(a, 2)];
        sort_and_fold(&mut postings);
        assert_eq!(postings, [at(a, 1), at(a, 2).marked(), at(b, 1)]);
    }
}
