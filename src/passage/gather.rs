//! Reads the stretches of all documents in which passages can occur, as token hashes.
//!
//! In any run of tokens that occurs twice, each winnowing window keeps a repeated tile. So a passage lies where
//! repeated kept tiles follow each other closely, and around them. Only these stretches are kept: in memory, and beyond a
//! part of it in scratch files.
//!
//! The byte spans of their tokens are varints (LEB128, by the crate integer-encoding): the gap before a token and its
//! length, usually one byte each.

mod assemble;
mod block;
mod block_number;
mod chunk;
mod equal_files;
mod line_starts;
mod place_index;
mod read;
mod resting;
mod stretch;

use std::ops::Range;

use integer_encoding::VarInt;

pub(super) use block::{Block, stretches_in, write as write_block};
pub(super) use block_number::BlockIdentity;
pub use block_number::BlockNumber;
use chunk::Chunk;
pub(super) use place_index::PlaceIndex;
use read::{LARGEST_SHARE, ReadFiles};
use resting::Resting;
pub use stretch::StretchCriteria;
pub use stretch::SuppressedTokens;
pub use stretch::TokenStretch;
pub use stretch::{FlagsOf, SourceDocument};

use super::numbers::Numbers;
use crate::measure::TokenRun;
use dupi_index::index::repeated::Repeated;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::ByteSpan;
use dupi_index::query::current::largest;

/// From this number of tokens on, the memory that a stage frees is returned to the system before the next stage.
const MANY: u32 = 1 << 22;

/// All stretches of a snapshot, sorted by path.
pub struct Gathered {
    /// The documents.
    pub sources: Vec<SourceDocument>,
    /// The stretches.
    pub stretches: Vec<TokenStretch>,
    /// Which of the tokens are numbers.
    pub numbers: Numbers,
    /// What marks suppress, sorted by document and token.
    pub suppressed: Vec<SuppressedTokens>,
    chunks: Vec<Chunk>,
    index: PlaceIndex,
    /// While there are tokens in scratch files.
    resting: Option<Resting>,
}

impl Gathered {
    /// Reads the documents of a snapshot. Without `repeated`, every document is gathered as a whole. What exceeds a part
    /// of the `memory`, in bytes, goes to scratch files in the index's folder. Also returns how many files were skipped
    /// because their tokens would exceed the half of it.
    pub fn read(
        snapshot: &Snapshot,
        repeated: Option<&Repeated>,
        wanted: StretchCriteria,
        flags_of: FlagsOf,
        memory: u64,
        tick: &Tick,
    ) -> Result<(Self, u64), SearchError> {
        let place = (None, snapshot.folder());
        let read = ReadFiles::read(snapshot, repeated, (wanted, flags_of), memory, place, tick)?;
        Ok((Self::resting(read.chunks, read.numbers, memory)?, read.too_large))
    }

    /// The size in bytes of the largest file that is read within this memory limit.
    pub(super) fn largest(memory: u64) -> u64 {
        largest(memory / LARGEST_SHARE)
    }

    /// What was gathered of some chunks. Scratch files rest by themselves.
    fn resting(chunks: Vec<Chunk>, numbers: Numbers, memory: u64) -> Result<Self, SearchError> {
        let scratches: Vec<_> = chunks.iter().filter_map(|chunk| chunk.scratch.clone()).collect();
        let mut gathered = Self::of(chunks, numbers)?;
        gathered.resting = Resting::new(scratches, memory);
        tracing::debug!(tokens = gathered.len(), stretches = gathered.stretches.len(), "gathered");
        Ok(gathered)
    }

    /// The number of gathered tokens.
    pub fn len(&self) -> u32 {
        self.stretches.last().map_or(0, |last| last.base + last.len)
    }

    /// Whether nothing was gathered.
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// Whether the corpus is large enough to return freed memory to the system between stages.
    pub fn is_large(&self) -> bool {
        self.len() > MANY
    }

    /// The hashes of a stretch's tokens.
    pub fn tokens(&self, stretch: &TokenStretch) -> &[u64] {
        let at = stretch.at as usize;
        let chunk = &self.chunks[stretch.chunk as usize];
        self.will_read(chunk, u64::from(stretch.len) * size_of::<u64>() as u64);
        &chunk.tokens()[at..at + stretch.len as usize]
    }

    /// The hashes of a run's tokens.
    pub fn tokens_of(&self, run: &TokenRun) -> &[u64] {
        let stretch = &self.stretches[self.stretch_at(run.place)];
        let start = (run.place - stretch.base) as usize;
        &self.tokens(stretch)[start..start + run.tokens as usize]
    }

    /// Notes the number of bytes of a chunk that are read next.
    fn will_read(&self, chunk: &Chunk, bytes: u64) {
        if let Some(resting) = self.resting.as_ref().filter(|_| chunk.scratch.is_some()) {
            resting.will_read(bytes);
        }
    }

    /// How many lines of the document have tokens, and all of them in a range of places within one stretch.
    pub fn whole_lines(&self, places: Range<u32>) -> u32 {
        let stretch = &self.stretches[self.stretch_at(places.start)];
        let bit = |place: u32| stretch.lines + (place - stretch.base);
        // Each line ends where the next one begins, at the latest behind the range.
        let begun = self.chunks[stretch.chunk as usize].lines.count(bit(places.start)..bit(places.end) + 1);
        begun.saturating_sub(1)
    }

    /// The hashes of the names in a run, where they are folded, and 0 elsewhere; empty if they were not wanted.
    pub(super) fn names_of(&self, run: &TokenRun) -> &[u32] {
        let stretch = &self.stretches[self.stretch_at(run.place)];
        let start = (stretch.at + (run.place - stretch.base)) as usize;
        self.chunks[stretch.chunk as usize].names.get(start..start + run.tokens as usize).unwrap_or_default()
    }

    /// The spans of a stretch's tokens in the text of their file, in order.
    pub fn spans(&self, stretch: &TokenStretch) -> impl Iterator<Item = ByteSpan> + '_ {
        let chunk = &self.chunks[stretch.chunk as usize];
        // Usually a token takes two bytes of them.
        self.will_read(chunk, u64::from(stretch.len) * 2);
        let bytes = chunk.spans();
        let (mut at, mut end) = (stretch.spans as usize, 0);
        (0..stretch.len).map_while(move |_| {
            let (gap, gap_len) = u64::decode_var(&bytes[at..])?;
            let (len, len_len) = u64::decode_var(&bytes[at + gap_len..])?;
            at += gap_len + len_len;
            let start = end + gap;
            end = start + len;
            Some(ByteSpan { start, end })
        })
    }

    /// The index of the stretch that contains a place.
    pub fn stretch_at(&self, place: u32) -> usize {
        self.index.stretch_at(&self.stretches, place)
    }

    /// Leaves out the stretches in which no run of some groups lies.
    pub fn keep_with_runs<'g>(&mut self, runs: impl Iterator<Item = &'g TokenRun>) {
        let mut has_run = vec![false; self.stretches.len()];
        runs.for_each(|run| has_run[self.stretch_at(run.place)] = true);
        let mut has_run = has_run.into_iter();
        self.stretches.retain(|_| has_run.next() == Some(true));
        self.index = PlaceIndex::new(&self.stretches);
    }
}
