//! Styles of the text of a document, byte by byte, and the marks in its margin.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::sheet::{Sheet, behind, touching};
use crate::cells::Cell;
use crate::theme::Theme;
use dupi_index::query::ByteSpan;
use dupi_session::Duplicated;

/// Styles the cells of a sheet.
pub(super) struct SheetPainter<'a, 's> {
    /// The sheet.
    pub sheet: &'a Sheet<'s>,
    /// The theme.
    pub theme: &'a Theme,
}

impl SheetPainter<'_, '_> {
    /// Draws cells of the line that begins at `start`, each in its column of the area.
    pub(super) fn cells(
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
    pub(super) fn margin(&self, start: usize, end: usize) -> Option<(&'static str, Style)> {
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
    pub(super) fn is_cut(&self, start: usize, end: usize) -> bool {
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
