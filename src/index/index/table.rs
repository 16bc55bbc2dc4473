//! The table of a segment: its files, documents and parts.
//!
//! A file has documents (most have one), a document has parts (most have one). Each is an entry of fixed width, so
//! opening a segment decodes nothing. A file names its first document, a document its first part; they end where
//! those of the next entry begin.
//!
//! ```text
//! counts   files u32 · documents u32 · parts u32 · bytes of paths u32
//! file     end of path u32 · size u64 · mtime i64 · hash u64 · first document u32 · flags u32
//! document file u32 · record u32 · key u64 · tokens u32 · first part u32
//! part     document u32 · start u32 · end u32 · lexer state u32
//! paths    concatenated
//! ```

use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::posting::PartId;
use dupi_base::corpus::Stamp;
use dupi_text::token::LexState;

const COUNTS: usize = 16;
const FILE: usize = 36;
const DOCUMENT: usize = 24;
const PART: usize = 16;
const RACY: u32 = 1;
const BINARY: u32 = 2;
const GUESSED: u32 = 4;

/// A file at the time when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// The bytes of its path, relative to the corpus's base.
    pub path: Vec<u8>,
    /// Its stamp.
    pub stamp: Stamp,
    /// xxh3-64 of its bytes.
    pub hash: u64,
    /// It was read so soon after its last change that a later change may have left the same stamp.
    pub racy: bool,
    /// It is not text. It is recorded so that it is not read again.
    pub binary: bool,
    /// Its encoding was guessed to be Windows-1252.
    pub guessed: bool,
}

/// A document of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentEntry {
    /// The file's number in this table.
    pub file: u32,
    /// The number of the record in the file, from 1; 0 for a whole file.
    pub record: u32,
    /// xxh3-64 of its text, independent of its path.
    pub key: u64,
    /// Its number of tokens.
    pub tokens: u32,
}

/// A part of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartEntry {
    /// The document's number in this table.
    pub document: u32,
    /// Its first byte in the document's text.
    pub start: u32,
    /// Its end (exclusive); its last tokens overlap the next part.
    pub end: u32,
    /// The lexer's state at `start`.
    pub state: LexState,
}

/// A table in memory. Documents are in the order of their files, parts in that of their documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The files.
    pub files: Vec<FileEntry>,
    /// The documents.
    pub documents: Vec<DocumentEntry>,
    /// The parts.
    pub parts: Vec<PartEntry>,
}

impl Table {
    /// Appends another table; its numbers are shifted.
    pub fn append(&mut self, mut other: Self) {
        let (files, documents) = (self.files.len() as u32, self.documents.len() as u32);
        self.files.append(&mut other.files);
        self.documents
            .extend(other.documents.iter().map(|row| DocumentEntry { file: row.file + files, ..*row }));
        self.parts
            .extend(other.parts.iter().map(|row| PartEntry { document: row.document + documents, ..*row }));
    }

    /// Encodes the table.
    pub fn encode(&self) -> Vec<u8> {
        let paths: usize = self.files.iter().map(|file| file.path.len()).sum();
        let rows = self.files.len() * FILE + self.documents.len() * DOCUMENT + self.parts.len() * PART;
        let mut bytes = Vec::with_capacity(COUNTS + rows + paths);
        let put32 = |bytes: &mut Vec<u8>, value: u32| bytes.extend_from_slice(&value.to_le_bytes());
        for count in [self.files.len(), self.documents.len(), self.parts.len(), paths] {
            put32(&mut bytes, count as u32);
        }
        let mut path_end = 0;
        let mut first = 0;
        for (number, file) in self.files.iter().enumerate() {
            path_end += file.path.len() as u32;
            first += self.documents[first..].partition_point(|document| (document.file as usize) < number);
            put32(&mut bytes, path_end);
            bytes.extend_from_slice(&file.stamp.size.to_le_bytes());
            bytes.extend_from_slice(&file.stamp.mtime.to_le_bytes());
            bytes.extend_from_slice(&file.hash.to_le_bytes());
            put32(&mut bytes, first as u32);
            let flags = [(file.racy, RACY), (file.binary, BINARY), (file.guessed, GUESSED)];
            put32(&mut bytes, flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum());
        }
        first = 0;
        for (number, document) in self.documents.iter().enumerate() {
            first += self.parts[first..].partition_point(|part| (part.document as usize) < number);
            put32(&mut bytes, document.file);
            put32(&mut bytes, document.record);
            bytes.extend_from_slice(&document.key.to_le_bytes());
            put32(&mut bytes, document.tokens);
            put32(&mut bytes, first as u32);
        }
        for part in &self.parts {
            for value in [part.document, part.start, part.end, part.state.short().unwrap_or_default()] {
                put32(&mut bytes, value);
            }
        }
        for file in &self.files {
            bytes.extend_from_slice(&file.path);
        }
        bytes
    }
}

/// A view of an encoded table. Numbers passed to its methods come from the table itself or from postings, whose
/// part numbers were checked when decoded.
#[derive(Clone, Copy)]
pub struct TableView<'a> {
    files: &'a [u8],
    documents: &'a [u8],
    parts: &'a [u8],
    paths: &'a [u8],
}

impl<'a> TableView<'a> {
    /// A view of encoded bytes; `None` if their length does not agree with the counts.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let (counts, rest) = bytes.split_at_checked(COUNTS)?;
        let count = |at: usize| u32_at(counts, at * 4) as usize;
        let (files, rest) = rest.split_at_checked(count(0).checked_mul(FILE)?)?;
        let (documents, rest) = rest.split_at_checked(count(1).checked_mul(DOCUMENT)?)?;
        let (parts, paths) = rest.split_at_checked(count(2).checked_mul(PART)?)?;
        (paths.len() == count(3)).then_some(Self { files, documents, parts, paths })
    }

    /// Whether all numbers in the table are valid and ascending. One pass, done at opening.
    pub fn is_sound(&self) -> bool {
        let ascending = |rows: &[u8], width: usize, field: usize, limit: usize| {
            let mut before = 0;
            rows.chunks_exact(width).all(|row| {
                let value = u32_at(row, field);
                let sound = before <= value && value as usize <= limit;
                before = value;
                sound
            })
        };
        let below = |rows: &[u8], width: usize, limit: usize| {
            rows.chunks_exact(width).all(|row| (u32_at(row, 0) as usize) < limit)
        };
        ascending(self.files, FILE, 0, self.paths.len())
            && ascending(self.files, FILE, 28, self.document_count())
            && ascending(self.documents, DOCUMENT, 20, self.part_count())
            && below(self.documents, DOCUMENT, self.file_count())
            && below(self.parts, PART, self.document_count())
    }

    /// The number of files.
    pub fn file_count(&self) -> usize {
        self.files.len() / FILE
    }

    /// The number of documents.
    pub fn document_count(&self) -> usize {
        self.documents.len() / DOCUMENT
    }

    /// The number of parts.
    pub fn part_count(&self) -> usize {
        self.parts.len() / PART
    }

    /// The path of a file, relative to the corpus's base.
    pub fn path(&self, file: u32) -> &'a Path {
        let end = u32_at(self.file_row(file), 0) as usize;
        let start = if file == 0 { 0 } else { u32_at(self.file_row(file - 1), 0) as usize };
        Path::new(OsStr::from_bytes(&self.paths[start..end]))
    }

    /// A file.
    pub fn file(&self, file: u32) -> FileEntry {
        FileEntry {
            path: self.path(file).as_os_str().as_bytes().to_vec(),
            stamp: self.stamp(file),
            hash: self.hash(file),
            racy: self.flags(file) & RACY != 0,
            binary: self.is_binary(file),
            guessed: self.is_guessed(file),
        }
    }

    /// Whether a file is not text.
    pub fn is_binary(&self, file: u32) -> bool {
        self.flags(file) & BINARY != 0
    }

    /// Whether a file's encoding was guessed.
    pub fn is_guessed(&self, file: u32) -> bool {
        self.flags(file) & GUESSED != 0
    }

    fn flags(&self, file: u32) -> u32 {
        u32_at(self.file_row(file), 32)
    }

    /// A file's stamp.
    pub fn stamp(&self, file: u32) -> Stamp {
        let row = self.file_row(file);
        Stamp { size: u64_at(row, 4), mtime: u64_at(row, 12) as i64 }
    }

    /// xxh3-64 of a file's bytes.
    pub fn hash(&self, file: u32) -> u64 {
        u64_at(self.file_row(file), 20)
    }

    /// A document.
    pub fn document(&self, document: u32) -> DocumentEntry {
        let row = self.document_row(document);
        DocumentEntry {
            file: u32_at(row, 0),
            record: u32_at(row, 4),
            key: u64_at(row, 8),
            tokens: u32_at(row, 16),
        }
    }

    /// The key of a document.
    pub fn document_key(&self, document: u32) -> u64 {
        u64_at(self.document_row(document), 8)
    }

    /// The file of a document.
    pub fn file_of(&self, document: u32) -> u32 {
        u32_at(self.document_row(document), 0)
    }

    /// The document of a part.
    pub fn document_of(&self, part: PartId) -> u32 {
        u32_at(&self.parts[part.0 as usize * PART..][..PART], 0)
    }

    /// A part.
    pub fn part(&self, part: PartId) -> PartEntry {
        let row = &self.parts[part.0 as usize * PART..][..PART];
        PartEntry {
            document: u32_at(row, 0),
            start: u32_at(row, 4),
            end: u32_at(row, 8),
            state: LexState::from_short(u32_at(row, 12)),
        }
    }

    /// The numbers of a file's documents.
    pub fn documents_of(&self, file: u32) -> Range<u32> {
        let first = |file: usize| match self.files.get(file * FILE..(file + 1) * FILE) {
            Some(row) => u32_at(row, 28),
            None => self.document_count() as u32,
        };
        first(file as usize)..first(file as usize + 1)
    }

    /// The numbers of a document's parts.
    pub fn parts_of(&self, document: u32) -> Range<u32> {
        let first = |document: usize| match self.documents.get(document * DOCUMENT..(document + 1) * DOCUMENT)
        {
            Some(row) => u32_at(row, 20),
            None => self.part_count() as u32,
        };
        first(document as usize)..first(document as usize + 1)
    }

    fn file_row(&self, file: u32) -> &'a [u8] {
        &self.files[file as usize * FILE..][..FILE]
    }

    fn document_row(&self, document: u32) -> &'a [u8] {
        &self.documents[document as usize * DOCUMENT..][..DOCUMENT]
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let file = |path: &str, binary: bool| FileEntry {
            path: path.into(),
            stamp: Stamp { size: 7, mtime: -3 },
            hash: 1 << 60,
            racy: !binary,
            binary,
            guessed: path == "a",
        };
        let document = |file, record| DocumentEntry { file, record, key: 99, tokens: 5 };
        let part =
            |document, start| PartEntry { document, start, end: start + 10, state: LexState::from_short(2) };
        Table {
            files: vec![file("a", false), file("b", true), file("dir/c", false)],
            documents: vec![document(0, 0), document(2, 1), document(2, 2)],
            parts: vec![part(0, 0), part(0, 8), part(1, 0), part(2, 0)],
        }
    }

    #[test]
    fn entries_are_read_back() {
        let table = table();
        let bytes = table.encode();
        let view = TableView::new(&bytes).unwrap();
        assert!(view.is_sound());
        assert_eq!((0..3).map(|at| view.file(at)).collect::<Vec<_>>(), table.files);
        assert_eq!((0..3).map(|at| view.document(at)).collect::<Vec<_>>(), table.documents);
        assert_eq!((0..4).map(|at| view.part(PartId(at))).collect::<Vec<_>>(), table.parts);
        assert_eq!((0..3).map(|at| view.documents_of(at)).collect::<Vec<_>>(), [0..1, 1..1, 1..3]);
        assert_eq!((0..3).map(|at| view.parts_of(at)).collect::<Vec<_>>(), [0..2, 2..3, 3..4]);
    }

    #[test]
    fn appended_tables_keep_their_entries_together() {
        let mut both = table();
        both.append(table());
        let bytes = both.encode();
        let view = TableView::new(&bytes).unwrap();
        assert!(view.is_sound());
        assert_eq!(view.path(5), Path::new("dir/c"));
        assert_eq!(view.documents_of(5), 4..6);
        assert_eq!(view.document_of(PartId(7)), 5);
    }

    #[test]
    fn bytes_that_do_not_agree_with_their_counts_are_refused() {
        let bytes = table().encode();
        for length in 0..bytes.len() {
            assert!(TableView::new(&bytes[..length]).is_none(), "{length}");
        }
    }
}
