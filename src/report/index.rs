//! Rows of `index` and `inspect`: what an index holds.

use std::num::NonZeroU64;

use serde::Serialize;

use super::name::DocumentName;
use super::row::{Reading, ReportRow};
use dupi_base::config::Size;

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
