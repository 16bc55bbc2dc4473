//! Reads the stretches of all documents in which passages can occur, as token hashes.
//!
//! In any run of tokens that occurs twice, each winnowing window keeps a repeated tile. So a passage lies where
//! repeated kept tiles follow each other closely, and around them. Only these stretches are kept: in memory, and beyond a
//! part of it in scratch files.
//!
//! The byte spans of their tokens are varints (LEB128, by the crate integer-encoding): the gap before a token and its
//! length, usually one byte each.

mod assemble;
mod chunk;
mod criteria;
mod equal_files;
mod given;
mod line_starts;
mod place_index;
mod resting;
mod stretch;
mod suppressed;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use integer_encoding::VarInt;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use chunk::{Chunk, GatheredFile, TextPrint};
pub use criteria::StretchCriteria;
use equal_files::EqualFiles;
pub(super) use place_index::PlaceIndex;
use resting::Resting;
pub use stretch::TokenStretch;
pub(super) use suppressed::SuppressedTokens;
use suppressed::suppressed_tokens;

use super::error::{PassageError, Tick};
use super::numbers::Numbers;
use super::passages::SourceDocument;
use super::token_run::TokenRun;
use crate::blot::{Recipe, kept_tiles_of};
use crate::corpus::{Record, portions};
use crate::index::posting::PartId;
use crate::index::repeated::Repeated;
use crate::index::snapshot::{DocumentId, FileId, Snapshot};
use crate::query::ByteSpan;
use crate::query::current::{CurrentDocument, CurrentFiles};
use crate::taboo::suppressed_texts;
use crate::token::{LexState, Token, Tokeniser, folded_name};

/// Of so many tokens the memory that a stage frees is returned to the system before the next one.
const MANY: u32 = 1 << 22;

/// The gathered tokens may take one part in so many of the memory; the others go to scratch files.
const HELD_SHARE: u64 = 8;
/// A file is read whose tokens take at most about one part in so many of it.
const LARGEST_SHARE: u64 = 2;

/// The bytes of files that are gathered into one chunk.
const CHUNK: u64 = 4 << 20;

/// All stretches of a snapshot, sorted by path.
pub struct Gathered {
    /// The documents.
    pub sources: Vec<SourceDocument>,
    /// The stretches.
    pub stretches: Vec<TokenStretch>,
    /// Which of the tokens are numbers.
    pub numbers: Numbers,
    /// What marks suppress, sorted by document and token.
    pub(super) suppressed: Vec<SuppressedTokens>,
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
        memory: u64,
        tick: &Tick,
    ) -> Result<(Self, u64), PassageError> {
        let recipe = snapshot.manifest().recipe;
        let files = CurrentFiles::new(snapshot, memory / LARGEST_SHARE);
        let wanted_files = files.files(|document| is_wanted(snapshot, repeated, document));
        let equal = EqualFiles::of(snapshot, &wanted_files);
        let (numbers, held) = (Numbers::default(), AtomicU64::new(0));
        let gathering = Gathering {
            snapshot,
            repeated,
            wanted,
            files,
            recipe,
            numbers,
            equal,
            memory: memory / HELD_SHARE,
            held,
        };
        let numbered = (0..).zip(wanted_files);
        let (others, firsts): (Vec<(u32, FileId)>, Vec<_>) =
            numbered.partition(|&(number, _)| gathering.equal.first(number).is_some());
        let share = firsts.len() as f64 / (firsts.len() + others.len()).max(1) as f64;
        let mut chunks = gathering.chunks(&firsts, &HashMap::new(), 0, &|done| tick(done * share))?;
        if !others.is_empty() {
            let known = texts(&chunks);
            let more = gathering
                .chunks(&others, &known, chunks.len(), &|done| tick(share + done * (1.0 - share)))?;
            chunks.extend(more);
        }
        let scratches: Vec<_> = chunks.iter().filter_map(|chunk| chunk.scratch.clone()).collect();
        let mut gathered = Self::of(chunks, gathering.numbers)?;
        gathered.resting = Resting::of(scratches, memory);
        tracing::debug!(tokens = gathered.len(), stretches = gathered.stretches.len(), "gathered");
        Ok((gathered, gathering.files.too_large()))
    }

    /// The number of gathered tokens.
    pub fn len(&self) -> u32 {
        self.stretches.last().map_or(0, |last| last.base + last.len)
    }

    /// Whether nothing was gathered.
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// Whether so much was gathered that it is worth the time to return freed memory to the system.
    pub(super) fn is_large(&self) -> bool {
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

    /// Notes that so many bytes of a chunk are read next.
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
    pub(super) fn keep_with_runs<'g>(&mut self, runs: impl Iterator<Item = &'g TokenRun>) {
        let mut has_run = vec![false; self.stretches.len()];
        runs.for_each(|run| has_run[self.stretch_at(run.place)] = true);
        let mut has_run = has_run.into_iter();
        self.stretches.retain(|_| has_run.next() == Some(true));
        self.index = PlaceIndex::of(&self.stretches);
    }
}

/// The inputs of gathering.
struct Gathering<'a> {
    snapshot: &'a Snapshot,
    repeated: Option<&'a Repeated>,
    wanted: StretchCriteria,
    files: CurrentFiles<'a>,
    recipe: Recipe,
    numbers: Numbers,
    equal: EqualFiles,
    /// How many bytes of tokens and spans may be held in memory, and are.
    memory: u64,
    held: AtomicU64,
}

/// Whether something of a document may be repeated.
fn is_wanted(
    snapshot: &Snapshot,
    repeated: Option<&Repeated>,
    DocumentId { segment, document }: DocumentId,
) -> bool {
    let table = snapshot.segment(segment).table();
    match repeated {
        Some(repeated) => table.parts_of(document).any(|part| repeated.has_part(segment, PartId(part))),
        None => true,
    }
}

/// The texts of the files that others may be equal to, by their numbers.
fn texts(chunks: &[Chunk]) -> HashMap<u32, TextPrint> {
    let files = chunks.iter().flat_map(|chunk| &chunk.files);
    files.filter_map(|file| Some((file.number, file.text?))).collect()
}

#[derive(Default)]
struct Buffers {
    bytes: Vec<u8>,
    tokens: Vec<Token>,
    /// The first tokens of repeated tiles.
    tiles: Vec<u32>,
    runs: Vec<Range<u32>>,
}

impl Gathering<'_> {
    /// Reads some files into chunks, the first of which has a number. Of those whose text is known only that it is
    /// equal is noted.
    fn chunks(
        &self,
        files: &[(u32, FileId)],
        known: &HashMap<u32, TextPrint>,
        first: usize,
        tick: &Tick,
    ) -> Result<Vec<Chunk>, PassageError> {
        let batches = portions(files, CHUNK, |&(_, file)| self.files.size(file));
        let total = batches.len();
        let read =
            batches.into_par_iter().enumerate().map_init(Buffers::default, |buffers, (number, batch)| {
                tick(number as f64 / total as f64)?;
                let mut chunk = Chunk::default();
                for &(number, file) in batch {
                    self.file(number, file, known, buffers, &mut chunk);
                }
                chunk.tokens.shrink_to_fit();
                chunk.spans.shrink_to_fit();
                let bytes = chunk.held();
                if bytes > 0 && self.held.fetch_add(bytes, Ordering::Relaxed) + bytes > self.memory {
                    chunk.spill(self.snapshot.folder(), first + number);
                    self.held.fetch_sub(bytes - chunk.held(), Ordering::Relaxed);
                }
                Ok(chunk)
            });
        read.collect()
    }

    /// Adds the documents of a file.
    fn file(
        &self,
        number: u32,
        file: FileId,
        known: &HashMap<u32, TextPrint>,
        buffers: &mut Buffers,
        chunk: &mut Chunk,
    ) {
        let mut bytes = std::mem::take(&mut buffers.bytes);
        let since = chunk.lengths();
        let first = self.equal.first(number);
        let is_compared = first.is_some() || self.equal.has_equals(number);
        let (mut text, mut same_as) = (None, None);
        let is_wanted = |document| is_wanted(self.snapshot, self.repeated, document);
        self.files.read(file, &mut bytes, is_wanted, |CurrentDocument { id, path, record, stamp }| {
            let document = chunk.sources.len() as u32;
            let tokeniser = Tokeniser::of(self.recipe.tokens, self.recipe.comments, path, &record.text);
            // What marks suppress is counted in tokens.
            if is_compared && record.number.is_none() && suppressed_texts(path, &record.text).is_empty() {
                let own = TextPrint { text: xxh3_128(record.text.as_bytes()), tokeniser, tokens: 0 };
                let equal = first.and_then(|first| Some((first, known.get(&first)?)));
                if let Some((first, TextPrint { tokens, .. })) = equal.filter(|(_, of)| of.is_same(&own)) {
                    same_as = Some(first);
                    chunk.sources.push(SourceDocument::new(id, stamp, &record.text, *tokens, tokeniser));
                    return;
                }
                text = Some(own);
            }
            self.document(path, &record, document, tokeniser, buffers, chunk);
            let tokens = buffers.tokens.len();
            text = text.map(|text| TextPrint { tokens, ..text });
            chunk.sources.push(SourceDocument::new(id, stamp, &record.text, tokens, tokeniser));
        });
        chunk.add_file(since, GatheredFile { number, text, same_as, ..GatheredFile::default() });
        buffers.bytes = bytes;
    }

    /// Adds the stretches of a document. Leaves all its tokens in the buffer.
    fn document(
        &self,
        path: &Path,
        record: &Record,
        number: u32,
        tokeniser: Tokeniser,
        buffers: &mut Buffers,
        chunk: &mut Chunk,
    ) {
        let Buffers { tokens, tiles, runs, .. } = buffers;
        let read = self.recipe.ignored.blanked(&record.text);
        tokeniser.tokens_into(&read, LexState::default(), tokens);
        // Formats with records have no comments.
        if record.number.is_none() {
            chunk.suppressed.extend(suppressed_tokens(path, &record.text, number, tokens));
        }
        self.runs(tokens, tiles, runs);
        let mut offsets = record.text_offsets();
        for run in runs.iter() {
            let (at, spans) = (chunk.tokens.len(), chunk.spans.len());
            let mut end = 0;
            for token in &tokens[run.start as usize..run.end as usize] {
                chunk.tokens.push(token.hash);
                if self.wanted.names {
                    chunk.names.push(folded_name(&read, token, tokeniser));
                }
                self.numbers.note(token, &record.text);
                let start = offsets.get(token.start as usize);
                let mut varint = [0; 20];
                let gap = (start - end).encode_var(&mut varint);
                end = offsets.get(token.end as usize);
                let len = (end - start).encode_var(&mut varint[gap..]);
                chunk.spans.extend_from_slice(&varint[..gap + len]);
            }
            let lines = chunk.lines.len();
            (run.start..=run.end).for_each(|at| chunk.lines.push(begins_line(tokens, at, &record.text)));
            chunk.stretches.push(TokenStretch {
                document: number,
                base: 0,
                first: run.start,
                len: run.end - run.start,
                chunk: 0,
                at: at as u32,
                spans: spans as u32,
                lines,
            });
        }
    }

    /// Fills `runs` with the runs of tokens in which repeated tiles follow each other closely, including margins.
    fn runs(&self, tokens: &[Token], tiles: &mut Vec<u32>, runs: &mut Vec<Range<u32>>) {
        tiles.clear();
        runs.clear();
        let Some(repeated) = self.repeated else {
            runs.extend((tokens.len() as u32 >= self.wanted.least).then_some(0..tokens.len() as u32));
            return;
        };
        kept_tiles_of(tokens, &self.recipe, |tile| {
            if repeated.may_contain(tile.blot) {
                tiles.push(tile.first);
            }
        });
        let StretchCriteria { least, reach, margin, .. } = self.wanted;
        let tail = self.recipe.tile_tokens() + margin;
        // Margins may overlap, but by less than the recipe's guarantee: no repeated run is in two stretches.
        runs.extend(tiles.chunk_by(|a, b| b - a <= reach).filter_map(|chain| {
            let start = chain[0].saturating_sub(margin);
            let end = (chain[chain.len() - 1] + tail).min(tokens.len() as u32);
            (end - start >= least).then_some(start..end)
        }));
    }
}

/// Whether the token with an index begins a line of a text. The end of the text counts as the begin of a line.
fn begins_line(tokens: &[Token], at: u32, text: &str) -> bool {
    let Some(before) = (at as usize).checked_sub(1) else { return true };
    let between = |token: &Token| &text.as_bytes()[tokens[before].start as usize..token.start as usize];
    tokens.get(at as usize).is_none_or(|token| between(token).contains(&b'\n'))
}
