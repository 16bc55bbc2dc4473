//! The document of the current copy: line numbers, syntax colours, and all that is duplicated in it.
//!
//! Only the cells on the screen are computed, however long the document or the line. A margin beside the
//! line numbers marks what is duplicated, for screens and eyes that tell no colours apart.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::put;
use crate::query::ByteSpan;
use crate::session::DocumentView;
use crate::tui::cells::{Cell, cells};
use crate::tui::model::{Model, Scroll};
use crate::tui::theme::Theme;

/// In a longer line a column is a byte: counting columns from its beginning would take too long.
const LONG: usize = 16 << 10;

/// The number of the line, from 0, in which a byte lies.
pub fn line_at(document: &DocumentView, byte: usize) -> usize {
    document.line_starts.partition_point(|&start| start as usize <= byte).saturating_sub(1)
}

/// The width of the margin and the line numbers.
pub fn gutter(document: &DocumentView) -> u16 {
    document.line_starts.len().to_string().len() as u16 + 3
}

/// A line without its end, and where it begins.
fn line(document: &DocumentView, number: usize) -> (usize, &str) {
    let start = document.line_starts.get(number).map_or(document.text.len(), |&start| start as usize);
    let end = document.line_starts.get(number + 1).map_or(document.text.len(), |&next| next as usize);
    let text = document.text.get(start..end).unwrap_or_default();
    let text = text.strip_suffix('\n').unwrap_or(text);
    (start, text.strip_suffix('\r').unwrap_or(text))
}

/// Where the wrapped row begins, in bytes of the line, that shows the byte `column` of it.
pub fn row_start(document: &DocumentView, number: usize, column: usize, width: usize) -> usize {
    let (_, text) = line(document, number);
    if text.len() > LONG {
        return text.floor_char_boundary(column - column % width.max(1));
    }
    let mut start = 0;
    while let Some(next) = row_end(text, start, width).filter(|&next| next <= column) {
        start = next;
    }
    start
}

/// Where the wrapped row that begins at `start` ends, when another one follows: behind the last space
/// of its second half, or where the room ends.
pub fn row_end(text: &str, start: usize, width: usize) -> Option<usize> {
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

/// The rows of a document on a screen of some width.
pub struct Rows<'d> {
    document: &'d DocumentView,
    width: usize,
    wraps: bool,
}

/// One row: a line, and the byte of it at which the row begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowStart {
    /// The line, from 0.
    pub line: usize,
    /// The byte of it.
    pub byte: usize,
}

impl<'d> Rows<'d> {
    /// The rows of a document.
    pub fn new(document: &'d DocumentView, width: usize, wraps: bool) -> Self {
        Self { document, width: width.max(1), wraps }
    }

    /// The rows from where it is scrolled to.
    pub fn from(&self, scroll: Scroll) -> impl Iterator<Item = RowStart> + '_ {
        let count = self.document.line_starts.len();
        let first = RowStart { line: scroll.line, byte: if self.wraps { scroll.byte } else { 0 } };
        std::iter::successors((first.line < count).then_some(first), move |row| {
            self.next(*row).filter(|next| next.line < count)
        })
    }

    /// Scrolls by so many rows.
    pub fn scroll(&self, scroll: &mut Scroll, by: isize) {
        let last = self.document.line_starts.len().saturating_sub(1);
        if !self.wraps {
            (scroll.line, scroll.byte) = (scroll.line.saturating_add_signed(by).min(last), 0);
            return;
        }
        // Whoever goes this far wants the beginning or the end.
        if by.unsigned_abs() > 10 * self.document.line_starts.len().max(1000) {
            (scroll.line, scroll.byte) = if by < 0 { (0, 0) } else { (last, 0) };
            return;
        }
        let mut row = RowStart { line: scroll.line, byte: scroll.byte };
        for _ in 0..by.unsigned_abs() {
            let moved =
                if by < 0 { self.previous(row) } else { self.next(row).filter(|next| next.line <= last) };
            match moved {
                Some(moved) => row = moved,
                None => break,
            }
        }
        (scroll.line, scroll.byte) = (row.line, row.byte);
    }

    /// The row that shows a byte of the document.
    pub fn row_at(&self, byte: usize) -> RowStart {
        let number = line_at(self.document, byte);
        let column = byte - self.document.line_starts.get(number).map_or(0, |&start| start as usize);
        let byte = if self.wraps { row_start(self.document, number, column, self.width) } else { 0 };
        RowStart { line: number, byte }
    }

    /// The first byte of the document that a row shows.
    pub fn start_of(&self, row: RowStart) -> usize {
        self.document.line_starts.get(row.line).map_or(self.document.text.len(), |&start| start as usize)
            + row.byte
    }

    fn next(&self, row: RowStart) -> Option<RowStart> {
        let below = RowStart { line: row.line + 1, byte: 0 };
        if !self.wraps {
            return Some(below);
        }
        let (_, text) = line(self.document, row.line);
        Some(row_end(text, row.byte, self.width).map_or(below, |byte| RowStart { byte, ..row }))
    }

    fn previous(&self, row: RowStart) -> Option<RowStart> {
        if row.byte > 0 {
            return Some(RowStart {
                byte: row_start(self.document, row.line, row.byte - 1, self.width),
                ..row
            });
        }
        let above = row.line.checked_sub(1)?;
        let (_, text) = line(self.document, above);
        let byte = row_start(self.document, above, text.len().saturating_sub(1), self.width);
        Some(RowStart { line: above, byte })
    }
}

/// Draws the part of the document that is on the screen.
pub fn draw(buffer: &mut Buffer, area: Rect, model: &Model, theme: &Theme) {
    let Some(document) = model.document() else { return };
    Sheet {
        document,
        copies: &model.preview.copies,
        current: model.preview.occurrences.get(model.preview.current).map(|at| at.text_span),
        differs: &model.preview.differs,
        scroll: model.scroll,
        wraps: model.wraps(),
        gutter: gutter(document),
        colours: &|line| model.colours_of(document, line).unwrap_or_default(),
    }
    .draw(buffer, area, theme);
}

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
    /// What part is seen.
    pub scroll: Scroll,
    /// Whether long lines are wrapped.
    pub wraps: bool,
    /// The width of the margin and the line numbers.
    pub gutter: u16,
    /// The syntax colours of a line.
    pub colours: &'a dyn Fn(usize) -> &'a [(usize, Color)],
}

impl Sheet<'_> {
    /// Draws the part of it that fits.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        if !area.is_empty() {
            self.draw_rows(buffer, area, theme);
        }
    }

    fn draw_rows(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let Self { document, copies, current, differs, wraps, .. } = *self;
        let gutter = self.gutter.min(area.width);
        let paint = Paint { document, copies, current, differs, theme };
        let width = usize::from(area.width - gutter);
        let rows = Rows::new(document, width, wraps);
        for (y, row) in (area.y..area.bottom()).zip(rows.from(self.scroll)) {
            let (start, text) = line(document, row.line);
            if row.byte == 0 {
                let number = format!("{:>1$}", row.line + 1, usize::from(gutter).saturating_sub(3));
                put(buffer, area.x, y, gutter, &number, theme.quiet);
            }
            let from = if wraps { row.byte } else { visible_from(text, self.scroll.column) };
            let skip = if wraps || text.len() > LONG { 0 } else { self.scroll.column };
            let colours = (self.colours)(row.line);
            let until = if wraps { row_end(text, row.byte, width) } else { None };
            let shown = visible(&text[..until.unwrap_or(text.len())], from, skip, width);
            // A line that is cut off is marked for all that stands in it.
            let whole = if wraps { row.byte..until.unwrap_or(text.len()) } else { 0..text.len() };
            if let Some((mark, style)) = paint.margin(start + whole.start, start + whole.end) {
                put(buffer, area.x + gutter - 2, y, 1, mark, style);
            }
            for (column, cell) in &shown {
                let style = paint.style(start + cell.byte, syntax_colour(colours, cell.byte));
                let x = area.x + gutter + *column as u16;
                buffer.set_stringn(x, y, &cell.symbol, width - column, style);
            }
        }
    }
}

/// Where the first visible cell of an unwrapped line is looked for.
fn visible_from(text: &str, column: usize) -> usize {
    if text.len() > LONG { text.floor_char_boundary(column) } else { 0 }
}

/// The cells of a row, from a byte of the line on, without the first `skip` columns; each with its column.
fn visible(text: &str, from: usize, skip: usize, width: usize) -> Vec<(usize, Cell<'_>)> {
    let mut column = 0;
    let placed = cells(text.get(from..).unwrap_or_default()).map(move |cell| {
        let at = column;
        column += cell.width;
        (at, Cell { byte: cell.byte + from, ..cell })
    });
    placed
        .skip_while(|(at, _)| *at < skip)
        .map(|(at, cell)| (at - skip, cell))
        .take_while(|(at, cell)| at + cell.width <= width)
        .collect()
}

fn syntax_colour(colours: &[(usize, Color)], byte: usize) -> Option<Color> {
    colours.get(colours.partition_point(|&(end, _)| end <= byte)).map(|&(_, colour)| colour)
}

/// How the text of one document is painted.
struct Paint<'a> {
    document: &'a DocumentView,
    copies: &'a [ByteSpan],
    current: Option<ByteSpan>,
    differs: &'a [ByteSpan],
    theme: &'a Theme,
}

impl Paint<'_> {
    fn style(&self, byte: usize, syntax: Option<Color>) -> Style {
        let theme = self.theme;
        let base = match syntax {
            Some(colour) if theme.syntax => theme.text.fg(colour),
            _ => theme.text,
        };
        if self.current.is_some_and(|span| holds(span, byte)) {
            let style = base.patch(theme.current);
            if self.differs_at(byte) { style.patch(theme.differs) } else { style }
        } else if self.copies.iter().any(|&span| holds(span, byte)) {
            base.patch(theme.copy)
        } else {
            match self.run_from(byte).filter(|run| run.span.start <= byte as u64) {
                Some(run) if run.taboo => base.patch(theme.taboo),
                Some(_) => base.patch(theme.duplicated),
                None => base,
            }
        }
    }

    fn differs_at(&self, byte: usize) -> bool {
        let next = self.differs.partition_point(|span| span.end <= byte as u64);
        self.differs.get(next).is_some_and(|&span| holds(span, byte))
    }

    /// The mark beside a row that shows the bytes from `start` to `end`.
    fn margin(&self, start: usize, end: usize) -> Option<(&'static str, Style)> {
        let touches = |span: &ByteSpan| span.start < end as u64 && (start as u64) < span.end;
        let [current, copy, duplicated, taboo] = self.theme.glyphs.margin;
        let next = self.differs.partition_point(|span| span.end <= start as u64);
        if self.differs.get(next).is_some_and(touches) {
            return Some((self.theme.glyphs.differs, self.theme.accent));
        }
        if self.current.as_ref().is_some_and(touches) {
            return Some((current, self.theme.accent));
        }
        if self.copies.iter().any(touches) {
            return Some((copy, self.theme.accent));
        }
        let run = self.run_from(start).filter(|run| touches(&run.span))?;
        Some(if run.taboo { (taboo, self.theme.quiet) } else { (duplicated, self.theme.quiet) })
    }

    /// The first duplicated run that ends behind a byte.
    fn run_from(&self, byte: usize) -> Option<&crate::session::Duplicated> {
        let runs = &self.document.duplicated;
        runs.get(runs.partition_point(|run| run.span.end <= byte as u64))
    }
}

fn holds(span: ByteSpan, byte: usize) -> bool {
    span.start <= byte as u64 && (byte as u64) < span.end
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
