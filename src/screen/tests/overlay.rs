//! Overlays: they scroll by the usual keys and say how to see more.

use crossterm::event::MouseEventKind;

use crate::action::Action;
use crate::fixture::{keys, model_of, mouse, show_copy};
use crate::keys::keymap::Keymap;
use crate::model::{HelpPage, Model, Overlay, TabooDialog};
use crate::tests::screen::{plain, screen};
use crate::theme::Charset;
use crate::theme::Theme;
use dupi_base::config::{KeyPreset, KeySettings, Settings};
use dupi_index::taboo::TabooScope;
use dupi_session::{Request, Subject};

/// How far what lies over the screen is scrolled, or which line of it is chosen.
fn line(model: &Model) -> usize {
    match &model.dialogue.overlay {
        Some(
            Overlay::Help(HelpPage { first: line, .. }) | Overlay::Palette(_, line) | Overlay::Menu(_, line),
        ) => *line,
        other => panic!("{other:?}"),
    }
}

fn set(model: &mut Model, settings: &str) {
    let (keymap, problems) = Keymap::new(&Settings::parse(settings).0.keys);
    assert!(problems.is_empty(), "{problems:?}");
    model.settings.keymap = keymap;
}

#[test]
fn arrows_pages_and_the_wheel_move_whatever_they_are_bound_to_elsewhere() {
    let mut model = model_of(Subject::Passages, 80, 24);
    let saved = (0..40).map(|number| (format!("f{number}"), "tokens:>5".to_owned()));
    model.settings.saved = std::sync::Arc::new(saved.collect());
    set(
        &mut model,
        "[keys]\ndown = [\"j\"]\nup = []\nback = [\"Esc\", \"PgDn\"]\npage-down = []\npage-up = []\n",
    );
    for opened in ["?", ":", "@"] {
        keys(&mut model, opened);
        assert_eq!(line(&model), 0);
        keys(&mut model, "Down Down Up");
        assert_eq!(line(&model), 1, "{opened}");
        mouse(&mut model, MouseEventKind::ScrollDown, (10, 10));
        mouse(&mut model, MouseEventKind::ScrollDown, (10, 10));
        mouse(&mut model, MouseEventKind::ScrollUp, (10, 10));
        assert_eq!(line(&model), 2, "{opened}");
        keys(&mut model, "PgDn");
        assert_eq!(line(&model), 14, "{opened}");
        keys(&mut model, "PgUp");
        assert_eq!(line(&model), 2, "{opened}");
        keys(&mut model, "Esc");
        assert!(model.dialogue.overlay.is_none());
    }
}

#[test]
fn what_lies_over_the_screen_has_sides_that_nothing_touches() {
    for (columns, lines) in [(80, 24), (120, 40), (200, 60)] {
        let mut model = model_of(Subject::Passages, columns, lines);
        model.dialogue.overlay = Some(Overlay::Replace(Request::Undo, "letters.jsonl".into()));
        for (theme, [left, right, side]) in
            [(plain(), ["┌─ replace", "┐", "│"]), (Theme::dark(Charset::Ascii), ["+- replace", "+", "|"])]
        {
            let shown = screen(&model, &theme);
            let top = shown.lines().position(|line| line.contains(left)).unwrap();
            let grid: Vec<Vec<char>> = shown.lines().map(|line| line.chars().collect()).collect();
            let start = shown.lines().nth(top).unwrap().split(left).next().unwrap().chars().count();
            let width = grid[top][start + 1..].iter().position(|glyph| right.contains(*glyph)).unwrap() + 1;
            for line in &grid[top + 1..top + 5] {
                let at = |column: usize| line.get(column).copied().unwrap_or(' ').to_string();
                let sides = [start - 1, start, start + width, start + width + 1].map(at);
                assert_eq!(sides, [" ", side, side, " "], "{shown}");
            }
        }
    }
}

#[test]
fn in_the_palette_words_begin_in_one_column() {
    for columns in [40, 80, 120] {
        let mut model = model_of(Subject::Passages, columns, 60);
        keys(&mut model, ": p a g e");
        let shown = screen(&model, &plain());
        let places = ["a page down", "a page up"].map(|words| {
            let line = shown.lines().find(|line| line.contains(words));
            line.map(|line| line[..line.find(words).unwrap()].chars().count())
        });
        assert!(columns == 40 || (places[0].is_some() && places[0] == places[1]), "{shown}");
        assert!(!shown.contains("Ctrl…"), "{shown}");
    }
}

#[test]
fn how_to_answer_is_seen_on_the_smallest_screen() {
    let mut model = model_of(Subject::Passages, 40, 10);
    let rows = model.list.listing.rows[..7].to_vec();
    let (reason, hides, first) = (crate::input_line::InputLine::default(), None, 0);
    model.dialogue.overlay =
        Some(Overlay::Before(TabooDialog { rows, reason, hides, first, scope: TabooScope::Corpus }));
    for more in [false, true] {
        let shown = screen(&model, &plain());
        assert_eq!((shown.contains("and 3 more"), shown.contains("Enter hides it")), (more, true), "{shown}");
        keys(&mut model, "PgDn");
    }
}

#[test]
fn what_can_be_left_out_is_a_menu_whose_key_is_free_in_every_preset() {
    let mut model = model_of(Subject::Passages, 120, 24);
    // In the document, and of the copy that is shown there: a record of a file.
    keys(&mut model, "Enter n");
    show_copy(&mut model, 1);
    keys(&mut model, "L");
    insta::assert_snapshot!("exclude_120x24", screen(&model, &plain()));
    for preset in [KeyPreset::Default, KeyPreset::Vim, KeyPreset::Emacs] {
        let settings = KeySettings { preset, ..KeySettings::default() };
        assert_eq!(Keymap::new(&settings).0.first(Action::Exclude), "L");
    }
}
