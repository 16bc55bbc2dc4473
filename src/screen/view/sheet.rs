//! A document in its pane: what is shown of it, the styles that follow byte by byte and in the margin, and which bytes a
//! cell shows.

use std::ops::Range;

use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

use crate::cells::{Cell, cells};
use crate::document::{Document, RowStart, Rows, Scroll, line, next_row, seek, visible};
use crate::model::Model;
use crate::reader::ReaderState;
use crate::reader::search::Matches;
use crate::text::Canvas;
use crate::theme::{Theme, glyphs};
use dupi_index::query::ByteSpan;
use dupi_session::{CounterpartView, Duplicated};

/// The part of a document that is on the screen.
pub(crate) struct Pane<'d> {
    /// The document.
    pub document: &'d Document,
    /// The area of its text.
    pub area: Rect,
    /// Its rows on the screen where they are aligned with those of another document; `None` is a filler.
    pub aligned: Option<Vec<Option<RowStart>>>,
    /// The visible part.
    pub scroll: Scroll,
    /// Whether long lines are wrapped.
    pub wraps: bool,
}

impl<'d> Pane<'d> {
    /// The rows of the document.
    pub(crate) fn rows(&self) -> Rows<'d> {
        Rows::new(self.document, usize::from(self.area.width), self.wraps)
    }

    /// The rows on the screen; `None` is a filler.
    pub(crate) fn shown_rows(&self) -> Vec<Option<RowStart>> {
        let unaligned = || self.rows().from(self.scroll).take(self.area.height.into()).map(Some).collect();
        self.aligned.clone().unwrap_or_else(unaligned)
    }

    /// The bytes that a cell shows; empty where there is no text. A cell outside stands for the nearest one inside.
    pub(crate) fn bytes_at(&self, at: Position) -> Range<usize> {
        let width = usize::from(self.area.width);
        let below_top = at.y.clamp(self.area.y, self.area.bottom().max(1) - 1) - self.area.y;
        let end = self.document.text.len();
        let below_top = usize::from(below_top);
        let shown = self.shown_rows();
        let mut below = shown.iter().skip(below_top);
        let Some(row) = below.find_map(|row| *row) else { return end..end };
        if !shown.get(below_top).is_some_and(Option::is_some) {
            // A filler stands for the beginning of the row below it.
            let start = self.rows().start_of(row);
            return start..start;
        }
        let (start, text) = line(self.document, row.line);
        let row_end = if self.wraps { next_row(text, row.byte, width) } else { None };
        let text = &text[..row_end.unwrap_or(text.len())];
        let (first, skipped) = match self.wraps {
            true => (row.byte, 0),
            false => {
                let (from, reached) = seek(text, self.scroll.column);
                (from, self.scroll.column - reached)
            }
        };
        let column = match at.x.checked_sub(self.area.x) {
            Some(column) => usize::from(column).min(width.saturating_sub(1)),
            // The margin stands for the beginning of its row.
            None => return start + first.min(text.len())..start + first.min(text.len()),
        };
        let shown = visible(text, first, skipped, width).0;
        let cell = shown.iter().find(|(at, cell)| (*at..at + cell.width).contains(&column));
        cell.map_or(start + text.len()..start + text.len(), |(_, cell)| {
            let next = cells(&text[cell.byte..]).nth(1);
            start + cell.byte..start + next.map_or(text.len(), |next| cell.byte + next.byte)
        })
    }
}

/// A document with all that is marked in it.
pub(crate) struct Sheet<'m> {
    /// What is visible of it.
    pub pane: Pane<'m>,
    /// The width of margin and line numbers.
    pub gutter: u16,
    /// The copies in it.
    pub copies: &'m [ByteSpan],
    /// The current copy, in source code with the lines that it covers whole.
    pub current: Option<ByteSpan>,
    /// Whether it begins, and whether it ends, inside a line of source code.
    inside: [bool; 2],
    /// The differences from the copy that it is compared with.
    differs: &'m [ByteSpan],
    /// Other duplicated text, as far as it is known.
    pub others: &'m [Duplicated],
    /// The matches of a search.
    pub matches: Option<&'m Matches>,
    /// The bytes selected with the mouse.
    selected: Range<usize>,
    /// The lines that the change adds, from 0, where the row is of a review.
    added: &'m [Range<u32>],
    /// Whether the document is being examined for duplicated text.
    pub is_examined: bool,
    /// Whether it is the reference copy of a comparison.
    is_beside: bool,
    reader: &'m ReaderState,
}

impl<'m> Sheet<'m> {
    /// The document of the current copy.
    pub(crate) fn new(model: &'m Model, pane: Pane<'m>) -> Self {
        let (preview, document) = (&model.reader.preview, pane.document);
        let current = preview.occurrences.get(preview.current);
        let (current, inside) = current.map(|at| document.in_lines(at.text_span)).unzip();
        Self {
            gutter: model.gutter(document),
            copies: &preview.copies,
            current,
            inside: inside.unwrap_or_default(),
            differs: &preview.differs,
            others: &document.duplicated,
            matches: model.reader.matches(document),
            selected: model.reader.selected(document, false),
            added: &preview.added,
            is_examined: true,
            is_beside: false,
            reader: &model.reader,
            pane,
        }
    }

    /// The reference copy beside the current one.
    pub(crate) fn reference(self, pane: Pane<'m>, beside: &'m CounterpartView) -> Self {
        let (current, inside) = beside.document.in_lines(beside.at.text_span);
        Self {
            copies: &[],
            current: Some(current),
            inside,
            differs: &beside.differs,
            matches: self.reader.matches(pane.document),
            selected: self.reader.selected(pane.document, true),
            added: &[],
            is_beside: true,
            pane,
            ..self
        }
    }

    /// The syntax colours of a line.
    pub(crate) fn colours(&self, line: usize) -> &'m [(usize, Color)] {
        self.reader.colours_of(self.pane.document, self.is_beside, line)
    }

    /// Whether the change adds a line.
    pub(crate) fn is_added(&self, line: usize) -> bool {
        let next = self.added.partition_point(|lines| lines.end as usize <= line);
        self.added.get(next).is_some_and(|lines| lines.start as usize <= line)
    }

    /// Draws cells of the line that begins at `start`, each in its column of the area.
    pub(crate) fn cells(
        &self,
        canvas: &mut Canvas,
        area: Rect,
        (start, cells): (usize, &[(usize, Cell)]),
        colours: &[(usize, Color)],
    ) {
        for (column, cell) in cells {
            let style = self.style(start + cell.byte, syntax_colour(colours, cell.byte), canvas.theme);
            let x = area.x + *column as u16;
            match canvas.buffer.cell_mut((x, area.y)) {
                // The fast path for ASCII.
                Some(plain) if cell.symbol.len() == 1 => {
                    plain.set_symbol(&cell.symbol).set_style(style);
                }
                _ => {
                    let room = usize::from(area.width).saturating_sub(*column);
                    canvas.buffer.set_stringn(x, area.y, &cell.symbol, room, style);
                }
            }
        }
    }

    fn style(&self, byte: usize, syntax: Option<Color>, theme: &Theme) -> Style {
        let holds = |span: &ByteSpan| span.start <= byte as u64;
        let text = match syntax {
            Some(colour) if theme.syntax => theme.text.fg(colour),
            _ => theme.text,
        };
        let style = if self.is_current(byte) {
            let style = text.patch(theme.current);
            let strong = if self.is_beside { theme.differs_beside } else { theme.differs };
            let differs = span_behind(self.differs, byte).is_some_and(holds);
            if differs { style.patch(strong) } else { style }
        } else if span_behind(self.copies, byte).is_some_and(holds) {
            text.patch(theme.copy)
        } else {
            let around = if self.current.is_some() { theme.outside } else { text };
            match self.run_behind(byte).filter(|run| holds(&run.span)) {
                Some(run) if run.taboo => around.patch(theme.taboo),
                Some(_) => around.patch(theme.duplicated),
                None => around,
            }
        };
        let style = match self.matches.and_then(|matches| matches.at(byte)) {
            Some(is_current) => matched(style.patch(theme.match_), is_current),
            None => style,
        };
        if self.selected.contains(&byte) { turned(style) } else { style }
    }

    /// The background of the rest of a row that shows the bytes from `start` to `end`, where a copy goes on.
    pub(crate) fn ground_behind(&self, start: usize, end: usize, theme: &Theme) -> Option<Color> {
        let last = end.saturating_sub(1).max(start);
        if self.is_current(last) {
            return theme.current.bg;
        }
        let is_copy = span_behind(self.copies, last).is_some_and(|span| span.start <= last as u64);
        theme.copy.bg.filter(|_| is_copy)
    }

    fn is_current(&self, byte: usize) -> bool {
        self.current.is_some_and(|span| (span.start..span.end).contains(&(byte as u64)))
    }

    /// The mark beside a row that shows the bytes from `start` to `end`.
    pub(crate) fn margin(&self, start: usize, end: usize, theme: &Theme) -> Option<(&'static str, Style)> {
        let touches = |span: &ByteSpan| span.start < end as u64;
        let [current, copy, duplicated, taboo] = glyphs::MARGIN;
        if touching(self.differs, start, end) {
            return Some((glyphs::DIFFERS, theme.accent));
        }
        if self.current.is_some_and(|span| touches(&span) && (start as u64) < span.end) {
            return Some((current, theme.accent));
        }
        if touching(self.copies, start, end) {
            return Some((copy, theme.accent));
        }
        let run = self.run_behind(start).filter(|run| touches(&run.span))?;
        Some(if run.taboo { (taboo, theme.quiet) } else { (duplicated, theme.quiet) })
    }

    /// Whether the current copy begins or ends inside a line, in a row that shows the bytes from `start` to `end`.
    pub(crate) fn is_cut(&self, start: usize, end: usize) -> bool {
        let Some(ByteSpan { start: first, end: behind }) = self.current else { return false };
        let row = start as u64..end as u64;
        let [begins_inside, ends_inside] = self.inside;
        (begins_inside && row.contains(&first)) || (ends_inside && row.contains(&behind.saturating_sub(1)))
    }

    /// The first duplicated run that ends after a byte.
    fn run_behind(&self, byte: usize) -> Option<&Duplicated> {
        let runs = self.others;
        runs.get(runs.partition_point(|run| run.span.end <= byte as u64))
    }
}

/// Whether one of some ordered, disjoint spans touches a range.
pub(crate) fn touching(spans: &[ByteSpan], start: usize, end: usize) -> bool {
    span_behind(spans, start).is_some_and(|span| span.start < end as u64)
}

/// The first span that ends after a byte.
fn span_behind(spans: &[ByteSpan], byte: usize) -> Option<&ByteSpan> {
    spans.get(spans.partition_point(|span| span.end <= byte as u64))
}

/// The style of a match: reversed, so that it is visible on any style.
fn matched(style: Style, is_current: bool) -> Style {
    let turned = turned(style);
    if is_current { turned.add_modifier(Modifier::BOLD | Modifier::UNDERLINED) } else { turned }
}

/// Swaps foreground and background.
fn turned(style: Style) -> Style {
    if style.add_modifier.contains(Modifier::REVERSED) {
        style.remove_modifier(Modifier::REVERSED)
    } else {
        style.add_modifier(Modifier::REVERSED)
    }
}

fn syntax_colour(colours: &[(usize, Color)], byte: usize) -> Option<Color> {
    colours.get(colours.partition_point(|&(end, _)| end <= byte)).map(|&(_, colour)| colour)
}
