//! The screen as a function of the state.
//!
//! ```text
//! corpus                      what the indexer does
//! ── views ───────────────────────── what is read ──
//! rows of the list     │ copies of the selected row
//!                      │ ──────────────────────────
//!                      │ document of the current one
//! message, filter
//! keys that matter now
//! ```

pub mod before;
pub mod beside;
pub mod columns;
pub mod copies;
pub mod document;
mod empty;
mod folder;
mod footer;
pub mod header;
pub mod help;
pub mod layout;
mod overlay;
pub mod rows;
mod signs;
mod spread;
pub mod strip;
mod typing;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::cells;
use super::model::Model;
use super::theme::{Glyphs, Theme};
use crate::session::Item;

/// Draws everything.
pub fn draw(frame: &mut Frame, model: &Model, theme: &Theme) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    let layout = layout::Layout::of(area, model.focus, model.beside.is_some(), model.reader.split);
    if layout.is_too_small {
        draw_too_small(buffer, area, theme);
        return theme.finish(buffer);
    }
    header::draw(buffer, layout.header, model, theme);
    if let Some(lines) = model.page.lines() {
        (lines.draw)(buffer, layout.body(), model, theme);
        footer::draw(buffer, layout.footer, model, theme);
        overlay::draw(buffer, area, model, theme);
        return theme.finish(buffer);
    }
    rows::draw(buffer, layout.columns, layout.rows, model, theme);
    let has_rule = model.beside.is_some() || copies::are_of(model.list.row());
    for line in layout.lines().filter(|line| has_rule || *line != layout.rule) {
        let glyph = if line.width > 1 { theme.glyphs.horizontal } else { theme.glyphs.vertical };
        for at in line.positions() {
            buffer.set_string(at.x, at.y, glyph, theme.quiet);
        }
    }
    if let Some(Item::Folder(row)) = model.list.row().filter(|_| !has_rule) {
        folder::draw(buffer, layout.copies.union(layout.document), model, row, theme);
    }
    copies::draw(buffer, layout.copies, layout.rule, model, theme);
    if model.beside.is_some() {
        beside::draw(buffer, &layout, model, theme);
    } else {
        document::draw(buffer, layout.document, layout.strip, model, theme);
    }
    footer::draw(buffer, layout.footer, model, theme);
    overlay::draw(buffer, area, model, theme);
    theme.finish(buffer);
}

/// Says how large the terminal must be, in whatever room there is.
fn draw_too_small(buffer: &mut Buffer, area: Rect, theme: &Theme) {
    let (columns, lines) = layout::SMALLEST;
    let (width, height) = (area.width, area.height);
    let words = format!("{columns}×{lines} needed, this is {width}×{height}");
    for (y, line) in (area.y..area.bottom()).zip(wrapped(&words, usize::from(width), usize::from(height))) {
        put(buffer, area.x, y, width, &line, theme.alarm);
    }
}

/// Puts text that may come from anywhere on one line, at most `width` columns of it. Returns the column behind it.
pub fn put(buffer: &mut Buffer, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
    if !buffer.area.contains((x, y).into()) {
        return x;
    }
    let fitted = cells::fit(text, usize::from(width));
    buffer.set_stringn(x, y, fitted, usize::from(width), style).0
}

/// The same, ending at the right edge of an area. Returns the column in front of it.
pub fn put_right(buffer: &mut Buffer, area: Rect, text: &str, style: Style) -> u16 {
    let fitted = cells::fit(text, usize::from(area.width));
    let width: usize = cells::cells(&fitted).map(|cell| cell.width).sum();
    let x = area.right().saturating_sub(width as u16).max(area.x);
    put(buffer, x, area.y, area.right() - x, &fitted, style);
    x
}

/// Text in lines of at most `width` columns, broken between words where there are some. There are at most so many
/// of them, the last one cut where that is not enough.
pub fn wrapped(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut start = 0;
    while lines.len() + 1 < most
        && let Some(end) = document::row_end(text, start, width)
    {
        lines.push(text[start..end].trim_end().to_owned());
        start = end;
    }
    if most > 0 {
        lines.push(cells::fit(&text[start..], width));
    }
    lines
}

/// A bar of some width for a share of it, in eighths of a cell.
fn bar(share: f64, width: u16, glyphs: Glyphs) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = share.clamp(0.0, 1.0);
    let eighths = (share * f64::from(width) * 8.0).round() as usize;
    // What is more than nothing is seen.
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    let full = glyphs.blocks[7].repeat(eighths / 8);
    let rest = EIGHTHS[eighths % 8];
    format!("{:<1$}", full + rest, usize::from(width))
}

/// A number with its thousands set apart: `12,345`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// A number with its word, which takes an s for several: `1 document`, `12,345 documents`.
pub fn several(number: u64, one: &str) -> String {
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
