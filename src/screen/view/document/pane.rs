//! Maps a cell of the document pane back to the bytes that it shows.

use std::ops::Range;

use ratatui::layout::{Position, Rect};

use super::sheet::shown_rows;
use crate::cells::cells;
use crate::document::{Document, RowStart, Rows, Scroll, line, next_row, seek, visible};

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
