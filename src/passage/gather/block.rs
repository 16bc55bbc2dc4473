//! A block: what was gathered of some files of a corpus, in a sealed file that another process made. Its head says what the
//! block is of, and what else was gathered besides the data (`tail`). The body has the data:
//!
//! ```text
//! of each chunk: tokens u64 each · spans · names u32 each · zeros up to a multiple of eight
//! ```
//!
//! Numbers of fixed width are little-endian. Tokens and spans are mapped where that is safe.

mod join;
mod tail;

use std::sync::Arc;

use integer_encoding::VarInt;

use super::block_number::BlockIdentity;
use super::chunk::Chunk;
use super::read::ReadFiles;
use crate::block_error::BlockError;
use crate::gather::stretch::FlagsOf;
use crate::gather::stretch::StretchCriteria;
use dupi_base::storage::sealed::{FileKind, SealedError, SealedFile};
use dupi_base::storage::{Folder, StorageError};
use dupi_index::index::repeated::Repeated;
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::current::ChangedFile;
use tail::{ChunkPart, Tail};

const BLOCK: FileKind = FileKind {
    name: "the block",
    magic: b"dupi blk",
    version: 4,
    remedy: "remove it, and make it again with `dupi-tui segment query passages`",
};

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
    (repeated, wanted, flags_of): (Option<&Repeated>, StretchCriteria, FlagsOf),
    identity: BlockIdentity,
    memory: u64,
    (folder, name): (&Folder, &str),
    tick: &Tick,
) -> Result<(), BlockError> {
    let place = (Some(identity.block), folder);
    let ReadFiles { chunks, numbers, too_large, changed } =
        ReadFiles::read(snapshot, repeated, (wanted, flags_of), memory, place, tick)?;
    // A block that lacks documents would be taken for done.
    if let Some(sentence) = snapshot.unread().take_message() {
        return Err(BlockError::Unread(sentence));
    }
    if let Some(ChangedFile { path, what }) = changed {
        let path = snapshot.manifest().corpus.absolute(&path);
        return Err(BlockError::Changed { path, what });
    }
    let tail = tail::encode(&identity, too_large, &chunks, &numbers);
    let written = || -> Result<(), StorageError> {
        let mut file = BLOCK.create(folder, name, &tail)?;
        for chunk in &chunks {
            file.write_numbers(chunk.tokens(), u64::to_le_bytes)?;
            file.write(chunk.spans())?;
            file.write_numbers(&chunk.names, u32::to_le_bytes)?;
            file.align()?;
            // It is not needed again.
            chunk.scratch.iter().for_each(|scratch| scratch.rest());
        }
        file.seal().map(drop)
    };
    written().map_err(|error| BlockError::File(error.into()))
}

impl Block {
    /// Opens a block of a snapshot. What it is of is asked before the rest is read.
    pub(crate) fn open(
        folder: &Folder,
        name: &str,
        snapshot: &Snapshot,
        is_meant: impl Fn(&BlockIdentity) -> Result<(), BlockError>,
    ) -> Result<Self, BlockError> {
        let file = BLOCK.open(folder, name)?;
        let invalid = || file.damaged("its numbers contradict each other");
        let (identity, rest) = tail::identity(file.head()).ok_or_else(invalid)?;
        is_meant(&identity)?;
        file.check()?;
        let is_document = |id: DocumentId| {
            let live = snapshot.segments().get(id.segment as usize);
            live.is_some_and(|live| (id.document as usize) < live.segment().table().document_count())
        };
        let Tail { too_large, numbers, chunks: parts } =
            tail::decode(rest, &is_document).ok_or_else(invalid)?;
        let (mut at, mut chunks) = (0_u64, Vec::with_capacity(parts.len()));
        for part in parts {
            let length = part.bytes().ok_or_else(invalid)?;
            let next = at.checked_add(length).ok_or_else(invalid)?;
            let chunk = filled(part, &file, at)?;
            if !has_spans(&chunk) {
                return Err(invalid().into());
            }
            chunk.scratch.iter().for_each(|scratch| scratch.rest());
            chunks.push(chunk);
            at = next;
        }
        match at == file.length() {
            true => Ok(Self { identity, chunks, numbers, too_large }),
            false => Err(invalid().into()),
        }
    }
}

/// A chunk with its tokens, spans and names, which begin at a place in the body.
fn filled(part: ChunkPart<Chunk>, file: &SealedFile, at: u64) -> Result<Chunk, SealedError> {
    let ChunkPart { mut chunk, tokens, spans, names } = part;
    if tokens > 0 {
        chunk.scratch = Some(Arc::new(file.numbers(at, tokens, spans)?));
        let at = at + tokens as u64 * 8 + spans as u64;
        let names = file.read_body(at..at + names as u64 * 4)?;
        chunk.names = names.as_chunks().0.iter().map(|name| u32::from_le_bytes(*name)).collect();
    }
    Ok(chunk)
}

/// How many stretches the end of a block has; `None` if its bytes are invalid. No checksum protects them.
pub(crate) fn stretches_in(tail: &[u8]) -> Option<usize> {
    let (_, rest) = tail::identity(tail)?;
    let parts = tail::decode(rest, &|_| true)?;
    Some(parts.chunks.iter().map(|part| part.chunk.stretches.len()).sum())
}

/// Whether each token of the stretches has a span.
fn has_spans(chunk: &Chunk) -> bool {
    let number = |spans: &mut &[u8]| {
        let (number, length) = u64::decode_var(spans)?;
        *spans = &spans[length..];
        Some(number)
    };
    chunk.stretches.iter().filter(|stretch| stretch.len > 0).all(|stretch| {
        let mut spans = chunk.spans().get(stretch.spans as usize..).unwrap_or_default();
        // The gap before a token, and its length.
        let end =
            (0..u64::from(stretch.len) * 2).try_fold(0_u64, |end, _| end.checked_add(number(&mut spans)?));
        end.is_some()
    })
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
