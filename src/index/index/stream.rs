//! Sequential reading of the posting lists of a shard, in one segment or merged over several.
//!
//! Blocks are read from the file into a buffer, a window at a time: a scan of the whole index must not fill the
//! process with mapped pages.

use rayon::prelude::*;

use super::block::PostingBlock;
use super::posting::{PartRef, SHARDS, blot_of};
use super::segment::Segment;
use super::snapshot::LiveSegment;
use super::{IndexError, IsStopped};
use dupi_text::blot::Blot;

/// How many bytes of blocks are read at a time; a longer block is read whole.
const WINDOW: usize = 128 << 10;

/// How many blots are visited between two calls of `is_stopped`.
const STOP_INTERVAL: u32 = 1 << 12;

/// Greater than any key.
const END: u64 = u64::MAX;

/// An iterator over the posting lists of one shard of a segment.
pub struct ShardStream<'a> {
    segment: &'a Segment,
    shard: usize,
    next_block: usize,
    window: Vec<u8>,
    /// The start of the window in the run.
    window_start: usize,
    block: PostingBlock,
    list: usize,
}

impl<'a> ShardStream<'a> {
    /// A stream before its first list; [`Self::advance`] goes to it.
    pub fn new(segment: &'a Segment, shard: usize) -> Self {
        let (window, block) = (Vec::new(), PostingBlock::default());
        Self { segment, shard, next_block: 0, window, window_start: 0, block, list: 0 }
    }

    /// Goes to the next list. Returns whether there is one.
    pub fn advance(&mut self) -> Result<bool, IndexError> {
        self.list += 1;
        Ok(self.list < self.block.len() || self.advance_block()?.is_some())
    }

    /// Goes to the next block and its first list.
    pub fn advance_block(&mut self) -> Result<Option<&PostingBlock>, IndexError> {
        let directory = self.segment.directory(self.shard);
        if self.next_block == directory.len() {
            self.block.clear();
            return Ok(None);
        }
        let corrupt = |corrupt| self.segment.corrupt(corrupt);
        let span = directory.span(self.next_block).map_err(corrupt)?;
        if span.start < self.window_start || span.end > self.window_start + self.window.len() {
            let end = (self.next_block..directory.len())
                .map_while(|block| directory.span(block).ok())
                .map(|next| next.end)
                .take_while(|&end| end <= span.start + WINDOW)
                .last();
            let end = end.unwrap_or(span.end).max(span.end);
            self.segment.copy_blocks(self.shard, span.start..end, &mut self.window)?;
            self.window_start = span.start;
        }
        let bytes = &self.window[span.start - self.window_start..span.end - self.window_start];
        let first_key = directory.first_key(self.next_block);
        self.block.decode(bytes, first_key, self.segment.parts()).map_err(corrupt)?;
        self.next_block += 1;
        self.list = 0;
        Ok(Some(&self.block))
    }

    /// The key of the current list; [`END`] after the last one.
    #[inline]
    fn key(&self) -> u64 {
        if self.list < self.block.len() { self.block.key(self.list) } else { END }
    }

    /// The places of the current list.
    #[inline]
    fn places(&self) -> &[PartRef] {
        self.block.places(self.list)
    }
}

/// Reads all blocks of a segment, each of which has a checksum. Opening a segment has checked everything else.
///
/// # Errors
/// [`IndexError::Damaged`].
pub fn verify(segment: &Segment) -> Result<(), IndexError> {
    (0..SHARDS).into_par_iter().try_for_each(|shard| {
        let mut stream = ShardStream::new(segment, shard);
        while stream.advance_block()?.is_some() {}
        Ok(())
    })
}

/// The posting lists of one blot in several segments.
pub struct PostingLists<'s, 'a> {
    streams: &'s [ShardStream<'a>],
    at: &'s [usize],
}

impl<'s> PostingLists<'s, '_> {
    /// The segments that have the blot, by number, with its places there, including dead ones.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &'s [PartRef])> {
        self.at.iter().map(|&number| (number, self.streams[number].places()))
    }

    /// The only place of the blot, if it has exactly one in all segments.
    #[inline]
    pub fn single(&self) -> Option<(usize, PartRef)> {
        match (self.at, self.streams[self.at[0]].places()) {
            (&[number], &[place]) => Some((number, place)),
            _ => None,
        }
    }
}

/// Visits the blots of a shard over several segments in ascending order. `visit` gets each blot with its posting
/// lists.
///
/// # Errors
/// [`IndexError::Stopped`] soon after `is_stopped` returns `true`; [`IndexError::Damaged`].
pub fn merge_shard(
    segments: &[LiveSegment],
    shard: usize,
    is_stopped: IsStopped,
    mut visit: impl FnMut(Blot, PostingLists) -> Result<(), IndexError>,
) -> Result<(), IndexError> {
    let mut visited = 0;
    let mut streams: Vec<_> = segments.iter().map(|live| ShardStream::new(live.segment(), shard)).collect();
    for stream in &mut streams {
        stream.advance_block()?;
    }
    let mut keys: Vec<u64> = streams.iter().map(ShardStream::key).collect();
    let mut at = Vec::with_capacity(streams.len());
    loop {
        let (mut number, mut least, mut second) = (0, END, END);
        for (other, &key) in keys.iter().enumerate() {
            if key < least {
                (number, least, second) = (other, key, least);
            } else {
                second = second.min(key);
            }
        }
        if least == END {
            return Ok(());
        }
        at.clear();
        if least == second {
            at.extend((0..keys.len()).filter(|&other| keys[other] == least));
        } else {
            at.push(number);
        }
        // Continue with this segment until another one has a smaller key.
        loop {
            let out_of_range = || segments[number].segment().out_of_range();
            let blot = blot_of(shard, least).ok_or_else(out_of_range)?;
            if visited % STOP_INTERVAL == 0 && is_stopped() {
                return Err(IndexError::Stopped);
            }
            visited = visited.wrapping_add(1);
            visit(blot, PostingLists { streams: &streams, at: &at })?;
            for &number in &at {
                streams[number].advance()?;
                keys[number] = streams[number].key();
            }
            least = keys[number];
            if at.len() > 1 || least >= second {
                break;
            }
        }
    }
}
