//! Draws a document with line numbers, syntax colours and all duplicated text in it, and its overview strip.
//!
//! Only visible cells are computed, however long the document or the line is. A margin beside the line numbers marks
//! duplicated text without colours. The strip at the right edge is the whole document in one column, with copies, matches,
//! other duplicated and taboo text, parts not examined yet, and the visible part: a bar or, behind a mark, a background
//! colour.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::cells::Cell;
use crate::document::{Rows, Scroll, line, next_row, seek, visible};
use crate::model::{Layout, Model};
use crate::text::{Canvas, behind};
use crate::theme::{Theme, glyphs};
use crate::view::sheet::{Pane, Sheet, touching};
use dupi_index::query::ByteSpan;
use dupi_session::DocumentView;

/// Draws the visible part of the document, and its overview strip.
pub(crate) fn draw(canvas: &mut Canvas, layout: &Layout, model: &Model) {
    if let Some(pane) = pane(layout, model) {
        let sheet = Sheet::new(model, pane);
        sheet.draw(canvas);
        draw_strip(canvas, layout.strip, &sheet);
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
            if let Some(ground) = self.ground_behind(start + row.byte, start + end, theme) {
                let filled = shown.last().map_or(0, |(column, cell)| column + cell.width);
                canvas.buffer.set_style(behind(area, filled as u16), Style::new().bg(ground));
            }
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

/// The most screens of text of a document that is mapped row by row.
const SHORT: usize = 4;

/// Maps the parts of a document to the cells of the strip.
pub(crate) struct StripScale<'d> {
    document: &'d DocumentView,
    height: usize,
    unit: StripUnit,
}

enum StripUnit {
    /// All rows are visible: each cell is the row beside it, which begins at this byte.
    Rows(Vec<usize>),
    /// Each cell stands for the same number of lines.
    Lines,
    /// Each cell stands for the same number of bytes, because lines are long or wrapped.
    Bytes,
}

impl<'d> StripScale<'d> {
    /// The scale for a pane of this text width and height.
    pub(crate) fn new(document: &'d DocumentView, width: usize, height: usize, wraps: bool) -> Self {
        let rows = Rows::new(document, width, wraps);
        let starts = || -> Vec<usize> {
            rows.from(Scroll::default()).take(height + 1).map(|row| rows.start_of(row)).collect()
        };
        let is_short = document.text.len() <= SHORT * width * height;
        let unit = match if is_short { starts() } else { Vec::new() } {
            starts if is_short && starts.len() <= height => StripUnit::Rows(starts),
            _ if !wraps && document.line_starts.len() >= height => StripUnit::Lines,
            _ => StripUnit::Bytes,
        };
        Self { document, height: height.max(1), unit }
    }

    /// The bytes that a cell stands for.
    pub(crate) fn part(&self, cell: usize) -> Range<usize> {
        let (text, lines) = (self.document.text.len(), &self.document.line_starts);
        let start_of = |cell: usize| match &self.unit {
            StripUnit::Rows(starts) => starts.get(cell).copied().unwrap_or(text),
            StripUnit::Lines => {
                lines.get(cell * lines.len() / self.height).map_or(text, |&start| start as usize)
            }
            StripUnit::Bytes => (cell as u64 * text as u64 / self.height as u64) as usize,
        };
        start_of(cell)..start_of(cell + 1)
    }

    /// The visible bytes; empty if all are visible.
    fn seen(&self, scroll: Scroll, width: usize, wraps: bool) -> Range<usize> {
        let rows = Rows::new(self.document, width, wraps);
        let shown: Vec<_> = rows.from(scroll).take(self.height + 1).collect();
        let end = shown.get(self.height).map_or(self.document.text.len(), |&row| rows.start_of(row));
        match (&self.unit, shown.first()) {
            (StripUnit::Rows(_), _) | (_, None) => 0..0,
            (StripUnit::Bytes, Some(_)) if !wraps => {
                let lines = shown.iter().take(self.height).map(|row| line(self.document, row.line));
                let (start, text) = lines.max_by_key(|(_, text)| text.len()).unwrap_or_default();
                start + seek(text, scroll.column).0
                    ..start + seek(text, scroll.column + width).0.min(text.len())
            }
            (_, Some(&first)) => rows.start_of(first)..end,
        }
    }
}

/// Draws the strip of a document.
pub(crate) fn draw_strip(canvas: &mut Canvas, area: Rect, sheet: &Sheet) {
    if area.is_empty() {
        return;
    }
    let (theme, pane, width) = (canvas.theme, &sheet.pane, usize::from(sheet.pane.area.width));
    let scale = StripScale::new(pane.document, width, usize::from(area.height), pane.wraps);
    let seen = scale.seen(pane.scroll, width, pane.wraps);
    let (bar, unknown) = (glyphs::STRIP[1], glyphs::unexamined(theme.charset));
    let examined = pane.document.examined;
    for (cell, row) in area.rows().enumerate() {
        let part = scale.part(cell);
        // A cell stands for at least one byte.
        let part = part.start..part.end.max((part.start + 1).min(pane.document.text.len()));
        if part.is_empty() {
            break;
        }
        let is_seen = part.start < seen.end && seen.start < part.end;
        let is_examined = examined.start <= part.start as u64 && part.end as u64 <= examined.end;
        let (glyph, style) = match strip_mark(sheet, &part, theme) {
            Some((glyph, style)) if is_seen => (glyph, style.patch(theme.selected)),
            Some(marked) => marked,
            None if is_seen => (bar, theme.quiet),
            None if sheet.is_examined && !is_examined => (unknown, theme.quiet),
            None => continue,
        };
        canvas.put(row, glyph, style);
    }
}

/// The most important mark in a part of the document.
fn strip_mark(sheet: &Sheet, part: &Range<usize>, theme: &Theme) -> Option<(&'static str, Style)> {
    let [current, copy, duplicated, taboo] = glyphs::MARGIN;
    if sheet.current.is_some_and(|span| touching(&[span], part.start, part.end)) {
        return Some((current, theme.accent));
    }
    if sheet.matches.is_some_and(|matches| matches.touches(part.start, part.end)) {
        return Some((glyphs::STRIP[0], theme.accent));
    }
    if touching(sheet.copies, part.start, part.end) {
        return Some((copy, theme.accent));
    }
    let runs = sheet.others;
    let runs = &runs[runs.partition_point(|run| run.span.end <= part.start as u64)..];
    let mut runs = runs.iter().take_while(|run| run.span.start < part.end as u64).peekable();
    let first = runs.peek()?;
    let is_taboo = first.taboo && runs.all(|run| run.taboo);
    Some(if is_taboo { (taboo, theme.quiet) } else { (duplicated, theme.text) })
}

/// The target of a jump to a cell: the first mark in it, or its beginning.
pub(crate) fn target(
    scale: &StripScale,
    current: Option<ByteSpan>,
    copies: &[ByteSpan],
    cell: usize,
) -> usize {
    let part = scale.part(cell.min(scale.height - 1));
    let runs = &scale.document.duplicated;
    let begins_in = |start: u64| part.contains(&(start as usize)).then_some(start as usize);
    let copy = copies.get(copies.partition_point(|span| span.start < part.start as u64));
    let run = runs.get(runs.partition_point(|run| run.span.start < part.start as u64));
    current
        .and_then(|span| begins_in(span.start))
        .or_else(|| copy.and_then(|span| begins_in(span.start)))
        .or_else(|| run.and_then(|run| begins_in(run.span.start)))
        .unwrap_or(part.start.min(scale.document.text.len()))
}
