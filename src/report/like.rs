//! Rows of `like`.

use serde::Serialize;

use super::blots::OccurrenceRow;
use super::name::DocumentName;
use super::passages::percent;
use super::readable::{Readable, Reading};

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

impl Readable for LikeRow {
    fn reading(&self) -> Reading {
        let spans = self.spans.iter().map(|span| {
            let LikeSpan { start, end, tokens, similarity, at } = span;
            let alike = percent(*similarity);
            format!("\tbytes {start}–{end} ({tokens} tokens) at {}:{}{alike}\n", at.part.line, at.part.column)
        });
        let (covered, resemblance) = (self.covered * 100.0, self.resemblance);
        let spans: String = spans.collect();
        Reading::Lines(format!("{covered:5.1} % {} (resemblance {resemblance:.2})\n{spans}", self.path))
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
