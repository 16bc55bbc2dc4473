//! A screen that prints the chosen rows, and commands of the user.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::action::ViewPage;
use crate::event::{Effect, TuiEvent};
use crate::fixture::{preview, request_of, showing, tell};
use crate::keys::key_press::KeyPress;
use crate::keys::keymap::Keymap;
use crate::model::{HelpPage, Model, Overlay};
use crate::tests::screen::{plain, screen};
use crate::update::update;
use crate::user_commands;
use dupi_base::config::{KeySettings, Settings};
use dupi_session::{Item, PlacesAnswer, Request, RowPlace, RowPlaces, Subject, Update};

fn press(model: &mut Model, key: &str) -> Vec<Effect> {
    let key: KeyPress = key.parse().unwrap();
    update(model, TuiEvent::Key(key.pressed()), Duration::ZERO)
}

fn printing(of: Subject) -> Model {
    let mut model = showing(ViewPage::List(of), 100, 24);
    model.settings.prints = true;
    model.settings.keymap = Keymap::new(&KeySettings::default()).0.for_printing();
    model
}

fn with_commands(text: &str) -> Model {
    let mut model = showing(ViewPage::List(Subject::Passages), 100, 40);
    let (settings, problems) = Settings::parse(text);
    assert_eq!(problems, []);
    let (commands, problems) = user_commands::read(&settings, &mut model.settings.keymap);
    assert_eq!(problems, []);
    model.settings.commands = commands;
    model
}

fn place(path: &str, line: u32) -> RowPlace {
    RowPlace { path: path.into(), line: Some(line) }
}

fn answer(rows: &[Item], of: &[&[RowPlace]]) -> Update {
    let places = of.iter().map(|places| RowPlaces { id: "0f".to_owned(), places: places.to_vec() });
    Update::Places(Arc::new(PlacesAnswer { of: rows.iter().map(Item::id).collect(), rows: places.collect() }))
}

fn asked(effects: &[Effect]) -> Vec<Item> {
    let places =
        request_of(
            effects,
            |request| if let Request::Places { rows } = request { Some(rows.clone()) } else { None },
        );
    places.expect("the places are asked for")
}

fn printed(effects: &[Effect]) -> (Vec<RowPlace>, usize) {
    let print = effects.iter().find_map(|effect| match effect {
        Effect::Print { places, left_out } => Some((places.clone(), *left_out)),
        _ => None,
    });
    print.expect("rows are printed")
}

#[test]
fn enter_prints_the_marked_rows_once_their_places_are_known() {
    let mut model = printing(Subject::Passages);
    press(&mut model, "Space");
    press(&mut model, "j");
    press(&mut model, "Space");
    let rows = asked(&press(&mut model, "Enter"));
    assert_eq!(rows.len(), 2);
    // An answer about other rows is none.
    assert!(tell(&mut model, answer(&rows[..1], &[&[place("x", 1)]])).is_empty());
    let known = answer(&rows, &[&[place("a", 3), place("b", 1)]]);
    assert_eq!(printed(&tell(&mut model, known)), (vec![place("a", 3)], 1));
    asked(&press(&mut model, "Enter"));
    assert!(tell(&mut model, answer(&rows, &[])).is_empty() && model.said().is_some());
    asked(&press(&mut model, "Enter"));
    press(&mut model, "Esc");
    assert!(tell(&mut model, answer(&rows, &[&[place("a", 3)]])).is_empty(), "it was called off");
}

#[test]
fn other_screens_print_nothing() {
    let mut model = showing(ViewPage::List(Subject::Passages), 100, 24);
    assert!(!press(&mut model, "Enter").iter().any(|effect| matches!(effect, Effect::Print { .. })));
    let mut model = printing(Subject::Passages);
    model.settings.keymap = Keymap::default();
    press(&mut model, "Enter");
    assert!(model.focus == crate::model::layout::Focus::Document);
}

#[test]
fn a_command_runs_at_the_current_copy() {
    let mut model =
        with_commands("[commands]\nX = [\"look\", \"{path}\"]\n\"Alt-b\" = [\"all\", \"{copies}\"]\n");
    let row = model.list.row().cloned().unwrap();
    tell(&mut model, preview(&row, 0));
    let at = model.reader.preview.occurrences[0].clone();
    let run = |effects: &[Effect]| match effects {
        [Effect::Run { command, place }] => {
            (command.in_words(), place.path.clone(), place.line, place.row.places.len())
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(run(&press(&mut model, "X")), ("look {path}".to_owned(), at.path.clone(), at.line, 0));
    let rows = asked(&press(&mut model, "Alt-b"));
    let known = answer(&rows, &[&[place("a", 3), place("b", 1)]]);
    assert_eq!(run(&tell(&mut model, known)), ("all {copies}".to_owned(), at.path, at.line, 2));
}

#[test]
fn a_command_runs_on_a_folder_and_waits_for_rows() {
    let text = "[commands]\nX = [\"look\", \"{path}\"]\n";
    let mut model = with_commands(text);
    let commands = model.settings.commands.clone();
    model = showing(ViewPage::List(Subject::Files), 100, 24);
    model.settings.commands = commands.clone();
    press(&mut model, "j");
    let rows = asked(&press(&mut model, "X"));
    let folder = RowPlace { path: PathBuf::from("src"), line: None };
    let effects = tell(&mut model, answer(&rows, &[&[folder]]));
    assert!(
        matches!(&effects[..], [Effect::Run { place, .. }] if (place.line, place.path.to_str()) == (1, Some("src")))
    );
    let mut empty = Model::new("empty".into(), (100, 24));
    empty.settings.commands = commands;
    assert!(
        press(&mut empty, "X").iter().all(|effect| !matches!(effect, Effect::Run { .. }))
            && empty.said().is_some()
    );
}

#[test]
fn the_help_lists_commands_and_the_key_that_prints() {
    let mut model = with_commands(
        "[commands]\nX = [\"git\", \"blame\", \"{path}\"]\n\"Alt-b\" = [\"all\", \"{copies}\"]\n",
    );
    let help = |model: &mut Model, typed: &str| {
        let mut page = HelpPage::new(model.key_context());
        page.search = Some(crate::input_line::InputLine::new(typed.to_owned()));
        model.dialogue.overlay = Some(Overlay::Help(page));
        screen(model, &plain())
    };
    insta::assert_snapshot!("help_commands_100x40", help(&mut model, "your commands"));
    assert!(!help(&mut model, "--print").contains("with --print"));
    let mut model = printing(Subject::Passages);
    assert!(
        help(&mut model, "--print")
            .contains("Enter                with --print: print marked rows or this one; leave")
    );
}
