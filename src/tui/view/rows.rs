//! The list: how many documents, how many copies, and the first words.
//!
//! Where it gets narrow, the rank goes first, then the copies; the text always stays.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{grouped, put};
use crate::passage::Row;
use crate::session::Phase;
use crate::tui::cells;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Theme;

const RANK_FROM: u16 = 46;
const COPIES_FROM: u16 = 40;

/// Draws the rows on the screen, and no others.
pub fn draw(buffer: &mut Buffer, head: Rect, area: Rect, model: &Model, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let rows = &model.listing.rows;
    if rows.is_empty() {
        return draw_empty(buffer, area, model, theme);
    }
    let columns = Columns::of(rows, area.width);
    put(buffer, head.x + 2, head.y, head.width.saturating_sub(2), &columns.heads(), theme.quiet);
    let selected = model.selected_row();
    for (y, (number, row)) in (area.y..area.bottom()).zip(rows.iter().enumerate().skip(model.first_row)) {
        let is_selected = selected == Some(number);
        let style = match (is_selected, model.focus, row.taboo) {
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

const HEADS: [&str; 3] = ["#", "docs", "copies"];

impl Columns {
    fn of(rows: &[Arc<Row>], width: u16) -> Self {
        let widest =
            |values: &mut dyn Iterator<Item = usize>, head: &str| values.max().unwrap_or(0).max(head.len());
        let if_from = |least: u16, columns: usize| if width >= least { columns } else { 0 };
        let mut documents = rows.iter().map(|row| grouped(u64::from(row.documents)).len());
        let mut copies_of = rows.iter().map(|row| copies(row).len());
        Self {
            rank: if_from(RANK_FROM, grouped(rows.len() as u64).len()),
            documents: widest(&mut documents, HEADS[1]),
            copies: if_from(COPIES_FROM, widest(&mut copies_of, HEADS[2])),
        }
    }

    /// Three values in their columns, each to the right and with two spaces behind it.
    fn line(&self, values: [String; 3]) -> String {
        let widths = [self.rank, self.documents, self.copies];
        let shown = values.into_iter().zip(widths).filter(|&(_, width)| width > 0);
        shown.map(|(value, width)| format!("{value:>width$}  ")).collect()
    }

    fn heads(&self) -> String {
        self.line(HEADS.map(str::to_owned)) + "text"
    }

    fn counts(&self, number: usize, row: &Row) -> String {
        self.line([grouped(number as u64 + 1), grouped(u64::from(row.documents)), copies(row)])
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
        _ => &["Nothing is written more", "than once here.", "", "s lists the files left out."],
    };
    for (y, line) in (area.y + 1..area.bottom()).zip(lines) {
        put(buffer, area.x + 2, y, area.width.saturating_sub(2), line, theme.quiet);
    }
}
