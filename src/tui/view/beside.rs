//! Two copies: the one that the others are compared with, and the current one. What differs is marked.
//!
//! The current one is scrolled; the other follows, so that tokens that belong together stand on one line
//! as far as the lines break alike.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::copies::alike;
use super::document::{Rows, Sheet};
use super::layout::Layout;
use super::{grouped, put};
use crate::query::Occurrence;
use crate::session::{Beside, DocumentView, Preview};
use crate::tui::cells;
use crate::tui::model::{Model, Scroll};
use crate::tui::theme::Theme;

/// How far apart, in rows, tokens that belong together are still brought on one line.
const REACH: usize = 1000;

/// Draws both.
pub fn draw(buffer: &mut Buffer, layout: &Layout, model: &Model, theme: &Theme) {
    let preview = &model.preview;
    let (Some(document), Some(at)) = (model.document(), preview.occurrences.get(preview.current)) else {
        let words = preview.problem.as_deref().filter(|_| model.is_previewed()).unwrap_or("reading…");
        put(buffer, layout.headings[1].x, layout.headings[1].y, layout.headings[1].width, words, theme.quiet);
        return;
    };
    let (wraps, gutter) = (model.wraps(), model.gutter(document));
    // Syntax colours would be on one side only.
    let sheet = |document, copies, current, differs, scroll| Sheet {
        document,
        copies,
        current,
        differs,
        scroll,
        wraps,
        gutter,
        colours: &|_| &[],
    };
    heading(buffer, layout.headings[1], &current_words(preview), at, theme);
    sheet(&**document, &preview.copies[..], Some(at.text_span), &preview.differs[..], model.scroll).draw(
        buffer,
        layout.document,
        theme,
    );
    let Some(beside) = &preview.beside else {
        let words = "the copy to compare with has changed";
        put(buffer, layout.headings[0].x, layout.headings[0].y, layout.headings[0].width, words, theme.quiet);
        return;
    };
    let width = model.text_width(document);
    let (scroll, blank) = following(document, beside, model.scroll, width, wraps);
    let blank = blank.min(usize::from(layout.beside.height)) as u16;
    let below = Rect { y: layout.beside.y + blank, height: layout.beside.height - blank, ..layout.beside };
    heading(buffer, layout.headings[0], "compared with", &beside.at, theme);
    sheet(&beside.document, &[], Some(beside.at.text_span), &beside.differs, scroll)
        .draw(buffer, below, theme);
}

fn current_words(preview: &Preview) -> String {
    let of = grouped(preview.occurrences.len() as u64);
    let more = if preview.unread > 0 { "+" } else { "" };
    format!("copy {} of {of}{more}{}", grouped(preview.current as u64 + 1), alike(preview))
}

/// What a column shows, and where that stands.
fn heading(buffer: &mut Buffer, area: Rect, words: &str, at: &Occurrence, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let x = put(buffer, area.x, area.y, area.width, words, theme.accent) + 1;
    let record = at.record.map(|record| format!(" #{record}")).unwrap_or_default();
    let place = format!("{}{record}:{}:{}", at.path.to_string_lossy(), at.line, at.column);
    let room = area.right().saturating_sub(x);
    put(buffer, x, area.y, room, &cells::fit_end(&place, usize::from(room)), theme.quiet);
}

/// Where the other copy is scrolled to when the current one is scrolled to `scroll`, and how many rows
/// above its beginning are blank.
fn following(
    document: &DocumentView,
    beside: &Beside,
    scroll: Scroll,
    width: usize,
    wraps: bool,
) -> (Scroll, usize) {
    let (rows, others) = (Rows::new(document, width, wraps), Rows::new(&beside.document, width, wraps));
    let top = rows.from(scroll).next().map_or(0, |row| rows.start_of(row));
    let next = beside.pairs.partition_point(|&(ours, _)| (ours as usize) < top);
    let Some(&(ours, theirs)) = beside.pairs.get(next).or(beside.pairs.last()) else {
        return (scroll, 0);
    };
    let (ours, theirs) = (rows.row_at(ours as usize), others.row_at(theirs as usize));
    let at = |row: super::document::RowStart| Scroll { line: row.line, byte: row.byte, ..scroll };
    let mut other = at(theirs);
    if let Some(below) = rows.from(scroll).take(REACH).position(|row| row == ours) {
        others.scroll(&mut other, -(below as isize));
        let reached = others.from(other).take(REACH).position(|row| row == theirs).unwrap_or(below);
        return (other, below.saturating_sub(reached));
    }
    let start = rows.from(scroll).next();
    if let Some(above) = rows.from(at(ours)).take(REACH).position(|row| Some(row) == start) {
        others.scroll(&mut other, above as isize);
    }
    (other, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> DocumentView {
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        DocumentView { text: text.into(), line_starts, ..DocumentView::default() }
    }

    #[test]
    fn the_other_copy_follows_and_what_is_above_its_beginning_is_blank() {
        let ours = document("0\n1\n2\none\ntwo\nthree\n6\n7\n8\n9\n");
        let theirs = document("0\none\ntwo\nnew\nthree\n5\n6\n");
        let starts = |words: [&str; 3]| {
            words.map(|word| (ours.text.find(word).unwrap() as u32, theirs.text.find(word).unwrap() as u32))
        };
        let pairs = starts(["one", "two", "three"]).to_vec();
        let beside = Beside { document: theirs.into(), pairs, ..Beside::default() };
        let follow = |line| {
            let scroll = Scroll { line, ..Scroll::default() };
            let (scroll, blank) = following(&ours, &beside, scroll, 20, false);
            (scroll.line, blank)
        };
        assert_eq!([follow(0), follow(2)], [(0, 2), (0, 0)]);
        assert_eq!([follow(3), follow(4), follow(5)], [(1, 0), (2, 0), (4, 0)]);
        assert_eq!([follow(6), follow(7)], [(5, 0), (6, 0)]);
    }
}
