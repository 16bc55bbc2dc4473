//! Geometry of a document on the screen: lines, wrapped rows, and the visible part.

mod line;
mod rows;

use std::sync::Arc;

use dupi_session::DocumentView;

pub(super) use line::{column_of, line, next_row, row_end, seek, visible};
pub(super) use rows::{RowStart, Rows, Scroll};

/// A document that is shown, shared with the highlighter.
pub(super) type Document = Arc<DocumentView>;

/// The width of the margin and the line numbers.
pub(super) fn gutter(document: &DocumentView) -> u16 {
    document.line_starts.len().to_string().len() as u16 + 3
}

#[cfg(test)]
mod tests;
