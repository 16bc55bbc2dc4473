//! Overlays: they scroll by the usual keys and say how to see more.

use crossterm::event::MouseEventKind;

use crate::event::Effect;
use crate::fixture::{keys, listing, model_of, mouse, request_of, tell_of};
use crate::keys::keymap::Keymap;
use crate::model::{HelpPage, Model, Overlay, TabooDialog};
use crate::tests::screen::{plain, screen};
use crate::theme::Charset;
use crate::theme::Theme;
use dupi_base::config::Settings;
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
fn the_keys_of_a_preset_move_in_the_palette_where_they_type_nothing() {
    let mut model = model_of(Subject::Passages, 80, 24);
    set(&mut model, "[keys]\npreset = \"emacs\"\n");
    keys(&mut model, "Alt-x Ctrl-n Ctrl-n Ctrl-p");
    assert_eq!(line(&model), 1);
    keys(&mut model, "Ctrl-v");
    assert_eq!(line(&model), 13);
    keys(&mut model, "j");
    assert!(matches!(&model.dialogue.overlay, Some(Overlay::Palette(typed, 0)) if typed.text() == "j"));
}

#[test]
fn help_says_at_its_foot_how_to_see_more_until_there_is_no_more() {
    let mut model = model_of(Subject::Passages, 80, 24);
    let foot = |model: &Model| screen(model, &plain()).lines().nth(23).unwrap_or_default().to_owned();
    keys(&mut model, "?");
    assert!(foot(&model).contains("more below: ↓ PgDn"), "{}", foot(&model));
    let ascii = screen(&model, &Theme::dark(Charset::Ascii));
    assert!(ascii.contains("more below: Down, PgDn"), "{ascii}");
    keys(&mut model, "j j k PgDn PgDn PgUp");
    assert_eq!(line(&model), 13);
    keys(&mut model, "G");
    let last = line(&model);
    assert!(last > 13 && !foot(&model).contains("more"), "{}", foot(&model));
    keys(&mut model, "j PgDn");
    assert_eq!(line(&model), last);
    keys(&mut model, "g");
    assert_eq!(line(&model), 0);
}

#[test]
fn the_palette_says_at_its_foot_that_there_are_more_actions() {
    let mut model = model_of(Subject::Passages, 80, 24);
    keys(&mut model, ":");
    assert!(screen(&model, &plain()).contains("more below: ↓ PgDn"));
    keys(&mut model, "z o o m");
    assert!(!screen(&model, &plain()).contains("more below"));
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
fn in_a_list_without_rows_it_is_said_that_none_is_selected() {
    for subject in [Subject::Passages, Subject::Blots] {
        let mut model = model_of(subject, 80, 24);
        tell_of(&mut model, |model| listing(model, 0));
        for key in ["t", "a", "B", "x", "y"] {
            model.dialogue.message = None;
            keys(&mut model, key);
            assert_eq!(model.said(), Some("No row is selected."), "{subject:?} {key}");
        }
    }
}

#[test]
fn the_help_shows_what_is_searched_for_and_all_again() {
    let mut model = model_of(Subject::Passages, 80, 24);
    let shown = |model: &Model| screen(model, &plain());
    keys(&mut model, "? j j / F A M I");
    let found = shown(&model);
    assert!(found.contains("passages that overlap") && found.contains("keys: /FAMI"), "{found}");
    assert!(!found.contains("next copy of the text"), "{found}");
    keys(&mut model, "q q");
    assert!(!shown(&model).contains("passages that overlap"), "a q is a letter here");
    keys(&mut model, "Esc");
    assert!(shown(&model).contains("passages: whole stretches"), "all is shown again");
    keys(&mut model, "q");
    assert!(model.dialogue.overlay.is_none());
}

#[test]
fn the_dialog_says_in_which_corpora_a_text_is_hidden_and_tab_changes_it() {
    let scope = |effects: &[Effect]| {
        request_of(
            effects,
            |request| if let Request::Taboo { scope, .. } = request { Some(*scope) } else { None },
        )
    };
    let mut model = model_of(Subject::Passages, 120, 24);
    keys(&mut model, "B");
    assert!(screen(&model, &plain()).contains("Enter hides it in this corpus, Tab: in all corpora"));
    keys(&mut model, "o u r s Tab");
    assert!(screen(&model, &plain()).contains("Enter hides it in all corpora, Tab: in this corpus"));
    assert_eq!(scope(&keys(&mut model, "Enter")), Some(TabooScope::User));
    keys(&mut model, "B Tab Tab");
    assert_eq!(scope(&keys(&mut model, "Enter")), Some(TabooScope::Corpus));
    assert_eq!(scope(&keys(&mut model, "t")), Some(TabooScope::Corpus));
    model.size = (40, 12);
    keys(&mut model, "B Tab");
    let narrow = screen(&model, &plain());
    assert!(narrow.contains("Enter hides it everywhere, Tab here"), "{narrow}");
}

#[test]
fn an_entry_is_moved_to_the_other_list() {
    let moved = |effects: &[Effect]| {
        request_of(effects, |request| {
            if let Request::MoveTaboo { texts, to } = request { Some((texts.len(), *to)) } else { None }
        })
    };
    let mut model = model_of(Subject::Taboo, 120, 24);
    let shown = screen(&model, &plain());
    assert!(shown.contains("  for  ") && shown.contains("  all  "), "{shown}");
    // The first entry is in the user's list, and the next three are not.
    assert_eq!(moved(&keys(&mut model, "m")), Some((1, TabooScope::Corpus)));
    assert_eq!(moved(&keys(&mut model, "j m")), Some((1, TabooScope::User)));
    assert_eq!(moved(&keys(&mut model, "g Space Space Space m")), Some((2, TabooScope::User)));
}
