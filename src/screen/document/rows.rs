//! The rows of a document on a screen of a given width.

use super::line::{line, line_at, next_row, row_start, rows_around};
use dupi_session::DocumentView;

/// The scroll position of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scroll {
    /// The first visible line, from 0.
    pub line: usize,
    /// The byte of that line at which the first row begins, when lines are wrapped.
    pub byte: usize,
    /// The first visible column, when lines are not wrapped.
    pub column: usize,
}

impl Scroll {
    /// The first visible row.
    pub(crate) fn row(self) -> RowStart {
        RowStart { line: self.line, byte: self.byte }
    }
}

/// The distance in wrapped rows up to which rows are counted.
const REACH: usize = 200;

/// The rows of a document.
pub(crate) struct Rows<'d> {
    document: &'d DocumentView,
    width: usize,
    wraps: bool,
}

/// One row: a line, and the byte of it at which the row begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowStart {
    /// The line, from 0.
    pub line: usize,
    /// The byte of it.
    pub byte: usize,
}

impl<'d> Rows<'d> {
    /// The rows of a document.
    pub(crate) fn new(document: &'d DocumentView, width: usize, wraps: bool) -> Self {
        Self { document, width: width.max(1), wraps }
    }

    /// The rows from the scroll position on.
    pub(crate) fn from(&self, scroll: Scroll) -> impl Iterator<Item = RowStart> + '_ {
        let count = self.document.line_starts.len();
        let first = RowStart { line: scroll.line, byte: if self.wraps { scroll.byte } else { 0 } };
        std::iter::successors((first.line < count).then_some(first), move |row| {
            self.next(*row).filter(|next| next.line < count)
        })
    }

    /// Scrolls by a number of rows.
    pub(crate) fn scroll(&self, scroll: &mut Scroll, by: isize) {
        let last = self.document.line_starts.len().saturating_sub(1);
        if !self.wraps {
            (scroll.line, scroll.byte) = (scroll.line.saturating_add_signed(by).min(last), 0);
            return;
        }
        let row = RowStart { line: scroll.line, byte: scroll.byte };
        // So large a step leads to the beginning or the end.
        let row = if by.unsigned_abs() > 10 * self.document.line_starts.len().max(1000) {
            if by < 0 { RowStart { line: 0, byte: 0 } } else { self.row_at(self.document.text.len()) }
        } else if by < 0 {
            self.above(row, by.unsigned_abs())
        } else {
            let below =
                std::iter::successors(Some(row), |row| self.next(*row).filter(|next| next.line <= last));
            below.take(by.unsigned_abs() + 1).last().unwrap_or(row)
        };
        (scroll.line, scroll.byte) = (row.line, row.byte);
    }

    /// The row that shows a byte of the document.
    pub(crate) fn row_at(&self, byte: usize) -> RowStart {
        let number = line_at(self.document, byte);
        let (start, text) = line(self.document, number);
        let column = byte.saturating_sub(start).min(text.len());
        let byte = if self.wraps { row_start(text, column, self.width) } else { 0 };
        RowStart { line: number, byte }
    }

    /// The first byte of the document that a row shows.
    pub(crate) fn start_of(&self, row: RowStart) -> usize {
        self.document.line_starts.get(row.line).map_or(self.document.text.len(), |&start| start as usize)
            + row.byte
    }

    /// How many rows a row is below another one; `None` if it is above it, or too far away to be counted.
    pub(crate) fn apart(&self, above: RowStart, row: RowStart) -> Option<usize> {
        if !self.wraps {
            return row.line.checked_sub(above.line);
        }
        let from = Scroll { line: above.line, byte: above.byte, column: 0 };
        self.from(from).take(REACH).take_while(|at| *at <= row).position(|at| at == row)
    }

    fn next(&self, row: RowStart) -> Option<RowStart> {
        let below = RowStart { line: row.line + 1, byte: 0 };
        if !self.wraps {
            return Some(below);
        }
        let (_, text) = line(self.document, row.line);
        Some(next_row(text, row.byte, self.width).map_or(below, |byte| RowStart { byte, ..row }))
    }

    /// The row that lies a number of rows above another one, or the first one.
    fn above(&self, row: RowStart, by: usize) -> RowStart {
        let (mut row, mut left) = (row, by);
        loop {
            let (_, text) = line(self.document, row.line);
            // Each block of a line is wrapped once, whatever the number of its rows.
            let mut rows = match row.byte.checked_sub(1) {
                Some(before) => rows_around(text, before, self.width),
                None => Vec::new(),
            };
            rows.truncate(rows.partition_point(|&start| start < row.byte));
            if left <= rows.len() {
                let byte = rows.get(rows.len() - left).copied().unwrap_or(row.byte);
                return RowStart { byte, ..row };
            }
            left -= rows.len();
            let first = rows.first().copied().unwrap_or(0);
            if first > 0 {
                row.byte = first;
            } else if let Some(above) = row.line.checked_sub(1) {
                let (_, text) = line(self.document, above);
                let byte = row_start(text, text.len(), self.width);
                row = RowStart { line: above, byte };
                left -= 1;
                if left == 0 {
                    return row;
                }
            } else {
                return RowStart { byte: 0, ..row };
            }
        }
    }
}
