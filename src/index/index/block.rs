//! A block of some hundred posting lists: the unit of reading.
//!
//! ```text
//! block    checksum of the rest u32 · lists − 1 u16 · Rice parameter u8 · bits
//! list     Rice(key − previous key − 1), except for the first · kind · places
//! kind     0 one part · 10 one part, marked · 11 several
//! places   one: the part, minimal binary · several: gamma(parts − 1) · parts, interpolative ·
//!          1 bit: whether any is marked · if so, a bit a part
//! ```
//!
//! The first key is in the directory of the run, the number of parts in the table of the segment. A block that is
//! decoded without error has no other part numbers.

use xxhash_rust::xxh3::xxh3_64;

use super::bits::{BitReader, BitWriter, Minimal};
use super::posting::{PartId, PartRef};

const CHECKSUM: usize = 4;
const HEAD: usize = CHECKSUM + 3;
/// A block is closed when it has at least this many postings: the directory and the heads of the blocks take a
/// third of a bit a posting, and decoding a block to find a blot takes about a microsecond.
pub const BLOCK_POSTINGS: usize = 512;
/// An upper bound of the bits of a key.
const MAX_PARAMETER: u32 = 40;

/// A block or directory that is corrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Corrupt(pub &'static str);

/// Decoded posting lists, for writing and reading. Keys ascend, and so do the parts of each list.
#[derive(Debug, Default)]
pub struct PostingBlock {
    keys: Vec<u64>,
    /// The end of each key's places.
    ends: Vec<u32>,
    places: Vec<PartRef>,
    /// A buffer for the parts of one list.
    parts: Vec<u32>,
}

impl PostingBlock {
    /// Removes all lists but keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.ends.clear();
        self.places.clear();
    }

    /// Adds a list. Its key must be greater than the previous one, and it must not be empty.
    pub fn push(&mut self, key: u64, places: impl IntoIterator<Item = PartRef>) {
        self.keys.push(key);
        self.places.extend(places);
        self.ends.push(self.places.len() as u32);
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The number of postings.
    pub fn postings(&self) -> usize {
        self.places.len()
    }

    /// The first key; 0 if there is none.
    pub fn first_key(&self) -> u64 {
        self.keys.first().copied().unwrap_or(0)
    }

    /// The key of a list.
    pub fn key(&self, list: usize) -> u64 {
        self.keys[list]
    }

    /// The places of a list.
    pub fn places(&self, list: usize) -> &[PartRef] {
        let start = if list == 0 { 0 } else { self.ends[list - 1] };
        &self.places[start as usize..self.ends[list] as usize]
    }

    /// The places of the list with this key; empty if there is none.
    pub fn find(&self, key: u64) -> &[PartRef] {
        self.keys.binary_search(&key).map_or(&[], |list| self.places(list))
    }

    /// Appends the encoded block. `parts` is the number of parts of the segment.
    pub fn encode(&mut self, parts: u32, bytes: &mut Vec<u8>) {
        let parameter =
            rice_parameter(self.keys.len(), self.keys.last().map_or(0, |last| last - self.keys[0]));
        let mut writer = BitWriter::default();
        for list in 0..self.keys.len() {
            if list > 0 {
                writer.rice(self.keys[list] - self.keys[list - 1] - 1, parameter);
            }
            let start = if list == 0 { 0 } else { self.ends[list - 1] };
            let places = &self.places[start as usize..self.ends[list] as usize];
            if let [place] = places {
                writer.bits(u64::from(place.is_marked()), 1 + u32::from(place.is_marked()));
                writer.minimal(place.part().0, parts);
                continue;
            }
            writer.bits(0b11, 2);
            writer.gamma(places.len() as u64 - 1);
            self.parts.clear();
            self.parts.extend(places.iter().map(|place| place.part().0));
            writer.interpolative(&self.parts, 0, parts);
            let marked = places.iter().any(|place| place.is_marked());
            writer.bits(u64::from(marked), 1);
            if marked {
                places.iter().for_each(|place| writer.bits(u64::from(place.is_marked()), 1));
            }
        }
        let start = bytes.len();
        bytes.extend_from_slice(&[0; CHECKSUM]);
        bytes.extend_from_slice(&(self.keys.len() as u16).wrapping_sub(1).to_le_bytes());
        bytes.push(parameter as u8);
        bytes.extend_from_slice(&writer.finish());
        let sum = checksum(&bytes[start + CHECKSUM..]);
        bytes[start..start + CHECKSUM].copy_from_slice(&sum);
    }

    /// Checks the bytes of a block and decodes its lists, replacing the current ones.
    pub fn decode(&mut self, bytes: &[u8], first_key: u64, parts: u32) -> Result<(), Corrupt> {
        self.decode_until(u64::MAX, bytes, first_key, parts)
    }

    /// As [`Self::decode`], but stops at the list of `wanted` or behind it.
    pub fn decode_until(
        &mut self,
        wanted: u64,
        bytes: &[u8],
        first_key: u64,
        parts: u32,
    ) -> Result<(), Corrupt> {
        self.clear();
        let (sum, body) = bytes.split_at_checked(CHECKSUM).ok_or(Corrupt("a block is too short"))?;
        if checksum(body) != sum {
            return Err(Corrupt("a block does not agree with its checksum"));
        }
        self.decode_body(wanted, body, first_key, parts)
    }

    /// As [`Self::decode_until`], for the bytes after the checksum. For any bytes, the result has at most
    /// [`BLOCK_POSTINGS`] postings plus one list of all parts.
    pub fn decode_body(
        &mut self,
        wanted: u64,
        body: &[u8],
        first_key: u64,
        parts: u32,
    ) -> Result<(), Corrupt> {
        self.clear();
        let (head, bits) = body.split_at_checked(HEAD - CHECKSUM).ok_or(Corrupt("a block is too short"))?;
        let lists = usize::from(u16::from_le_bytes([head[0], head[1]])) + 1;
        let parameter = u32::from(head[2]);
        if parameter > MAX_PARAMETER || parts == 0 {
            return Err(Corrupt("the head of a block is invalid"));
        }
        let mut reader = BitReader::new(bits);
        let single = Minimal::below(parts);
        self.keys.reserve(lists);
        self.ends.reserve(lists);
        let out_of_range = Corrupt("a key is out of range");
        let mut key = first_key;
        for list in 0..lists {
            if list > 0 && key >= wanted {
                break;
            }
            if self.places.len() >= BLOCK_POSTINGS {
                return Err(Corrupt("a block is too long"));
            }
            if list > 0 {
                if let Some((gap, part)) = reader.rice_zero_minimal(parameter, &single) {
                    key = key.checked_add(gap + 1).ok_or(out_of_range)?;
                    self.places.push(PartRef::new(PartId(part), false));
                    self.keys.push(key);
                    self.ends.push(self.places.len() as u32);
                    continue;
                }
                let gap = reader.rice(parameter).checked_add(1).ok_or(out_of_range)?;
                key = key.checked_add(gap).ok_or(out_of_range)?;
            }
            match reader.ones() {
                2 => self.decode_several(&mut reader, parts)?,
                marked => self.places.push(PartRef::new(PartId(reader.minimal(parts)), marked == 1)),
            }
            self.keys.push(key);
            self.ends.push(self.places.len() as u32);
        }
        if reader.is_within() { Ok(()) } else { Err(Corrupt("a block is truncated")) }
    }

    fn decode_several(&mut self, reader: &mut BitReader, parts: u32) -> Result<(), Corrupt> {
        let count = reader.gamma().saturating_add(1);
        if count < 2 || count > u64::from(parts) || !reader.is_within() {
            return Err(Corrupt("a list is longer than the number of parts"));
        }
        self.parts.clear();
        self.parts.resize(count as usize, 0);
        reader.interpolative(&mut self.parts, 0, parts);
        let marked = reader.bits(1) == 1;
        let places = self.parts.iter().map(|&part| {
            let is_marked = marked && reader.bits(1) == 1;
            PartRef::new(PartId(part), is_marked)
        });
        self.places.extend(places);
        Ok(())
    }
}

/// The Rice parameter for gaps with this sum: the logarithm of the mean times ln 2.
fn rice_parameter(lists: usize, sum: u64) -> u32 {
    let gaps = lists.saturating_sub(1).max(1) as u64;
    let mean = sum / gaps;
    (mean * 11 / 16).checked_ilog2().unwrap_or(0)
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    (xxh3_64(bytes) as u32).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_decode_to_sound_lists_or_not_at_all(body in proptest::collection::vec(any::<u8>(), 0..200), first in 0_u64..1 << 38, parts in 0_u32..100) {
            let mut block = PostingBlock::default();
            if block.decode_body(u64::MAX, &body, first, parts).is_ok() {
                prop_assert!(block.keys.is_sorted_by(|a, b| a < b));
                for list in 0..block.len() {
                    let places = block.places(list);
                    prop_assert!(!places.is_empty());
                    prop_assert!(places.is_sorted_by(|a, b| a.part() < b.part()));
                    prop_assert!(places.iter().all(|place| place.part().0 < parts));
                }
            }
        }
    }
}
