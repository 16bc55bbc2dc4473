//! Draws two copies side by side: the reference copy and the current one, with the differences marked.
//!
//! The current copy is scrolled, and the other follows so that corresponding tokens are on the same line as far as
//! line breaks allow.

pub(crate) mod aligned;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::cells;
use crate::document::Document;
use crate::model::{Layout, Model};
use crate::text::{grouped, put};
use crate::theme::Theme;
use crate::view::beside::aligned::{AlignedRows, SideRows, Sides};
use crate::view::copies::alike;
use crate::view::document::Pane;
use crate::view::sheet::Sheet;
use crate::view::strip;
use dupi_base::storage::shown;
use dupi_index::query::Occurrence;
use dupi_session::{CounterpartView, Duplicated, Item, Preview};

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
    let colours = [&**document, preview.beside.as_ref().map_or(&**document, |beside| &beside.document)];
    let own_colours = |line| model.reader.colours_of(colours[0], false, line);
    let other_colours = |line| model.reader.colours_of(colours[1], true, line);
    let sheet = |document, copies, (current, inside), differs, scroll, is_beside| Sheet {
        document,
        aligned: None,
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
        added: if is_beside { &[] } else { &preview.added },
        is_examined: false,
        colours: if is_beside { &other_colours } else { &own_colours },
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
    let aligned = preview.beside.as_ref().map(|beside| sides(layout, model, document, beside));
    let own = Sheet { aligned: aligned.as_ref().map(|rows| &rows.own[..]), ..own };
    own.draw(buffer, layout.document, theme);
    strip::draw(buffer, layout.strip, &own, width, theme);
    let (Some(beside), Some(aligned)) = (&preview.beside, &aligned) else {
        let words = if preview.is_compared { "the copy to compare with has changed" } else { "reading…" };
        return say(buffer, layout.headings[0], words, theme);
    };
    let is_pinned = matches!(&preview.row, Some(Item::Passage(passage)) if passage.pinned);
    let words = if is_pinned { "compared with the pinned" } else { "compared with" };
    heading(buffer, layout.headings[0], words, &beside.at, theme);
    let lines = beside.document.in_lines(beside.at.text_span);
    let other = sheet(&beside.document, &[], lines, &beside.differs, aligned.scroll, true);
    let other = Sheet { aligned: Some(&aligned.other), ..other };
    other.draw(buffer, layout.beside, theme);
    strip::draw(buffer, layout.beside_strip, &other, width, theme);
}

/// The rows of both copies on the screen.
fn sides(layout: &Layout, model: &Model, document: &Document, beside: &CounterpartView) -> AlignedRows {
    let gutter = model.gutter(document);
    let widths = [layout.document, layout.beside].map(|area| usize::from(area.width.saturating_sub(gutter)));
    let height = usize::from(layout.document.height);
    Sides { document, beside, widths, wraps: model.wraps() }.rows(model.reader.scroll, height)
}

/// The rows of the current copy on the screen, if it is compared with another one.
pub(crate) fn own_rows(layout: &Layout, model: &Model) -> Option<SideRows> {
    model.beside?;
    let (document, beside) = (model.document()?, model.reader.preview.beside.as_ref()?);
    Some(sides(layout, model, document, beside).own)
}

/// The pane of the reference copy.
pub(crate) fn pane<'m>(layout: &Layout, model: &'m Model) -> Option<Pane<'m>> {
    let (document, beside) = (model.document()?, model.reader.preview.beside.as_ref()?);
    let AlignedRows { other, scroll, .. } = sides(layout, model, document, beside);
    let (document, area, aligned) = (&beside.document, layout.beside, Some(other));
    Some(
        Pane { document, area, aligned, scroll, wraps: model.wraps() }
            .behind(model.gutter(model.document()?)),
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::style::Color;

    use super::*;
    use crate::event::{Effect, TuiEvent};
    use crate::fixture::{TEXT, keys, model_of, preview, show_copy, tell};
    use crate::highlight::Highlighted;
    use crate::tests::screen::{plain, screen};
    use crate::theme::UNICODE;
    use crate::update::update;
    use crate::view;
    use dupi_index::query::ByteSpan;
    use dupi_session::Subject;

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
        show_copy(&mut model, 1);
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
    fn both_sides_have_syntax_colours() {
        let mut model = model_of(Subject::Passages, 120, 30);
        let selected = model.list.row().cloned().unwrap();
        let highlighted = |effects: Vec<Effect>| {
            let jobs = effects.into_iter().rev().find_map(|effect| match effect {
                Effect::Highlight(jobs) => Some(jobs),
                _ => None,
            });
            jobs.unwrap_or_default()
        };
        tell(&mut model, preview(&selected, 1));
        keys(&mut model, "v");
        let jobs = highlighted(tell(&mut model, preview(&selected, 1)));
        let sides: Vec<bool> = jobs.iter().map(|job| job.is_beside).collect();
        assert_eq!(sides, [false, true]);
        for (job, colour) in jobs.iter().zip([Color::Rgb(1, 2, 3), Color::Rgb(4, 5, 6)]) {
            let colours = Arc::new(vec![vec![(usize::MAX, colour)]; job.lines.len()]);
            let event = TuiEvent::Highlighted(Highlighted { job: job.clone(), colours });
            update(&mut model, event, Duration::ZERO);
        }
        let mut terminal = Terminal::new(TestBackend::new(120, 30)).unwrap();
        terminal.draw(|frame| view::draw(frame, &model, &Theme::dark(UNICODE))).unwrap();
        let buffer = terminal.backend().buffer();
        let layout = model.layout();
        for (area, colour) in [(layout.document, Color::Rgb(1, 2, 3)), (layout.beside, Color::Rgb(4, 5, 6))] {
            let coloured = area.positions().filter(|at| buffer[*at].fg == colour).count();
            assert!(coloured > 40, "{coloured}");
        }
        // What is known is not asked for again, and what is left needs no colours.
        assert!(highlighted(keys(&mut model, "j k v")).is_empty());
    }
}
