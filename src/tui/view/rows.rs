//! The list: a pointer, a mark, numbers in columns, a bar, and the first words.

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::columns::{Columns, sort_of};
use super::empty::draw_empty;
use super::{bar, put, put_right};
use crate::query::filter::State;
use crate::session::{DocumentRow, Item, Sort, Subject};
use crate::storage::shown;
use crate::tui::cells;
use crate::tui::model::{Focus, Model};
use crate::tui::theme::Theme;

/// The pointer and the mark.
const LEAD: u16 = 2;
/// With so much room behind its path a document says what it shares most with.
const PARTNER: usize = 24;
/// So far to the right a document stands that is below its partner.
const BELOW: u16 = 2;
/// So much of a text is seen before anything stands behind it.
const LEAST_WORDS: usize = 20;
/// How wide a bar is, and where there is little room.
const BAR: [u16; 2] = [8, 5];

/// Draws the rows on the screen, and no others.
pub fn draw(buffer: &mut Buffer, head: Rect, area: Rect, model: &Model, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let rows = &model.listing.rows;
    if rows.is_empty() {
        return draw_empty(buffer, area, model, theme);
    }
    let bar_width = bar_width(model, area.width);
    let taken = LEAD + if bar_width > 0 { bar_width + 1 } else { 0 };
    let columns = Columns::of(model, area.width.saturating_sub(taken));
    draw_heads(buffer, head, model, &columns, taken - LEAD, theme);
    let (sort, greatest) = (sort_of(model), greatest(model));
    let selected = model.selected_row();
    for (y, (number, row)) in (area.y..area.bottom()).zip(rows.iter().enumerate().skip(model.first_row)) {
        let line = Rect { y, height: 1, ..area };
        let is_selected = selected == Some(number);
        let style = match (is_selected, model.focus, row.state()) {
            (true, Focus::Rows, _) => theme.selected,
            (true, Focus::Document, _) => theme.selected_away,
            (false, _, State::Taboo) => theme.taboo,
            (false, _, State::Accepted) => theme.quiet,
            (false, _, State::Open) => theme.text,
        };
        buffer.set_style(line, style);
        put(buffer, area.x, y, 1, if is_selected { theme.glyphs.pointer } else { " " }, style);
        if model.marks.has(row.id()) {
            put(buffer, area.x + 1, y, 1, theme.glyphs.marked, style);
        }
        let mut x = put(
            buffer,
            area.x + LEAD,
            y,
            area.width.saturating_sub(LEAD),
            &columns.counts(number, row),
            style,
        );
        if bar_width > 0 {
            let style = if is_selected { style } else { style.patch(theme.bar) };
            let bar = bar(weight(row, sort, greatest), bar_width, theme.glyphs);
            x = put(buffer, x, y, bar_width, &bar, style) + 1;
        }
        draw_words(
            buffer,
            Rect { x, width: area.right().saturating_sub(x), ..line },
            row,
            style,
            if is_selected { style } else { style.patch(theme.added) },
            theme,
        );
    }
}

fn draw_heads(buffer: &mut Buffer, head: Rect, model: &Model, columns: &Columns, bar: u16, theme: &Theme) {
    let mut x = head.x + LEAD;
    for (words, is_sorted) in columns.heads(theme.glyphs) {
        let style = if is_sorted { theme.accent } else { theme.quiet };
        x = put(buffer, x, head.y, head.right().saturating_sub(x), &words, style);
    }
    x += bar;
    let name = match model.view.of {
        Subject::Documents => "document",
        Subject::Files if model.view.folder.as_os_str().is_empty() => "in the corpus",
        Subject::Files => "",
        _ => "text",
    };
    let sorted = match sort_of(model) {
        Sort::Path => ", by path",
        Sort::Recent if !columns.have_sorted() => ", the latest first",
        Sort::Partner if !columns.have_sorted() => ", each by its partner",
        _ => "",
    };
    let room = head.right().saturating_sub(x);
    if name.is_empty() {
        let folder = format!("in {}/{sorted}", shown(&model.view.folder));
        put(buffer, x, head.y, room, &cells::fit_end(&folder, usize::from(room)), theme.accent);
    } else {
        let style = if sorted.is_empty() { theme.quiet } else { theme.accent };
        put(buffer, x, head.y, room, &format!("{name}{sorted}"), style);
    }
}

/// How wide the bars are in a list of some width, 0 where there are none. Names of files leave more room for them
/// than texts do; and of documents and folders the share is what they are listed for.
fn bar_width(model: &Model, width: u16) -> u16 {
    let [long_from, short_from] = match model.view.of {
        Subject::Files => [44, 30],
        Subject::Documents => [64, 30],
        _ => [64, 50],
    };
    match width {
        _ if !is_weighed(model) => 0,
        width if width >= long_from => BAR[0],
        width if width >= short_from => BAR[1],
        _ => 0,
    }
}

/// Whether rows have a share, or are sorted by a number, so that the first has most of it. The taboo list is short
/// enough to look for that which hides most.
fn is_weighed(model: &Model) -> bool {
    let is_always = !matches!(model.view.of, Subject::Passages | Subject::Blots);
    is_always || !matches!(sort_of(model), Sort::Path | Sort::Recent)
}

/// What rows are weighed by that have no share.
fn number(row: &Item, sort: Sort) -> u64 {
    match (sort, row) {
        (Sort::Documents, _) => row.documents(),
        (Sort::Tokens, _) => row.tokens(),
        (Sort::Score, Item::Passage(passage)) => passage.score,
        _ => row.copies().unwrap_or_else(|| row.documents()),
    }
}

/// The greatest of these numbers in the list.
fn greatest(model: &Model) -> u64 {
    let (rows, sort) = (&model.listing.rows, sort_of(model));
    let looked_at = if model.view.of == Subject::Taboo { rows.len() } else { 1 };
    rows.iter().take(looked_at).map(|row| number(row, sort)).max().unwrap_or(0)
}

/// What the bar of a row shows, 0 to 1: its share, else how it compares with the greatest.
fn weight(row: &Item, sort: Sort, greatest: u64) -> f64 {
    row.share().unwrap_or_else(|| {
        let number = number(row, sort);
        number as f64 / greatest.max(number).max(1) as f64
    })
}

/// The text of a row, or the name of what it is, in what is left of its line.
fn draw_words(buffer: &mut Buffer, room: Rect, row: &Item, style: Style, added: Style, theme: &Theme) {
    let width = usize::from(room.width);
    let text = match row {
        Item::Folder(folder) => {
            let name = shown(folder.path.file_name().unwrap_or(folder.path.as_os_str())).text();
            cells::fit_end(&format!("{name}{}", if folder.is_folder { "/" } else { "" }), width)
        }
        Item::Document(document) => return draw_document(buffer, room, document, style, theme),
        Item::Row(_) | Item::Passage(_) | Item::Taboo(_) => {
            let behind = draw_more(buffer, room, row, style, theme);
            let left = Rect { width: room.width - behind as u16, ..room };
            let x = draw_state(buffer, left, row, [style, added], theme);
            let room = left.right().saturating_sub(x);
            put(buffer, x, left.y, room, &cells::line(&row.text(), usize::from(room)), style);
            return;
        }
    };
    put(buffer, room.x, room.y, room.width, &text, style);
}

/// Before its text, what was decided about a row: a plus says that it has more copies than were accepted.
fn draw_state(buffer: &mut Buffer, room: Rect, row: &Item, [style, added]: [Style; 2], theme: &Theme) -> u16 {
    let (mark, of_mark) = match row.state() {
        State::Taboo => (theme.glyphs.cross.to_owned(), style),
        State::Accepted => (theme.glyphs.check.to_owned(), added),
        State::Open if row.outgrown().is_some() => {
            (format!("{}+", theme.glyphs.check), style.patch(theme.quiet))
        }
        State::Open => return room.x,
    };
    put(buffer, room.x, room.y, room.width, &(mark + " "), of_mark)
}

/// At the end of a row that stands for several blots, how many more they are; returns how much room that took.
fn draw_more(buffer: &mut Buffer, room: Rect, row: &Item, style: Style, theme: &Theme) -> usize {
    let Item::Row(of) = row else { return 0 };
    let words = format!(" +{}", of.blots.len().saturating_sub(1));
    if of.blots.len() < 2 || usize::from(room.width) < LEAST_WORDS + words.len() {
        return 0;
    }
    put_right(buffer, room, &words, style.patch(theme.quiet));
    words.len()
}

/// A document's path, to the right of its partner's above it, and where there is room what it shares most with.
fn draw_document(buffer: &mut Buffer, room: Rect, row: &DocumentRow, style: Style, theme: &Theme) {
    let indent = if row.is_below { BELOW.min(room.width) } else { 0 };
    let room = Rect { x: room.x + indent, width: room.width - indent, ..room };
    let path = name(&row.path, row.record);
    let width = usize::from(room.width);
    let taken: usize = cells::cells(&path).map(|cell| cell.width).sum();
    let x = put(buffer, room.x, room.y, room.width, &cells::fit_end(&path, width), style);
    if taken + PARTNER <= width {
        let left = room.right().saturating_sub(x + 2);
        if let Some(words) = partner(row, usize::from(left)) {
            put(buffer, x + 2, room.y, left, &words, style.patch(theme.quiet));
        }
    }
}

/// What a document shares most with, and how much of it, in so many columns: `50 % in b.md`.
pub fn partner(row: &DocumentRow, width: usize) -> Option<String> {
    let partner = row.partner.as_ref()?;
    let share = (partner.tokens as f64 / row.tokens.max(1) as f64 * 100.0) as u64;
    let head = format!("{share} % in ");
    let other = cells::fit_end(&name(&partner.path, partner.record), width.saturating_sub(head.len()));
    Some(head + &other)
}

fn name(path: &Path, record: Option<u32>) -> String {
    let record = record.map(|record| format!(" #{record}")).unwrap_or_default();
    format!("{}{record}", shown(path))
}
