//! Draws the overview strip at the right edge of a document: the whole document in one column, with copies, matches,
//! other duplicated and taboo text, parts not examined yet, and the visible part.
//!
//! Its marks are those of the left margin. The visible part is a bar or, behind a mark, a background colour.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::document::{Rows, Scroll, line, seek};
use crate::text::Canvas;
use crate::theme::{Theme, glyphs};
use crate::view::sheet::{Sheet, touching};
use dupi_index::query::ByteSpan;
use dupi_session::DocumentView;

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
    pub(crate) fn of(document: &'d DocumentView, width: usize, height: usize, wraps: bool) -> Self {
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
pub(crate) fn draw(canvas: &mut Canvas, area: Rect, sheet: &Sheet) {
    if area.is_empty() {
        return;
    }
    let (theme, pane, width) = (canvas.theme, &sheet.pane, usize::from(sheet.pane.area.width));
    let scale = StripScale::of(pane.document, width, usize::from(area.height), pane.wraps);
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
        let (glyph, style) = match mark(sheet, &part, theme) {
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
fn mark(sheet: &Sheet, part: &Range<usize>, theme: &Theme) -> Option<(&'static str, Style)> {
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
