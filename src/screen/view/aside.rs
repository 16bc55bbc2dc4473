//! Draws what is set aside: the line of a kind in the list, and beside the list what the line stands for.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::Action;
use crate::model::Model;
use crate::text::{grouped, put, put_lines, several};
use crate::theme::Theme;
use dupi_report::in_short;
use dupi_session::ListedAside;

/// Draws the line of a kind: its name and as many of its counts as fit.
pub(super) fn draw_line(buffer: &mut Buffer, room: Rect, row: &ListedAside, style: Style, theme: &Theme) {
    let summary = &row.summary;
    let fold = theme.glyphs.folds[usize::from(row.is_open)];
    let counts = [several(summary.passages, "passage"), copies(summary.copies), tokens(summary.tokens)];
    let said = |counts: &[String]| format!("{fold} {}  {}", summary.kind, counts.join(" · "));
    let widths = (1..=counts.len()).rev().map(|most| said(&counts[..most]));
    let fits = |words: &String| words.chars().count() <= usize::from(room.width);
    let words = widths.into_iter().find(fits).unwrap_or_else(|| format!("{fold} {}", summary.kind));
    put(buffer, room.x, room.y, room.width, &words, style);
}

/// A number of copies.
fn copies(number: u64) -> String {
    format!("{} {}", grouped(number), if number == 1 { "copy" } else { "copies" })
}

/// A number of tokens in few characters.
fn tokens(number: u64) -> String {
    format!("{} token{}", in_short(number), if number == 1 { "" } else { "s" })
}

/// Draws what the line stands for, and its keys.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, model: &Model, row: &ListedAside, theme: &Theme) {
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let summary = &row.summary;
    let key = |action| model.settings.keymap.key_or_name(action);
    let opens = if row.is_open { "folds" } else { "opens" };
    let said = [
        (format!("{}, set aside", summary.kind), theme.accent),
        (String::new(), theme.text),
        (format!("{} with {}", several(summary.passages, "passage"), copies(summary.copies)), theme.text),
        (format!("all copies together: {}", several(summary.tokens, "token")), theme.text),
        (String::new(), theme.text),
        (format!("{} {opens} it.", key(Action::Enter)), theme.quiet),
        (format!("{} always lists this kind in this corpus.", key(Action::SetAside)), theme.quiet),
        (format!("{} shows all kinds, and all members of families.", key(Action::ShowAside)), theme.quiet),
    ];
    put_lines(buffer, area, &said);
}
