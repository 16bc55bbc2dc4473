//! Input for drawing a document: its text, copies, differences, matches and visible part.

use std::ops::Range;

use ratatui::style::Color;

use crate::document::{RowStart, Rows, Scroll};
use crate::reader::Matches;
use dupi_index::query::ByteSpan;
use dupi_session::{DocumentView, Duplicated};

/// Input for drawing a document.
pub(crate) struct Sheet<'a> {
    /// The document.
    pub document: &'a DocumentView,
    /// Its rows on the screen where they are aligned with those of another document; `None` is a filler.
    pub aligned: Option<&'a [Option<RowStart>]>,
    /// The copies in it.
    pub copies: &'a [ByteSpan],
    /// The current copy, in source code with the lines that it covers whole.
    pub current: Option<ByteSpan>,
    /// Whether it begins, and whether it ends, inside a line of source code.
    pub inside: [bool; 2],
    /// The differences from the copy that it is compared with.
    pub differs: &'a [ByteSpan],
    /// Other duplicated text, as far as it is known.
    pub others: &'a [Duplicated],
    /// The matches of a search.
    pub matches: Option<&'a Matches>,
    /// The bytes selected with the mouse.
    pub selected: Range<usize>,
    /// The visible part.
    pub scroll: Scroll,
    /// Whether long lines are wrapped.
    pub wraps: bool,
    /// The width of margin and line numbers.
    pub gutter: u16,
    /// The lines that the change adds, from 0, where the row is of a review.
    pub added: &'a [Range<u32>],
    /// Whether the document is being examined for duplicated text.
    pub is_examined: bool,
    /// The syntax colours of a line.
    pub colours: &'a dyn Fn(usize) -> &'a [(usize, Color)],
}

impl Sheet<'_> {
    /// Whether the change adds a line.
    pub(super) fn is_added(&self, line: usize) -> bool {
        let next = self.added.partition_point(|lines| lines.end as usize <= line);
        self.added.get(next).is_some_and(|lines| lines.start as usize <= line)
    }
}

/// The rows on a screen of this height: the aligned ones, or those from the scroll position on; `None` is a filler.
pub(super) fn shown_rows(
    rows: &Rows,
    aligned: Option<&[Option<RowStart>]>,
    scroll: Scroll,
    height: usize,
) -> Vec<Option<RowStart>> {
    match aligned {
        Some(aligned) => aligned.to_vec(),
        None => rows.from(scroll).take(height).map(Some).collect(),
    }
}

/// Whether one of some ordered, disjoint spans touches a range.
pub(crate) fn touching(spans: &[ByteSpan], start: usize, end: usize) -> bool {
    behind(spans, start).is_some_and(|span| span.start < end as u64)
}

/// The first span that ends after a byte.
pub(super) fn behind(spans: &[ByteSpan], byte: usize) -> Option<&ByteSpan> {
    spans.get(spans.partition_point(|span| span.end <= byte as u64))
}
