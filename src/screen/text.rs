//! Puts text on the screen: cut to a width, wrapped, numbers with units, bars.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::cells;
use crate::document::row_end;
use crate::theme::Glyphs;

/// Writes untrusted text on one line, at most `width` columns of it. Returns the column after it.
pub(super) fn put(buffer: &mut Buffer, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
    if !buffer.area.contains((x, y).into()) {
        return x;
    }
    let fitted = cells::fit(text, usize::from(width));
    buffer.set_stringn(x, y, fitted, usize::from(width), style).0
}

/// The same, right-aligned in an area. Returns the column before it.
pub(super) fn put_right(buffer: &mut Buffer, area: Rect, text: &str, style: Style) -> u16 {
    let fitted = cells::fit(text, usize::from(area.width));
    let width: usize = cells::cells(&fitted).map(|cell| cell.width).sum();
    let x = area.right().saturating_sub(width as u16).max(area.x);
    put(buffer, x, area.y, area.right() - x, &fitted, style);
    x
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

/// Draws texts below one another, each wrapped and in its style.
pub(super) fn put_lines(buffer: &mut Buffer, area: Rect, texts: &[(String, Style)]) {
    let lines = texts.iter().flat_map(|(text, style)| {
        let lines = wrapped(text, usize::from(area.width), usize::from(area.height));
        lines.into_iter().map(move |line| (line, *style))
    });
    for (y, (line, style)) in (area.y..area.bottom()).zip(lines) {
        put(buffer, area.x, y, area.width, &line, style);
    }
}

/// A bar that fills a share of a width, in eighths of a cell.
pub(super) fn bar(share: f64, width: u16, glyphs: Glyphs) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = share.clamp(0.0, 1.0);
    let eighths = (share * f64::from(width) * 8.0).round() as usize;
    // A positive share is always visible.
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    let full = glyphs.blocks[7].repeat(eighths / 8);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
