//! Every key that `?` shows in a place does something there, or says why not.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use crate::action::{KeyContext, ViewPage};
use crate::event::{Effect, TuiEvent};
use crate::fixture::{TEXT, preview, showing, tell};
use crate::keys::BINDINGS;
use crate::keys::key_press::KeyPress;
use crate::keys::lookup::{ContextKey, keys_by_context};
use crate::model::Model;
use crate::theme::{Theme, UNICODE};
use crate::update::update;
use crate::view;
use crate::views::{PAGES, named_contexts};
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_session::{CounterpartView, DocumentView, Duplicated, Item, Subject, Update};

fn press(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    update(model, TuiEvent::Key(key), Duration::ZERO)
}

fn type_in(model: &mut Model, keys: &str) {
    for key in keys.chars() {
        let code = if key == '\r' { KeyCode::Enter } else { KeyCode::Char(key) };
        press(model, KeyEvent::new(code, KeyModifiers::NONE));
    }
}

/// The copies of a row, in a long text that has them again and again: the current one stands in its middle.
fn long_preview(row: &Item) -> Update {
    const TIMES: u64 = 20;
    let Update::Preview(preview) = preview(row, 1) else { unreachable!() };
    let mut preview = (*preview).clone();
    let shifted = |span: ByteSpan, times: u64| {
        let by = times * TEXT.len() as u64;
        ByteSpan { start: span.start + by, end: span.end + by }
    };
    let long = |document: &DocumentView| {
        let text = TEXT.repeat(TIMES as usize);
        let again = |times| {
            document.duplicated.iter().map(move |run| Duplicated { span: shifted(run.span, times), ..*run })
        };
        Arc::new(DocumentView {
            line_starts: std::iter::once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1))
                .collect(),
            duplicated: (0..TIMES).flat_map(again).collect(),
            examined: ByteSpan { start: 0, end: text.len() as u64 },
            text: text.into(),
            ..document.clone()
        })
    };
    let places = preview
        .occurrences
        .iter()
        .map(|at| Occurrence { text_span: shifted(at.text_span, TIMES / 2), ..at.clone() });
    preview.occurrences = Arc::new(places.collect());
    preview.document = preview.document.as_deref().map(long);
    if let Some(beside) = preview.beside.as_deref() {
        let at = Occurrence { text_span: shifted(beside.at.text_span, TIMES / 2), ..beside.at.clone() };
        let by = (TIMES / 2 * TEXT.len() as u64) as u32;
        let pairs = beside.pairs.iter().map(|(here, there)| (here + by, there + by)).collect();
        preview.beside =
            Some(Arc::new(CounterpartView { document: long(&beside.document), at, pairs, ..beside.clone() }));
    }
    Update::Preview(Arc::new(preview))
}

/// A screen where keys go to a place: in the middle of a list, or of a text that is not scrolled to an end.
fn at(place: KeyContext) -> Model {
    let page = PAGES.into_iter().find(|page| page.key_context() == place);
    let mut model = showing(page.unwrap_or(ViewPage::List(Subject::Passages)), 100, 14);
    type_in(&mut model, "jjj");
    if let Some(row) = model.list.row().cloned() {
        tell(&mut model, long_preview(&row));
    }
    type_in(
        &mut model,
        match place {
            KeyContext::DOCUMENT => "\r]]ll",
            KeyContext::BESIDE => "vjjjjll",
            KeyContext::FOUND => "\r]/e\r]]ll",
            _ => "]]",
        },
    );
    model.dialogue.message = None;
    assert!(model.key_context() == place);
    model
}

fn screen(model: &Model) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(model.size.0, model.size.1)).unwrap();
    terminal.draw(|frame| view::draw(frame, model, &Theme::dark(UNICODE))).unwrap();
    terminal.backend().buffer().clone()
}

/// The view that is shown, and steps back from where no way led to.
fn is_there_already(of_place: ContextKey) -> bool {
    let page = PAGES.into_iter().find(|page| page.name() == of_place.context);
    page.is_some_and(|page| {
        ["back", "left"].contains(&of_place.action) || page.action().binding().id == of_place.action
    })
}

#[test]
fn no_key_of_the_help_is_silent() {
    let mut silent = Vec::new();
    for (name, place) in named_contexts() {
        for of_place in keys_by_context().into_iter().filter(|key| key.context == name) {
            let mut model = at(place);
            let before = screen(&model);
            let key: KeyPress = of_place.key.parse().unwrap();
            let effects = press(&mut model, key.pressed());
            let is_heard = is_there_already(of_place) || !effects.is_empty() || model.said().is_some();
            if !is_heard && screen(&model) == before {
                silent.push(of_place);
            }
        }
    }
    assert_eq!(silent, [], "{silent:#?}");
}

#[test]
fn the_keys_of_the_readme_are_those_that_there_are() {
    let known: Vec<String> = BINDINGS
        .iter()
        .map(|binding| {
            let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{key}`")).collect();
            format!("| {} | {} |", keys.join(" "), binding.words)
        })
        .collect();
    let readme = include_str!("../../../README.md");
    let rows: Vec<&str> = readme.lines().filter(|line| line.starts_with("| `")).take(10).collect();
    assert_eq!(rows.len(), 10);
    rows.iter().for_each(|row| assert!(known.iter().any(|known| known == row), "{row}"));
}
