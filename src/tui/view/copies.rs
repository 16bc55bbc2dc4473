//! Draws the list of copies of the selected row.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::passage::unit::Unit;
use crate::query::Occurrence;
use crate::session::{Item, Preview};
use crate::storage::shown;
use crate::tui::cells;
use crate::tui::model::Model;
use crate::tui::text::{grouped, put, put_right, several, wrapped};
use crate::tui::theme::Theme;
use crate::tui::views::documents::partner;
use crate::tui::views::list_for_row;

/// The least width at which each copy shows its similarity.
const ALIKE_FROM: u16 = 30;
/// The least width of the path at which the column number is shown.
const PATH: usize = 8;

/// The message when there are no copies.
pub(crate) const ALONE: &str = "Nothing in this occurs anywhere else.";
/// The least height at which the partner of a document is shown.
const HEAD_FROM: u16 = 4;

/// Whether a row has copies to show; a folder has none.
pub(crate) fn has_copies(row: Option<&Item>) -> bool {
    row.is_some_and(|row| !matches!(row, Item::Folder(folder) if folder.is_folder))
}

/// Whether the partner of the selected document is shown above its copies.
pub(crate) fn has_head(model: &Model, area: Rect) -> bool {
    let has_partner =
        matches!(model.list.row(), Some(Item::Document(document)) if document.partner.is_some());
    has_partner && area.height >= HEAD_FROM
}

/// The area of the list, without the lines above and below it.
fn list(model: &Model, area: Rect) -> Rect {
    let head = u16::from(has_head(model, area));
    Rect { y: area.y + head, height: area.height.saturating_sub(head + 1), ..area }
}

/// The index of the copy on a screen line.
pub(crate) fn at_line(model: &Model, area: Rect, y: u16) -> Option<usize> {
    let list = list(model, area);
    let at = first(model, list) + usize::from(y.checked_sub(list.y).filter(|line| *line < list.height)?);
    (at < model.reader.preview.occurrences.len()).then_some(at)
}

/// The index of the topmost visible copy.
fn first(model: &Model, list: Rect) -> usize {
    let room = usize::from(list.height).max(1);
    let known = model.reader.preview.occurrences.len();
    model.reader.preview.current.saturating_sub(room / 2).min(known.saturating_sub(room))
}

/// The similarity of the current copy and the reference copy, unless they are equal.
pub(crate) fn alike(preview: &Preview) -> String {
    if preview.similarity >= 1.0 || preview.document.is_none() {
        return String::new();
    }
    // Rounded down: text with differences is never 100 %.
    format!(" · {:.0} % alike", (preview.similarity * 100.0).floor())
}

/// Draws the list of copies, the summary below it, and the distribution of the copies over the corpus.
pub(crate) fn draw(buffer: &mut Buffer, area: Rect, rule: Rect, model: &Model, theme: &Theme) {
    if area.is_empty() || !has_copies(model.list.row()) {
        return;
    }
    let preview = &model.reader.preview;
    let list = list(model, area);
    if let Some(Item::Document(document)) = model.list.row().filter(|_| has_head(model, area)) {
        let words = partner(document, usize::from(area.width)).unwrap_or_default();
        put(buffer, area.x, area.y, area.width, &words, theme.accent);
    }
    if !model.is_previewed() {
        put(buffer, area.x, list.y, area.width, "reading…", theme.quiet);
        return;
    }
    if let Some(problem) = &preview.problem {
        let height = usize::from(area.bottom().saturating_sub(list.y));
        for (y, line) in (list.y..).zip(wrapped(problem, usize::from(area.width), height)) {
            put(buffer, area.x, y, area.width, &line, theme.alarm);
        }
        return;
    }
    let known = preview.occurrences.len();
    let first = first(model, list);
    let has_alike = preview.row.as_ref().is_some_and(differs);
    let summary = area.bottom() - 1;
    for (y, (number, at)) in (list.y..list.bottom()).zip(preview.occurrences.iter().enumerate().skip(first)) {
        let is_current = number == preview.current;
        let style = if is_current { theme.accent } else { theme.text };
        let pointer = if is_current { theme.glyphs.pointer } else { " " };
        put(buffer, area.x, y, 1, pointer, style);
        let line = Rect { x: area.x + 2, y, width: area.width.saturating_sub(2), height: 1 };
        let alike = preview.alike.get(number).filter(|_| has_alike && area.width >= ALIKE_FROM);
        let percent = alike.map(|percent| format!("{percent:>3} %")).unwrap_or_default();
        let end = put_right(buffer, line, &percent, if is_current { style } else { theme.quiet });
        let room = usize::from(end.saturating_sub(line.x + u16::from(alike.is_some())));
        let place = place(at, room);
        let path = cells::fit_end(&shown(&at.path).text(), room.saturating_sub(place.len()));
        let x = put(buffer, line.x, y, line.width, &path, style);
        let quiet = if is_current { style } else { theme.quiet };
        put(buffer, x, y, line.right().saturating_sub(x), &place, quiet);
    }
    let what = preview.row.as_ref().map_or("copy", what);
    let mut words = format!("{what} {} of {}", grouped(preview.current as u64 + 1), grouped(known as u64));
    if preview.unread > 0 {
        words += &format!(" · {} more to read", grouped(u64::from(preview.unread)));
    }
    if let Some(row) = &preview.row {
        words += &format!(" · {}", several(row.tokens(), "token"));
    }
    if let Some(Item::Row(row)) = &preview.row
        && row.blots.len() > 1
    {
        words += &format!(" · {} blots joined", grouped(row.blots.len() as u64));
    }
    if let Some(Item::Passage(passage)) = &preview.row {
        words += match passage.unit {
            Unit::Passage => "",
            Unit::Document => " · whole documents",
            Unit::Folder(_) => " · of one document in each folder",
        };
    }
    words += &alike(preview);
    if let Some(Item::Taboo(taboo)) = &preview.row {
        words.extend(taboo.entry.reason.iter().map(|reason| format!(" · {reason}")));
        words += &format!(" · added {}", taboo.entry.added);
    }
    if known == 0 && preview.unread == 0 && preview.document.is_some() {
        put(buffer, area.x, list.y, area.width, ALONE, theme.quiet);
    }
    if known > 0 {
        put(buffer, area.x, summary, area.width, &words, theme.quiet);
    }
    draw_heat(buffer, rule, &preview.heat, theme);
}

/// The noun for an occurrence.
fn what(row: &Item) -> &'static str {
    if list_for_row(row).has_text { "copy" } else { "duplicated text" }
}

/// Whether the copies of a row can differ.
fn differs(row: &Item) -> bool {
    matches!(row, Item::Passage(passage) if passage.similarity < 1.0)
}

/// Record, line and column of a copy, as far as they fit beside its path.
fn place(at: &Occurrence, room: usize) -> String {
    let record = at.record.map(|record| format!(" #{record}")).unwrap_or_default();
    let whole = format!("{record}:{}:{}", at.line, at.column);
    if whole.len() + PATH <= room { whole } else { format!("{record}:{}", at.line) }
}

/// Draws the distribution of copies over the corpus, in the order of paths: the more copies in a slice, the higher the
/// bar.
fn draw_heat(buffer: &mut Buffer, area: Rect, heat: &[u16], theme: &Theme) {
    let slices = heat.len();
    let most = heat.iter().copied().max().unwrap_or(0);
    if most == 0 || area.is_empty() {
        return;
    }
    let width = usize::from(area.width);
    for (cell, x) in (area.x..area.right()).enumerate() {
        let (first, end) = (cell * slices / width, (cell + 1) * slices / width);
        let count = heat[first..end.max(first + 1)].iter().copied().max().unwrap_or(0);
        if count > 0 {
            let level = level(count, most);
            let style = theme.heat[level * theme.heat.len() / theme.glyphs.blocks.len()];
            buffer.set_stringn(x, area.y, theme.glyphs.blocks[level], 1, style);
        }
    }
}

/// The level of a count from 0 to 7, logarithmic, because often few files have most copies.
fn level(count: u16, most: u16) -> usize {
    let (count, most) = (f64::from(count).ln_1p(), f64::from(most).ln_1p());
    ((count / most * 8.0).ceil() as usize).clamp(1, 8) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_copies_stand_higher() {
        assert_eq!([1, 2, 10, 100, 1000].map(|count| level(count, 1000)), [0, 1, 2, 5, 7]);
        assert_eq!(level(1, 1), 7);
    }

    #[test]
    fn a_slice_with_a_copy_is_never_lost_between_cells() {
        let theme = Theme::colourless(crate::tui::theme::UNICODE);
        for slices in [1, 3, 40, 256] {
            for hot in 0..slices {
                let mut heat = vec![0; slices];
                heat[hot] = 1;
                let area = Rect::new(0, 0, 40, 1);
                let mut buffer = Buffer::empty(area);
                draw_heat(&mut buffer, area, &heat, &theme);
                assert!(buffer.content().iter().any(|cell| cell.symbol() == "█"), "{hot} of {slices}");
            }
        }
    }
}
