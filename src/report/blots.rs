//! Rows of `extract`, `blot` and `unblot`.

use serde::Serialize;

use super::name::DocumentName;
use super::readable::{Readable, Reading};
use dupi_base::storage::one_line;
use dupi_index::query::Occurrence;

/// `extract`: a repeated blot.
#[derive(Debug, Serialize)]
pub struct BlotRow {
    /// The blot.
    pub blot: String,
    /// In how many documents it stands.
    pub df: usize,
    /// Which these are.
    pub documents: Vec<DocumentName>,
}

impl Readable for BlotRow {
    fn reading(&self) -> Reading {
        let names: String = self.documents.iter().map(|name| format!("\t{name}\n")).collect();
        Reading::Lines(format!("{} {}\n{names}", self.blot, self.df))
    }
}

/// `extract --blots-only`: a repeated blot alone. In JSON it is a string.
#[derive(Debug, Serialize)]
pub struct BlotName(pub String);

impl Readable for BlotName {
    fn reading(&self) -> Reading {
        Reading::Lines(format!("{}\n", self.0))
    }
}

/// `blot`: a kept tile of a file.
#[derive(Debug, Serialize)]
pub struct TileRow {
    /// Its blot.
    pub blot: String,
    /// Its first byte.
    pub start: u64,
    /// One past its last byte.
    pub end: u64,
    /// Whether people see these bytes too; by default only the blot.
    #[serde(skip)]
    pub with_offsets: bool,
}

impl Readable for TileRow {
    fn reading(&self) -> Reading {
        let Self { blot, start, end, with_offsets } = self;
        Reading::Lines(if *with_offsets { format!("{blot} {start} {end}\n") } else { format!("{blot}\n") })
    }
}

/// `unblot`: a text and its copies.
#[derive(Debug, Serialize)]
pub struct SnippetRow {
    /// The blot it was asked for by.
    pub blot: String,
    /// The text, as its first copy has it.
    pub text: String,
    /// Its copies.
    pub occurrences: Vec<OccurrenceRow>,
}

impl Readable for SnippetRow {
    fn reading(&self) -> Reading {
        let copies =
            self.occurrences.iter().map(|at| format!("\t{}:{}:{}\n", at.path, at.part.line, at.part.column));
        Reading::Lines(format!(
            "{} {} copies: {}\n{}",
            self.blot,
            self.occurrences.len(),
            one_line(&self.text, 120),
            copies.collect::<String>()
        ))
    }
}

/// One copy.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OccurrenceRow {
    /// The document.
    pub path: DocumentName,
    /// The part of it.
    #[serde(flatten)]
    pub part: Part,
}

/// A part of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Its first byte in the file.
    pub start: u64,
    /// One past its last byte.
    pub end: u64,
    /// Line of its first character, from 1.
    pub line: u32,
    /// Column of its first character, from 1, in characters.
    pub column: u32,
    /// Line of its last character.
    pub end_line: u32,
    /// Column behind its last character.
    pub end_column: u32,
}

impl From<&Occurrence> for OccurrenceRow {
    fn from(found: &Occurrence) -> Self {
        let &Occurrence { span, line, column, end_line, end_column, .. } = found;
        Self {
            path: DocumentName::new(&found.path, found.record),
            part: Part { start: span.start, end: span.end, line, column, end_line, end_column },
        }
    }
}
