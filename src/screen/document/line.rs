//! Geometry of one line: columns of bytes, and the positions where the line wraps.
//!
//! A line can be 64 MB long. The cost of every function is bounded by the part that is read.

use crate::cells::{Cell, TAB, cells};
use dupi_session::DocumentView;

/// The length in bytes from which a column of a line is a byte: counting columns from its beginning would take too long.
const LONG: usize = 16 << 10;
/// The number of columns that are counted byte by byte; beyond it, a column is a byte.
const FAR: usize = 1 << 10;
/// The size of a block in bytes. A longer line is wrapped in blocks, each by itself.
const BLOCK: usize = 2 << 10;
/// The distance before the end of a block, in bytes, in which a space is searched for, to end it there.
const SPACE: usize = 200;

/// The number of the line, from 0, in which a byte lies.
pub(super) fn line_at(document: &DocumentView, byte: usize) -> usize {
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
pub(super) fn rows_around(text: &str, byte: usize, width: usize) -> Vec<usize> {
    let is_short = text.len() <= 2 * BLOCK;
    let (start, end) = match block_of(text, byte) {
        _ if is_short => (0, text.len()),
        block => (block_start(text, block), block_start(text, block + 1)),
    };
    std::iter::successors(Some(start), |&row| row_end(&text[..end], row, width)).collect()
}

/// Where the wrapped row begins that shows a byte of a line.
pub(super) fn row_start(text: &str, byte: usize, width: usize) -> usize {
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
