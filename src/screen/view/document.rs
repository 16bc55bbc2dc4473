//! Draws the document of the current copy, with line numbers, syntax colours and all duplicated text in it, and maps a
//! cell back to the bytes that it shows.
//!
//! Only visible cells are computed, however long the document or the line is. A margin beside the line numbers marks
//! duplicated text without colours.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::cells::{Cell, cells};
use crate::document::{Document, RowStart, Rows, Scroll, gutter, line, next_row, seek, visible};
use crate::model::{Layout, Model};
use crate::text::put;
use crate::theme::Theme;
use crate::view::sheet::{Sheet, SheetPainter, shown_rows};
use crate::view::strip;

/// Draws the visible part of the document, and its overview strip.
pub(crate) fn draw(buffer: &mut Buffer, area: Rect, strip: Rect, model: &Model, theme: &Theme) {
    let Some(document) = model.document() else { return };
    let current = model.reader.preview.occurrences.get(model.reader.preview.current);
    let (current, inside) = current.map(|at| document.in_lines(at.text_span)).unzip();
    let sheet = Sheet {
        document,
        aligned: None,
        copies: &model.reader.preview.copies,
        current,
        inside: inside.unwrap_or_default(),
        differs: &model.reader.preview.differs,
        others: &document.duplicated,
        matches: model.reader.matches(document),
        selected: model.reader.selected(document, false),
        scroll: model.reader.scroll,
        wraps: model.wraps(),
        gutter: gutter(document),
        added: &model.reader.preview.added,
        is_examined: true,
        colours: &|line| model.reader.colours_of(document, false, line),
    };
    sheet.draw(buffer, area, theme);
    strip::draw(buffer, strip, &sheet, model.text_width(document), theme);
}

/// The pane of the document.
pub(crate) fn pane<'m>(layout: &Layout, model: &'m Model) -> Option<Pane<'m>> {
    let document = model.document()?;
    let (area, scroll) = (layout.document, model.reader.scroll);
    Some(Pane { document, area, aligned: None, scroll, wraps: model.wraps() }.behind(model.gutter(document)))
}

impl Sheet<'_> {
    /// Draws the part that fits.
    pub(crate) fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        if area.is_empty() {
            return;
        }
        let gutter = self.gutter.min(area.width);
        let paint = SheetPainter { sheet: self, theme };
        let text_area = Rect { x: area.x + gutter, width: area.width - gutter, ..area };
        let width = usize::from(text_area.width);
        let rows = Rows::new(self.document, width, self.wraps);
        let shown = shown_rows(&rows, self.aligned, self.scroll, usize::from(area.height));
        for (y, row) in (area.y..area.bottom()).zip(shown) {
            let Some(row) = row else { continue };
            let (start, text) = line(self.document, row.line);
            if row.byte == 0 {
                let number = format!("{:>1$}", row.line + 1, usize::from(gutter).saturating_sub(3));
                put(buffer, area.x, y, gutter, &number, theme.quiet);
            }
            if row.byte == 0 && self.is_added(row.line) {
                put(buffer, text_area.x.saturating_sub(3).max(area.x), y, 1, "+", theme.added);
            }
            // The mark of a truncated line covers the whole line.
            let end = if self.wraps { next_row(text, row.byte, width) } else { None };
            let whole = row.byte..end.unwrap_or(text.len());
            if let Some((mark, style)) = paint.margin(start + whole.start, start + whole.end) {
                put(buffer, text_area.x.saturating_sub(2).max(area.x), y, 1, mark, style);
            }
            if paint.is_cut(start + whole.start, start + whole.end) {
                put(
                    buffer,
                    text_area.x.saturating_sub(1).max(area.x),
                    y,
                    1,
                    theme.glyphs.ellipsis,
                    theme.accent,
                );
            }
            let row_area = Rect { y, height: 1, ..text_area };
            let shown = if self.wraps {
                visible(&text[..whole.end], row.byte, 0, width).0
            } else {
                self.cut(buffer, row_area, text, theme)
            };
            paint.cells(buffer, row_area, start, &shown, (self.colours)(row.line));
        }
    }

    /// The visible part of an unwrapped line; draws signs where it is truncated.
    fn cut<'t>(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        text: &'t str,
        theme: &Theme,
    ) -> Vec<(usize, Cell<'t>)> {
        let [before, behind] = theme.glyphs.cut;
        let (column, width) = (self.scroll.column, usize::from(area.width));
        let (from, at) = seek(text, column);
        let (mut shown, is_cut) = visible(text, from, column - at, width);
        if column > 0 && from < text.len() && width > 0 {
            shown.retain(|(at, _)| *at > 0);
            put(buffer, area.x, area.y, 1, before, theme.quiet);
        }
        if is_cut && width > 0 {
            while shown.pop_if(|(at, cell)| *at + cell.width >= width).is_some() {}
            put(buffer, area.right() - 1, area.y, 1, behind, theme.quiet);
        }
        shown
    }
}

/// A document in its area.
pub(crate) struct Pane<'d> {
    /// The document.
    pub document: &'d Document,
    /// The area.
    pub area: Rect,
    /// Its rows on the screen where they are aligned with those of another document; `None` is a filler.
    pub aligned: Option<Vec<Option<RowStart>>>,
    /// The visible part.
    pub scroll: Scroll,
    /// Whether long lines are wrapped.
    pub wraps: bool,
}

impl Pane<'_> {
    /// Removes a margin of this width from the area.
    pub(crate) fn behind(self, margin: u16) -> Self {
        let margin = margin.min(self.area.width);
        let area = Rect { x: self.area.x + margin, width: self.area.width - margin, ..self.area };
        Self { area, ..self }
    }

    /// The bytes that a cell shows; empty where there is no text. A cell outside stands for the nearest one inside.
    pub(crate) fn bytes_at(&self, at: Position) -> Range<usize> {
        let width = usize::from(self.area.width);
        let rows = Rows::new(self.document, width, self.wraps);
        let below_top = at.y.clamp(self.area.y, self.area.bottom().max(1) - 1) - self.area.y;
        let end = self.document.text.len();
        let below_top = usize::from(below_top);
        let shown = shown_rows(&rows, self.aligned.as_deref(), self.scroll, usize::from(self.area.height));
        let mut below = shown.iter().skip(below_top);
        let Some(row) = below.find_map(|row| *row) else { return end..end };
        if !shown.get(below_top).is_some_and(Option::is_some) {
            // A filler stands for the beginning of the row below it.
            let start = rows.start_of(row);
            return start..start;
        }
        let (start, text) = line(self.document, row.line);
        let row_end = if self.wraps { next_row(text, row.byte, width) } else { None };
        let text = &text[..row_end.unwrap_or(text.len())];
        let column = match at.x.checked_sub(self.area.x) {
            Some(column) => usize::from(column).min(width.saturating_sub(1)),
            // The margin stands for the beginning of its row.
            None => return self.first_of(row, start, text),
        };
        let shown = if self.wraps {
            visible(text, row.byte, 0, width).0
        } else {
            let (from, reached) = seek(text, self.scroll.column);
            visible(text, from, self.scroll.column - reached, width).0
        };
        let cell = shown.iter().find(|(at, cell)| (*at..at + cell.width).contains(&column));
        cell.map_or(start + text.len()..start + text.len(), |(_, cell)| {
            let next = cells(&text[cell.byte..]).nth(1);
            start + cell.byte..start + next.map_or(text.len(), |next| cell.byte + next.byte)
        })
    }

    fn first_of(&self, row: RowStart, start: usize, text: &str) -> Range<usize> {
        let first = if self.wraps { row.byte } else { seek(text, self.scroll.column).0.min(text.len()) };
        start + first..start + first
    }
}
