//! Geometry of a document on the screen: lines, columns of bytes, wrapped rows, and the visible part.
//!
//! A line can be 64 MB long. The cost of every function is bounded by the part that is read.

use std::sync::Arc;

use crate::cells::{Cell, TAB, cells};
use dupi_session::DocumentView;

/// A document that is shown, shared with the highlighter.
pub(crate) type Document = Arc<DocumentView>;

/// The width of the margin and the line numbers.
pub(crate) fn gutter(document: &DocumentView) -> u16 {
    document.line_starts.len().to_string().len() as u16 + 3
}

/// The length in bytes from which a column of a line is a byte: counting columns from its beginning would take too long.
const LONG: usize = 16 << 10;
/// The number of columns that are counted byte by byte; beyond it, a column is a byte.
const FAR: usize = 1 << 10;
/// The size of a block in bytes. A longer line is wrapped in blocks, each by itself.
const BLOCK: usize = 2 << 10;
/// The distance before the end of a block, in bytes, in which a space is searched for, to end it there.
const SPACE: usize = 200;

/// The number of the line, from 0, in which a byte lies.
fn line_at(document: &DocumentView, byte: usize) -> usize {
    document.line_starts.partition_point(|&start| start as usize <= byte).saturating_sub(1)
}

/// A line without its line break, and its offset in the document.
pub(crate) fn line(document: &DocumentView, number: usize) -> (usize, &str) {
    let start = document.line_starts.get(number).map_or(document.text.len(), |&start| start as usize);
    let end = document.line_starts.get(number + 1).map_or(document.text.len(), |&next| next as usize);
    let text = document.text.get(start..end).unwrap_or_default();
    let text = text.strip_suffix('\n').unwrap_or(text);
    (start, text.strip_suffix('\r').unwrap_or(text))
}

/// Where to start reading the cells of a line to reach a column: a byte, and its column.
pub(crate) fn seek(text: &str, column: usize) -> (usize, usize) {
    if text.len() > LONG {
        return (text.floor_char_boundary(column), column);
    }
    let plain = plain(text, |at, _| at > column);
    if plain.ends || column - plain.column <= FAR {
        return (plain.byte, plain.column);
    }
    (text.floor_char_boundary(plain.byte + column - plain.column), column)
}

/// The column of a byte of a line, counted as by [`seek`].
pub(crate) fn column_of(text: &str, byte: usize) -> usize {
    if text.len() > LONG {
        return byte;
    }
    let plain = plain(text, |_, at| at > byte);
    let mut column = plain.column;
    for cell in cells(&text[plain.byte..]) {
        let at = plain.byte + cell.byte;
        if at >= byte {
            break;
        }
        if !plain.ends && column - plain.column > FAR {
            return column + byte - at;
        }
        column += cell.width;
    }
    column
}

/// The last tab stop that is reached by ASCII characters only.
struct PlainPrefix {
    byte: usize,
    column: usize,
    /// Whether what was looked for comes before any other character.
    ends: bool,
}

/// Goes through ASCII, where a byte is a column or a tab, until `is_behind` a column and a byte.
fn plain(text: &str, is_behind: impl Fn(usize, usize) -> bool) -> PlainPrefix {
    let mut plain = PlainPrefix { byte: 0, column: 0, ends: true };
    let mut column = 0;
    for (byte, character) in text.bytes().enumerate() {
        if !(character == b'\t' || (b' '..=b'~').contains(&character)) {
            plain.ends = is_behind(column, byte);
            return plain;
        }
        if is_behind(column, byte) {
            return plain;
        }
        if column.is_multiple_of(TAB) {
            (plain.byte, plain.column) = (byte, column);
        }
        column += if character == b'\t' { TAB - column % TAB } else { 1 };
    }
    plain
}

/// The cells of a line from a byte on that stand behind the first `skip` columns and fit in `width` more, each
/// with its column, and whether there are more of them.
pub(crate) fn visible(text: &str, from: usize, skip: usize, width: usize) -> (Vec<(usize, Cell<'_>)>, bool) {
    let mut shown = Vec::new();
    let mut column = 0;
    for cell in cells(text.get(from..).unwrap_or_default()) {
        let at = column;
        column += cell.width;
        if at < skip {
            continue;
        }
        if column > skip + width {
            return (shown, true);
        }
        shown.push((at - skip, Cell { byte: cell.byte + from, ..cell }));
    }
    (shown, false)
}

/// Where the wrapped row that begins at `start` ends, when another one follows: behind the last space
/// of its second half, or where the room ends.
pub(crate) fn row_end(text: &str, start: usize, width: usize) -> Option<usize> {
    let mut columns = 0;
    let mut between_words = None;
    for cell in cells(text.get(start..)?) {
        columns += cell.width;
        let is_hanging_space = columns == width + 1 && &*cell.symbol == " ";
        if columns > width && cell.byte > 0 && !is_hanging_space {
            return Some(start + between_words.unwrap_or(cell.byte));
        }
        if &*cell.symbol == " " && columns * 2 > width {
            between_words = Some(cell.byte + 1);
        }
    }
    None
}

/// The same of a line of a document: a long one has a row at the beginning of each of its blocks.
pub(crate) fn next_row(text: &str, start: usize, width: usize) -> Option<usize> {
    if text.len() <= 2 * BLOCK {
        return row_end(text, start, width);
    }
    let end = block_start(text, block_of(text, start) + 1);
    row_end(&text[..end], start, width).or((end < text.len()).then_some(end))
}

/// The beginnings of the rows in the block that holds a byte.
pub(crate) fn rows_around(text: &str, byte: usize, width: usize) -> Vec<usize> {
    let is_short = text.len() <= 2 * BLOCK;
    let (start, end) = match block_of(text, byte) {
        _ if is_short => (0, text.len()),
        block => (block_start(text, block), block_start(text, block + 1)),
    };
    std::iter::successors(Some(start), |&row| row_end(&text[..end], row, width)).collect()
}

/// Where the wrapped row begins that shows a byte of a line.
pub(crate) fn row_start(text: &str, byte: usize, width: usize) -> usize {
    let byte = byte.min(text.len().saturating_sub(1));
    let rows = rows_around(text, byte, width);
    rows[rows.partition_point(|&row| row <= byte).max(1) - 1]
}

fn block_of(text: &str, byte: usize) -> usize {
    let block = byte / BLOCK;
    if byte < block_start(text, block + 1) { block } else { block + 1 }
}

/// Where a block begins: behind a space, or at any character when there is none.
fn block_start(text: &str, block: usize) -> usize {
    let at = text.floor_char_boundary(block * BLOCK);
    if block == 0 || at == text.len() {
        return at;
    }
    let from = at.saturating_sub(SPACE);
    text.as_bytes()[from..at].iter().rposition(|&byte| byte == b' ').map_or(at, |space| from + space + 1)
}

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
        // A larger step leads to the beginning or the end.
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

#[cfg(test)]
mod tests;
