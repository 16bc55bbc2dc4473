//! Rows of `extract`, `blot`, `unblot` and `like`.

use serde::Serialize;

use super::finding::{Finding, PASSAGE, Place, SHARED};
use super::name::{DocumentName, OccurrenceRow};
use super::row::{Reading, ReportRow};
use super::words::alike;
use dupi_base::storage::one_line;

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

impl ReportRow for BlotRow {
    fn reading(&self) -> Reading {
        let names: String = self.documents.iter().map(|name| format!("\t{name}\n")).collect();
        Reading::Lines(format!("{} {}\n{names}", self.blot, self.df))
    }
}

/// `extract --blots-only`: a repeated blot alone. In JSON it is a string.
#[derive(Debug, Serialize)]
pub struct BlotName(pub String);

impl ReportRow for BlotName {
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

impl ReportRow for TileRow {
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

impl ReportRow for SnippetRow {
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

    fn finding(&self) -> Option<Finding<'_>> {
        let copies = self.occurrences.len();
        Some(Finding {
            text: &self.text,
            copies: copies as u64,
            places: self.occurrences.iter().map(Place::of).collect(),
            ..Finding::new(&PASSAGE, &self.blot, format!("{copies} copies"))
        })
    }
}

/// `like`: a document that shares text.
#[derive(Debug, Serialize)]
pub struct LikeRow {
    /// The document.
    pub path: DocumentName,
    /// The share of the text's tokens that stand in it too.
    pub covered: f64,
    /// The share of the blots of either that both have.
    pub resemblance: f64,
    /// The shared runs.
    pub spans: Vec<LikeSpan>,
}

impl ReportRow for LikeRow {
    fn reading(&self) -> Reading {
        let spans = self.spans.iter().map(|span| {
            let LikeSpan { start, end, tokens, similarity, at } = span;
            let alike = alike(*similarity);
            format!("\tbytes {start}–{end} ({tokens} tokens) at {}:{}{alike}\n", at.part.line, at.part.column)
        });
        let (covered, resemblance) = (self.covered * 100.0, self.resemblance);
        let spans: String = spans.collect();
        Reading::Lines(format!("{covered:5.1} % {} (resemblance {resemblance:.2})\n{spans}", self.path))
    }

    fn finding(&self) -> Option<Finding<'_>> {
        let places = self.spans.iter().map(|span| Place {
            similarity: Some(span.similarity),
            tokens: Some(u64::from(span.tokens)),
            ..Place::of(&span.at)
        });
        let summary = format!("has {:.1} % of the text", self.covered * 100.0);
        Some(Finding {
            share: Some(self.covered),
            copies: self.spans.len() as u64,
            places: places.collect(),
            ..Finding::new(&SHARED, SHARED.id_of(&[&self.path]), summary)
        })
    }
}

/// A run of tokens that a text and a document share.
#[derive(Debug, Serialize)]
pub struct LikeSpan {
    /// Its first byte in the text.
    pub start: u64,
    /// One past its last byte in the text.
    pub end: u64,
    /// How many tokens of the text it has.
    pub tokens: u32,
    /// How much of it and of what stands in the document agrees, 0 to 1.
    pub similarity: f64,
    /// Where it stands in the document.
    pub at: OccurrenceRow,
}
