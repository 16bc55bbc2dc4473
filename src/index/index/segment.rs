//! A segment: one sealed file with the runs of all shards and the table of its documents.
//!
//! ```text
//! magic · version u32
//! blocks of shard 0 … blocks of shard 63
//! directory of shard 0 … directory of shard 63
//! table
//! footer   (blocks end u64 · directory end u64 · blots u64 · postings u64) per shard ·
//!          table end u64 · tokens u64 · bytes u64 · checksum of directories and table u64
//! checksum of the footer u64 · magic
//! ```
//!
//! Opening a segment checks everything except the blocks, which are checked when they are read.

use std::mem;
use std::ops::Range;
use std::path::PathBuf;

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::block::{Corrupt, PostingBlock};
use super::home::SegmentName;
use super::posting::{self, PartRef, Posting, SHARDS};
use super::run::{Directory, EncodedRun, RunCounts, RunWriter};
use super::sketches::SketchRows;
use super::table::{Table, TableView};
use super::{FORMAT_VERSION, IndexError, check_version};
use dupi_base::storage::map::FileBytes;
use dupi_base::storage::{Draft, Folder, StorageError};
use dupi_text::blot::Blot;

const MAGIC: &[u8; 8] = b"dupi seg";
const HEAD: u64 = 12;
const FOOTER: usize = SHARDS * 32 + 32;
const TRAILER: usize = 16;
/// How many shards are sorted and encoded before they are written: enough to keep all cores busy, few enough to fit
/// into memory.
const SHARDS_AT_ONCE: usize = 8;

/// The result of shattering some files, before it is sealed.
pub struct Batch {
    /// The files, documents and parts.
    pub table: Table,
    /// The postings of each shard, in any order; parts are numbered within this batch.
    pub shards: Vec<Vec<Posting>>,
    /// The sketches of the documents, if they are kept.
    pub sketches: Option<SketchRows>,
}

impl Default for Batch {
    fn default() -> Self {
        Self::with_room(0)
    }
}

impl Batch {
    /// An empty batch with room for about this many postings.
    pub fn with_room(postings: usize) -> Self {
        let shard = || Vec::with_capacity(postings / SHARDS);
        Self { table: Table::default(), shards: (0..SHARDS).map(|_| shard()).collect(), sketches: None }
    }

    /// The number of postings.
    pub fn postings(&self) -> usize {
        self.shards.iter().map(Vec::len).sum()
    }
}

/// Writes a segment: first the runs, shard by shard, then the table.
pub struct SegmentWriter {
    draft: Draft,
    name: String,
    directories: Vec<u8>,
    footer: Vec<u8>,
    shards: usize,
}

impl SegmentWriter {
    /// Begins the segment `name` in `folder`.
    pub fn create(folder: &Folder, name: &str) -> Result<Self, IndexError> {
        let mut draft = folder.draft(name)?;
        draft.write(MAGIC)?;
        draft.write(&FORMAT_VERSION.to_le_bytes())?;
        let (directories, footer) = (Vec::new(), Vec::with_capacity(FOOTER));
        Ok(Self { draft, name: name.to_owned(), directories, footer, shards: 0 })
    }

    /// Adds the runs of all shards, group by group: one group is written while the next is encoded.
    pub fn push_runs<G: Send>(
        &mut self,
        groups: impl IntoIterator<Item = G>,
        encode: impl Fn(G) -> Result<Vec<EncodedRun>, IndexError> + Sync,
    ) -> Result<(), IndexError> {
        let mut ready = Vec::new();
        for group in groups {
            let (written, encoded) = rayon::join(|| self.write_runs(&ready), || encode(group));
            written?;
            ready = encoded?;
        }
        self.write_runs(&ready)
    }

    /// Adds the runs of the next shards.
    fn write_runs(&mut self, runs: &[EncodedRun]) -> Result<(), IndexError> {
        for EncodedRun { blocks, directory, counts } in runs {
            self.draft.write(blocks)?;
            self.directories.extend_from_slice(directory);
            self.shards += 1;
            let ends = [self.draft.written(), self.directories.len() as u64, counts.blots, counts.postings];
            self.footer.extend_from_slice(ends.map(u64::to_le_bytes).as_flattened());
        }
        Ok(())
    }

    /// Adds the table and seals the file.
    pub fn seal(mut self, table: &Table) -> Result<SegmentName, IndexError> {
        debug_assert_eq!(self.shards, SHARDS);
        let tokens: u64 = table.documents.iter().map(|document| u64::from(document.tokens)).sum();
        let bytes = table.files.iter().map(|file| file.stamp.size).sum();
        let table = table.encode();
        self.draft.write(&self.directories)?;
        self.draft.write(&table)?;
        let mut sum = Xxh3::new();
        sum.update(&self.directories);
        sum.update(&table);
        for value in [self.draft.written(), tokens, bytes, sum.digest()] {
            self.footer.extend_from_slice(&value.to_le_bytes());
        }
        let checksum = xxh3_64(&self.footer);
        self.draft.write(&self.footer)?;
        self.draft.write(&checksum.to_le_bytes())?;
        self.draft.write(MAGIC)?;
        let length = self.draft.written();
        self.draft.seal()?;
        Ok(SegmentName { name: self.name, length, checksum })
    }
}

/// Seals batches as one segment. Their parts are numbered consecutively.
///
/// # Errors
/// [`IndexError::Full`] when they have more parts than a segment can have.
pub fn seal_batches(folder: &Folder, name: &str, batches: Vec<Batch>) -> Result<SegmentName, IndexError> {
    let mut table = Table::default();
    let mut shards: Vec<Vec<(u32, Vec<Posting>)>> = (0..SHARDS).map(|_| Vec::new()).collect();
    for batch in batches {
        let base = table.parts.len() as u32;
        table.append(batch.table);
        for (shard, postings) in shards.iter_mut().zip(batch.shards) {
            shard.push((base, postings));
        }
    }
    if table.parts.len() > posting::MAX_PARTS as usize {
        return Err(IndexError::Full(posting::MAX_PARTS));
    }
    let parts = table.parts.len() as u32;
    let mut writer = SegmentWriter::create(folder, name)?;
    writer.push_runs(shards.chunks_mut(SHARDS_AT_ONCE), |some| {
        Ok(some.par_iter_mut().map(|pieces| encode_shard(mem::take(pieces), parts)).collect())
    })?;
    writer.seal(&table)
}

fn encode_shard(pieces: Vec<(u32, Vec<Posting>)>, parts: u32) -> EncodedRun {
    let postings = posting::sort_and_fold(&pieces);
    drop(pieces);
    let mut run = RunWriter::new(parts);
    run.push_sorted(&postings);
    run.finish()
}

/// An open segment.
#[derive(Debug)]
pub struct Segment {
    file: FileBytes,
    path: PathBuf,
    name: SegmentName,
    footer: SegmentFooter,
    parts: u32,
}

#[derive(Debug)]
struct SegmentFooter {
    shards: Vec<ShardEnds>,
    directories_start: u64,
    table_start: u64,
    table_end: u64,
    tokens: u64,
    checksum: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct ShardEnds {
    blocks: u64,
    directory: u64,
    counts: RunCounts,
}

impl Segment {
    /// Opens and checks a segment that the manifest names.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] or [`IndexError::Version`].
    pub fn open(folder: &Folder, name: &SegmentName) -> Result<Self, IndexError> {
        let path = folder.at(&name.name);
        let file = name.open(folder)?;
        let version = file.get(8..12).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
        match version {
            Some(version) if file.starts_with(MAGIC) => {
                check_version(&path, version, FORMAT_VERSION..=FORMAT_VERSION)?;
            }
            _ => return Err(IndexError::damaged(path, "it does not begin like a segment")),
        }
        let footer = SegmentFooter::read(&file, name.checksum)
            .ok_or_else(|| IndexError::damaged(&path, "its footer does not agree with the checksum"))?;
        let mut segment = Self { file, path, name: name.clone(), footer, parts: 0 };
        segment.file.expect(segment.footer.directories_start, segment.footer.table_end);
        let checked = segment.slice(segment.footer.directories_start, segment.footer.table_end);
        if xxh3_64(checked) != segment.footer.checksum {
            return Err(IndexError::damaged(&segment.path, "its content does not agree with its checksum"));
        }
        segment.parts = match segment.table_view() {
            Some(table) if table.is_sound() => table.part_count() as u32,
            _ => return Err(IndexError::damaged(&segment.path, "its table contradicts itself")),
        };
        Ok(segment)
    }

    /// The reference in the manifest.
    pub fn name(&self) -> &SegmentName {
        &self.name
    }

    /// Its files, documents and parts.
    pub fn table(&self) -> TableView<'_> {
        self.table_view().expect("opening has checked the table")
    }

    /// The number of parts.
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// The places of a blot, decoded into `block`.
    pub fn find<'b>(&self, blot: Blot, block: &'b mut PostingBlock) -> Result<&'b [PartRef], IndexError> {
        let shard = posting::shard_of(blot);
        let Range { start, end } = self.blocks(shard);
        let found =
            self.directory(shard).find(self.slice(start, end), posting::key_of(blot), self.parts, block);
        found.map_err(|corrupt| self.corrupt(corrupt))
    }

    /// The directory of a shard's run.
    pub fn directory(&self, shard: usize) -> Directory<'_> {
        let base = self.footer.directories_start;
        Directory::new(
            self.slice(base + self.before(shard).directory, base + self.footer.shards[shard].directory),
        )
    }

    /// The size of a shard's blocks in bytes.
    pub fn shard_bytes(&self, shard: usize) -> u64 {
        let Range { start, end } = self.blocks(shard);
        end - start
    }

    /// Copies a byte range of a shard's blocks by reading the file.
    pub fn copy_blocks(
        &self,
        shard: usize,
        span: Range<usize>,
        into: &mut Vec<u8>,
    ) -> Result<(), IndexError> {
        let Range { start, end } = self.blocks(shard);
        if span.end as u64 > end - start {
            return Err(self.corrupt(Corrupt("a block is outside of its run")));
        }
        into.resize(span.len(), 0);
        let copied = self.file.copy(start + span.start as u64, into);
        Ok(copied.map_err(StorageError::during("read", &self.path))?)
    }

    /// The number of tokens of its documents.
    pub fn tokens(&self) -> u64 {
        self.footer.tokens
    }

    /// The counts of all shards.
    pub fn counts(&self) -> RunCounts {
        self.footer.shards.iter().fold(RunCounts::default(), |sum, shard| RunCounts {
            blots: sum.blots + shard.counts.blots,
            postings: sum.postings + shard.counts.postings,
        })
    }

    /// The error of a corrupt block of this segment.
    pub(super) fn corrupt(&self, corrupt: Corrupt) -> IndexError {
        IndexError::damaged(&self.path, corrupt.0)
    }

    /// The error of an invalid key.
    pub(super) fn out_of_range(&self) -> IndexError {
        self.corrupt(Corrupt("a key is out of range"))
    }

    /// The encoded table.
    pub fn table_bytes(&self) -> &[u8] {
        self.slice(self.footer.table_start, self.footer.table_end)
    }

    fn table_view(&self) -> Option<TableView<'_>> {
        TableView::new(self.table_bytes())
    }

    /// The byte range of a shard's blocks in the file.
    fn blocks(&self, shard: usize) -> Range<u64> {
        self.before(shard).blocks..self.footer.shards[shard].blocks
    }

    fn before(&self, shard: usize) -> ShardEnds {
        match shard.checked_sub(1) {
            Some(before) => self.footer.shards[before],
            None => ShardEnds { blocks: HEAD, ..ShardEnds::default() },
        }
    }

    /// Bytes between two offsets of the footer, which `SegmentFooter::read` checked.
    fn slice(&self, start: u64, end: u64) -> &[u8] {
        &self.file[start as usize..end as usize]
    }
}

impl SegmentFooter {
    /// Reads the footer of a file. `None` if it does not agree with the checksum, or its offsets do not ascend
    /// within the file.
    fn read(file: &[u8], checksum: u64) -> Option<Self> {
        let end = file.len().checked_sub(TRAILER)?;
        let bytes = file.get(end.checked_sub(FOOTER)?..end)?;
        if xxh3_64(bytes) != checksum {
            return None;
        }
        let mut numbers = bytes
            .chunks_exact(8)
            .map(|number| number.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)));
        let mut next = || numbers.next();
        let mut shards = Vec::with_capacity(SHARDS);
        let mut before = ShardEnds { blocks: HEAD, ..ShardEnds::default() };
        for _ in 0..SHARDS {
            let ends = ShardEnds {
                blocks: next()?,
                directory: next()?,
                counts: RunCounts { blots: next()?, postings: next()? },
            };
            if ends.blocks < before.blocks || ends.directory < before.directory {
                return None;
            }
            before = ends;
            shards.push(ends);
        }
        let footer = Self {
            directories_start: before.blocks,
            table_start: before.blocks.checked_add(before.directory)?,
            table_end: next()?,
            tokens: next()?,
            checksum: next().and(next())?,
            shards,
        };
        (footer.table_start <= footer.table_end && footer.table_end == (end - FOOTER) as u64)
            .then_some(footer)
    }
}

#[cfg(test)]
#[path = "segment_tests.rs"]
mod tests;
