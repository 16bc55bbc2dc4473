//! Input for drawing a document (text, copies, differences, matches, visible part), and the styles that follow from it byte
//! by byte and in the margin.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use crate::cells::Cell;
use crate::document::{RowStart, Rows, Scroll};
use crate::reader::search::Matches;
use crate::theme::Theme;
use dupi_index::query::ByteSpan;
use dupi_session::{DocumentView, Duplicated};

/// Input for drawing a document.
pub(crate) struct Sheet<'a> {
    /// The document.
    pub document: &'a DocumentView,
    /// Its rows on the screen where they are aligned with those of another document; `None` is a filler.
    pub aligned: Option<&'a [Option<RowStart>]>,
    /// The copies in it.
    pub copies: &'a [ByteSpan],
    /// The current copy, in source code with the lines that it covers whole.
    pub current: Option<ByteSpan>,
    /// Whether it begins, and whether it ends, inside a line of source code.
    pub inside: [bool; 2],
    /// The differences from the copy that it is compared with.
    pub differs: &'a [ByteSpan],
    /// Other duplicated text, as far as it is known.
    pub others: &'a [Duplicated],
    /// The matches of a search.
    pub matches: Option<&'a Matches>,
    /// The bytes selected with the mouse.
    pub selected: Range<usize>,
    /// The visible part.
    pub scroll: Scroll,
    /// Whether long lines are wrapped.
    pub wraps: bool,
    /// The width of margin and line numbers.
    pub gutter: u16,
    /// The lines that the change adds, from 0, where the row is of a review.
    pub added: &'a [Range<u32>],
    /// Whether the document is being examined for duplicated text.
    pub is_examined: bool,
    /// The syntax colours of a line.
    pub colours: &'a dyn Fn(usize) -> &'a [(usize, Color)],
}

impl Sheet<'_> {
    /// Whether the change adds a line.
    pub(crate) fn is_added(&self, line: usize) -> bool {
        let next = self.added.partition_point(|lines| lines.end as usize <= line);
        self.added.get(next).is_some_and(|lines| lines.start as usize <= line)
    }
}

/// The rows on a screen of this height: the aligned ones, or those from the scroll position on; `None` is a filler.
pub(crate) fn shown_rows(
    rows: &Rows,
    aligned: Option<&[Option<RowStart>]>,
    scroll: Scroll,
    height: usize,
) -> Vec<Option<RowStart>> {
    match aligned {
        Some(aligned) => aligned.to_vec(),
        None => rows.from(scroll).take(height).map(Some).collect(),
    }
}

/// Whether one of some ordered, disjoint spans touches a range.
pub(crate) fn touching(spans: &[ByteSpan], start: usize, end: usize) -> bool {
    behind(spans, start).is_some_and(|span| span.start < end as u64)
}

/// The first span that ends after a byte.
pub(crate) fn behind(spans: &[ByteSpan], byte: usize) -> Option<&ByteSpan> {
    spans.get(spans.partition_point(|span| span.end <= byte as u64))
}

/// Styles the cells of a sheet.
pub(crate) struct SheetPainter<'a, 's> {
    /// The sheet.
    pub sheet: &'a Sheet<'s>,
    /// The theme.
    pub theme: &'a Theme,
}

impl SheetPainter<'_, '_> {
    /// Draws cells of the line that begins at `start`, each in its column of the area.
    pub(crate) fn cells(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        start: usize,
        cells: &[(usize, Cell)],
        colours: &[(usize, Color)],
    ) {
        for (column, cell) in cells {
            let style = self.style(start + cell.byte, syntax_colour(colours, cell.byte));
            let x = area.x + *column as u16;
            match buffer.cell_mut((x, area.y)) {
                // The fast path for ASCII.
                Some(plain) if cell.symbol.len() == 1 => {
                    plain.set_symbol(&cell.symbol).set_style(style);
                }
                _ => {
                    let room = usize::from(area.width).saturating_sub(*column);
                    buffer.set_stringn(x, area.y, &cell.symbol, room, style);
                }
            }
        }
    }

    fn style(&self, byte: usize, syntax: Option<Color>) -> Style {
        let (theme, sheet) = (self.theme, self.sheet);
        let base = match syntax {
            Some(colour) if theme.syntax => theme.text.fg(colour),
            _ => theme.text,
        };
        let holds = |span: &ByteSpan| span.start <= byte as u64;
        let style = if sheet.current.is_some_and(|span| holds(&span) && (byte as u64) < span.end) {
            let style = base.patch(theme.current);
            let differs = behind(sheet.differs, byte).is_some_and(holds);
            if differs { style.patch(theme.differs) } else { style }
        } else if behind(sheet.copies, byte).is_some_and(holds) {
            base.patch(theme.copy)
        } else {
            match self.run_behind(byte).filter(|run| holds(&run.span)) {
                Some(run) if run.taboo => base.patch(theme.taboo),
                Some(_) => base.patch(theme.duplicated),
                None => base,
            }
        };
        let style = match sheet.matches.and_then(|matches| matches.at(byte)) {
            Some(is_current) => matched(style.patch(theme.match_), is_current),
            None => style,
        };
        if sheet.selected.contains(&byte) { turned(style) } else { style }
    }

    /// The mark beside a row that shows the bytes from `start` to `end`.
    pub(crate) fn margin(&self, start: usize, end: usize) -> Option<(&'static str, Style)> {
        let (theme, sheet) = (self.theme, self.sheet);
        let touches = |span: &ByteSpan| span.start < end as u64;
        let [current, copy, duplicated, taboo] = theme.glyphs.margin;
        if touching(sheet.differs, start, end) {
            return Some((theme.glyphs.differs, theme.accent));
        }
        if sheet.current.is_some_and(|span| touches(&span) && (start as u64) < span.end) {
            return Some((current, theme.accent));
        }
        if touching(sheet.copies, start, end) {
            return Some((copy, theme.accent));
        }
        let run = self.run_behind(start).filter(|run| touches(&run.span))?;
        Some(if run.taboo { (taboo, theme.quiet) } else { (duplicated, theme.quiet) })
    }

    /// Whether the current copy begins or ends inside a line, in a row that shows the bytes from `start` to `end`.
    pub(crate) fn is_cut(&self, start: usize, end: usize) -> bool {
        let Some(ByteSpan { start: first, end: behind }) = self.sheet.current else { return false };
        let row = start as u64..end as u64;
        let [begins_inside, ends_inside] = self.sheet.inside;
        (begins_inside && row.contains(&first)) || (ends_inside && row.contains(&behind.saturating_sub(1)))
    }

    /// The first duplicated run that ends after a byte.
    fn run_behind(&self, byte: usize) -> Option<&Duplicated> {
        let runs = self.sheet.others;
        runs.get(runs.partition_point(|run| run.span.end <= byte as u64))
    }
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
