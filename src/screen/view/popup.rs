//! Draws a framed box with lines in the middle of the screen.

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::cells;
use crate::text::{put, put_right};
use crate::theme::Theme;

/// Clears an area and a column on each side of it.
fn clear(buffer: &mut Buffer, screen: Rect, area: Rect, theme: &Theme) {
    let left = area.x.saturating_sub(1).max(screen.x);
    let apart = Rect { x: left, width: area.right() + 1 - left, ..area }.intersection(screen);
    // A wide character before it would overlap it.
    for y in apart.top()..apart.bottom() {
        let before = left.checked_sub(1).and_then(|x| buffer.cell_mut((x, y)));
        if let Some(cell) = before.filter(|cell| cell.cell_width() > 1) {
            cell.set_symbol(" ");
        }
    }
    Clear.render(apart, buffer);
    buffer.set_style(apart, theme.text);
}

fn draw_frame(buffer: &mut Buffer, area: Rect, theme: &Theme) {
    let (glyphs, style) = (theme.glyphs, theme.quiet);
    let (right, bottom) = (area.right().saturating_sub(1), area.bottom().saturating_sub(1));
    for at in area.positions() {
        let is_side = at.x == area.x || at.x == right;
        let glyph = match (at.y == area.y, at.y == bottom, at.x == right) {
            (true, _, is_right) if is_side => glyphs.corners[usize::from(is_right)],
            (_, true, is_right) if is_side => glyphs.corners[2 + usize::from(is_right)],
            (false, false, _) if is_side => glyphs.vertical,
            (false, false, _) => continue,
            _ => glyphs.horizontal,
        };
        buffer.set_string(at.x, at.y, glyph, style);
    }
}

/// Draws a list with one line chosen.
pub(super) fn draw_choice(
    buffer: &mut Buffer,
    screen: Rect,
    title: &str,
    lines: &[String],
    chosen: usize,
    theme: &Theme,
) {
    let room = usize::from(screen.height.saturating_sub(2)).max(1);
    let first = chosen.saturating_sub(room - 1);
    let area = draw_list(buffer, screen, title, lines, first, theme);
    let at = area.y + (chosen - first) as u16;
    if at < area.bottom() {
        buffer.set_style(Rect { y: at, height: 1, ..area }, theme.selected);
    }
}

/// Says at the lower edge that there are more lines, and how to see them.
pub(super) fn say_more(buffer: &mut Buffer, within: Rect, theme: &Theme) {
    let words = if theme.glyphs.are_ascii() { " more below: Down, PgDn " } else { " more below: ↓ PgDn " };
    put_right(buffer, Rect { y: within.bottom(), height: 1, ..within }, words, theme.quiet);
}

/// Draws lines in a box in the middle of the screen; returns the area inside.
pub(super) fn draw_list(
    buffer: &mut Buffer,
    screen: Rect,
    title: &str,
    lines: &[String],
    first: usize,
    theme: &Theme,
) -> Rect {
    let widest =
        lines.iter().map(|line| cells::cells(line).map(|cell| cell.width).sum::<usize>()).max().unwrap_or(0);
    let width = widest.max(title.len() + 4) + 4;
    // Use the full width if little would be left.
    let width = if width + 16 > usize::from(screen.width) { screen.width } else { width as u16 };
    let height = (lines.len() + 2).min(usize::from(screen.height)) as u16;
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    };
    clear(buffer, screen, area, theme);
    draw_frame(buffer, area, theme);
    put(buffer, area.x + 2, area.y, width.saturating_sub(4), &format!(" {title} "), theme.accent);
    let room = usize::from(height.saturating_sub(2));
    let first = first.min(lines.len().saturating_sub(room));
    for (y, line) in (area.y + 1..area.bottom() - 1).zip(&lines[first..]) {
        put(buffer, area.x + 2, y, width.saturating_sub(4), line, theme.text);
    }
    let within = Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: width.saturating_sub(4),
        height: height.saturating_sub(2),
    };
    if first + room < lines.len() {
        say_more(buffer, within, theme);
    }
    within
}
