//! One shard of one segment: blots in ascending order, each with its parts, in small checked blocks.
//!
//! ```text
//! block      checksum of the rest (u32) · entries
//! entry      varint (key − key before) · 2 + single
//!            single:  varint place
//!            several: varint (places − 2) · varint first place · varint (place − place before) …
//! directory  (first key u64, end of the block u32) a block
//! ```
//!
//! A place is a part and a mark in one number. A block holds whole posting lists, some 256 postings of
//! them; a longer list is a block of its own length. A blot is found by a binary search of the
//! directory, which is checked when the segment is opened, and one block, which is checked when it is read.

use integer_encoding::VarInt;
use xxhash_rust::xxh3::xxh3_64;

use super::posting::{PartId, Place, Posting};

/// A block is closed when it holds at least so many postings: the directory stays below two per cent of the run.
const BLOCK_POSTINGS: usize = 256;
const DIRECTORY_ENTRY: usize = 12;
const CHECKSUM: usize = 4;

/// A run that contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Torn(pub &'static str);

/// Encodes a run from posting lists that come in ascending order of their keys.
#[derive(Default)]
pub struct RunWriter {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    block_start: usize,
    block_postings: usize,
    block_first: u64,
    previous: u64,
    counts: RunCounts,
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
pub struct EncodedRun {
    /// Its blocks.
    pub blocks: Vec<u8>,
    /// Its directory.
    pub directory: Vec<u8>,
    /// How much is in it.
    pub counts: RunCounts,
}

impl RunWriter {
    /// Adds the posting list of one key. Keys ascend, and so do the places; an empty list is passed over.
    pub fn push(&mut self, key: u64, places: impl ExactSizeIterator<Item = Place>) {
        let count = places.len();
        if count == 0 {
            return;
        }
        if self.block_postings == 0 {
            self.block_start = self.bytes.len();
            self.bytes.extend_from_slice(&[0; CHECKSUM]);
            self.block_first = key;
            self.previous = key;
        }
        self.put((key - self.previous) << 1 | u64::from(count == 1));
        if count > 1 {
            self.put(count as u64 - 2);
        }
        let mut before = 0;
        for place in places {
            let part = place.part().0;
            self.put(u64::from(part - before) << 1 | u64::from(place.is_marked()));
            before = part;
        }
        self.previous = key;
        self.block_postings += count;
        self.counts.blots += 1;
        self.counts.postings += count as u64;
        if self.block_postings >= BLOCK_POSTINGS {
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
        EncodedRun { blocks: self.bytes, directory: self.directory, counts: self.counts }
    }

    fn put(&mut self, value: u64) {
        let mut buffer = [0; 10];
        let length = value.encode_var(&mut buffer);
        self.bytes.extend_from_slice(&buffer[..length]);
    }

    fn close_block(&mut self) {
        if self.block_postings == 0 {
            return;
        }
        let body = self.block_start + CHECKSUM;
        let checksum = checksum(&self.bytes[body..]);
        self.bytes[self.block_start..body].copy_from_slice(&checksum);
        self.directory.extend_from_slice(&self.block_first.to_le_bytes());
        self.directory.extend_from_slice(&(self.bytes.len() as u32).to_le_bytes());
        self.block_postings = 0;
    }
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    (xxh3_64(bytes) as u32).to_le_bytes()
}

/// A run as it lies in a mapped file.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    blocks: &'a [u8],
    directory: &'a [u8],
}

impl<'a> Run<'a> {
    /// A run over its two stretches of bytes, whose directory the caller has checked.
    pub fn new(blocks: &'a [u8], directory: &'a [u8]) -> Self {
        Self { blocks, directory }
    }

    /// The posting list of a key into `places`, which is cleared first.
    pub fn find(&self, key: u64, places: &mut Vec<Place>) -> Result<(), Torn> {
        places.clear();
        let after = partition(self.block_count(), |block| self.entry(block).0 <= key);
        let Some(block) = after.checked_sub(1) else { return Ok(()) };
        let mut cursor = self.block(block)?;
        while let Some(found) = cursor.next_key()? {
            if found == key {
                return cursor.places(places);
            }
            if found > key {
                break;
            }
            cursor.skip_places()?;
        }
        Ok(())
    }

    /// All posting lists, from the first.
    pub fn cursor(&self) -> RunCursor<'a> {
        RunCursor { run: *self, next_block: 0, block: None }
    }

    fn block_count(&self) -> usize {
        self.directory.len() / DIRECTORY_ENTRY
    }

    fn entry(&self, block: usize) -> (u64, usize) {
        let entry = &self.directory[block * DIRECTORY_ENTRY..][..DIRECTORY_ENTRY];
        let (key, end) = entry.split_at(8);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        (number(key), number(end) as usize)
    }

    fn block(&self, block: usize) -> Result<BlockCursor<'a>, Torn> {
        let start = if block == 0 { 0 } else { self.entry(block - 1).1 };
        let (first, end) = self.entry(block);
        let bytes = self.blocks.get(start..end).ok_or(Torn("a block lies outside its run"))?;
        let (sum, body) = bytes.split_at_checked(CHECKSUM).ok_or(Torn("a block is too short"))?;
        if checksum(body) != sum {
            return Err(Torn("a block's checksum does not agree"));
        }
        Ok(BlockCursor { rest: body, key: first, single: false })
    }
}

/// The first of `0..count` for which `before` no longer holds.
fn partition(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// Walks through the posting lists of a run.
pub struct RunCursor<'a> {
    run: Run<'a>,
    next_block: usize,
    block: Option<BlockCursor<'a>>,
}

impl RunCursor<'_> {
    /// The next key with its posting list in `places`, or `None` at the end.
    pub fn next(&mut self, places: &mut Vec<Place>) -> Result<Option<u64>, Torn> {
        places.clear();
        loop {
            if let Some(block) = &mut self.block
                && let Some(key) = block.next_key()?
            {
                block.places(places)?;
                return Ok(Some(key));
            }
            if self.next_block == self.run.block_count() {
                return Ok(None);
            }
            self.block = Some(self.run.block(self.next_block)?);
            self.next_block += 1;
        }
    }
}

struct BlockCursor<'a> {
    rest: &'a [u8],
    key: u64,
    single: bool,
}

impl BlockCursor<'_> {
    fn next_key(&mut self) -> Result<Option<u64>, Torn> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let head = self.take()?;
        self.single = head & 1 == 1;
        self.key = self.key.checked_add(head >> 1).ok_or(Torn("a key is out of range"))?;
        Ok(Some(self.key))
    }

    fn count(&mut self) -> Result<u64, Torn> {
        if self.single { Ok(1) } else { self.take()?.checked_add(2).ok_or(Torn("a count is out of range")) }
    }

    fn places(&mut self, places: &mut Vec<Place>) -> Result<(), Torn> {
        let mut part = 0_u32;
        for _ in 0..self.count()? {
            let value = self.take()?;
            part = u32::try_from(value >> 1)
                .ok()
                .and_then(|delta| part.checked_add(delta))
                .filter(|&part| part < super::posting::MAX_PARTS)
                .ok_or(Torn("a part is out of range"))?;
            places.push(Place::new(PartId(part), value & 1 == 1));
        }
        Ok(())
    }

    fn skip_places(&mut self) -> Result<(), Torn> {
        for _ in 0..self.count()? {
            self.take()?;
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self) -> Result<u64, Torn> {
        let (value, length) = u64::decode_var(self.rest).ok_or(Torn("a number is cut off"))?;
        self.rest = &self.rest[length..];
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Lists = BTreeMap<u64, Vec<(u32, bool)>>;

    fn encode(lists: &Lists) -> EncodedRun {
        let mut writer = RunWriter::default();
        for (&key, places) in lists {
            let places: Vec<_> = places.iter().map(|&(part, mark)| Place::new(PartId(part), mark)).collect();
            writer.push(key, places.into_iter());
        }
        writer.finish()
    }

    fn lists() -> impl Strategy<Value = Lists> {
        let places = proptest::collection::btree_map(0_u32..100_000, any::<bool>(), 1..40);
        proptest::collection::btree_map(0_u64..1 << 38, places, 0..60).prop_map(|lists| {
            lists.into_iter().map(|(key, places)| (key, places.into_iter().collect())).collect()
        })
    }

    proptest! {
        #[test]
        fn what_was_written_is_found_and_walked(lists in lists(), absent in 0_u64..1 << 38) {
            let run = encode(&lists);
            let reader = Run::new(&run.blocks, &run.directory);
            let mut places = Vec::new();
            for (&key, expected) in &lists {
                reader.find(key, &mut places).unwrap();
                prop_assert_eq!(&pairs(&places), expected);
            }
            if !lists.contains_key(&absent) {
                reader.find(absent, &mut places).unwrap();
                prop_assert!(places.is_empty());
            }
            let mut walked = Lists::new();
            let mut cursor = reader.cursor();
            while let Some(key) = cursor.next(&mut places).unwrap() {
                walked.insert(key, pairs(&places));
            }
            prop_assert_eq!(walked, lists);
        }

        #[test]
        fn a_flipped_bit_is_noticed(lists in lists(), at in any::<prop::sample::Index>(), bit in 0_u8..8) {
            let run = encode(&lists);
            prop_assume!(!run.blocks.is_empty());
            let mut blocks = run.blocks.clone();
            blocks[at.index(run.blocks.len())] ^= 1 << bit;
            let mut cursor = Run::new(&blocks, &run.directory).cursor();
            let mut places = Vec::new();
            let outcome = loop {
                match cursor.next(&mut places) {
                    Ok(Some(_)) => {}
                    other => break other,
                }
            };
            prop_assert!(outcome.is_err());
        }
    }

    fn pairs(places: &[Place]) -> Vec<(u32, bool)> {
        places.iter().map(|place| (place.part().0, place.is_marked())).collect()
    }
}
