//! Keys that come before the rows that they are about.
//!
//! Every key that `?` shows in a place does something there, or says why not.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;

use crate::action::{KeyContext, ViewPage};
use crate::event::{Effect, TuiEvent};
use crate::fixture::{TEXT, drawn, keys, listing, model_of, preview, showing, tell};
use crate::keys::BINDINGS;
use crate::keys::key_press::KeyPress;
use crate::keys::lookup::{ContextKey, keys_by_context};
use crate::model::{Focus, Model};
use crate::theme::{Charset, Theme};
use crate::update::update;
use crate::views::{PAGES, named_contexts};
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_session::{
    CounterpartView, DocumentView, Duplicated, Item, ItemId, Listing, Request, Subject, Update,
};

/// The rows of the view come.
fn come(model: &mut Model) -> Vec<Effect> {
    let rows = listing(model, 20);
    tell(model, rows)
}

/// Where it stands: the view, its folder, the selected row, and where keys go.
fn stands(model: &Model) -> (ViewPage, std::path::PathBuf, String, Option<ItemId>, Focus, bool, usize) {
    let view = &model.list.view;
    let (folder, filter) = (view.folder.clone(), view.filter.clone());
    (
        model.page,
        folder,
        filter,
        model.list.selected,
        model.focus,
        model.beside.is_some(),
        model.list.marks.len(),
    )
}

#[test]
fn keys_that_come_before_the_rows_mean_what_they_mean_behind_them() {
    let all = "3 j j | 2 j j | 3 G | 3 j Enter | 4 j Enter j | 3 j P j j | 2 j v | 3 j f | 4 j f j | \
        3 PgDn k | 2 j Space j Space | 5 j e n e w | 3 j Enter / q | 2 j j s | 4 j Enter h k | \
        2 j B w h y | 2 V j j | 3 j x"
        .split(" | ");
    for typed in all {
        let (mut fast, mut slow) =
            (model_of(Subject::Passages, 120, 30), model_of(Subject::Passages, 120, 30));
        keys(&mut fast, typed);
        assert!(fast.list.listing.rows.is_empty() && !fast.held_keys.is_empty(), "{typed}");
        // What leads deeper waits for rows again.
        for _ in 0..3 {
            come(&mut fast);
        }
        for key in typed.split(' ') {
            keys(&mut slow, key);
            if slow.dialogue.prompt.is_none() {
                come(&mut slow);
            }
        }
        assert_eq!(stands(&fast), stands(&slow), "{typed}");
        let typed_in =
            |model: &Model| model.dialogue.prompt.as_ref().map(|prompt| prompt.line.text().to_owned());
        assert_eq!(typed_in(&fast), typed_in(&slow), "{typed}");
        assert!(fast.held_keys.is_empty(), "{typed}");
    }
}

/// Whether nothing is decided and nothing written.
fn is_harmless(effect: &Effect) -> bool {
    match effect {
        Effect::Ask(request) => {
            matches!(request, Request::Rows(_) | Request::Preview { .. } | Request::TabooPreview { .. })
        }
        _ => true,
    }
}

#[test]
fn a_question_that_nobody_saw_is_not_answered() {
    for typed in
        ["2 j B w Enter t", "5 j e w Enter d", "2 j x Enter t", "2 x a Enter y", "3 j Enter / q Enter t"]
    {
        let mut model = model_of(Subject::Passages, 120, 30);
        let mut asked = keys(&mut model, typed);
        for _ in 0..3 {
            asked.extend(come(&mut model));
        }
        assert!(asked.iter().all(is_harmless), "{typed}: {asked:?}");
        assert_eq!(model.said(), Some("The rows are not there yet."), "{typed}");
        assert!(model.held_keys.is_empty(), "{typed}");
    }
}

#[test]
fn keys_wait_no_longer_for_a_row_than_it_is_looked_for() {
    let mut model = model_of(Subject::Passages, 120, 30);
    keys(&mut model, "3 j");
    model.list.sought = Some(ItemId::Document(7));
    let Update::Rows(rows) = listing(&model, 20) else { unreachable!() };
    let first = rows.rows[0].clone();
    let many = vec![first; 20_000];
    tell(
        &mut model,
        Update::Rows(Arc::new(Listing { rows: many, complete: false, ..Listing::clone(&rows) })),
    );
    assert!(model.held_keys.is_empty());
}

#[test]
fn that_keys_wait_is_said_once_it_takes_long() {
    let mut model = model_of(Subject::Passages, 120, 30);
    keys(&mut model, "3 j j");
    let after = |model: &mut Model, milliseconds| {
        update(model, TuiEvent::Tick, Duration::from_millis(milliseconds));
        model.said().map(str::to_owned)
    };
    assert_eq!(after(&mut model, 900), None);
    assert_eq!(model.patience(Duration::from_secs(5)), Duration::from_millis(100));
    assert_eq!(after(&mut model, 1000).as_deref(), Some("Looking; 2 keys wait."));
    come(&mut model);
    assert_eq!((model.said(), model.list.selected_row()), (None, Some(2)));
}

#[test]
fn keys_behind_a_filter_or_another_order_mean_the_rows_that_follow() {
    for typed in ["/ x Enter", "s j Enter", "s r"] {
        let mut model = model_of(Subject::Passages, 120, 30);
        keys(&mut model, "j j j");
        keys(&mut model, typed);
        let asked = keys(&mut model, "t");
        assert!(asked.is_empty(), "the row goes away: {asked:?}");
        keys(&mut model, "j");
        let Update::Rows(rows) = listing(&model, 20) else { unreachable!() };
        let turned: Vec<Item> = rows.rows.iter().rev().cloned().collect();
        tell(&mut model, Update::Rows(Arc::new(Listing { rows: turned, ..Listing::clone(&rows) })));
        assert_eq!(model.list.selected_row(), Some(1), "{typed}");
        assert!(matches!(&keys(&mut model, "t")[..], [Effect::Ask(Request::Taboo { .. })]));
    }
}

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
    drawn(model, &Theme::dark(Charset::Unicode))
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
