//! Draws a document with line numbers, syntax colours and all duplicated text in it.
//!
//! Only visible cells are computed, however long the document or the line is. A margin beside the line numbers marks
//! duplicated text without colours.

use ratatui::layout::Rect;

use crate::cells::Cell;
use crate::document::{line, next_row, seek, visible};
use crate::model::{Layout, Model};
use crate::text::{Canvas, behind};
use crate::theme::glyphs;
use crate::view::sheet::{Pane, Sheet};
use crate::view::strip;

/// Draws the visible part of the document, and its overview strip.
pub(crate) fn draw(canvas: &mut Canvas, layout: &Layout, model: &Model) {
    if let Some(pane) = pane(layout, model) {
        let sheet = Sheet::new(model, pane);
        sheet.draw(canvas);
        strip::draw(canvas, layout.strip, &sheet);
    }
}

/// The pane of the document.
pub(crate) fn pane<'m>(layout: &Layout, model: &'m Model) -> Option<Pane<'m>> {
    let document = model.document()?;
    let area = behind(layout.document, model.gutter(document));
    Some(Pane { document, area, aligned: None, scroll: model.reader.scroll, wraps: model.wraps() })
}

impl Sheet<'_> {
    /// Draws the part that fits.
    pub(crate) fn draw(&self, canvas: &mut Canvas) {
        let (theme, pane) = (canvas.theme, &self.pane);
        let width = usize::from(pane.area.width);
        for (area, row) in pane.area.rows().zip(pane.shown_rows()) {
            let Some(row) = row else { continue };
            // The columns of the margin, counted from the text to the left.
            let margin = |columns: u16| {
                let x = area.x.saturating_sub(columns.min(self.gutter));
                Rect { x, width: columns, ..area }
            };
            let sign = |columns: u16| Rect { width: 1, ..margin(columns) };
            let (start, text) = line(pane.document, row.line);
            if row.byte == 0 {
                let number = format!("{:>1$}", row.line + 1, usize::from(self.gutter).saturating_sub(3));
                canvas.put(margin(self.gutter), &number, theme.quiet);
            }
            if row.byte == 0 && self.is_added(row.line) {
                canvas.put(sign(3), "+", theme.added);
            }
            // The mark of a truncated line covers the whole line.
            let end = if pane.wraps { next_row(text, row.byte, width) } else { None }.unwrap_or(text.len());
            if let Some((mark, style)) = self.margin(start + row.byte, start + end, theme) {
                canvas.put(sign(2), mark, style);
            }
            if self.is_cut(start + row.byte, start + end) {
                canvas.put(sign(1), glyphs::ELLIPSIS, theme.accent);
            }
            let shown = match pane.wraps {
                true => visible(&text[..end], row.byte, 0, width).0,
                false => self.cut(canvas, area, text),
            };
            self.cells(canvas, area, (start, &shown), self.colours(row.line));
        }
    }

    /// The visible part of an unwrapped line; draws signs where it is truncated.
    fn cut<'t>(&self, canvas: &mut Canvas, area: Rect, text: &'t str) -> Vec<(usize, Cell<'t>)> {
        let ([before, after], quiet) = (glyphs::CUT, canvas.theme.quiet);
        let (column, width) = (self.pane.scroll.column, usize::from(area.width));
        let (from, at) = seek(text, column);
        let (mut shown, is_cut) = visible(text, from, column - at, width);
        if column > 0 && from < text.len() && width > 0 {
            shown.retain(|(at, _)| *at > 0);
            canvas.put(Rect { width: 1, ..area }, before, quiet);
        }
        if is_cut && width > 0 {
            while shown.pop_if(|(at, cell)| *at + cell.width >= width).is_some() {}
            canvas.put(behind(area, area.width - 1), after, quiet);
        }
        shown
    }
}
