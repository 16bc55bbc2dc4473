//! Rows of what an index holds: of `index` and `inspect`, and of `extract`, `blot`, `unblot` and `like`.

use std::num::NonZeroU64;

use serde::Serialize;

use crate::finding::{Finding, PASSAGE, Place, SHARED};
use crate::format::{Reading, ReportRow};
use crate::words::alike;
use crate::words::{DocumentName, OccurrenceRow};
use dupi_base::config::Size;
use dupi_base::storage::one_line;

/// `index`: an index after it was brought up to date.
#[derive(Debug, Serialize)]
pub struct SummaryRow {
    /// How many documents it has.
    pub documents: u64,
    /// From how many files.
    pub files: u64,
    /// The bytes of these files.
    pub bytes: u64,
    /// The tokens of the documents.
    pub tokens: u64,
    /// How many postings it has.
    pub postings: u64,
    /// Its bytes on disk.
    pub index_bytes: u64,
    /// How many segments it has.
    pub segments: usize,
    /// The number of its generation.
    pub generation: u64,
    /// How many files, or records of files, are left out.
    pub skipped: u64,
    /// How long it took to bring it up to date.
    pub seconds: f64,
}

impl ReportRow for SummaryRow {
    fn reading(&self) -> Reading {
        let Self { documents, bytes, index_bytes, skipped, seconds, .. } = *self;
        let share = per_cent(index_bytes, bytes);
        Reading::Lines(format!(
            "{documents} documents, {} in {seconds:.2} s; index {} ({share:.1} %); {skipped} files left out\n",
            Size(bytes),
            Size(index_bytes),
        ))
    }
}

/// `inspect`: what is in an index, and how it was made.
#[derive(Debug, Serialize)]
pub struct InspectionRow {
    /// The base folder of the corpus.
    pub corpus: DocumentName,
    /// The folder of the index.
    pub index: DocumentName,
    /// The number of its generation.
    pub generation: u64,
    /// How documents become blots.
    pub recipe: String,
    /// The length in tokens from which on every shared run is found.
    pub guarantee: u32,
    /// How many files were read.
    pub files: u64,
    /// How many documents they have.
    pub documents: u64,
    /// The bytes of the files.
    pub bytes: u64,
    /// The tokens of the documents.
    pub tokens: u64,
    /// How many blots stand in a document.
    pub blots: u64,
    /// How many of them stand in two documents or more.
    pub repeated_blots: u64,
    /// How many postings there are.
    pub postings: u64,
    /// The bytes of the index on disk.
    pub index_bytes: u64,
    /// Of these, the bytes a posting.
    pub bytes_per_posting: f64,
    /// How many segments there are.
    pub segments: usize,
    /// The mean of the document frequencies.
    pub df_mean: f64,
    /// Their standard deviation.
    pub df_deviation: f64,
    /// How many files do not tell their encoding and were read as Windows-1252.
    pub guessed_windows_1252: u64,
    /// How many files, or records of files, are left out.
    pub skipped: u64,
}

impl ReportRow for InspectionRow {
    fn reading(&self) -> Reading {
        let share = per_cent(self.index_bytes, self.bytes);
        Reading::Lines(format!(
            "corpus       {}\nindex        {} (generation {}, {} segments)\nrecipe       {}\nguarantee    every shared run of {} tokens is found\n\
             documents    {} in {} files, {}\ntokens       {}\nblots        {}, {} of them repeated\npostings     {}\n\
             size         {}, {share:.1} % of the documents, {:.2} bytes a posting\ndf           mean {:.3}, standard deviation {:.3}\n\
             encoding     {} files taken for Windows-1252, the others told theirs\nleft out     {} files (inspect --skipped lists them)\n",
            self.corpus,
            self.index,
            self.generation,
            self.segments,
            self.recipe,
            self.guarantee,
            self.documents,
            self.files,
            Size(self.bytes),
            self.tokens,
            self.blots,
            self.repeated_blots,
            self.postings,
            Size(self.index_bytes),
            self.bytes_per_posting,
            self.df_mean,
            self.df_deviation,
            self.guessed_windows_1252,
            self.skipped,
        ))
    }
}

/// `part` of `all`, per cent; of nothing it is what it would be of one.
fn per_cent(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64 * 100.0
}

/// `inspect --skipped`: a file that is left out.
#[derive(Debug, Serialize)]
pub struct SkippedRow {
    /// The file.
    pub path: DocumentName,
    /// Why.
    pub reason: String,
    /// How many more of its lines are left out like it, and not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<NonZeroU64>,
}

impl ReportRow for SkippedRow {
    fn reading(&self) -> Reading {
        let Self { path, reason, more } = self;
        let more = more.map(|more| format!("{path}: and {more} more like it\n")).unwrap_or_default();
        Reading::Lines(format!("{path}: {reason}\n{more}"))
    }
}

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
