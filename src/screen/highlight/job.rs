//! Requests to the highlighter, and its results.

use std::ops::Range;
use std::sync::Arc;

use ratatui::style::Color;

use crate::document::Document;

/// A request for colours.
#[derive(Clone, Debug)]
pub struct HighlightJob {
    /// The document.
    pub document: Document,
    /// The lines, from 0.
    pub lines: Range<usize>,
    /// Whether it is the reference copy of a comparison.
    pub is_beside: bool,
}

impl HighlightJob {
    /// Whether the lines of another one are among its own.
    pub fn covers(&self, other: &Self) -> bool {
        let (own, wanted) = (&self.lines, &other.lines);
        self.is_beside == other.is_beside
            // Newer versions of a document share the text.
            && Arc::ptr_eq(&self.document.text, &other.document.text)
            && own.start <= wanted.start
            && wanted.end <= own.end
    }
}

/// For each line its coloured ranges: end (in bytes of the line) and colour.
pub(crate) type LineColours = Arc<Vec<Vec<(usize, Color)>>>;

/// The colours of some lines.
#[derive(Clone, Debug)]
pub struct Highlighted {
    /// What was requested.
    pub job: HighlightJob,
    /// The ranges of each line.
    pub colours: LineColours,
}
