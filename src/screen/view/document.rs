//! Draws the document of the current copy, with line numbers, syntax colours and all duplicated text in it.
//!
//! Only visible cells are computed, however long the document or the line is. A margin beside the line numbers marks
//! duplicated text without colours.

mod paint;
mod pane;
mod sheet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use paint::SheetPainter;
pub(crate) use pane::Pane;
use sheet::shown_rows;
pub(crate) use sheet::{Sheet, touching};

use super::layout::Layout;
use super::strip;
use crate::cells::Cell;
use crate::document::{Rows, gutter, line, next_row, seek, visible};
use crate::model::Model;
use crate::text::put;
use crate::theme::Theme;

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
