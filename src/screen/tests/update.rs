//! What single keys and updates do to the state, and that no order of them breaks it.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;

use crate::event::TuiEvent;
use crate::fixture::rows::{passage, row};
use crate::fixture::{
    all_rows, drawn, idle, indexing, listing, model, model_of, press, preview, tell, tell_of,
};
use crate::model::Model;
use crate::theme::{Charset, Theme};
use crate::update::update;
use dupi_session::{Listing, SearchState, Subject, Update};

/// A screen of passages that are not found yet.
fn provisional() -> Model {
    let mut model = model_of(Subject::Passages, 120, 30);
    let texts = ["Kind regards, Ida", "meant for\nnobody else", "fn main() {}"];
    let rows = texts.iter().zip(0..).map(|(text, number)| row(number, text)).collect();
    let view = model.list.view.clone();
    let listing = Listing { view, rows, is_provisional: true, ..Listing::default() };
    model.list.is_chosen = false;
    tell(&mut model, Update::Rows(listing.into()));
    model
}

fn found(model: &Model, texts: &[&str]) -> Update {
    all_rows(model, texts.iter().zip(0..).map(|(text, number)| passage(number, text)))
}

#[test]
fn the_selection_stays_on_its_text_when_passages_take_the_place_of_blots() {
    let mut model = provisional();
    press(&mut model, "j");
    model.reader.current = 1;
    tell_of(&mut model, |model| {
        found(model, &["something", "other", "This letter is Meant for nobody else, and so on"])
    });
    assert_eq!((model.list.selected_row(), model.reader.current), (Some(2), 1));
    let mut model = provisional();
    press(&mut model, "jj");
    model.reader.current = 1;
    tell_of(&mut model, |model| found(model, &["nothing", "of", "the", "kind"]));
    assert_eq!((model.list.selected_row(), model.reader.current), (Some(2), 0), "else it stays in its place");
}

#[test]
fn a_task_that_waits_for_its_place_follows_the_text_of_its_row() {
    for (texts, expected) in [
        (["something", "other", "Kind regards, Ida Ray"], Some(passage(2, "").id())),
        (["nothing", "of", "the kind"], None),
    ] {
        let mut model = provisional();
        let shown = model.list.row().cloned().unwrap();
        press(&mut model, "Y");
        assert_eq!(model.reader.pending.map(|pending| pending.row), Some(shown.id()), "{:?}", model.said());
        tell_of(&mut model, |model| found(model, &texts));
        assert_eq!(model.reader.pending.map(|pending| pending.row), expected);
        let is_dropped = model.said().is_some_and(|said| said.contains("nothing was done"));
        assert_eq!(is_dropped, expected.is_none(), "{:?}", model.said());
    }
}

fn events() -> impl Strategy<Value = TuiEvent> {
    let key = prop_oneof![
        any::<char>().prop_map(KeyCode::Char),
        prop::sample::select(
            "jkgGhlnNptTfFw+-/?so123456vVS baeyYxuzBP:@[]<>\t\r\u{1b}rq"
                .chars()
                .map(KeyCode::Char)
                .collect::<Vec<_>>()
        ),
        prop::sample::select(vec![
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::Esc,
            KeyCode::Enter,
            KeyCode::Backspace,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Tab,
        ]),
    ];
    let mouse = (0_u16..200, 0_u16..60, 0..5).prop_map(|(column, row, kind)| {
        let kind = match kind {
            0 => MouseEventKind::ScrollDown,
            1 => MouseEventKind::ScrollUp,
            2 => MouseEventKind::Drag(MouseButton::Left),
            3 => MouseEventKind::Up(MouseButton::Left),
            _ => MouseEventKind::Down(MouseButton::Left),
        };
        TuiEvent::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
    });
    prop_oneof![
        8 => key.prop_map(|code| TuiEvent::Key(KeyEvent::new(code, KeyModifiers::NONE))),
        2 => mouse,
        2 => (1_u16..200, 1_u16..60).prop_map(|(columns, lines)| TuiEvent::Resize(columns, lines)),
        1 => Just(TuiEvent::Session(idle())),
        1 => Just(TuiEvent::Session(indexing())),
        1 => any::<String>().prop_map(TuiEvent::Paste),
        1 => (0_u64..40).prop_map(|number| TuiEvent::Session(preview(&row(number, "text"), number as usize % 3))),
        1 => (0_u64..40).prop_map(|number| TuiEvent::Session(preview(&passage(number, "text"), number as usize % 3))),
        1 => (0_u64..40).prop_map(|count| TuiEvent::Session(listing(&model(80, 24), count))),
        1 => (0_u64..40).prop_map(|count| {
            TuiEvent::Session(listing(&model_of(Subject::Passages, 80, 24), count))
        }),
        1 => (0_u32..100).prop_map(|share| TuiEvent::Session(Update::Searching(SearchState::At(f64::from(share) / 100.0)))),
        1 => any::<String>().prop_map(|said| TuiEvent::Session(Update::Notice(said))),
        1 => any::<String>().prop_map(|said| TuiEvent::Session(Update::Mismatch(said))),
        1 => Just(TuiEvent::Session(Update::Skipped(Arc::default()))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_happens_it_goes_on(events in proptest::collection::vec(events(), 0..60)) {
        let mut model = model(80, 24);
        let theme = Theme::colourless(Charset::Unicode);
        for event in events {
            update(&mut model, event, Duration::ZERO);
            for cell in drawn(&model, &theme).content() {
                prop_assert!(!cell.symbol().chars().any(char::is_control), "{:?}", cell);
            }
        }
    }
}
