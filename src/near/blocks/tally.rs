//! The bounds of `--idf-min` and `--idf-max`, by the frequencies of all blocks: each block counts its own documents, the sorted
//! counts are merged ([`tally`]), and what is left out is then left out of each block ([`bound`]).
//!
//! ```text
//! counts of a block   feature · how many of its documents have it   (8 bytes, 4 bytes; ascending)
//! tally               feature that counts                           (8 bytes; ascending)
//! ```
//!
//! Both are the bodies of sealed files, which are read and written in a stream.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::PathBuf;

use rayon::prelude::*;

use super::block_file::{BlockFile, write};
use super::error::{BlockError, REMEDY};
use super::making::{Kept, idf_bounds};
use super::plan::BlockPlan;
use crate::document::Document;
use crate::documents::Made;
use crate::error::NearError;
use dupi_base::storage::sealed::{FileKind, SealedRecords};
use dupi_index::index::search::Tick;

const COUNTS: FileKind = FileKind { magic: b"dupi cnt", version: 1, remedy: REMEDY };
const TALLY: FileKind = FileKind { magic: b"dupi tly", version: 1, remedy: REMEDY };
/// The verb that makes the counts of a block.
const COUNTED_BY: &str = "segment shatter near";
/// The counts of all blocks are open at once: this share of the memory is for what is read of them ahead.
const BUFFERS_SHARE: u64 = 4;
/// Bytes of a stream that are read at once.
const BUFFER: usize = 1 << 18;
const LEAST_BUFFER: usize = 1 << 12;

/// Writes how many documents of a block have each feature.
pub(super) fn write_counts(
    plan: &BlockPlan,
    block: u32,
    made: &Made<(Document, Kept)>,
) -> Result<(), BlockError> {
    let features = made.documents.iter().flat_map(|(_, (_, kept))| &kept.numbers);
    let mut all: Vec<u64> = features.copied().collect();
    all.par_sort_unstable();
    let mut stream = COUNTS.create(&plan.folder, &plan.counts_name(block), &[])?;
    for same in all.chunk_by(|a, b| a == b) {
        stream.write(&same[0].to_le_bytes())?;
        stream.write(&(same.len() as u32).to_le_bytes())?;
    }
    stream.seal()?;
    Ok(())
}

/// Merges the counts of all blocks, and writes which features count. Returns the path. If it is there already, nothing is
/// done.
///
/// # Errors
/// When a block is missing or damaged, or when `tick` stops it.
pub fn tally(plan: &BlockPlan, tick: &Tick) -> Result<PathBuf, NearError> {
    let path = plan.folder.at(&plan.tally_name());
    let Some(bounds) = idf_bounds(plan.settings) else {
        return Err(BlockError::Unbounded.into());
    };
    if path.exists() {
        return Ok(path);
    }
    let raw = plan.raw();
    let mut documents = 0;
    for block in 0..plan.blocks() {
        documents += BlockFile::open(&raw, block)?.rows.len();
    }
    let each = plan.settings.memory / BUFFERS_SHARE / u64::from(plan.blocks());
    let buffer = each.clamp(LEAST_BUFFER as u64, BUFFER as u64) as usize;
    let open = |block| counts_of(plan, block, buffer);
    let mut streams = (0..plan.blocks()).map(open).collect::<Result<Vec<_>, _>>()?;
    let mut heads = BinaryHeap::new();
    for (number, stream) in streams.iter_mut().enumerate() {
        heads.extend(next_count(stream)?.map(|head| Reverse((head, number))));
    }
    let mut stream = TALLY.create(&plan.folder, &plan.tally_name(), &[]).map_err(BlockError::from)?;
    let (mut open, mut done) = (None, 0_u64);
    let mut close =
        |(feature, frequency): (u64, u64)| match bounds.is_within(documents as f64, frequency as f64) {
            true => stream.write(&feature.to_le_bytes()).map_err(BlockError::from),
            false => Ok(()),
        };
    while let Some(Reverse(((feature, count), number))) = heads.pop() {
        heads.extend(next_count(&mut streams[number])?.map(|head| Reverse((head, number))));
        open = match open {
            Some((same, before)) if same == feature => Some((feature, before + u64::from(count))),
            other => {
                other.map_or(Ok(()), &mut close)?;
                Some((feature, u64::from(count)))
            }
        };
        done += 1;
        if done.is_multiple_of(1 << 20) {
            tick(0.5)?;
        }
    }
    open.map_or(Ok(()), close)?;
    stream.seal().map_err(BlockError::from)?;
    Ok(path)
}

/// Makes the file of a block without the features that do not count, and returns its path. If it is there already, nothing is
/// done.
///
/// # Errors
/// When the block or the tally is missing or damaged.
pub fn bound(plan: &BlockPlan, block: u32) -> Result<PathBuf, NearError> {
    plan.part(block)?;
    let path = plan.folder.at(&plan.block_name(block));
    if BlockFile::open(plan, block).is_ok() {
        return Ok(path);
    }
    let raw = BlockFile::open(&plan.raw(), block)?;
    let kept = kept_of(plan, block)?;
    let numbers: Vec<u32> = (0..raw.rows.len() as u32).collect();
    let mut documents = Vec::with_capacity(raw.rows.len());
    raw.each(&numbers, |number, of| {
        let document = raw.rows[number as usize].document;
        let counted = of.numbers.iter().zip(&of.counts);
        let (numbers, counts) =
            counted.filter(|(feature, _)| kept.binary_search(feature).is_ok()).map(|(a, b)| (*a, *b)).unzip();
        documents.push((document.id, (document, Kept { numbers, counts })));
    })?;
    write(plan, block, &Made { documents, too_large: raw.too_large })?;
    Ok(path)
}

/// The features of a block that count, ascending.
fn kept_of(plan: &BlockPlan, block: u32) -> Result<Vec<u64>, BlockError> {
    let mut counts = counts_of(plan, block, BUFFER)?;
    let name = plan.tally_name();
    let tally = plan.open(&TALLY, &name, format!("file {name}"), "segment tally near")?;
    let mut tally: SealedRecords<8> = tally.into_records(BUFFER)?;
    let mut feature = || tally.read().map(|record| record.map(u64::from_le_bytes));
    let (mut kept, mut next) = (Vec::new(), feature()?);
    while let Some((counted, _)) = next_count(&mut counts)? {
        while next.is_some_and(|next| next < counted) {
            next = feature()?;
        }
        kept.extend(next.filter(|next| *next == counted));
    }
    // To its end, so that its checksum is known to be right.
    while next.is_some() {
        next = feature()?;
    }
    Ok(kept)
}

/// The counts of a block; `buffer` bytes are read at once.
fn counts_of(plan: &BlockPlan, block: u32, buffer: usize) -> Result<SealedRecords<12>, BlockError> {
    let name = plan.counts_name(block);
    Ok(plan.open(&COUNTS, &name, format!("file {name}"), COUNTED_BY)?.into_records(buffer)?)
}

/// The next feature of a block and its count.
fn next_count(counts: &mut SealedRecords<12>) -> Result<Option<(u64, u32)>, BlockError> {
    let number = |record: [u8; 12]| {
        let (feature, count) = record.split_at(8);
        let feature = feature.first_chunk().copied().unwrap_or_default();
        let count = count.first_chunk().copied().unwrap_or_default();
        (u64::from_le_bytes(feature), u32::from_le_bytes(count))
    };
    Ok(counts.read()?.map(number))
}
