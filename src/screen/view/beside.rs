//! Draws two copies side by side: the reference copy and the current one, with the differences marked.
//!
//! The current copy is scrolled, and the other follows so that corresponding tokens are on the same line as far as
//! line breaks allow.

pub(crate) mod aligned;
mod variants;

use ratatui::layout::Rect;

use crate::model::{Layout, Model};
use crate::text::{Canvas, behind, grouped, path_of};
use crate::view::beside::aligned::{SideRows, Sides};
use crate::view::copies::{self, alike};
use crate::view::document;
use crate::view::sheet::{Pane, Sheet};
use dupi_index::query::Occurrence;
use dupi_session::{Item, Preview};

/// Draws both copies.
pub(crate) fn draw(canvas: &mut Canvas, layout: &Layout, model: &Model) {
    let (preview, quiet) = (&model.reader.preview, canvas.theme.quiet);
    let (Some(own), Some(at)) = (document::pane(layout, model), preview.occurrences.get(preview.current))
    else {
        let words = preview.problem.as_deref().filter(|_| model.is_previewed()).unwrap_or("reading…");
        canvas.put(layout.headings[1], words, quiet);
        return;
    };
    heading(canvas, layout.headings[1], &current_words(preview), at);
    if !layout.others.is_empty() {
        let words = match preview.stretch {
            None => variants::words(preview),
            Some(_) => copies::words(preview, layout.others.width.into()),
        };
        canvas.put(layout.others, &words, quiet);
    }
    let document = own.document;
    let (own, other) = match panes(layout, model) {
        Some([own, other]) => (own, Some(other)),
        None => (own, None),
    };
    // Only this document was searched for other duplicates: show them on neither side, so that equal text looks equal.
    let is_same = preview
        .beside
        .as_ref()
        .is_some_and(|beside| beside.document.path == document.path && beside.document.text == document.text);
    let others = if is_same { &document.duplicated[..] } else { &[] };
    let mut own = Sheet::new(model, own);
    (own.others, own.is_examined) = (others, false);
    own.draw(canvas);
    document::draw_strip(canvas, layout.strip, &own);
    let (Some(beside), Some(other)) = (&preview.beside, other) else {
        let words = if preview.is_compared { "the copy to compare with has changed" } else { "reading…" };
        canvas.put(layout.headings[0], words, quiet);
        return;
    };
    let is_pinned = matches!(&preview.row, Some(Item::Passage(passage)) if passage.pinned);
    let words = if is_pinned { "compared with the pinned" } else { "compared with" };
    heading(canvas, layout.headings[0], words, &beside.at);
    let other = own.reference(other, beside);
    other.draw(canvas);
    document::draw_strip(canvas, layout.beside_strip, &other);
}

/// The panes of the current copy and of the reference copy.
pub(crate) fn panes<'m>(layout: &Layout, model: &'m Model) -> Option<[Pane<'m>; 2]> {
    let (own, beside) = (document::pane(layout, model)?, model.reader.preview.beside.as_ref()?);
    let area = behind(layout.beside, model.gutter(own.document));
    let widths = [own.area, area].map(|area| usize::from(area.width));
    let sides = Sides { document: own.document, beside, widths, wraps: own.wraps };
    let rows = sides.rows(own.scroll, usize::from(layout.document.height));
    let (document, aligned) = (&beside.document, Some(rows.other));
    let other = Pane { document, area, aligned, scroll: rows.scroll, wraps: own.wraps };
    Some([Pane { aligned: Some(rows.own), ..own }, other])
}

/// The rows of the current copy on the screen, if it is compared with another one.
pub(crate) fn own_rows(layout: &Layout, model: &Model) -> Option<SideRows> {
    model.beside.and_then(|_| panes(layout, model)).and_then(|[own, _]| own.aligned)
}

fn current_words(preview: &Preview) -> String {
    let of = grouped(preview.occurrences.len() as u64);
    let more = if preview.unread > 0 { "+" } else { "" };
    format!("copy {} of {of}{more}{}", grouped(preview.current as u64 + 1), alike(preview))
}

/// Draws the heading of a column: its role, and the position of the copy.
fn heading(canvas: &mut Canvas, area: Rect, words: &str, at: &Occurrence) {
    if !area.is_empty() {
        let left = behind(canvas.put(area, words, canvas.theme.accent), 1);
        let place = format!("{}:{}:{}", path_of(&at.path, "", at.record), at.line, at.column);
        canvas.put_end(left, &place, canvas.theme.quiet);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use ratatui::style::Color;

    use super::*;
    use crate::event::{Effect, TuiEvent};
    use crate::fixture::{TEXT, drawn, keys, model_of, preview, show_copy, tell};
    use crate::highlight::Highlighted;
    use crate::tests::screen::{plain, screen};
    use crate::theme::{Charset, Theme};
    use crate::update::update;
    use dupi_index::query::ByteSpan;
    use dupi_session::{CounterpartView, Subject};

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
        let buffer = drawn(&model, &Theme::dark(Charset::Unicode));
        let layout = model.layout();
        for (area, colour) in [(layout.document, Color::Rgb(1, 2, 3)), (layout.beside, Color::Rgb(4, 5, 6))] {
            let coloured = area.positions().filter(|at| buffer[*at].fg == colour).count();
            assert!(coloured > 30, "{coloured}");
        }
        // What is known is not asked for again, and what is left needs no colours.
        assert!(highlighted(keys(&mut model, "j k v")).is_empty());
    }
}
