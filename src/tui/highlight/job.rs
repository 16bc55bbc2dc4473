//! Requests to the highlighter, and its results.

use std::ops::Range;
use std::sync::Arc;

use ratatui::style::Color;

use crate::tui::document::Document;

/// Lines of a document that want colours.
#[derive(Clone, Debug)]
pub struct HighlightJob {
    /// The document.
    pub document: Document,
    /// The lines, from 0.
    pub lines: Range<usize>,
}

/// Stretches of each line: where each ends, in bytes of the line, and its colour.
pub type LineColours = Arc<Vec<Vec<(usize, Color)>>>;

/// Colours of some lines.
#[derive(Clone, Debug)]
pub struct Highlighted {
    /// The document.
    pub document: Document,
    /// The lines, from 0.
    pub lines: Range<usize>,
    /// For each of them, its stretches.
    pub colours: LineColours,
}
