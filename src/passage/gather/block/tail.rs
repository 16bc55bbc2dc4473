//! The end of a block: what it is of, and all that was gathered besides tokens, their names and spans.
//!
//! ```text
//! index · search                  two u64 each
//! number · of · files too large
//! languages   count · (length · name) …
//! numbers     count · distance of a set bit from the one before …
//! chunks      count · (tokens · bytes of spans · names · line starts · their words u64 each · files) …
//! files       count · (number · number of an equal file + 1, or 0 · texts (0 or 1) · print of the text two u64 · sources ·
//!             stretches · suppressed) …
//! sources     count · (segment · document · size · time · tokens · hash u64 · signs) …
//! stretches   count · (source in the file · first token · tokens · distance of its spans from those before) …
//! suppressed  count · (source in the file · first token · tokens · line << 1 | whether it is open) …
//! ```
//!
//! Everything is a varint where nothing else is said. A stretch has its tokens and line starts behind those before.

use super::super::block_number::{BlockIdentity, BlockNumber};
use super::super::chunk::{Chunk, GatheredFile, TextPrint};
use super::super::line_starts::LineStarts;
use super::super::stretch::TokenStretch;
use crate::gather::stretch::SourceDocument;
use crate::gather::stretch::SuppressedTokens;
use crate::numbers::Numbers;
use crate::varints::{NumberReader, put, put_fixed, put_signed};
use dupi_base::corpus::Stamp;
use dupi_index::index::snapshot::DocumentId;
use dupi_text::token::Language;

/// What the end of a block says.
pub(super) struct Tail<'a> {
    pub(super) identity: BlockIdentity,
    /// How many files were skipped because of their size.
    pub(super) too_large: u64,
    pub(super) chunks: &'a [Chunk],
    pub(super) numbers: &'a Numbers,
}

/// What was read of an end, without what the block is of.
pub(super) struct Parts {
    pub(super) too_large: u64,
    /// The bits of the numbers.
    pub(super) numbers: Vec<u32>,
    pub(super) chunks: Vec<ChunkPart>,
}

/// A chunk without its tokens, names and spans.
pub(super) struct ChunkPart {
    pub(super) chunk: Chunk,
    /// How many tokens it has.
    pub(super) tokens: usize,
    /// How many bytes their spans have.
    pub(super) spans: usize,
    /// How many of the tokens have names: all or none.
    pub(super) names: usize,
}

impl ChunkPart {
    /// How many bytes of the data it has; `None` if that is impossible.
    pub(super) fn bytes(&self) -> Option<u64> {
        let fixed = self.tokens.checked_mul(8)?.checked_add(self.names.checked_mul(4)?)?;
        (fixed.checked_add(self.spans)? as u64).checked_next_multiple_of(8)
    }
}

/// The bytes of an end.
pub(super) fn encode(tail: &Tail) -> Vec<u8> {
    let Tail { identity: BlockIdentity { index, search, block }, too_large, chunks, numbers } = *tail;
    let mut bytes = [index.to_le_bytes(), search.to_le_bytes()].concat();
    put_all(&mut bytes, [block.number().into(), block.of().into(), too_large]);
    let all = chunks.iter().flat_map(|chunk| &chunk.sources);
    let mut languages: Vec<Language> = all.filter_map(|source| source.language).collect();
    languages.sort_unstable();
    languages.dedup();
    put(&mut bytes, languages.len() as u64);
    for name in languages.iter().map(|language| language.name()) {
        put(&mut bytes, name.len() as u64);
        bytes.extend_from_slice(name.as_bytes());
    }
    let (mut bits, mut last) = (Vec::new(), 0);
    put(&mut bytes, numbers.bits().count() as u64);
    for bit in numbers.bits() {
        put(&mut bits, u64::from(bit - last));
        last = bit;
    }
    bytes.append(&mut bits);
    put(&mut bytes, chunks.len() as u64);
    for chunk in chunks {
        let lengths = [chunk.tokens().len(), chunk.spans().len(), chunk.names.len()];
        put_all(&mut bytes, lengths.map(|length| length as u64));
        put(&mut bytes, u64::from(chunk.lines.len()));
        chunk.lines.words().iter().for_each(|&word| put_fixed(&mut bytes, word));
        put(&mut bytes, chunk.files.len() as u64);
        let mut spans = 0;
        chunk.files.iter().for_each(|file| put_file(&mut bytes, chunk, file, &languages, &mut spans));
    }
    bytes
}

fn put_all<const N: usize>(bytes: &mut Vec<u8>, numbers: [u64; N]) {
    numbers.iter().for_each(|&number| put(bytes, number));
}

/// Appends a file of a chunk. `spans` is where the spans of the last stretch begin.
fn put_file(
    bytes: &mut Vec<u8>,
    chunk: &Chunk,
    file: &GatheredFile,
    languages: &[Language],
    spans: &mut u32,
) {
    put(bytes, u64::from(file.number));
    put(bytes, file.same_as.map_or(0, |number| u64::from(number) + 1));
    put(bytes, file.text.iter().count() as u64);
    if let Some(text) = file.text {
        bytes.extend_from_slice(&text.print.to_le_bytes());
    }
    put(bytes, file.sources.len() as u64);
    for source in &chunk.sources[file.sources.clone()] {
        let SourceDocument { id, stamp, tokens, text, language, flags } = *source;
        put_all(bytes, [id.segment.into(), id.document.into(), stamp.size]);
        put_signed(bytes, stamp.mtime);
        put(bytes, u64::from(tokens));
        put_fixed(bytes, text);
        let language = language.and_then(|language| languages.binary_search(&language).ok());
        let language = language.map_or(0, |number| number as u64 + 1);
        put(bytes, language << 2 | u64::from(flags));
    }
    let of_file = |document: u32| u64::from(document) - file.sources.start as u64;
    put(bytes, file.stretches.len() as u64);
    for stretch in &chunk.stretches[file.stretches.clone()] {
        put(bytes, of_file(stretch.document));
        put_all(bytes, [stretch.first, stretch.len, stretch.spans - *spans].map(u64::from));
        *spans = stretch.spans;
    }
    put(bytes, file.suppressed.len() as u64);
    for SuppressedTokens { document, tokens, line, is_open } in &chunk.suppressed[file.suppressed.clone()] {
        put(bytes, of_file(*document));
        put_all(bytes, [tokens.start, tokens.end - tokens.start].map(u64::from));
        put(bytes, u64::from(*line) << 1 | u64::from(*is_open));
    }
}

/// What a block is of, and the rest of its end; `None` if the bytes are invalid.
pub(super) fn identity(bytes: &[u8]) -> Option<(BlockIdentity, &[u8])> {
    let (index, rest) = bytes.split_first_chunk()?;
    let (search, rest) = rest.split_first_chunk()?;
    let mut reader = NumberReader(rest);
    let block = BlockNumber::new(reader.small()?, reader.small()?)?;
    let (index, search) = (u128::from_le_bytes(*index), u128::from_le_bytes(*search));
    Some((BlockIdentity { index, search, block }, reader.0))
}

/// The rest of an end; `None` if the bytes are invalid, or name a document that there is not.
pub(super) fn decode(bytes: &[u8], is_document: &dyn Fn(DocumentId) -> bool) -> Option<Parts> {
    let mut reader = NumberReader(bytes);
    let too_large = reader.number()?;
    let mut languages = Vec::new();
    for _ in 0..reader.count()? {
        let length = reader.count()?;
        let (name, rest) = reader.0.split_at_checked(length)?;
        reader.0 = rest;
        languages.push(Language::from_name(str::from_utf8(name).ok()?)?);
    }
    let count = reader.count()?;
    let (mut numbers, mut last) = (Vec::with_capacity(count), 0_u32);
    for _ in 0..count {
        last = last.checked_add(reader.small()?).filter(|&bit| Numbers::has_bit(bit))?;
        numbers.push(last);
    }
    let mut chunks = Vec::new();
    for _ in 0..reader.count()? {
        chunks.push(ChunkReader { reader: &mut reader, is_document, languages: &languages }.chunk()?);
    }
    (has_files(&chunks) && reader.is_at_end()).then_some(Parts { too_large, numbers, chunks })
}

/// Whether each file has a number of its own below their count, and what is equal to another one is like it: a document of
/// as many tokens, of which the stretches are those of the other.
fn has_files(chunks: &[ChunkPart]) -> bool {
    let files = || chunks.iter().flat_map(|part| part.chunk.files.iter().map(|file| (&part.chunk, file)));
    let mut numbered: Vec<Option<(&Chunk, &GatheredFile)>> = vec![None; files().count()];
    for (chunk, file) in files() {
        match numbered.get_mut(file.number as usize) {
            Some(place @ None) => *place = Some((chunk, file)),
            _ => return false,
        }
    }
    let tokens = |(chunk, file): (&Chunk, &GatheredFile)| match &chunk.sources[file.sources.clone()] {
        [only] => Some(only.tokens),
        _ => None,
    };
    files().filter_map(|file| Some((file, file.1.same_as?))).all(|(file, number)| {
        let other = numbered.get(number as usize).copied().flatten();
        let other = other.filter(|(_, other)| other.same_as.is_none());
        file.1.stretches.is_empty()
            && tokens(file).is_some_and(|own| other.and_then(tokens).is_some_and(|tokens| tokens == own))
    })
}

/// Reads a chunk.
struct ChunkReader<'r, 'a> {
    reader: &'r mut NumberReader<'a>,
    is_document: &'a dyn Fn(DocumentId) -> bool,
    languages: &'a [Language],
}

impl ChunkReader<'_, '_> {
    fn chunk(mut self) -> Option<ChunkPart> {
        let mut length = || usize::try_from(self.reader.number()?).ok();
        let (tokens, spans, names) = (length()?, length()?, length()?);
        let lines = self.reader.small()?;
        let words = lines.div_ceil(u64::BITS) as usize;
        if words * size_of::<u64>() > self.reader.0.len() || (names > 0 && names != tokens) {
            return None;
        }
        let words = (0..words).map(|_| self.reader.fixed()).collect::<Option<_>>()?;
        let mut chunk = Chunk { lines: LineStarts::of_words(words, lines)?, ..Chunk::default() };
        let mut ends = StretchEnds::default();
        for _ in 0..self.reader.count()? {
            self.file(&mut chunk, &mut ends)?;
        }
        let is_whole = [ends.at as usize, ends.lines as usize] == [tokens, lines as usize];
        (is_whole && ends.spans as usize <= spans).then_some(ChunkPart { chunk, tokens, spans, names })
    }

    fn file(&mut self, chunk: &mut Chunk, ends: &mut StretchEnds) -> Option<()> {
        let since = chunk.lengths();
        let number = self.reader.small()?;
        let same_as = self.reader.small()?.checked_sub(1);
        let print = match self.reader.byte()? {
            0 => None,
            1 => Some([self.reader.fixed()?, self.reader.fixed()?]),
            _ => return None,
        };
        for _ in 0..self.reader.count()? {
            let source = self.source()?;
            chunk.sources.push(source);
        }
        let of_chunk = |document: u32| {
            let document = (since[0] as u64).checked_add(u64::from(document))?;
            (document < chunk.sources.len() as u64).then_some(document as u32)
        };
        for _ in 0..self.reader.count()? {
            let document = of_chunk(self.reader.small()?)?;
            let (first, len) = (self.reader.small()?, self.reader.small()?);
            let tokens = chunk.sources[document as usize].tokens;
            first.checked_add(len).filter(|end| *end <= tokens)?;
            ends.spans = ends.spans.checked_add(self.reader.small()?)?;
            let StretchEnds { at, lines, spans } = *ends;
            ends.at = at.checked_add(len)?;
            ends.lines = lines.checked_add(len)?.checked_add(1)?;
            chunk.stretches.push(TokenStretch { document, base: 0, first, len, chunk: 0, at, spans, lines });
        }
        for _ in 0..self.reader.count()? {
            let document = of_chunk(self.reader.small()?)?;
            let (start, len) = (self.reader.small()?, self.reader.small()?);
            let tokens = start..start.checked_add(len)?;
            let line = self.reader.number()?;
            let (line, is_open) = (u32::try_from(line >> 1).ok()?, line & 1 > 0);
            chunk.suppressed.push(SuppressedTokens { document, tokens, line, is_open });
        }
        let text = match (print, &chunk.sources[since[0]..]) {
            (None, _) => None,
            (Some([low, high]), [only]) => {
                Some(TextPrint { print: u128::from(high) << 64 | u128::from(low), tokens: only.tokens })
            }
            (Some(_), _) => return None,
        };
        chunk.add_file(since, GatheredFile { number, text, same_as, ..GatheredFile::default() });
        Some(())
    }

    fn source(&mut self) -> Option<SourceDocument> {
        let id = DocumentId { segment: self.reader.small()?, document: self.reader.small()? };
        if !(self.is_document)(id) {
            return None;
        }
        let stamp = Stamp { size: self.reader.number()?, mtime: self.reader.signed()? };
        let (tokens, text) = (self.reader.small()?, self.reader.fixed()?);
        let signs = self.reader.number()?;
        let flags = (signs & 3) as u8;
        let language = match (signs >> 2).checked_sub(1) {
            None => None,
            Some(number) => Some(*self.languages.get(usize::try_from(number).ok()?)?),
        };
        Some(SourceDocument { id, stamp, tokens, text, language, flags })
    }
}

/// Where the next stretch begins.
#[derive(Default)]
struct StretchEnds {
    at: u32,
    lines: u32,
    spans: u32,
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    /// What a block says of a file with a document of nine tokens, of which the stretch has some.
    fn chunk(number: u32, tokens: Range<u32>) -> Chunk {
        let mut chunk =
            Chunk { tokens: vec![7; tokens.len()], spans: vec![1; tokens.len() * 2], ..Chunk::default() };
        add(&mut chunk, GatheredFile { number, ..GatheredFile::default() }, 1, Some(tokens));
        chunk
    }

    fn add(chunk: &mut Chunk, file: GatheredFile, sources: u32, stretch: Option<Range<u32>>) {
        let since = chunk.lengths();
        for document in 0..sources {
            chunk.sources.push(SourceDocument {
                id: DocumentId { segment: 0, document },
                stamp: Stamp { size: 50, mtime: 5 },
                tokens: 9,
                text: 3,
                language: None,
                flags: 0,
            });
        }
        if let Some(Range { start: first, end }) = stretch {
            (first..=end).for_each(|_| chunk.lines.push(false));
            let document = since[0] as u32;
            let len = end - first;
            chunk.stretches.push(TokenStretch {
                document,
                base: 0,
                first,
                len,
                chunk: 0,
                at: 0,
                spans: 0,
                lines: 0,
            });
        }
        chunk.add_file(since, file);
    }

    fn is_valid(chunks: &[Chunk]) -> bool {
        let identity = BlockIdentity { index: 1, search: 2, block: BlockNumber::ONLY };
        let bytes = encode(&Tail { identity, too_large: 0, chunks, numbers: &Numbers::default() });
        let (_, rest) = super::identity(&bytes).unwrap();
        decode(rest, &|_| true).is_some()
    }

    #[test]
    fn a_stretch_lies_in_its_document() {
        assert!(is_valid(&[chunk(0, 2..9)]));
        assert!(!is_valid(&[chunk(0, 2..10)]));
    }

    #[test]
    fn each_file_has_a_number_of_its_own() {
        assert!(is_valid(&[chunk(1, 2..9), chunk(0, 0..9)]));
        assert!(!is_valid(&[chunk(1, 2..9), chunk(1, 0..9)]));
        assert!(!is_valid(&[chunk(0, 2..9), chunk(2, 0..9)]));
    }

    #[test]
    fn an_equal_file_is_one_document_like_that_of_another_file() {
        let with = |same_as, sources, stretch| {
            let mut first = chunk(0, 0..9);
            add(&mut first, GatheredFile { number: 1, ..GatheredFile::default() }, 2, None);
            let tokens = if stretch { 9 } else { 0 };
            let mut copy = Chunk { tokens: vec![7; tokens], spans: vec![1; tokens * 2], ..Chunk::default() };
            let file = GatheredFile { number: 2, same_as: Some(same_as), ..GatheredFile::default() };
            add(&mut copy, file, sources, stretch.then_some(0..9));
            is_valid(&[first, copy])
        };
        assert!(with(0, 1, false));
        assert!(!with(0, 1, true), "it has stretches of its own");
        assert!(!with(0, 0, false), "it has no document");
        assert!(!with(1, 1, false), "the other has two documents");
        assert!(!with(2, 1, false), "it is its own copy");
        assert!(!with(3, 1, false), "there is no such file");
    }
}
