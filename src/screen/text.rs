//! Puts text on the screen: cut to a width, wrapped, numbers with units, bars.

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::cells;
use crate::document::row_end;
use crate::theme::{Theme, glyphs};
use dupi_base::storage::shown;

/// The screen while it is drawn, and the theme.
pub struct Canvas<'s> {
    /// The cells.
    pub buffer: &'s mut Buffer,
    /// The styles and glyphs.
    pub theme: &'s Theme,
}

impl Canvas<'_> {
    /// Writes untrusted text on the first line of an area, as much of it as fits. Returns the area behind it.
    pub fn put(&mut self, area: Rect, text: &str, style: Style) -> Rect {
        if !self.buffer.area.contains(area.as_position()) {
            return area;
        }
        let width = usize::from(area.width);
        let end = self.buffer.set_stringn(area.x, area.y, cells::fit(text, width), width, style).0;
        behind(area, end - area.x)
    }

    /// The same, right-aligned. Returns the area before it.
    pub fn put_right(&mut self, area: Rect, text: &str, style: Style) -> Rect {
        let fitted = cells::fit(text, usize::from(area.width));
        let before = area.width.saturating_sub(cells::width(&fitted) as u16);
        self.put(behind(area, before), &fitted, style);
        Rect { width: before, ..area }
    }

    /// Writes the end of a text, such as a path, if it is too long.
    pub fn put_end(&mut self, area: Rect, text: &str, style: Style) -> Rect {
        self.put(area, &cells::fit_end(text, usize::from(area.width)), style)
    }

    /// Writes lines below one another.
    pub fn put_lines(&mut self, area: Rect, lines: impl IntoIterator<Item = impl AsRef<str>>, style: Style) {
        for (row, line) in area.rows().zip(lines) {
            self.put(row, line.as_ref(), style);
        }
    }

    /// Writes texts below one another, each wrapped and in its style.
    pub fn put_texts(&mut self, mut area: Rect, texts: &[(String, Style)]) {
        let (width, most) = (usize::from(area.width), usize::from(area.height));
        for (text, style) in texts {
            let lines = wrapped(text, width, most);
            self.put_lines(area, &lines, *style);
            area = below(area, lines.len() as u16);
        }
    }

    /// Clears an area.
    pub fn clear(&mut self, area: Rect) {
        area.positions().for_each(|at| self.buffer[at].reset());
    }
}

/// An area without its first columns.
pub(crate) fn behind(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width);
    Rect { x: area.x + columns, width: area.width - columns, ..area }
}

/// An area without its first lines.
pub(crate) fn below(area: Rect, lines: u16) -> Rect {
    let lines = lines.min(area.height);
    Rect { y: area.y + lines, height: area.height - lines, ..area }
}

/// One line of an area.
pub(crate) fn row_of(area: Rect, number: u16) -> Rect {
    Rect { height: 1, ..below(area, number) }
}

/// Wraps text into lines of at most `width` columns, between words where possible. Returns at most `most` lines; the
/// last one is cut if that is not enough.
pub(super) fn wrapped(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut start = 0;
    while lines.len() + 1 < most
        && let Some(end) = row_end(text, start, width)
    {
        lines.push(text[start..end].trim_end().to_owned());
        start = end;
    }
    if most > 0 {
        lines.push(cells::fit(&text[start..], width));
    }
    lines
}

/// A bar that fills a share of a width, in eighths of a cell.
pub(super) fn bar(share: f64, width: u16) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = share.clamp(0.0, 1.0);
    let eighths = (share * f64::from(width) * 8.0).round() as usize;
    // A positive share is always visible.
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    let full = glyphs::BLOCKS[7].repeat(eighths / 8);
    let rest = EIGHTHS[eighths % 8];
    format!("{:<1$}", full + rest, usize::from(width))
}

/// A number with thousands separators: `12,345`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// A number with its noun, in the plural if needed: `1 document`, `12,345 documents`.
pub(super) fn several(number: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A path with its record; `slash` stands behind the path of a folder.
pub(crate) fn path_of(path: &Path, slash: &str, record: Option<u32>) -> String {
    let record = record.map(|record| format!(" #{record}")).unwrap_or_default();
    format!("{}{slash}{record}", shown(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
