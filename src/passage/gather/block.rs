//! A block: what was gathered of some files of a corpus, in a file that another process made.
//!
//! ```text
//! magic · format version u32 · 0 u32
//! data     of each chunk: tokens u64 each · spans · names u32 each · zeros up to a multiple of eight
//! tail     what the block is of, and what else was gathered (`tail`)
//! trailer  length of the tail u64 · checksum of all before the tail u64 · checksum of the tail and of these 16 bytes u64
//! ```
//!
//! Numbers of fixed width are little-endian. Tokens and spans are mapped where that is safe.

mod join;
mod tail;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::block_number::BlockIdentity;
use super::chunk::Chunk;
use super::criteria::StretchCriteria;
use super::read::ReadFiles;
use crate::block_error::BlockError;
use crate::error::{PassageError, Tick};
use crate::varints::NumberReader;
use dupi_base::storage::{Draft, Folder, StorageError};
use dupi_index::index::map::{Scratch, SealedNumbers};
use dupi_index::index::repeated::Repeated;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::current::ChangedFile;
use tail::{ChunkPart, Parts, Tail};

const MAGIC: &[u8; 8] = b"dupi blk";
/// The version of the format.
const VERSION: u32 = 2;
const HEAD: u64 = 16;
const TRAILER: u64 = 24;
/// Bytes that are read or encoded at a time.
const PIECE: usize = 1 << 20;

/// A block that was opened and checked.
pub(crate) struct Block {
    /// What it is of.
    pub(crate) identity: BlockIdentity,
    chunks: Vec<Chunk>,
    /// The bits of the numbers.
    numbers: Vec<u32>,
    too_large: u64,
}

/// Gathers the wanted documents of a block, and writes them to a file of a folder, which is also that of scratch files.
pub(crate) fn write(
    snapshot: &Snapshot,
    (repeated, wanted): (Option<&Repeated>, StretchCriteria),
    identity: BlockIdentity,
    memory: u64,
    (folder, name): (&Folder, &str),
    tick: &Tick,
) -> Result<(), PassageError> {
    let place = (Some(identity.block), folder);
    let ReadFiles { chunks, numbers, too_large, changed } =
        ReadFiles::of(snapshot, repeated, wanted, memory, place, tick)?;
    // A block that lacks documents would be taken for done.
    if let Some(sentence) = snapshot.unread().take_message() {
        return Err(BlockError::Unread(sentence).into());
    }
    if let Some(ChangedFile { path, what }) = changed {
        let path = snapshot.manifest().corpus.absolute(&path);
        return Err(BlockError::Changed { path, what }.into());
    }
    let tail = tail::encode(&Tail { identity, too_large, chunks: &chunks, numbers: &numbers });
    let written = || -> Result<(), StorageError> {
        // Another attempt may be writing the same file.
        let mut file = SummedDraft { draft: folder.draft_unique(name)?, sum: Xxh3::new() };
        file.write(&[&MAGIC[..], &VERSION.to_le_bytes(), &[0; 4]].concat())?;
        for chunk in &chunks {
            file.numbers(chunk.tokens(), u64::to_le_bytes)?;
            file.write(chunk.spans())?;
            file.numbers(&chunk.names, u32::to_le_bytes)?;
            let end = file.draft.written();
            file.write(&[0; 8][..(end.next_multiple_of(8) - end) as usize])?;
            // It is not needed again.
            chunk.scratch.iter().for_each(|scratch| scratch.rest());
        }
        let sums = [tail.len() as u64, file.sum.digest()].map(u64::to_le_bytes).concat();
        file.draft.write(&tail)?;
        file.draft.write(&sums)?;
        file.draft.write(&xxh3_64(&[&tail[..], &sums].concat()).to_le_bytes())?;
        file.draft.seal()
    };
    written().map_err(|error| BlockError::from(error).into())
}

/// A draft with the checksum of what was written.
struct SummedDraft {
    draft: Draft,
    sum: Xxh3,
}

impl SummedDraft {
    fn write(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
        self.sum.update(bytes);
        self.draft.write(bytes)
    }

    fn numbers<T: Copy, const N: usize>(
        &mut self,
        numbers: &[T],
        bytes: impl Fn(T) -> [u8; N],
    ) -> Result<(), StorageError> {
        let mut pieces = numbers.chunks(PIECE / N);
        pieces.try_for_each(|piece| self.write(&piece.iter().flat_map(|&of| bytes(of)).collect::<Vec<u8>>()))
    }
}

impl Block {
    /// Opens a block of a snapshot. What it is of is asked before the rest is read.
    pub(crate) fn open(
        folder: &Folder,
        name: &str,
        snapshot: &Snapshot,
        is_meant: impl Fn(&BlockIdentity) -> Result<(), BlockError>,
    ) -> Result<Self, BlockError> {
        let file = BlockFile { file: folder.open(name)?, path: folder.at(name) };
        let length = file.file.metadata().map_err(StorageError::of("read", &file.path))?.len();
        let head = file.bytes(0, HEAD.min(length))?;
        let Some(version) = head.strip_prefix(MAGIC).and_then(|rest| rest.first_chunk()) else {
            return Err(file.damaged("it does not begin as a block does"));
        };
        if u32::from_le_bytes(*version) != VERSION {
            return Err(BlockError::Version(file.path));
        }
        let is_cut = || file.damaged("a part of it is missing");
        let end = length.checked_sub(TRAILER).filter(|end| *end >= HEAD).ok_or_else(is_cut)?;
        let trailer = file.bytes(end, TRAILER)?;
        let word = |at: usize| trailer[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        let data_end = end.checked_sub(word(0)).filter(|end| *end >= HEAD).ok_or_else(is_cut)?;
        let tail = file.bytes(data_end, end - data_end)?;
        let wrong = || file.damaged("it does not agree with its checksum");
        if xxh3_64(&[&tail[..], &trailer[..16]].concat()) != word(16) {
            return Err(wrong());
        }
        let (identity, rest) = tail::identity(&tail).ok_or_else(wrong)?;
        is_meant(&identity)?;
        if file.checksum(data_end)? != word(8) {
            return Err(wrong());
        }
        let invalid = || file.damaged("its numbers contradict each other");
        let is_document = |id: DocumentId| {
            let live = snapshot.segments().get(id.segment as usize);
            live.is_some_and(|live| (id.document as usize) < live.segment().table().document_count())
        };
        let Parts { too_large, numbers, chunks: parts } =
            tail::decode(rest, &is_document).ok_or_else(invalid)?;
        let map = SealedNumbers::of(&file.file).map_err(file.failed())?;
        let (mut at, mut chunks) = (HEAD, Vec::with_capacity(parts.len()));
        for part in parts {
            let length = part.bytes().ok_or_else(invalid)?;
            let next = at.checked_add(length).filter(|end| *end <= data_end).ok_or_else(invalid)?;
            let chunk = file.chunk(part, at, map.as_ref())?;
            if !has_spans(&chunk) {
                return Err(invalid());
            }
            chunk.scratch.iter().for_each(|scratch| scratch.rest());
            chunks.push(chunk);
            at = next;
        }
        if at == data_end { Ok(Self { identity, chunks, numbers, too_large }) } else { Err(invalid()) }
    }
}

/// How many stretches the end of a block has; `None` if its bytes are invalid. No checksum protects them.
pub(crate) fn stretches_in(tail: &[u8]) -> Option<usize> {
    let (_, rest) = tail::identity(tail)?;
    let parts = tail::decode(rest, &|_| true)?;
    Some(parts.chunks.iter().map(|part| part.chunk.stretches.len()).sum())
}

/// Whether each token of the stretches has a span.
fn has_spans(chunk: &Chunk) -> bool {
    let of_token = |reader: &mut NumberReader, end: u64| {
        let start = end.checked_add(reader.number()?)?;
        start.checked_add(reader.number()?)
    };
    chunk.stretches.iter().filter(|stretch| stretch.len > 0).all(|stretch| {
        let spans = chunk.spans().get(stretch.spans as usize..).unwrap_or_default();
        (0..stretch.len)
            .try_fold((NumberReader(spans), 0), |(mut reader, end), _| {
                let end = of_token(&mut reader, end)?;
                Some((reader, end))
            })
            .is_some()
    })
}

/// The open file of a block.
struct BlockFile {
    file: File,
    path: PathBuf,
}

impl BlockFile {
    fn damaged(&self, detail: &'static str) -> BlockError {
        BlockError::Damaged { path: self.path.clone(), detail }
    }

    fn failed(&self) -> impl FnOnce(io::Error) -> BlockError + use<> {
        let path = self.path.clone();
        move |error| StorageError::of("read", path)(error).into()
    }

    /// Some bytes that the file has.
    fn bytes(&self, at: u64, length: u64) -> Result<Vec<u8>, BlockError> {
        let mut bytes = vec![0; length as usize];
        self.file.read_exact_at(&mut bytes, at).map_err(self.failed())?;
        Ok(bytes)
    }

    /// A chunk of which the tokens begin at a place. The file has them.
    fn chunk(&self, part: ChunkPart, at: u64, map: Option<&SealedNumbers>) -> Result<Chunk, BlockError> {
        let ChunkPart { mut chunk, tokens, spans, names } = part;
        if tokens == 0 {
            return Ok(chunk);
        }
        let spans_at = at + tokens as u64 * 8;
        match map.and_then(|map| Scratch::of_sealed(map, at, tokens, spans)) {
            Some(mapped) => chunk.scratch = Some(Arc::new(mapped)),
            None => {
                let bytes = self.bytes(at, tokens as u64 * 8)?;
                chunk.tokens = bytes.as_chunks().0.iter().map(|token| u64::from_le_bytes(*token)).collect();
                chunk.spans = self.bytes(spans_at, spans as u64)?;
            }
        }
        let names = self.bytes(spans_at + spans as u64, names as u64 * 4)?;
        chunk.names = names.as_chunks().0.iter().map(|name| u32::from_le_bytes(*name)).collect();
        Ok(chunk)
    }

    /// The checksum of the bytes up to an end.
    fn checksum(&self, end: u64) -> Result<u64, BlockError> {
        let (mut sum, mut piece, mut at) = (Xxh3::new(), vec![0; PIECE], 0);
        while at < end {
            let length = (end - at).min(PIECE as u64);
            let piece = &mut piece[..length as usize];
            self.file.read_exact_at(piece, at).map_err(self.failed())?;
            sum.update(piece);
            at += length;
        }
        Ok(sum.digest())
    }
}

#[cfg(test)]
mod tests {
    use super::super::stretch::TokenStretch;
    use super::*;

    #[test]
    fn each_token_has_a_span() {
        let has = |spans: &[u8], len| {
            let stretch =
                TokenStretch { document: 0, base: 0, first: 0, len, chunk: 0, at: 0, spans: 1, lines: 0 };
            has_spans(&Chunk { stretches: vec![stretch], spans: spans.to_vec(), ..Chunk::default() })
        };
        assert!(has(&[9, 1, 2, 0x80, 1, 4], 2) && has(&[], 0));
        assert!(!has(&[9, 1, 2, 3], 2), "a length is missing");
        assert!(!has(&[9, 1, 2, 0x80], 2), "a number is cut");
        let largest = [0xff; 9].into_iter().chain([1]);
        let beyond: Vec<u8> = [9, 1].into_iter().chain(largest).collect();
        assert!(!has(&beyond, 1), "the sum is too large");
    }
}
