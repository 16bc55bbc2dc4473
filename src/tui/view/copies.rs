//! The copies of the selected row: where each stands.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{grouped, put};
use crate::session::Preview;
use crate::tui::cells;
use crate::tui::model::Model;
use crate::tui::theme::Theme;

/// Which copy stands on top, so that the current one is on the screen.
pub fn first(model: &Model, area: Rect) -> usize {
    let room = usize::from(area.height).saturating_sub(1).max(1);
    let known = model.preview.occurrences.len();
    model.preview.current.saturating_sub(room / 2).min(known.saturating_sub(room))
}

/// How alike the current copy and the one it is compared with are, unless they are equal.
pub fn alike(preview: &Preview) -> String {
    if preview.similarity >= 1.0 || preview.document.is_none() {
        return String::new();
    }
    // Rounded down: what differs is never 100 %.
    format!(" · {:.0} % alike", (preview.similarity * 100.0).floor())
}

/// Draws the copies on the screen, and how many there are.
pub fn draw(buffer: &mut Buffer, area: Rect, model: &Model, theme: &Theme) {
    if area.is_empty() || model.row().is_none() {
        return;
    }
    let preview = &model.preview;
    if !model.is_previewed() {
        put(buffer, area.x, area.y, area.width, "reading…", theme.quiet);
        return;
    }
    if let Some(problem) = &preview.problem {
        put(buffer, area.x, area.y, area.width, problem, theme.alarm);
        return;
    }
    let known = preview.occurrences.len();
    let first = first(model, area);
    let (list, summary) = (area.y..area.bottom() - 1, area.bottom() - 1);
    for (y, (number, at)) in list.zip(preview.occurrences.iter().enumerate().skip(first)) {
        let is_current = number == preview.current;
        let style = if is_current { theme.accent } else { theme.text };
        let pointer = if is_current { theme.glyphs.pointer } else { " " };
        let record = at.record.map(|record| format!(" #{record}")).unwrap_or_default();
        let place = format!("{record}:{}:{}", at.line, at.column);
        let room = usize::from(area.width).saturating_sub(2 + place.len());
        put(buffer, area.x, y, 1, pointer, style);
        let path = cells::fit_end(&at.path.to_string_lossy(), room);
        let x = put(buffer, area.x + 2, y, area.width.saturating_sub(2), &path, style);
        put(
            buffer,
            x,
            y,
            area.right().saturating_sub(x),
            &place,
            if is_current { style } else { theme.quiet },
        );
    }
    let mut words = format!("copy {} of {}", grouped(preview.current as u64 + 1), grouped(known as u64));
    if preview.unread > 0 {
        words += &format!(", {} documents still to be read", grouped(u64::from(preview.unread)));
    }
    if let Some(row) = &preview.row {
        words += &format!(" · {} tokens", grouped(row.tokens()));
    }
    words += &alike(preview);
    if known > 0 {
        put(buffer, area.x, summary, area.width, &words, theme.quiet);
    }
}
