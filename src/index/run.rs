//! One shard of one segment: blots in ascending order, each with its parts, in small checked blocks.
//!
//! ```text
//! blocks     one behind the other, see `block`
//! directory  (first key u64, end of the block u32) a block
//! ```
//!
//! A block holds whole posting lists, some [`BLOCK_POSTINGS`] postings of them; a longer list is a block
//! of its own. A blot is found by a binary search of the directory, which is checked when the segment is
//! opened, and one block, which is checked when it is read.

use std::ops::Range;

use super::block::{BLOCK_POSTINGS, Block, Torn};
use super::posting::{Place, Posting};

const DIRECTORY_ENTRY: usize = 12;

/// Encodes a run from posting lists that come in ascending order of their keys.
pub struct RunWriter {
    parts: u32,
    block: Block,
    run: EncodedRun,
}

/// How much is in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Distinct blots.
    pub blots: u64,
    /// (blot, part) pairs.
    pub postings: u64,
}

/// A finished run.
#[derive(Default)]
pub struct EncodedRun {
    /// Its blocks.
    pub blocks: Vec<u8>,
    /// Its directory.
    pub directory: Vec<u8>,
    /// How much is in it.
    pub counts: RunCounts,
}

impl RunWriter {
    /// A run of a segment that has so many parts.
    pub fn new(parts: u32) -> Self {
        Self { parts, block: Block::default(), run: EncodedRun::default() }
    }

    /// Adds the posting list of one key. Keys ascend, and so do the places; an empty list is passed over.
    pub fn push(&mut self, key: u64, places: impl ExactSizeIterator<Item = Place>) {
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

    /// Adds sorted and folded postings of one shard.
    pub fn push_sorted(&mut self, postings: &[Posting]) {
        for list in postings.chunk_by(|a, b| a.key() == b.key()) {
            self.push(list[0].key(), list.iter().map(|posting| posting.place()));
        }
    }

    /// Closes the run.
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

/// The directory of a run, which says where its blocks lie.
#[derive(Clone, Copy, Debug)]
pub struct Directory<'a> {
    bytes: &'a [u8],
}

impl<'a> Directory<'a> {
    /// Over the bytes that a run was written with.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// How many blocks.
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

    /// Where a block lies in the run.
    pub fn span(&self, block: usize) -> Result<Range<usize>, Torn> {
        let start = if block == 0 { 0 } else { self.entry(block - 1).1 };
        let end = self.entry(block).1;
        if start <= end { Ok(start..end) } else { Err(Torn("a directory is out of order")) }
    }

    /// The block that has a key, if any has it.
    pub fn block_of(&self, key: u64) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.first_key(middle) <= key { low = middle + 1 } else { high = middle }
        }
        low.checked_sub(1)
    }

    fn entry(&self, block: usize) -> (u64, usize) {
        let entry = &self.bytes[block * DIRECTORY_ENTRY..][..DIRECTORY_ENTRY];
        let (key, end) = entry.split_at(8);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        (number(key), number(end) as usize)
    }
}

/// A run as it lies in memory or in a mapped file.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    blocks: &'a [u8],
    directory: Directory<'a>,
    parts: u32,
}

impl<'a> Run<'a> {
    /// A run over its two stretches of bytes, in a segment that has so many parts.
    pub fn new(blocks: &'a [u8], directory: &'a [u8], parts: u32) -> Self {
        Self { blocks, directory: Directory::new(directory), parts }
    }

    /// The posting list of a key; `block` is where it is read.
    pub fn find<'b>(&self, key: u64, block: &'b mut Block) -> Result<&'b [Place], Torn> {
        match self.directory.block_of(key) {
            None => Ok(&[]),
            Some(number) => {
                self.read_until(key, number, block)?;
                Ok(block.find(key))
            }
        }
    }

    /// Reads a block of the run.
    pub fn read(&self, number: usize, block: &mut Block) -> Result<(), Torn> {
        self.read_until(u64::MAX, number, block)
    }

    fn read_until(&self, wanted: u64, number: usize, block: &mut Block) -> Result<(), Torn> {
        let span = self.directory.span(number)?;
        let bytes = self.blocks.get(span).ok_or(Torn("a block lies outside its run"))?;
        block.decode_until(wanted, bytes, self.directory.first_key(number), self.parts)
    }

    /// How many blocks it has.
    pub fn block_count(&self) -> usize {
        self.directory.len()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::index::posting::PartId;

    const PARTS: u32 = 100_000;

    type Lists = BTreeMap<u64, Vec<(u32, bool)>>;

    fn encode(lists: &Lists) -> EncodedRun {
        let mut writer = RunWriter::new(PARTS);
        for (&key, places) in lists {
            let places: Vec<_> = places.iter().map(|&(part, mark)| Place::new(PartId(part), mark)).collect();
            writer.push(key, places.into_iter());
        }
        writer.finish()
    }

    fn lists() -> impl Strategy<Value = Lists> {
        let places = prop_oneof![
            3 => proptest::collection::btree_map(0..PARTS, any::<bool>(), 1..3),
            1 => proptest::collection::btree_map(0..PARTS, any::<bool>(), 1..40),
            1 => proptest::collection::btree_map(7_u32..70, Just(false), 1..64),
        ];
        proptest::collection::btree_map(prop_oneof![0_u64..1 << 38, 0_u64..900], places, 0..400).prop_map(
            |lists| lists.into_iter().map(|(key, places)| (key, places.into_iter().collect())).collect(),
        )
    }

    fn pairs(places: &[Place]) -> Vec<(u32, bool)> {
        places.iter().map(|place| (place.part().0, place.is_marked())).collect()
    }

    proptest! {
        #[test]
        fn what_was_written_is_found_and_walked(lists in lists(), absent in 0_u64..1 << 38) {
            let run = encode(&lists);
            let reader = Run::new(&run.blocks, &run.directory, PARTS);
            let mut block = Block::default();
            for (&key, expected) in &lists {
                prop_assert_eq!(&pairs(reader.find(key, &mut block).unwrap()), expected);
            }
            if !lists.contains_key(&absent) {
                prop_assert!(reader.find(absent, &mut block).unwrap().is_empty());
            }
            let mut walked = Lists::new();
            for number in 0..reader.block_count() {
                reader.read(number, &mut block).unwrap();
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
            let reader = Run::new(&blocks, &run.directory, PARTS);
            let mut block = Block::default();
            prop_assert!((0..reader.block_count()).any(|number| reader.read(number, &mut block).is_err()));
        }
    }
}
