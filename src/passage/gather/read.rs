//! Reads the documents of a snapshot into chunks: of each the stretches that are wanted.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use integer_encoding::VarInt;
use rayon::prelude::*;

use super::block_number::BlockNumber;
use super::chunk::{Chunk, GatheredFile, TextPrint};
use super::equal_files::EqualFiles;
use super::line_starts::begins_line;
use super::stretch::TokenStretch;
use crate::gather::stretch::StretchCriteria;
use crate::gather::stretch::suppressed_tokens;
use crate::gather::stretch::{FlagsOf, SourceDocument};
use crate::numbers::Numbers;
use dupi_base::corpus::{Record, portions};
use dupi_base::storage::Folder;
use dupi_index::index::posting::PartId;
use dupi_index::index::repeated::Repeated;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_index::query::current::{ChangedFile, CurrentDocument, CurrentFiles};
use dupi_index::taboo::suppressed_texts;
use dupi_text::blot::{Blot, Recipe, kept_tiles_of};
use dupi_text::token::{LexState, Token, Tokeniser, folded_name};

/// The gathered tokens may take 1 / this of the memory; the others go to scratch files.
const HELD_SHARE: u64 = 8;
/// A file is read whose tokens take at most about 1 / this of it.
pub(super) const LARGEST_SHARE: u64 = 2;

/// The bytes of files that are gathered into one chunk. Few files are divided into about [`CHUNKS`] chunks, so that every
/// thread has some.
const CHUNK: u64 = 4 << 20;
const LEAST_CHUNK: u64 = 128 << 10;
const CHUNKS: u64 = 16;

/// What was read of some files.
pub(super) struct ReadFiles {
    pub(super) chunks: Vec<Chunk>,
    pub(super) numbers: Numbers,
    /// How many files were skipped because their tokens would exceed the half of the memory.
    pub(super) too_large: u64,
    /// A file that is not as it was indexed.
    pub(super) changed: Option<ChangedFile>,
}

impl ReadFiles {
    /// Reads the wanted documents of a block of files, or of all files. `scratch` is the folder of scratch files.
    pub(super) fn read(
        snapshot: &Snapshot,
        repeated: Option<&Repeated>,
        (wanted, flags_of): (StretchCriteria, FlagsOf),
        memory: u64,
        (block, scratch): (Option<BlockNumber>, &Folder),
        tick: &Tick,
    ) -> Result<Self, SearchError> {
        let recipe = snapshot.manifest().recipe;
        let files = CurrentFiles::new(snapshot, memory / LARGEST_SHARE);
        let is_wanted = |document| is_wanted(snapshot, repeated, document);
        let wanted_files = match block {
            Some(block) => block.files(&files, is_wanted),
            None => files.files(is_wanted),
        };
        let equal = EqualFiles::find(snapshot, &wanted_files);
        let (numbers, held) = (Numbers::default(), AtomicU64::new(0));
        let memory = memory / HELD_SHARE;
        let is_block = block.is_some();
        let gathering = Gathering {
            snapshot,
            repeated,
            wanted,
            flags_of,
            files,
            recipe,
            numbers,
            equal,
            is_block,
            scratch,
            memory,
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
        let Gathering { files, numbers, .. } = gathering;
        Ok(Self { chunks, numbers, too_large: files.too_large(), changed: files.changed() })
    }
}

/// The inputs of gathering.
struct Gathering<'a> {
    snapshot: &'a Snapshot,
    repeated: Option<&'a Repeated>,
    wanted: StretchCriteria,
    flags_of: FlagsOf,
    files: CurrentFiles<'a>,
    recipe: Recipe,
    numbers: Numbers,
    equal: EqualFiles,
    /// Whether files of other blocks may be equal to one.
    is_block: bool,
    scratch: &'a Folder,
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
    /// The kept tiles: the blot of each and its first token.
    kept: Vec<(Blot, u32)>,
    /// The first tokens of those that may be repeated.
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
    ) -> Result<Vec<Chunk>, SearchError> {
        let size = |&(_, file): &(u32, FileId)| self.files.size(file);
        let all: u64 = files.iter().map(size).sum();
        let batches = portions(files, (all / CHUNKS).clamp(LEAST_CHUNK, CHUNK), size);
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
                    chunk.spill(self.scratch, first + number);
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
        let is_compared = self.is_block || first.is_some() || self.equal.has_equals(number);
        let (mut text, mut same_as) = (None, None);
        let is_wanted = |document| is_wanted(self.snapshot, self.repeated, document);
        self.files.read(file, &mut bytes, is_wanted, |CurrentDocument { id, path, record, stamp }| {
            let document = chunk.sources.len() as u32;
            let tokeniser = Tokeniser::for_file(self.recipe.tokens, self.recipe.comments, path, &record.text);
            let read_as = (tokeniser, (self.flags_of)(&record.text));
            // What marks suppress is counted in tokens.
            if is_compared && record.number.is_none() && suppressed_texts(path, &record.text).is_empty() {
                let table = self.snapshot.segment(file.segment).table();
                let content = (table.hash(file.file), table.stamp(file.file).size);
                let own = TextPrint::new(&record.text, content, tokeniser);
                let equal = first.and_then(|first| Some((first, known.get(&first)?)));
                if let Some((first, TextPrint { tokens, .. })) = equal.filter(|(_, of)| of.print == own.print)
                {
                    let tokens = *tokens as usize;
                    same_as = Some(first);
                    chunk.sources.push(SourceDocument::new(id, stamp, &record.text, tokens, read_as));
                    return;
                }
                text = Some(own);
            }
            self.document(path, &record, document, tokeniser, buffers, chunk);
            let tokens = buffers.tokens.len();
            text = text.map(|text| TextPrint { tokens: tokens as u32, ..text });
            chunk.sources.push(SourceDocument::new(id, stamp, &record.text, tokens, read_as));
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
        let Buffers { tokens, kept, tiles, runs, .. } = buffers;
        let read = self.recipe.ignored.blanked(&record.text);
        tokeniser.tokens_into(&read, LexState::default(), tokens);
        // Formats with records have no comments.
        if record.number.is_none() {
            chunk.suppressed.extend(suppressed_tokens(path, &record.text, number, tokens));
        }
        self.runs(tokens, (kept, tiles), runs);
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
    fn runs(
        &self,
        tokens: &[Token],
        (kept, tiles): (&mut Vec<(Blot, u32)>, &mut Vec<u32>),
        runs: &mut Vec<Range<u32>>,
    ) {
        runs.clear();
        let Some(repeated) = self.repeated else {
            runs.extend((tokens.len() as u32 >= self.wanted.least).then_some(0..tokens.len() as u32));
            return;
        };
        kept.clear();
        kept_tiles_of(tokens, &self.recipe, |tile| kept.push((tile.blot, tile.first)));
        tiles.resize(kept.len(), 0);
        let mut count = 0;
        // Without branches, so that many of the repeated blots, which are more than a cache has room for, are fetched at
        // the same time.
        for &(blot, first) in kept.iter() {
            tiles[count] = first;
            count += usize::from(repeated.may_contain(blot));
        }
        tiles.truncate(count);
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
