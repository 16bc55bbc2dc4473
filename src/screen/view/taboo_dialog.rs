//! Draws the preview of a taboo decision: the counts, then the chosen rows and the most frequent of the other rows that
//! would be hidden. The reason at the top and the keys at the bottom do not scroll.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::{draw_list, say_more};
use super::prompt::draw_line;
use crate::cells;
use crate::model::TabooDialog;
use crate::text::{grouped, put, wrapped};
use crate::theme::Theme;
use dupi_index::taboo::TabooScope;

/// The largest width.
const WIDEST: u16 = 84;
/// Lines of the frame, the reason and the keys.
const AROUND: u16 = 4;
/// The number of chosen rows that are shown.
const CHOSEN: usize = 4;
/// The least width for the long label of the reason.
const WORDS_FROM: u16 = 60;
/// The width of the number of copies.
const COPIES: usize = 7;

/// Draws the dialog.
pub(crate) fn draw(buffer: &mut Buffer, screen: Rect, before: &TabooDialog, theme: &Theme) {
    let body = lines(before, screen.width, theme.glyphs.marked);
    let room = room(screen.height);
    let first = before.first.min(body.len().saturating_sub(room));
    let mut shown = vec![" ".repeat(inner(screen.width))];
    shown.extend(body.iter().skip(first).take(room).cloned());
    shown.push(keys(before.scope, screen.width).to_owned());
    let area = draw_list(buffer, screen, "taboo", &shown, 0, theme);
    if area.is_empty() {
        return;
    }
    if first + room < body.len() {
        say_more(buffer, area, theme);
    }
    let why = if screen.width < WORDS_FROM { "why: " } else { "why (may be left out): " };
    let x = put(buffer, area.x, area.y, area.width, why, theme.accent);
    let line = Rect { x, width: area.right().saturating_sub(x), height: 1, ..area };
    draw_line(buffer, line, &before.reason, &[], theme);
}

/// The keys, with the corpora in which the text would be hidden.
fn keys(scope: TabooScope, columns: u16) -> &'static str {
    match scope {
        TabooScope::Corpus if columns < WORDS_FROM => "Enter hides it here, Tab everywhere",
        TabooScope::User if columns < WORDS_FROM => "Enter hides it everywhere, Tab here",
        TabooScope::Corpus => "Enter hides it in this corpus, Tab: in all corpora, Esc leaves it.",
        TabooScope::User => "Enter hides it in all corpora, Tab: in this corpus, Esc leaves it.",
    }
}

/// The last scroll position on a screen of this size.
pub(crate) fn farthest(before: &TabooDialog, (columns, height): (u16, u16)) -> usize {
    lines(before, columns, " ").len().saturating_sub(room(height))
}

fn inner(columns: u16) -> usize {
    usize::from(columns.min(WIDEST).saturating_sub(4))
}

fn room(height: u16) -> usize {
    usize::from(height.saturating_sub(AROUND))
}

/// The lines that scroll. `marked` is the sign of chosen rows.
fn lines(before: &TabooDialog, columns: u16, marked: &str) -> Vec<String> {
    let width = inner(columns);
    let row = |copies: u64, more: &str, mark: &str, text: &str| {
        let copies = grouped(copies) + more;
        cells::line_behind(&format!("{copies:>COPIES$} {mark} "), text, width)
    };
    let mut lines = Vec::new();
    match &before.hides {
        None => lines.push("Counting what else would be hidden…".to_owned()),
        Some(hides) => {
            let others = match hides.others.is_empty() {
                true => "Nothing but what is chosen.".to_owned(),
                false => format!("Of these not chosen: {}.", hides.others.words()),
            };
            for sentence in [format!("Hides {}.", hides.all.words()), others] {
                lines.extend(wrapped(&sentence, width, 4));
            }
        }
    }
    lines.push(String::new());
    for chosen in before.rows.iter().take(CHOSEN) {
        let more = if chosen.copies().is_none() { "+" } else { "" };
        let copies = chosen.copies().unwrap_or_else(|| chosen.documents());
        lines.push(row(copies, more, marked, &chosen.text()));
    }
    if before.rows.len() > CHOSEN {
        lines.push(format!("{:>COPIES$} and {} more", "", grouped((before.rows.len() - CHOSEN) as u64)));
    }
    if let Some(hides) = &before.hides {
        lines.extend(hides.first.iter().map(|(text, copies)| row(*copies, "", " ", text)));
        let rest = hides.others.sum.rows.saturating_sub(hides.first.len() as u64);
        if rest > 0 {
            let least = if hides.others.is_least { "at least " } else { "" };
            lines.push(format!("{:>COPIES$}   and {least}{} more", "", grouped(rest)));
        }
    }
    lines
}
