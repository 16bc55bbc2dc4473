//! Requests to the highlighter, and its results.

use std::ops::Range;
use std::sync::Arc;

use ratatui::style::Color;

use crate::tui::document::Document;

/// A request for colours.
#[derive(Clone, Debug)]
pub(crate) struct HighlightJob {
    /// The document.
    pub document: Document,
    /// The lines, from 0.
    pub lines: Range<usize>,
}

/// For each line its coloured ranges: end (in bytes of the line) and colour.
pub(crate) type LineColours = Arc<Vec<Vec<(usize, Color)>>>;

/// The colours of some lines.
#[derive(Clone, Debug)]
pub struct Highlighted {
    /// The document.
    pub document: Document,
    /// The lines, from 0.
    pub lines: Range<usize>,
    /// The ranges of each line.
    pub colours: LineColours,
}
