//! The bounds of `--idf-min` and `--idf-max`, by the frequencies of all blocks: each block counts its own documents, the sorted
//! counts are merged ([`tally`]), and what is left out is then left out of each block ([`bound`]).
//!
//! ```text
//! counts of a block   feature · how many of its documents have it   (8 bytes, 4 bytes; ascending)
//! tally               feature that counts                           (8 bytes; ascending)
//! ```
//!
//! Both end with the xxh3-64 of all before. They are read and written in a stream.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::PathBuf;

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use super::block_file::{BlockFile, write};
use super::error::BlockError;
use super::making::{Kept, idf_bounds};
use super::plan::BlockPlan;
use crate::document::Document;
use crate::documents::Made;
use crate::error::NearError;
use dupi_base::storage::{Draft, StorageError};
use dupi_passage::Tick;

/// The verb that makes the counts of a block.
const COUNTED_BY: &str = "segment shatter near";
/// The counts of all blocks are open at once: this share of the memory is for what is read of them ahead.
const BUFFERS_SHARE: u64 = 4;
/// Bytes of a stream that are read at once.
const BUFFER: usize = 1 << 18;
const LEAST_BUFFER: usize = 1 << 12;

/// Writes how many documents of a block have each feature.
pub(super) fn count(plan: &BlockPlan, block: u32, made: &Made<(Document, Kept)>) -> Result<(), BlockError> {
    let features = made.documents.iter().flat_map(|(_, (_, kept))| &kept.numbers);
    let mut all: Vec<u64> = features.copied().collect();
    all.par_sort_unstable();
    let mut stream = Writer::new(plan.folder.draft_unique(&plan.counts_name(block))?);
    for same in all.chunk_by(|a, b| a == b) {
        stream.write(&same[0].to_le_bytes())?;
        stream.write(&(same.len() as u32).to_le_bytes())?;
    }
    stream.seal()
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
    let open = |block| Reader::<12>::open(plan, &plan.counts_name(block), COUNTED_BY, buffer);
    let mut streams = (0..plan.blocks()).map(open).collect::<Result<Vec<_>, _>>()?;
    let mut heads = BinaryHeap::new();
    for (number, stream) in streams.iter_mut().enumerate() {
        heads.extend(stream.count()?.map(|head| Reverse((head, number))));
    }
    let draft = plan.folder.draft_unique(&plan.tally_name()).map_err(BlockError::from)?;
    let mut stream = Writer::new(draft);
    let (mut open, mut done) = (None, 0_u64);
    let mut close =
        |(feature, frequency): (u64, u64)| match bounds.is_within(documents as f64, frequency as f64) {
            true => stream.write(&feature.to_le_bytes()),
            false => Ok(()),
        };
    while let Some(Reverse(((feature, count), number))) = heads.pop() {
        heads.extend(streams[number].count()?.map(|head| Reverse((head, number))));
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
    stream.seal()?;
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
    let mut counts = Reader::<12>::open(plan, &plan.counts_name(block), COUNTED_BY, BUFFER)?;
    let mut tally = Reader::<8>::open(plan, &plan.tally_name(), "segment tally near", BUFFER)?;
    let (mut kept, mut next) = (Vec::new(), tally.feature()?);
    while let Some((feature, _)) = counts.count()? {
        while next.is_some_and(|next| next < feature) {
            next = tally.feature()?;
        }
        kept.extend(next.filter(|next| *next == feature));
    }
    // To its end, so that its checksum is known to be right.
    while next.is_some() {
        next = tally.feature()?;
    }
    Ok(kept)
}

/// A stream that ends with its checksum.
struct Writer {
    draft: Draft,
    hash: Xxh3,
}

impl Writer {
    fn new(draft: Draft) -> Self {
        Self { draft, hash: Xxh3::new() }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), BlockError> {
        self.hash.update(bytes);
        Ok(self.draft.write(bytes)?)
    }

    fn seal(mut self) -> Result<(), BlockError> {
        self.draft.write(&self.hash.digest().to_le_bytes())?;
        Ok(self.draft.seal()?)
    }
}

/// Reads such a stream of records of N bytes.
struct Reader<const N: usize> {
    stream: BufReader<File>,
    path: PathBuf,
    hash: Xxh3,
    records: u64,
}

impl<const N: usize> Reader<N> {
    /// Opens a stream, which a verb makes; `buffer` bytes are read at once.
    fn open(plan: &BlockPlan, name: &str, verb: &'static str, buffer: usize) -> Result<Self, BlockError> {
        let path = plan.folder.at(name);
        let file = plan.folder.open(name).map_err(|error| match error.source.kind() {
            ErrorKind::NotFound => plan.missing(format!("file {name}"), verb),
            _ => error.into(),
        })?;
        let length = file.metadata().map_err(StorageError::of("read", &path))?.len();
        let whole = length.checked_sub(8).filter(|records| records.is_multiple_of(N as u64));
        let Some(whole) = whole else {
            return Err(BlockError::Damaged { path, detail: "its length is wrong" });
        };
        let stream = BufReader::with_capacity(buffer, file);
        Ok(Self { stream, path, hash: Xxh3::new(), records: whole / N as u64 })
    }

    fn next(&mut self) -> Result<Option<[u8; N]>, BlockError> {
        let of_read = |path: &PathBuf| StorageError::of("read", path.clone());
        let Some(rest) = self.records.checked_sub(1) else {
            let mut checksum = [0; 8];
            match self.stream.read_exact(&mut checksum) {
                // It was read before.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
                read => read.map_err(of_read(&self.path))?,
            }
            return match u64::from_le_bytes(checksum) == self.hash.digest() {
                true => Ok(None),
                false => {
                    Err(BlockError::Damaged { path: self.path.clone(), detail: "its checksum is wrong" })
                }
            };
        };
        self.records = rest;
        let mut record = [0; N];
        self.stream.read_exact(&mut record).map_err(of_read(&self.path))?;
        self.hash.update(&record);
        Ok(Some(record))
    }
}

impl Reader<12> {
    /// The next feature and its count.
    fn count(&mut self) -> Result<Option<(u64, u32)>, BlockError> {
        let of = |record: [u8; 12]| {
            let (feature, count) = record.split_at(8);
            let count = count.first_chunk().copied().unwrap_or_default();
            (
                u64::from_le_bytes(feature.first_chunk().copied().unwrap_or_default()),
                u32::from_le_bytes(count),
            )
        };
        Ok(self.next()?.map(of))
    }
}

impl Reader<8> {
    /// The next feature.
    fn feature(&mut self) -> Result<Option<u64>, BlockError> {
        Ok(self.next()?.map(u64::from_le_bytes))
    }
}
