//! The list: numbers in columns, and the first words.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::columns::Columns;
use super::put;
use crate::session::{Phase, Subject};
use crate::tui::cells;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Theme;

/// Draws the rows on the screen, and no others.
pub fn draw(buffer: &mut Buffer, head: Rect, area: Rect, model: &Model, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let rows = &model.listing.rows;
    if rows.is_empty() {
        return draw_empty(buffer, area, model, theme);
    }
    let columns = Columns::of(rows, area.width, model.view.sort);
    put(buffer, head.x + 2, head.y, head.width.saturating_sub(2), &columns.heads(), theme.quiet);
    let selected = model.selected_row();
    for (y, (number, row)) in (area.y..area.bottom()).zip(rows.iter().enumerate().skip(model.first_row)) {
        let is_selected = selected == Some(number);
        let style = match (is_selected, model.focus, row.is_taboo()) {
            (true, Focus::Rows, _) => theme.selected,
            (true, Focus::Document, _) => theme.selected_away,
            (false, _, true) => theme.taboo,
            (false, _, false) => theme.text,
        };
        buffer.set_style(Rect { y, height: 1, ..area }, style);
        let pointer = if is_selected { theme.glyphs.pointer } else { " " };
        put(buffer, area.x, y, 1, pointer, style);
        let counts = columns.counts(number, row);
        let x = put(buffer, area.x + 2, y, area.width.saturating_sub(2), &counts, style);
        let room = area.right().saturating_sub(x);
        let text = if row.is_taboo() { format!("× {}", row.text()) } else { row.text().into_owned() };
        put(buffer, x, y, room, &cells::line(&text, usize::from(room)), style);
    }
}

/// There are no rows: say why, and what to do.
fn draw_empty(buffer: &mut Buffer, area: Rect, model: &Model, theme: &Theme) {
    let is_passages = model.view.of == Subject::Passages && !model.listing.is_provisional;
    let is_filtered = !model.view.filter.is_empty();
    let phase = model.progress.as_ref().map(|progress| &progress.phase);
    let lines: &[&str] = match phase {
        Some(Phase::Failed(_)) => &["There is nothing to show."],
        _ if model.is_busy() => {
            &["Reading your documents.", "", "What is written more than once", "appears here as it is found."]
        }
        _ if is_filtered && !model.listing.complete => &["Looking for rows that match…"],
        _ if !model.listing.complete => &["Looking…"],
        _ if is_filtered => &["No row matches the filter.", "", "Esc drops it."],
        _ if is_passages && model.listing.hidden.is_empty() => {
            &["Nothing long is written more", "than once here.", "", "2 shows what is short."]
        }
        _ if !is_passages && model.view.sigma.is_some() => &["No blot is that frequent.", "", "- lowers σ."],
        _ if !model.listing.hidden.is_empty() => &["All that is duplicated is taboo.", "", "T shows it."],
        _ => &["Nothing is written more", "than once here.", "", "s lists the files left out."],
    };
    for (y, line) in (area.y + 1..area.bottom()).zip(lines) {
        put(buffer, area.x + 2, y, area.width.saturating_sub(2), line, theme.quiet);
    }
}
