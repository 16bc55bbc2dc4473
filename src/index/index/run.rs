//! A run: one shard of one segment. Its blots are in ascending order, each with its parts, in small blocks with
//! checksums.
//!
//! ```text
//! blocks     concatenated, see `block`
//! directory  (first key u64, end of the block u32) per block
//! ```
//!
//! A block has complete posting lists with about [`BLOCK_POSTINGS`] postings in all; a list may be longer. A blot
//! is found by a binary search in the directory, which is checked when the segment is opened, and by decoding one
//! block, which is checked when it is read.

use std::ops::Range;

use super::block::{BLOCK_POSTINGS, Corrupt, PostingBlock};
use super::posting::{PartRef, Posting};

const DIRECTORY_ENTRY: usize = 12;

/// Encodes a run from posting lists in ascending order of their keys.
pub struct RunWriter {
    parts: u32,
    block: PostingBlock,
    run: EncodedRun,
}

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Distinct blots.
    pub blots: u64,
    /// Pairs of blot and part.
    pub postings: u64,
}

/// An encoded run.
#[derive(Default)]
pub struct EncodedRun {
    /// Its blocks.
    pub blocks: Vec<u8>,
    /// Its directory.
    pub directory: Vec<u8>,
    /// Its counts.
    pub counts: RunCounts,
}

impl RunWriter {
    /// A run of a segment with this number of parts.
    pub fn new(parts: u32) -> Self {
        Self { parts, block: PostingBlock::default(), run: EncodedRun::default() }
    }

    /// Adds the posting list of one key. Keys must ascend, and so must the places. An empty list is ignored.
    pub fn push(&mut self, key: u64, places: impl ExactSizeIterator<Item = PartRef>) {
        if places.len() == 0 {
            return;
        }
        self.run.counts.blots += 1;
        self.run.counts.postings += places.len() as u64;
        self.block.push(key, places);
        if self.block.postings() >= BLOCK_POSTINGS {
            self.close_block();
        }
    }

    /// Adds the result of [`sort_and_fold`](super::posting::sort_and_fold).
    pub fn push_sorted(&mut self, postings: &[Posting]) {
        for list in postings.chunk_by(|a, b| a.key() == b.key()) {
            self.push(list[0].key(), list.iter().map(|posting| posting.place()));
        }
    }

    /// Ends the run.
    pub fn finish(mut self) -> EncodedRun {
        self.close_block();
        self.run
    }

    fn close_block(&mut self) {
        if self.block.is_empty() {
            return;
        }
        let EncodedRun { blocks, directory, .. } = &mut self.run;
        self.block.encode(self.parts, blocks);
        directory.extend_from_slice(&self.block.first_key().to_le_bytes());
        directory.extend_from_slice(&(blocks.len() as u32).to_le_bytes());
        self.block.clear();
    }
}

/// The directory of a run: the positions of its blocks.
#[derive(Clone, Copy, Debug)]
pub struct Directory<'a> {
    bytes: &'a [u8],
}

impl<'a> Directory<'a> {
    /// A view of an encoded directory.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.bytes.len() / DIRECTORY_ENTRY
    }

    /// Whether the run is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first key of a block.
    pub fn first_key(&self, block: usize) -> u64 {
        self.entry(block).0
    }

    /// The byte range of a block in the run.
    pub fn span(&self, block: usize) -> Result<Range<usize>, Corrupt> {
        let start = if block == 0 { 0 } else { self.entry(block - 1).1 };
        let end = self.entry(block).1;
        if start <= end { Ok(start..end) } else { Err(Corrupt("a directory is out of order")) }
    }

    /// The number of the only block that may have a key.
    pub fn block_of(&self, key: u64) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.first_key(middle) <= key { low = middle + 1 } else { high = middle }
        }
        low.checked_sub(1)
    }

    /// The posting list of a key in the blocks of a run, decoded into `block`, in a segment with this number of parts.
    pub fn find<'b>(
        &self,
        blocks: &[u8],
        key: u64,
        parts: u32,
        block: &'b mut PostingBlock,
    ) -> Result<&'b [PartRef], Corrupt> {
        let Some(number) = self.block_of(key) else { return Ok(&[]) };
        let bytes = blocks.get(self.span(number)?).ok_or(Corrupt("a block is outside of its run"))?;
        block.decode_until(key, bytes, self.first_key(number), parts)?;
        Ok(block.find(key))
    }

    fn entry(&self, block: usize) -> (u64, usize) {
        let entry = &self.bytes[block * DIRECTORY_ENTRY..][..DIRECTORY_ENTRY];
        let (key, end) = entry.split_at(8);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        (number(key), number(end) as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::index::posting::PartId;

    const PARTS: u32 = 100_000;

    type ListsByKey = BTreeMap<u64, Vec<(u32, bool)>>;

    fn encode(lists: &ListsByKey) -> EncodedRun {
        let mut writer = RunWriter::new(PARTS);
        for (&key, places) in lists {
            let places: Vec<_> =
                places.iter().map(|&(part, mark)| PartRef::new(PartId(part), mark)).collect();
            writer.push(key, places.into_iter());
        }
        writer.finish()
    }

    fn lists() -> impl Strategy<Value = ListsByKey> {
        let places = prop_oneof![
            3 => proptest::collection::btree_map(0..PARTS, any::<bool>(), 1..3),
            1 => proptest::collection::btree_map(0..PARTS, any::<bool>(), 1..40),
            1 => proptest::collection::btree_map(7_u32..70, Just(false), 1..64),
        ];
        proptest::collection::btree_map(prop_oneof![0_u64..1 << 38, 0_u64..900], places, 0..400).prop_map(
            |lists| lists.into_iter().map(|(key, places)| (key, places.into_iter().collect())).collect(),
        )
    }

    fn pairs(places: &[PartRef]) -> Vec<(u32, bool)> {
        places.iter().map(|place| (place.part().0, place.is_marked())).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn all_lists_are_found_and_iterated(lists in lists(), absent in 0_u64..1 << 38) {
            let run = encode(&lists);
            let directory = Directory::new(&run.directory);
            let mut block = PostingBlock::default();
            for (&key, expected) in &lists {
                prop_assert_eq!(&pairs(directory.find(&run.blocks, key, PARTS, &mut block).unwrap()), expected);
            }
            if !lists.contains_key(&absent) {
                prop_assert!(directory.find(&run.blocks, absent, PARTS, &mut block).unwrap().is_empty());
            }
            let mut walked = ListsByKey::new();
            for number in 0..directory.len() {
                let bytes = &run.blocks[directory.span(number).unwrap()];
                block.decode(bytes, directory.first_key(number), PARTS).unwrap();
                walked.extend((0..block.len()).map(|list| (block.key(list), pairs(block.places(list)))));
            }
            prop_assert_eq!(walked, lists);
        }

        #[test]
        fn a_flipped_bit_is_noticed(lists in lists(), at in any::<prop::sample::Index>(), bit in 0_u8..8) {
            let run = encode(&lists);
            prop_assume!(!run.blocks.is_empty());
            let mut blocks = run.blocks.clone();
            blocks[at.index(run.blocks.len())] ^= 1 << bit;
            let directory = Directory::new(&run.directory);
            let mut block = PostingBlock::default();
            let mut is_corrupt = |number| {
                let bytes = &blocks[directory.span(number).unwrap()];
                block.decode(bytes, directory.first_key(number), PARTS).is_err()
            };
            prop_assert!((0..directory.len()).any(&mut is_corrupt));
        }
    }
}
