//! Every key that `?` shows in a place does something there, or says why not.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use super::action::key::Key;
use super::action::{Place, keys_of_places};
use super::event::Event;
use super::fixture::{preview, showing, tell};
use super::model::Model;
use super::page::{PAGES, Page};
use super::theme::{Theme, UNICODE};
use super::update::{Effect, update};
use super::view;
use crate::session::Subject;

fn press(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    update(model, Event::Key(key), Duration::ZERO)
}

fn type_in(model: &mut Model, keys: &str) {
    for key in keys.chars() {
        let code = if key == '\r' { KeyCode::Enter } else { KeyCode::Char(key) };
        press(model, KeyEvent::new(code, KeyModifiers::NONE));
    }
}

/// A screen where keys go to a place: in the middle of a list, or of a text that is not scrolled to an end.
fn at(place: Place) -> Model {
    let page = PAGES.into_iter().find(|page| page.place() == place);
    let mut model = showing(page.unwrap_or(Page::List(Subject::Passages)), 100, 20);
    type_in(&mut model, "jjj");
    if let Some(row) = model.row().cloned() {
        tell(&mut model, preview(&row, 1));
    }
    type_in(
        &mut model,
        match place {
            Place::DOCUMENT => "\rjllw",
            Place::BESIDE => "vjll",
            Place::FOUND => "\r/e\rllw",
            _ => "",
        },
    );
    model.message = None;
    assert!(model.place() == place);
    model
}

fn screen(model: &Model) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(model.size.0, model.size.1)).unwrap();
    terminal.draw(|frame| view::draw(frame, model, &Theme::dark(UNICODE))).unwrap();
    terminal.backend().buffer().clone()
}

#[test]
fn no_key_of_the_help_is_silent() {
    let mut silent = Vec::new();
    for (name, place) in Place::NAMED {
        for of_place in keys_of_places().into_iter().filter(|key| key.place == name) {
            let mut model = at(place);
            let before = screen(&model);
            let key: Key = of_place.key.parse().unwrap();
            let effects = press(&mut model, key.pressed());
            if effects.is_empty() && model.said().is_none() && screen(&model) == before {
                silent.push(of_place);
            }
        }
    }
    assert_eq!(silent, [], "{silent:#?}");
}
