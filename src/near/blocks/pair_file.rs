//! The pairs of two blocks in a sealed file.
//!
//! ```text
//! head      magic · version · key · the two blocks · pairs                  (36 bytes)
//! pairs     number in the one block, number in the other · similarity       (varints · 4 bytes)
//! checksum  xxh3-64 of all before
//! ```
//!
//! With MinHash, a document with itself is no pair: it shares a band with too many others to be compared with each.
//!
//! Varints are those of the integer-encoding crate (LEB128). The first number of a pair is its difference to that of the pair
//! before.

use std::io::{self, Read};

use integer_encoding::{VarIntReader, VarIntWriter};
use xxhash_rust::xxh3::xxh3_64;

use super::error::BlockError;
use super::plan::{BlockPlan, Sharing};
use crate::pair::Pair;

const MAGIC: u64 = u64::from_le_bytes(*b"dupipair");
const VERSION: u32 = 1;

/// Writes the pairs of two blocks, which are sorted.
pub(super) fn write(plan: &BlockPlan, blocks: (u32, u32), pairs: &[Pair]) -> Result<(), BlockError> {
    let mut bytes = head(plan, blocks);
    bytes.extend((pairs.len() as u64).to_le_bytes());
    let mut before = 0;
    for pair in pairs {
        // Writing to a vector cannot fail.
        let _ = bytes.write_varint(pair.a - before);
        let _ = bytes.write_varint(pair.b);
        bytes.extend(pair.similarity.to_le_bytes());
        before = pair.a;
    }
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    let mut draft = plan.folder.draft_unique(&plan.pairs_name(blocks))?;
    draft.write(&bytes)?;
    Ok(draft.seal()?)
}

/// The pairs of two blocks, by the numbers in each.
pub(super) fn read(plan: &BlockPlan, blocks: (u32, u32)) -> Result<Vec<Pair>, BlockError> {
    let name = plan.pairs_name(blocks);
    let damaged = |detail| BlockError::Damaged { path: plan.folder.at(&name), detail };
    let missing = || {
        let what = format!("pairs of the blocks {} and {} of {}", blocks.0, blocks.1, plan.blocks());
        plan.missing(what, "segment query near")
    };
    let bytes = plan.folder.read(&name)?.ok_or_else(missing)?;
    let (checked, checksum) = bytes.split_last_chunk().ok_or_else(|| damaged("it is too short"))?;
    if xxh3_64(checked) != u64::from_le_bytes(*checksum) {
        return Err(damaged("its checksum is wrong"));
    }
    let rest = checked.strip_prefix(&head(plan, blocks)[..]);
    let (count, mut rest) =
        rest.and_then(|rest| rest.split_first_chunk()).ok_or_else(|| damaged("it has another name"))?;
    let mut before: Option<(u32, u32)> = None;
    let mut next = || -> io::Result<Pair> {
        let invalid = || io::Error::from(io::ErrorKind::InvalidData);
        let a = before.map_or(0, |(a, _)| a).checked_add(rest.read_varint()?).ok_or_else(invalid)?;
        let b = rest.read_varint()?;
        let mut similarity = [0; 4];
        rest.read_exact(&mut similarity)?;
        let similarity = f32::from_le_bytes(similarity);
        let is_crowded = a == b && matches!(plan.sharing(), Some(Sharing::Bands { .. }));
        let is_next = before < Some((a, b)) && (a < b || is_crowded || blocks.0 != blocks.1);
        let is_similarity = similarity > 0.0 && similarity <= 1.0;
        before = Some((a, b));
        if is_next && is_similarity { Ok(Pair { a, b, similarity }) } else { Err(invalid()) }
    };
    let pairs: io::Result<Vec<Pair>> = (0..u64::from_le_bytes(*count)).map(|_| next()).collect();
    pairs.map_err(|_| damaged("a pair is wrong"))
}

fn head(plan: &BlockPlan, (a, b): (u32, u32)) -> Vec<u8> {
    let (magic, version) = (MAGIC.to_le_bytes(), VERSION.to_le_bytes());
    [&magic[..], &version, &plan.pairs_key().to_le_bytes(), &a.to_le_bytes(), &b.to_le_bytes()].concat()
}
