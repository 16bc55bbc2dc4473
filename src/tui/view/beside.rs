//! Draws two copies side by side: the reference copy and the current one, with the differences marked.
//!
//! The current copy is scrolled, and the other follows so that corresponding tokens are on the same line as far as
//! line breaks allow.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::copies::alike;
use super::document::{Pane, Sheet};
use super::layout::Layout;
use super::strip;
use crate::query::Occurrence;
use crate::session::{CounterpartView, DocumentView, Duplicated, Preview};
use crate::storage::shown;
use crate::tui::cells;
use crate::tui::document::{Document, RowStart, Rows, Scroll};
use crate::tui::model::Model;
use crate::tui::text::{grouped, put};
use crate::tui::theme::Theme;

/// The distance in rows up to which corresponding tokens are aligned; farther away, positions are estimated by bytes.
const REACH: usize = 200;

/// Draws both copies.
pub(crate) fn draw(buffer: &mut Buffer, layout: &Layout, model: &Model, theme: &Theme) {
    let preview = &model.reader.preview;
    let (Some(document), Some(at)) = (model.document(), preview.occurrences.get(preview.current)) else {
        let words = preview.problem.as_deref().filter(|_| model.is_previewed()).unwrap_or("reading…");
        return say(buffer, layout.headings[1], words, theme);
    };
    let (wraps, gutter) = (model.wraps(), model.gutter(document));
    // Only this document was searched for other duplicates: show them on neither side, so that equal text looks equal.
    let is_same = |beside: &CounterpartView| {
        beside.document.path == document.path && beside.document.text == document.text
    };
    let others: &[Duplicated] = match &preview.beside {
        Some(beside) if is_same(beside) => &document.duplicated,
        _ => &[],
    };
    // Syntax colours are known for one side only.
    let sheet = |document, copies, (current, inside), differs, scroll, is_beside| Sheet {
        document,
        copies,
        current: Some(current),
        inside,
        differs,
        others,
        matches: model.reader.matches(document),
        selected: model.reader.selected(document, is_beside),
        scroll,
        wraps,
        gutter,
        is_examined: false,
        colours: &|_| &[],
    };
    heading(buffer, layout.headings[1], &current_words(preview), at, theme);
    let width = model.text_width(document);
    let own = sheet(
        &**document,
        &preview.copies[..],
        document.in_lines(at.text_span),
        &preview.differs[..],
        model.reader.scroll,
        false,
    );
    own.draw(buffer, layout.document, theme);
    strip::draw(buffer, layout.strip, &own, width, theme);
    let Some(beside) = &preview.beside else {
        let words = if preview.is_compared { "the copy to compare with has changed" } else { "reading…" };
        return say(buffer, layout.headings[0], words, theme);
    };
    let (scroll, below) = place(layout, model, document, beside);
    heading(buffer, layout.headings[0], "compared with", &beside.at, theme);
    let lines = beside.document.in_lines(beside.at.text_span);
    let other = sheet(&beside.document, &[], lines, &beside.differs, scroll, true);
    other.draw(buffer, below, theme);
    strip::draw(buffer, layout.beside_strip, &other, width, theme);
}

/// The visible part of the reference copy and its area, below the blank rows.
fn place(layout: &Layout, model: &Model, document: &Document, beside: &CounterpartView) -> (Scroll, Rect) {
    let width = model.text_width(document);
    let (scroll, blank) = following(document, beside, model.reader.scroll, width, model.wraps());
    let blank = blank.min(usize::from(layout.beside.height)) as u16;
    (scroll, Rect { y: layout.beside.y + blank, height: layout.beside.height - blank, ..layout.beside })
}

/// The pane of the reference copy.
pub(crate) fn pane<'m>(layout: &Layout, model: &'m Model) -> Option<Pane<'m>> {
    let (document, beside) = (model.document()?, model.reader.preview.beside.as_ref()?);
    let (scroll, area) = place(layout, model, document, beside);
    Some(
        Pane { document: &beside.document, area, scroll, wraps: model.wraps() }
            .behind(model.gutter(document)),
    )
}

fn say(buffer: &mut Buffer, area: Rect, words: &str, theme: &Theme) {
    put(buffer, area.x, area.y, area.width, words, theme.quiet);
}

fn current_words(preview: &Preview) -> String {
    let of = grouped(preview.occurrences.len() as u64);
    let more = if preview.unread > 0 { "+" } else { "" };
    format!("copy {} of {of}{more}{}", grouped(preview.current as u64 + 1), alike(preview))
}

/// Draws the heading of a column: its role, and the position of the copy.
fn heading(buffer: &mut Buffer, area: Rect, words: &str, at: &Occurrence, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let x = put(buffer, area.x, area.y, area.width, words, theme.accent) + 1;
    let record = at.record.map(|record| format!(" #{record}")).unwrap_or_default();
    let place = format!("{}{record}:{}:{}", shown(&at.path), at.line, at.column);
    let room = area.right().saturating_sub(x);
    put(buffer, x, area.y, room, &cells::fit_end(&place, usize::from(room)), theme.quiet);
}

/// The scroll position of the reference copy when the current one is at `scroll`, and the number of blank rows above
/// its beginning.
fn following(
    document: &DocumentView,
    beside: &CounterpartView,
    scroll: Scroll,
    width: usize,
    wraps: bool,
) -> (Scroll, usize) {
    let (rows, others) = (Rows::new(document, width, wraps), Rows::new(&beside.document, width, wraps));
    let Some(start) = rows.from(scroll).next() else { return (scroll, 0) };
    let top = rows.start_of(start);
    let next = beside.pairs.partition_point(|&(ours, _)| (ours as usize) < top);
    let Some(&(ours, theirs)) = beside.pairs.get(next).or(beside.pairs.last()) else {
        return (scroll, 0);
    };
    let (own, other) = (rows.row_at(ours as usize), others.row_at(theirs as usize));
    let at = |row: RowStart| Scroll { line: row.line, byte: row.byte, ..scroll };
    let apart = |from: Scroll, to: RowStart| match wraps {
        true => rows.from(from).take(REACH).position(|row| row == to),
        false => to.line.checked_sub(from.line),
    };
    let mut scrolled = at(other);
    if let Some(below) = apart(scroll, own) {
        others.scroll(&mut scrolled, -(below as isize));
        let reached = match wraps {
            true => others.from(scrolled).take(REACH).position(|row| row == other).unwrap_or(below),
            false => other.line - scrolled.line,
        };
        return (scrolled, below.saturating_sub(reached));
    }
    if let Some(above) = apart(at(own), start) {
        others.scroll(&mut scrolled, above as isize);
        return (scrolled, 0);
    }
    // No rows of the two are visible together, so an estimate is enough.
    let far = i64::from(theirs) + top as i64 - i64::from(ours);
    let row = others.row_at(far.clamp(0, beside.document.text.len() as i64) as usize);
    (at(row), 0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::query::ByteSpan;
    use crate::session::Subject;
    use crate::tui::fixture::{TEXT, model_of, preview, tell};
    use crate::tui::tests::choosing::keys;
    use crate::tui::tests::screen::{plain, screen};

    fn document(text: &str) -> DocumentView {
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        DocumentView { text: text.to_owned().into(), line_starts, ..DocumentView::default() }
    }

    #[test]
    fn beside_each_other_the_same_document_is_marked_alike_and_another_one_not_at_all() {
        for (current, marks) in [(0, 2), (1, 0)] {
            let mut model = model_of(Subject::Passages, 120, 30);
            let selected = model.list.row().cloned().unwrap();
            tell(&mut model, preview(&selected, current));
            keys(&mut model, "v");
            tell(&mut model, preview(&selected, current));
            let shown = screen(&model, &plain());
            assert!(shown.contains("compared with"), "{shown}");
            let greeting: String = shown.lines().filter(|line| line.contains("Dear friend,")).collect();
            assert_eq!(greeting.matches("3 │ Dear").count(), marks, "{shown}");
        }
    }

    #[test]
    fn brackets_lead_from_difference_to_difference() {
        let mut model = model_of(Subject::Passages, 120, 30);
        let selected = model.list.row().cloned().unwrap();
        tell(&mut model, preview(&selected, 1));
        keys(&mut model, "v");
        let mut differing = Preview::clone(&model.reader.preview);
        differing.differs = ["is meant", "narrow"]
            .map(|word| TEXT.find(word).unwrap() as u64)
            .map(|start| ByteSpan { start, end: start + 4 })
            .to_vec();
        model.reader.preview = differing.into();
        let mut said = Vec::new();
        for key in ["]", "]", "]", "["] {
            keys(&mut model, key);
            let reached = model.reader.jumped.unwrap().1;
            said.push((TEXT[reached..].starts_with("narrow"), model.said().unwrap_or_default().to_owned()));
        }
        let said: Vec<_> = said.iter().map(|(is_second, words)| (*is_second, &words[..])).collect();
        let expected = [
            (false, "Difference 1 of 2."),
            (true, "Difference 2 of 2."),
            (false, "Difference 1 of 2, the first one again."),
            (true, "Difference 2 of 2, the last one."),
        ];
        assert_eq!(said, expected);
        let equal = CounterpartView::default();
        model.reader.preview = Arc::new(Preview { beside: Some(equal.into()), ..Preview::default() });
        keys(&mut model, "]");
        assert_eq!(model.said(), Some("The two copies have the same words."));
    }

    #[test]
    fn the_other_copy_follows_and_what_is_above_its_beginning_is_blank() {
        let ours = document("0\n1\n2\none\ntwo\nthree\n6\n7\n8\n9\n");
        let theirs = document("0\none\ntwo\nnew\nthree\n5\n6\n");
        let starts = |words: [&str; 3]| {
            words.map(|word| (ours.text.find(word).unwrap() as u32, theirs.text.find(word).unwrap() as u32))
        };
        let pairs = starts(["one", "two", "three"]).to_vec();
        let beside = CounterpartView { document: theirs.into(), pairs, ..CounterpartView::default() };
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
