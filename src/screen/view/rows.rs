//! Draws the list: pointer, mark, columns, bar and text of each row.

use ratatui::layout::{Position, Rect};

use crate::model::{Focus, Model};
use crate::text::{Canvas, bar, behind};
use crate::view::columns::{Columns, is_reversed, sort_of};
use crate::view::empty::draw_empty;
use crate::view::summary::draw_line;
use crate::views::{RowStyles, list_for_row, list_of};
use dupi_base::storage::shown;
use dupi_index::query::filter::ReviewState;
use dupi_session::{Item, Sort};

/// The width of pointer and mark.
const LEAD: u16 = 2;
/// The widths of long and of short bars.
const BAR: [u16; 2] = [8, 5];

/// Draws the visible rows.
pub(crate) fn draw(canvas: &mut Canvas, head: Rect, area: Rect, model: &Model) {
    if area.is_empty() {
        return;
    }
    let (rows, theme) = (&model.list.listing.rows, canvas.theme);
    if rows.is_empty() {
        return draw_empty(canvas, area, model);
    }
    let (columns, taken) = columns_of(model, area.width);
    let bar_width = bar_width(model, area.width);
    draw_heads(canvas, head, model, &columns, taken - LEAD);
    let (sort, greatest) = (sort_of(model), greatest(model));
    let selected = model.list.selected_row();
    for (line, (number, row)) in area.rows().zip(rows.iter().enumerate().skip(model.list.first_row)) {
        let is_selected = selected == Some(number);
        let text = match (is_selected, model.focus, row.state()) {
            (true, Focus::Rows, _) => theme.selected,
            (true, Focus::Document, _) => theme.selected_away,
            (false, _, ReviewState::Taboo) => theme.taboo,
            (false, _, ReviewState::Accepted) => theme.quiet,
            (false, _, ReviewState::Open | ReviewState::Fix) => theme.text,
        };
        let patched = |style| if is_selected { text } else { text.patch(style) };
        canvas.buffer.set_style(line, text);
        let left = canvas.put(line, if is_selected { theme.glyphs.pointer } else { " " }, text);
        let mut room = behind(line, LEAD);
        if let Item::Aside(aside) = row {
            draw_line(canvas, room, aside, text);
            continue;
        }
        if model.list.marks.has(row.id()) {
            canvas.put(left, theme.glyphs.marked, text);
        }
        room = canvas.put(room, &columns.counts(number, row), text);
        if bar_width > 0 {
            let bar = bar(weight(row, sort, greatest), bar_width, theme.glyphs);
            room = behind(canvas.put(room, &bar, patched(theme.bar)), 1);
        }
        let styles = RowStyles { text, accepted: patched(theme.added), fix: patched(theme.alarm) };
        (list_for_row(row).draw)(canvas, room, row, styles);
    }
}

/// The columns of a list of a width, and what pointer, mark and bar take of it.
fn columns_of(model: &Model, width: u16) -> (Columns, u16) {
    let bar_width = bar_width(model, width);
    let taken = LEAD + if bar_width > 0 { bar_width + 1 } else { 0 };
    (Columns::of(model, width.saturating_sub(taken)), taken)
}

/// The sort order of the column whose heading is at a position.
pub(crate) fn sort_at(model: &Model, head: Rect, at: Position) -> Option<Sort> {
    let is_there = head.contains(at) && !model.list.listing.rows.is_empty();
    let x = at.x.checked_sub(head.x + LEAD).filter(|_| is_there)?;
    columns_of(model, head.width).0.sort_at(usize::from(x))
}

fn draw_heads(canvas: &mut Canvas, head: Rect, model: &Model, columns: &Columns, bar: u16) {
    let theme = canvas.theme;
    let mut room = behind(head, LEAD);
    for (words, is_sorted) in columns.heads(theme.glyphs) {
        room = canvas.put(room, &words, if is_sorted { theme.accent } else { theme.quiet });
    }
    room = behind(room, bar);
    let list = list_of(model.list.view.of);
    let sorted = match sort_of(model) {
        Sort::Path => ", by path",
        Sort::Worth if !columns.have_sorted() => ", by worth",
        Sort::Spread if !columns.have_sorted() => ", by folders",
        Sort::Recent if !columns.have_sorted() => ", the latest first",
        Sort::Partner if !columns.have_sorted() => ", each by its partner",
        _ => "",
    };
    let sorted = match (sorted, is_reversed(model)) {
        ("", _) | (_, false) => sorted.to_owned(),
        (", the latest first", true) => ", the oldest first".to_owned(),
        (sorted, true) => format!("{sorted}, reversed"),
    };
    if list.has_folders && !model.list.view.folder.as_os_str().is_empty() {
        let folder = format!("in {}/{sorted}", shown(&model.list.view.folder));
        canvas.put_end(room, &folder, theme.accent);
    } else {
        let style = if sorted.is_empty() { theme.quiet } else { theme.accent };
        canvas.put(room, &format!("{}{sorted}", list.head), style);
    }
}

/// The width of the bars in a list of a width; 0 if there are none.
pub(crate) fn bar_width(model: &Model, width: u16) -> u16 {
    let [long_from, short_from] = list_of(model.list.view.of).bars.from;
    match width {
        _ if !is_weighed(model) => 0,
        width if width >= long_from => BAR[0],
        width if width >= short_from => BAR[1],
        _ => 0,
    }
}

/// Whether rows have bars: always, or because they are sorted by a number.
fn is_weighed(model: &Model) -> bool {
    list_of(model.list.view.of).bars.always
        || !matches!(sort_of(model), Sort::Path | Sort::Recent | Sort::Spread)
}

/// The number that the bar of a row without a share stands for.
fn number(row: &Item, sort: Sort) -> u64 {
    (list_for_row(row).bars.number)(row, sort)
}

/// The greatest of these numbers in the list.
fn greatest(model: &Model) -> u64 {
    let (rows, sort) = (&model.list.listing.rows, sort_of(model));
    let looked_at = if list_of(model.list.view.of).bars.compares_all { rows.len() } else { 1 };
    let rows = rows.iter().filter(|row| !matches!(row, Item::Aside(_)));
    rows.take(looked_at).map(|row| number(row, sort)).max().unwrap_or(0)
}

/// The length of a row's bar from 0 to 1: its share, or its number relative to the greatest.
fn weight(row: &Item, sort: Sort, greatest: u64) -> f64 {
    row.share().unwrap_or_else(|| {
        let number = number(row, sort);
        number as f64 / greatest.max(number).max(1) as f64
    })
}
