//! Reads documents as they are now: decoded, tokenised, with all their tiles.
//!
//! The index says where to look; the text that is shown comes from here. A file that changed since it was indexed is
//! read as one page, because the parts recorded in the index no longer fit it.

mod repeated;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use repeated::{RepeatedRun, touches};

use super::offsets::{FileOffsets, PrefixCounts, character};
use super::{ByteSpan, Occurrence};
use crate::index::posting::PartId;
use crate::index::snapshot::{DocumentId, Snapshot};
use dupi_base::corpus::{self, Corpus, Formats, Records, SkipReason, Unread};
use dupi_text::blot::{Recipe, Tile, tiles_of};
use dupi_text::token::{IgnoredText, Language, LexState, Token, Tokeniser, folded_name};

/// The number of bytes behind a part that are read with it: whether a tag opens an embedded part is known at its end.
const BEHIND: usize = 1 << 13;
/// The bytes that most lines have at least.
const USUAL_LINE: usize = 24;

/// A file as it is now.
#[derive(Debug)]
pub struct OpenFile {
    /// Relative to the corpus's base.
    pub path: PathBuf,
    /// Its text.
    pub text: Arc<String>,
    /// The byte offset in `text` of the start of each line.
    pub line_starts: Arc<[u32]>,
    characters: PrefixCounts,
    offsets: FileOffsets,
    records: Records,
    stamp: corpus::Stamp,
}

/// A tokenised part of a document, or a whole document.
#[derive(Debug)]
pub struct DocumentPage {
    /// The file it is in.
    pub file: Arc<OpenFile>,
    /// Which record of it.
    pub record: Option<u32>,
    /// The document and the part; `None` for a whole document that changed since it was indexed.
    pub part: Option<(DocumentId, PartId)>,
    /// Its tokens, with their spans in the file's text.
    pub tokens: Vec<Token>,
    /// All tiles of the tokens; `first` is an index into `tokens`.
    pub tiles: Vec<Tile>,
    /// How it was tokenised.
    pub tokeniser: Tokeniser,
    /// What of its text was not read.
    pub ignored: IgnoredText,
    /// The range of the file's text that was tokenised.
    pub span: ByteSpan,
}

/// Opens the pages of a snapshot's documents. Keeps the last file it read.
pub struct DocumentReader {
    corpus: Corpus,
    formats: Formats,
    recipe: Recipe,
    max_filesize: u64,
    last: Option<Arc<OpenFile>>,
    held: Vec<Arc<OpenFile>>,
    buffer: Vec<u8>,
    /// The files that could not be read.
    unread: Unread,
}

impl DocumentReader {
    /// A reader for the documents of a snapshot and its successors.
    pub fn new(snapshot: &Snapshot) -> Self {
        let manifest = snapshot.manifest();
        Self {
            corpus: manifest.corpus.clone(),
            formats: manifest.formats.clone(),
            recipe: manifest.recipe,
            max_filesize: manifest.rules.max_filesize,
            last: None,
            held: Vec::new(),
            buffer: Vec::new(),
            unread: snapshot.unread().clone(),
        }
    }

    /// Whether documents of a snapshot are read with the same corpus, formats, recipe and size limit.
    pub fn reads_as(&self, snapshot: &Snapshot) -> bool {
        let manifest = snapshot.manifest();
        let theirs = (&manifest.corpus, &manifest.formats, manifest.recipe, manifest.rules.max_filesize);
        (&self.corpus, &self.formats, self.recipe, self.max_filesize) == theirs
    }

    /// Keeps these files in memory, and no others except the one that was read last.
    pub fn hold(&mut self, files: Vec<Arc<OpenFile>>) {
        self.held = files;
    }

    /// Reads a file of the corpus. A file that exists but cannot be read is noted.
    pub fn file(&mut self, path: &Path) -> Result<Arc<OpenFile>, SkipReason> {
        self.read_file(path).inspect_err(|reason| self.unread.note(path, reason))
    }

    fn read_file(&mut self, path: &Path) -> Result<Arc<OpenFile>, SkipReason> {
        let absolute = self.corpus.absolute(path);
        let known = self.last.iter().chain(&self.held).find(|known| known.path == path);
        if let Some(known) = known.filter(|known| corpus::stamp(&absolute) == Some(known.stamp)) {
            return Ok(Arc::clone(known));
        }
        let mut bytes = Vec::new();
        let stamp = corpus::read(&absolute, self.max_filesize, &mut bytes)?;
        let (text, encoding) = corpus::decode_owned(bytes)?;
        let line_starts = line_starts(&text);
        let records = Records::split(path, &text, &self.formats);
        let file = Arc::new(OpenFile {
            path: path.to_owned(),
            text: Arc::new(text),
            line_starts: line_starts.into(),
            characters: PrefixCounts::default(),
            offsets: FileOffsets::new(encoding),
            records,
            stamp,
        });
        self.last = Some(Arc::clone(&file));
        Ok(file)
    }

    /// Reads the text of a file of the corpus without keeping the file.
    pub fn text(&mut self, path: &Path) -> Result<Cow<'_, str>, SkipReason> {
        self.stamped_text(path).map(|(text, _)| text)
    }

    /// The same with the stamp of the file when it was read. A file that exists but cannot be read is noted.
    pub fn stamped_text(&mut self, path: &Path) -> Result<(Cow<'_, str>, corpus::Stamp), SkipReason> {
        let Self { corpus, unread, buffer, .. } = self;
        let read = corpus::read(&corpus.absolute(path), self.max_filesize, buffer);
        let decoded = read.and_then(|stamp| Ok((corpus::decode(buffer)?.text, stamp)));
        decoded.inspect_err(|reason| unread.note(path, reason))
    }

    /// The text of a document; `None` if its file has changed since it was indexed, or cannot be read.
    pub fn unchanged_text(&mut self, snapshot: &Snapshot, document: DocumentId) -> Option<String> {
        let file_id = snapshot.file_of(document);
        let file = self.file(snapshot.path(file_id)).ok()?;
        let is_unchanged = snapshot.file(file_id).stamp == file.stamp;
        let text = file.text_of(snapshot.document(document).record).filter(|_| is_unchanged)?;
        Some(text.into_owned())
    }

    /// Opens a document as one page.
    ///
    /// # Errors
    /// When its file cannot be read.
    pub fn whole(&mut self, snapshot: &Snapshot, document: DocumentId) -> Result<DocumentPage, SkipReason> {
        let mut pages = self.opened(snapshot, document, None, true)?;
        pages.pop().ok_or(SkipReason::Vanished)
    }

    /// Opens the pages of some parts of a document; a single page of the whole document when it changed.
    pub fn pages(
        &mut self,
        snapshot: &Snapshot,
        document: DocumentId,
        parts: &[PartId],
    ) -> Result<Vec<DocumentPage>, SkipReason> {
        self.opened(snapshot, document, Some(parts), true)
    }

    /// The same, without the tiles of the pages.
    ///
    /// # Errors
    /// When its file cannot be read.
    pub fn pages_without_tiles(
        &mut self,
        snapshot: &Snapshot,
        document: DocumentId,
        parts: &[PartId],
    ) -> Result<Vec<DocumentPage>, SkipReason> {
        self.opened(snapshot, document, Some(parts), false)
    }

    /// Opens the pages of some parts of a document, or all of it as one.
    fn opened(
        &mut self,
        snapshot: &Snapshot,
        document: DocumentId,
        parts: Option<&[PartId]>,
        with_tiles: bool,
    ) -> Result<Vec<DocumentPage>, SkipReason> {
        self.unread = snapshot.unread().clone();
        let file_id = snapshot.file_of(document);
        let file = self.file(snapshot.path(file_id))?;
        let number = snapshot.document(document).record;
        let unchanged = snapshot.file(file_id).stamp == file.stamp;
        let record = file.records.get(&file.text, number).ok_or(SkipReason::Vanished)?;
        let text: &str = &record.text;
        let table = snapshot.segments()[document.segment as usize].segment().table();
        let tokeniser = Tokeniser::for_file(self.recipe.tokens, self.recipe.comments, &file.path, text);
        let read = self.recipe.ignored.blanked(text);
        let open = |part: Option<PartId>, start: usize, end: usize, state: LexState| {
            let behind = read.floor_char_boundary((end + BEHIND).min(read.len()));
            let mut tokens = tokeniser.tokens(&read[start..behind], state);
            tokens.truncate(tokens.partition_point(|token| start + token.end as usize <= end));
            let mut offsets = record.text_offsets();
            let span = ByteSpan { start: offsets.get(start) as u64, end: 0 };
            for token in &mut tokens {
                token.start = offsets.get(start + token.start as usize) as u32;
                token.end = offsets.get(start + token.end as usize) as u32;
            }
            let mut tiles = Vec::new();
            if with_tiles {
                tiles.reserve(tokens.len());
                tiles_of(tokens.iter().copied(), &self.recipe, |tile| tiles.push(tile));
            }
            let span = ByteSpan { end: offsets.get(end) as u64, ..span };
            let (file, part) = (Arc::clone(&file), part.map(|part| (document, part)));
            let ignored = self.recipe.ignored;
            DocumentPage { file, record: record.number, part, tokens, tiles, tokeniser, ignored, span }
        };
        let stretch = |part: &PartId| {
            let row = table.part(*part);
            let (start, end) = (row.start as usize, row.end as usize);
            (text.is_char_boundary(start) && text.is_char_boundary(end) && start <= end).then_some((
                Some(*part),
                start,
                end,
                row.state,
            ))
        };
        let stretches: Option<Vec<_>> = parts.and_then(|parts| parts.iter().map(stretch).collect());
        Ok(match stretches {
            Some(stretches) if unchanged => {
                stretches.into_iter().map(|(part, start, end, state)| open(part, start, end, state)).collect()
            }
            _ => vec![open(None, 0, text.len(), LexState::default())],
        })
    }
}

impl OpenFile {
    /// The stamp of the file when it was read.
    pub fn stamp(&self) -> corpus::Stamp {
        self.stamp
    }

    /// Whether it is source code, by its name and its text.
    pub fn is_source(&self) -> bool {
        Language::detect(&self.path, &self.text).is_some_and(Language::is_source)
    }

    /// The text of a record, by its number from 1; with 0 that of the whole file.
    pub fn text_of(&self, record: u32) -> Option<Cow<'_, str>> {
        Some(self.records.get(&self.text, record)?.text)
    }

    /// The occurrence at a range of the file's text: bytes of the file, lines and columns.
    pub fn occurrence(&self, record: Option<u32>, start: usize, end: usize) -> Occurrence {
        let (line, column) = self.line_and_column(start);
        let (end_line, end_column) = self.line_and_column(end);
        let offset = |at: usize| self.offsets.get(&self.text, at);
        Occurrence {
            path: self.path.clone(),
            record,
            span: ByteSpan { start: offset(start), end: offset(end) },
            text_span: ByteSpan { start: start as u64, end: end as u64 },
            line,
            column,
            end_line,
            end_column,
        }
    }

    fn line_and_column(&self, at: usize) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&start| start as usize <= at).max(1);
        let start = self.line_starts[line - 1] as usize;
        let column = self.characters.between(&self.text, start, at, character);
        (line as u32, column as u32 + 1)
    }
}

impl DocumentPage {
    /// The tokens of a tile, in order. Two tiles are equal when the hashes of these are.
    pub fn tile_tokens(&self, tile: &Tile, span: u32) -> &[Token] {
        let first = tile.first as usize;
        &self.tokens[first..(first + span as usize).min(self.tokens.len())]
    }

    /// The hashes of the names of some of its tokens, where these are folded, and 0 elsewhere.
    pub fn names(&self, tokens: &[Token]) -> Vec<u32> {
        let text = self.ignored.blanked(&self.file.text);
        tokens.iter().map(|token| folded_name(&text, token, self.tokeniser)).collect()
    }

    /// The file's text from one token to another, both included.
    pub fn text_between(&self, first: usize, last: usize) -> &str {
        let (start, end) = (self.tokens[first].start as usize, self.tokens[last].end as usize);
        self.file.text.get(start..end).unwrap_or_default()
    }
}

/// Whether two runs have equal tokens; their spans may differ.
pub fn same_tokens(a: &[Token], b: &[Token]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.hash == b.hash)
}

/// The offsets at which the lines of a text begin. No line begins after a final line break.
pub fn line_starts(text: &str) -> Vec<u32> {
    let mut starts = Vec::with_capacity(text.len() / USUAL_LINE + 1);
    starts.push(0);
    // Lines are short: eight bytes at a time are looked at faster than the next line is searched for.
    let (words, rest) = text.as_bytes().as_chunks();
    for (at, word) in (0..).step_by(size_of::<u64>()).zip(words) {
        let mut breaks = line_breaks(u64::from_le_bytes(*word));
        while breaks != 0 {
            starts.push(at + breaks.trailing_zeros() / u8::BITS + 1);
            breaks &= breaks - 1;
        }
    }
    let behind = (text.len() - rest.len()) as u32;
    starts.extend((behind + 1..).zip(rest).filter(|(_, byte)| **byte == b'\n').map(|(start, _)| start));
    starts.pop_if(|start| *start as usize == text.len() && *start > 0);
    starts
}

/// The highest bit of each of eight bytes that is a line break.
fn line_breaks(word: u64) -> u64 {
    const EACH: u64 = u64::MAX / 0xff;
    const LOW: u64 = EACH * 0x7f;
    // 10 is a line break.
    let differs = word ^ (EACH * 10);
    // No byte carries into the next one.
    !(((differs & LOW) + LOW) | differs | LOW)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_begin_behind_line_breaks(text in "[a\n\u{8a}\u{10a}\u{b}]{0,40}") {
            let begins = |at: &usize| *at == 0 || *at < text.len() && text.as_bytes()[at - 1] == b'\n';
            let expected: Vec<u32> = (0..text.len().max(1)).filter(begins).map(|at| at as u32).collect();
            prop_assert_eq!(line_starts(&text), expected);
        }
    }

    #[test]
    fn a_document_has_the_lines_that_editors_count() {
        for (text, lines) in [("", 1), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\nb\n\n", 3)] {
            assert_eq!(line_starts(text).len(), lines, "{text:?}");
        }
    }
}
