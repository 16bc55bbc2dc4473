//! The list: how many documents, how many copies, and the first words.
//!
//! Where it gets narrow, the rank goes first, then the copies; the text always stays.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{grouped, put};
use crate::passage::Row;
use crate::session::Phase;
use crate::tui::cells;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Theme;

const RANK_FROM: u16 = 46;
const COPIES_FROM: u16 = 34;

/// Draws the rows on the screen, and no others.
pub fn draw(buffer: &mut Buffer, area: Rect, model: &Model, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let rows = &model.listing.rows;
    if rows.is_empty() {
        return draw_empty(buffer, area, model, theme);
    }
    let columns = Columns::of(rows, area.width);
    let selected = model.selected_row();
    for (y, (number, row)) in (area.y..area.bottom()).zip(rows.iter().enumerate().skip(model.first_row)) {
        let is_selected = selected == Some(number);
        let style = match (is_selected, model.focus, row.taboo) {
            (true, Focus::Rows, _) => theme.selected,
            (true, Focus::Document, _) => theme.selected_away,
            (false, _, true) => theme.taboo,
            (false, _, false) => theme.text,
        };
        let line = Rect { y, height: 1, ..area };
        buffer.set_style(line, style);
        let pointer = if is_selected { theme.glyphs.pointer } else { " " };
        let mut x = put(buffer, area.x, y, 2, pointer, style) + 1;
        let counts = columns.counts(number, row);
        x = put(buffer, x, y, area.right().saturating_sub(x), &counts, style) + 1;
        let room = area.right().saturating_sub(x);
        let text = if row.taboo { format!("× {}", row.text) } else { row.text.clone() };
        put(buffer, x, y, room, &cells::line(&text, usize::from(room)), style);
    }
}

/// The width of each column of numbers; 0 where it is left out.
struct Columns {
    rank: usize,
    documents: usize,
    copies: usize,
}

impl Columns {
    fn of(rows: &[std::sync::Arc<Row>], width: u16) -> Self {
        let widest = |digits: String, shown: bool| if shown { digits.len() } else { 0 };
        let documents = rows.iter().map(|row| row.documents).max().unwrap_or(0);
        let copies = rows.iter().map(|row| copies(row).len()).max().unwrap_or(0);
        Self {
            rank: widest(grouped(rows.len() as u64), width >= RANK_FROM),
            documents: grouped(u64::from(documents)).len(),
            copies: if width >= COPIES_FROM { copies } else { 0 },
        }
    }

    fn counts(&self, number: usize, row: &Row) -> String {
        let mut counts = String::new();
        if self.rank > 0 {
            counts += &format!("{:>1$} ", grouped(number as u64 + 1), self.rank);
        }
        counts += &format!("{:>1$}d", grouped(u64::from(row.documents)), self.documents);
        if self.copies > 0 {
            counts += &format!(" {:>1$}×", copies(row), self.copies);
        }
        counts
    }
}

/// The number of copies; with a plus when there are more than were counted.
fn copies(row: &Row) -> String {
    row.copies.map_or_else(|| format!("{}+", grouped(u64::from(row.documents))), grouped)
}

/// There are no rows: say why, and what to do.
fn draw_empty(buffer: &mut Buffer, area: Rect, model: &Model, theme: &Theme) {
    let is_filtered = !model.view.filter.is_empty();
    let phase = model.progress.as_ref().map(|progress| &progress.phase);
    let lines: &[&str] = match phase {
        Some(Phase::Failed(_)) => &["There is nothing to show."],
        _ if model.is_busy() => {
            &["Reading your documents.", "", "What is written more than once", "appears here as it is found."]
        }
        _ if is_filtered && !model.listing.complete => &["Looking for rows that match…"],
        _ if is_filtered => &["No row matches the filter.", "", "Esc drops it."],
        _ if model.view.sigma.is_some() => &["No blot is that frequent.", "", "- lowers σ."],
        _ if !model.listing.complete => &["Looking…"],
        _ if !model.listing.hidden.is_empty() => &["All that is duplicated is taboo.", "", "T shows it."],
        _ => &[
            "Nothing is written more than once",
            "in these documents.",
            "",
            "s lists the files that were left out.",
        ],
    };
    for (y, line) in (area.y + 1..area.bottom()).zip(lines) {
        put(buffer, area.x + 2, y, area.width.saturating_sub(2), line, theme.quiet);
    }
}
