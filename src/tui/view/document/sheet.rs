//! Input for drawing a document: its text, copies, differences, matches and visible part.

use std::ops::Range;

use ratatui::style::Color;

use crate::query::ByteSpan;
use crate::session::{DocumentView, Duplicated};
use crate::tui::document::Scroll;
use crate::tui::reader::Matches;

/// A document, and what of it is to be seen how.
pub struct Sheet<'a> {
    /// The document.
    pub document: &'a DocumentView,
    /// The copies in it.
    pub copies: &'a [ByteSpan],
    /// The current one of them.
    pub current: Option<ByteSpan>,
    /// What of it differs from what it is compared with.
    pub differs: &'a [ByteSpan],
    /// What else in it stands elsewhere too, as far as that is known.
    pub others: &'a [Duplicated],
    /// What was searched for.
    pub matches: Option<&'a Matches>,
    /// The bytes that the mouse selects.
    pub selected: Range<usize>,
    /// What part is seen.
    pub scroll: Scroll,
    /// Whether long lines are wrapped.
    pub wraps: bool,
    /// The width of the margin and the line numbers.
    pub gutter: u16,
    /// Whether duplicated text is looked for in it, part by part.
    pub is_examined: bool,
    /// The syntax colours of a line.
    pub colours: &'a dyn Fn(usize) -> &'a [(usize, Color)],
}

/// Whether one of some spans, in order and not overlapping, touches a stretch.
pub fn touching(spans: &[ByteSpan], start: usize, end: usize) -> bool {
    behind(spans, start).is_some_and(|span| span.start < end as u64)
}

/// The first of them that ends behind a byte.
pub fn behind(spans: &[ByteSpan], byte: usize) -> Option<&ByteSpan> {
    spans.get(spans.partition_point(|span| span.end <= byte as u64))
}
