//! Draws the list of copies of the selected row: of each what tells it from the others, which is a part of its path,
//! and what it begins in.

pub(crate) mod apart;

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use crate::cells;
use crate::model::Model;
use crate::text::{Canvas, behind, below, grouped, row_of, several, wrapped};
use crate::theme::{Theme, glyphs};
use crate::view::copies::apart::Shared;
use crate::views::documents::partner;
use crate::views::review;
use dupi_base::storage::shown;
use dupi_index::query::Occurrence;
use dupi_passage::unit::Unit;
use dupi_session::{Item, Likeness, Preview};

/// The least width at which each copy shows its similarity.
const ALIKE_FROM: u16 = 30;
/// The width of that.
const ALIKE: usize = 6;
/// The least width of the path at which the column number is shown.
const PATH: usize = 8;
/// The least width of a list that tells what copies begin in, and the least room for that.
const WITHIN_FROM: usize = 44;
const WITHIN: usize = 16;

/// The message when there are no copies.
pub(crate) const ALONE: &str = "Nothing in this occurs anywhere else.";
/// The least height at which the partner of a document is shown.
const HEAD_FROM: u16 = 4;

/// Whether a row has copies to show; a folder has none, nor has the line of a kind.
pub(crate) fn has_copies(row: Option<&Item>) -> bool {
    row.is_some_and(|row| match row {
        Item::Folder(folder) => !folder.is_folder,
        Item::Aside(_) => false,
        Item::Cluster(cluster) => cluster.likeness != Likeness::Trees,
        Item::Member(member) => !member.is_folder || member.differences > 0,
        _ => true,
    })
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
pub(crate) fn draw(canvas: &mut Canvas, area: Rect, rule: Rect, model: &Model) {
    if area.is_empty() || !has_copies(model.list.row()) {
        return;
    }
    let (preview, theme) = (&model.reader.preview, canvas.theme);
    let list = list(model, area);
    if let Some(Item::Document(document)) = model.list.row().filter(|_| has_head(model, area)) {
        let words = partner(document, usize::from(area.width)).unwrap_or_default();
        canvas.put(area, &words, theme.accent);
    }
    if !model.is_previewed() {
        canvas.put(list, "reading…", theme.quiet);
        return;
    }
    if let Some(problem) = &preview.problem {
        let room = below(area, list.y - area.y);
        let lines = wrapped(problem, usize::from(room.width), usize::from(room.height));
        return canvas.put_lines(room, lines, theme.alarm);
    }
    let known = preview.occurrences.len();
    let first = first(model, list);
    let has_alike = preview.row.as_ref().is_some_and(differs);
    let columns = Columns::divide(preview, first..first + usize::from(list.height), area.width, has_alike);
    for (line, copy) in list.rows().zip(&columns.copies) {
        let is_current = copy.number == preview.current;
        let style = if is_current { theme.accent } else { theme.text };
        let quiet = if is_current { style } else { theme.quiet };
        let left = canvas.put(line, if is_current { glyphs::POINTER } else { " " }, style);
        if let Some((mark, own)) = mark(preview, copy, theme) {
            canvas.put(left, mark, if is_current { style } else { own });
        }
        let line = behind(line, 2);
        let room = columns.place.saturating_sub(copy.place.len());
        let mut left = line;
        let end = canvas.put_right(line, &copy.alike, quiet).right();
        for (part, is_shared) in columns.shared.parts(&copy.path, &cells::fit_end(&copy.path, room)) {
            left = canvas.put(left, part, if is_shared { quiet } else { style });
        }
        canvas.put(left, &copy.place, quiet);
        if columns.within > 0
            && let Some(within) = copy.within
        {
            let x = line.x + columns.place as u16 + 2;
            let width = end.saturating_sub(x + 1).min(columns.within as u16);
            canvas.put(Rect { x, width, ..line }, &cells::line(within, usize::from(width)), quiet);
        }
    }
    if known == 0 && preview.unread == 0 && preview.document.is_some() {
        canvas.put(list, ALONE, theme.quiet);
    }
    if known > 0 {
        canvas.put(row_of(area, area.height - 1), &words(preview, usize::from(area.width)), theme.quiet);
    }
    draw_heat(canvas, rule, &preview.heat);
}

/// The sign before a copy: it is pinned, the change touches it, or it is the one to use instead.
fn mark(preview: &Preview, copy: &VisibleCopy, theme: &Theme) -> Option<(&'static str, Style)> {
    let is_original = || {
        let at = preview.occurrences.get(copy.number);
        matches!(&preview.row, Some(Item::Review(row)) if row.original.as_ref() == at)
    };
    match () {
        () if copy.is_pinned => Some((glyphs::PINNED, theme.text)),
        () if preview.changed.get(copy.number) == Some(&true) => Some(("+", theme.added)),
        () if is_original() => Some(("=", theme.text)),
        () => None,
    }
}

/// What is known of the current copy, in a width.
pub(super) fn words(preview: &Preview, width: usize) -> String {
    let known = preview.occurrences.len() as u64;
    let mut number = format!("{} of {}", grouped(preview.current as u64 + 1), grouped(known));
    if preview.unread > 0 {
        number += &format!(" · {} more to read", grouped(u64::from(preview.unread)));
    }
    if let Some((_, tokens)) = preview.stretch {
        let number = format!("{number} · {}{}", several(u64::from(tokens), "token"), alike(preview));
        return with_other_place(preview, &number, width);
    }
    if let Some(Item::Cluster(_) | Item::Member(_)) = &preview.row {
        return beside_other(preview, &number, width);
    }
    let mut words = format!("copy {number}");
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
        if let Some(kind) = passage.kind {
            words += &format!(" · {kind}");
        }
    }
    if let Some(Item::Review(row)) = &preview.row {
        words += &format!(" · {}", review::sentence(row));
    }
    words += match preview.occurrences.get(preview.current) {
        Some(copy) if is_pinned(preview, copy) => " · pinned",
        _ => "",
    };
    words += &alike(preview);
    if let Some(Item::Taboo(taboo)) = &preview.row {
        words.extend(taboo.entry.reason.iter().map(|reason| format!(" · {reason}")));
        words += &format!(" · added {}", taboo.entry.added);
    }
    words
}

/// What is known of a copy in a document, and where the copy stands that it is compared with: in a short form if there
/// is little room.
fn with_other_place(preview: &Preview, number: &str, width: usize) -> String {
    let Some(other) = preview.beside.as_ref().map(|beside| &beside.at) else {
        return format!("duplicated text {number}");
    };
    let joint = if alike(preview).is_empty() { " · also in " } else { " in " };
    let place = place(other, 0);
    let path = shown(&other.path).text().into_owned();
    let taken =
        |noun: &str| [noun, number, joint, &place].map(|part| part.chars().count()).iter().sum::<usize>() + 1;
    let is_long = taken("duplicated text") + path.chars().count() > width;
    let noun = if is_long { "text" } else { "duplicated text" };
    let path = cells::fit_end(&path, width.saturating_sub(taken(noun)));
    format!("{noun} {number}{joint}{path}{place}")
}

/// What is known of a document of a cluster, and which document it is compared with.
fn beside_other(preview: &Preview, number: &str, width: usize) -> String {
    let words = format!("document {number}{}", alike(preview));
    let Some(other) = preview.beside.as_ref().map(|beside| &beside.at) else { return words };
    let joint = " · beside ";
    let room = width.saturating_sub(words.chars().count() + joint.len());
    words + joint + &cells::fit_end(&shown(&other.path).text(), room)
}

/// Whether the copies of a row can differ.
fn differs(row: &Item) -> bool {
    match row {
        Item::Passage(passage) => passage.similarity < 1.0,
        Item::Review(row) => row.passage.as_ref().is_some_and(|passage| passage.similarity < 1.0),
        Item::Cluster(cluster) => cluster.likeness == Likeness::Similar,
        _ => false,
    }
}

/// Whether the user pinned a copy, so that the others are compared with it.
fn is_pinned(preview: &Preview, copy: &Occurrence) -> bool {
    matches!(&preview.row, Some(Item::Passage(passage)) if passage.pinned && passage.is_base(copy))
}

/// The visible copies, in columns.
struct Columns<'p> {
    copies: Vec<VisibleCopy<'p>>,
    /// What their paths have in common.
    shared: Shared,
    /// The width of their paths and places.
    place: usize,
    /// The width of the enclosing function or heading; 0 if it is not shown.
    within: usize,
}

/// A visible copy.
struct VisibleCopy<'p> {
    /// Its index in the preview.
    number: usize,
    /// Whether the others are compared with it because the user wants that.
    is_pinned: bool,
    /// Its path.
    path: String,
    /// Record, line and column.
    place: String,
    /// Its similarity, if copies differ.
    alike: String,
    /// The line that names what it begins in.
    within: Option<&'p str>,
}

impl<'p> Columns<'p> {
    /// Divides a width among the columns.
    fn divide(preview: &'p Preview, visible: Range<usize>, width: u16, has_alike: bool) -> Self {
        let has_alike = has_alike && width >= ALIKE_FROM;
        let room = usize::from(width).saturating_sub(2 + if has_alike { ALIKE } else { 0 });
        let copy = |(number, at): (usize, &Occurrence)| {
            let alike = preview.alike.get(number).filter(|_| has_alike);
            VisibleCopy {
                number,
                is_pinned: is_pinned(preview, at),
                path: shown(&at.path).text().into_owned(),
                place: place(at, room),
                alike: alike.map(|percent| format!("{percent:>3} %")).unwrap_or_default(),
                within: preview.within.get(number).and_then(Option::as_deref),
            }
        };
        let all = preview.occurrences.iter().enumerate();
        let copies: Vec<VisibleCopy> = all.skip(visible.start).take(visible.len()).map(copy).collect();
        let longest = copies.iter().map(|copy| copy.path.width() + copy.place.len()).max().unwrap_or(0);
        let tells_within = room >= WITHIN_FROM && copies.iter().any(|copy| copy.within.is_some());
        let place = if tells_within { longest.min(room - WITHIN - 2) } else { room };
        let within = if tells_within { room - place - 2 } else { 0 };
        let shared = Shared::among(copies.iter().map(|copy| copy.path.as_str()));
        Self { copies, shared, place, within }
    }
}

/// Record, line and column of a copy, as far as they fit beside its path.
fn place(at: &Occurrence, room: usize) -> String {
    let record = at.record.map(|record| format!(" #{record}")).unwrap_or_default();
    let whole = format!("{record}:{}:{}", at.line, at.column);
    if whole.len() + PATH <= room { whole } else { format!("{record}:{}", at.line) }
}

/// Draws the distribution of copies over the corpus, in the order of paths: the more copies in a slice, the higher the
/// bar.
fn draw_heat(canvas: &mut Canvas, area: Rect, heat: &[u16]) {
    let (slices, theme) = (heat.len(), canvas.theme);
    let most = heat.iter().copied().max().unwrap_or(0);
    if most == 0 || area.is_empty() {
        return;
    }
    let width = usize::from(area.width);
    for (cell, at) in area.columns().enumerate() {
        let (first, end) = (cell * slices / width, (cell + 1) * slices / width);
        let count = heat[first..end.max(first + 1)].iter().copied().max().unwrap_or(0);
        if count > 0 {
            let level = level(count, most);
            let style = theme.heat[level * theme.heat.len() / glyphs::BLOCKS.len()];
            canvas.put(at, glyphs::BLOCKS[level], style);
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
    use ratatui::buffer::Buffer;

    use super::*;

    #[test]
    fn more_copies_stand_higher() {
        assert_eq!([1, 2, 10, 100, 1000].map(|count| level(count, 1000)), [0, 1, 2, 5, 7]);
        assert_eq!(level(1, 1), 7);
    }

    #[test]
    fn a_slice_with_a_copy_is_never_lost_between_cells() {
        let theme = Theme::colourless(crate::theme::Charset::Unicode);
        for slices in [1, 3, 40, 256] {
            for hot in 0..slices {
                let mut heat = vec![0; slices];
                heat[hot] = 1;
                let area = Rect::new(0, 0, 40, 1);
                let mut buffer = Buffer::empty(area);
                draw_heat(&mut Canvas { buffer: &mut buffer, theme: &theme }, area, &heat);
                assert!(buffer.content().iter().any(|cell| cell.symbol() == "█"), "{hot} of {slices}");
            }
        }
    }
}
