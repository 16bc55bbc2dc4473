//! Lines that are typed, questions over the screen, and what comes between: keys, the mouse, the session.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;
use toml::Spanned;

use crate::action::ViewPage;
use crate::event::{Effect, TuiEvent};
use crate::fixture::{keys, listing, model_of, mouse, show_copy, showing, tell, tell_of};
use crate::keys::keymap::Keymap;
use crate::model::{Ask, Focus, Menu, Model, Overlay};
use crate::tests::reading::{lines, reading};
use crate::tests::screen::{plain, screen};
use crate::update::update;
use crate::view::header::tabs;
use dupi_base::config::{KeyPreset, KeySettings, SavedFilters};
use dupi_session::{
    DecisionResult, Names, Request, Sort, Subject, TabooDifference, TabooPreview, Update, WriteResult,
};

fn click(model: &mut Model, at: Position) -> Vec<Effect> {
    let kind = MouseEventKind::Down(MouseButton::Left);
    let event = MouseEvent { kind, column: at.x, row: at.y, modifiers: KeyModifiers::NONE };
    let now = model.now + Duration::from_secs(1);
    update(model, TuiEvent::Mouse(event), now)
}

fn tab(model: &Model, page: ViewPage) -> Position {
    let tabs = tabs(model, model.layout().header);
    tabs.into_iter().find(|(of, ..)| *of == page).map(|(.., tab)| tab.as_position()).unwrap()
}

fn emacs(subject: Subject) -> Model {
    let mut model = model_of(subject, 80, 24);
    model.settings.keymap =
        Keymap::new(&KeySettings { preset: KeyPreset::Emacs, ..KeySettings::default() }).0;
    model
}

#[test]
fn what_another_decision_would_hide_is_not_taken_for_this_one() {
    let mut model = model_of(Subject::Passages, 80, 24);
    let told = |row: usize, complete: bool| {
        let rows = vec![model_of(Subject::Passages, 80, 24).list.listing.rows[row].clone()];
        let all = TabooDifference { is_least: !complete, ..TabooDifference::default() };
        Update::TabooPreview(TabooPreview { rows, all, complete, ..TabooPreview::default() }.into())
    };
    keys(&mut model, "B");
    tell(&mut model, told(5, true));
    assert!(screen(&model, &plain()).contains("Counting what else"));
    tell(&mut model, told(0, false));
    assert!(screen(&model, &plain()).contains("Hides at least "), "{}", screen(&model, &plain()));
    tell(&mut model, told(0, true));
    let shown = screen(&model, &plain());
    assert!(shown.contains("Hides ") && !shown.contains("at least"), "{shown}");
}

#[test]
fn the_activity_has_no_panes_to_click_on() {
    let mut model = showing(ViewPage::Activity, 120, 40);
    let before = (model.reader.split, model.focus);
    let panes = model_of(Subject::Passages, 120, 40).layout();
    for pane in [panes.divider, panes.rule, panes.strip, panes.document, panes.copies, panes.rows] {
        assert!(!pane.is_empty());
        click(&mut model, pane.as_position());
        model.now = Duration::ZERO;
        mouse(&mut model, MouseEventKind::Drag(MouseButton::Left), (90, 30));
        assert_eq!((model.reader.split, model.focus), before);
    }
    let mut small = showing(ViewPage::Activity, 120, 10);
    let at = panes.document.as_position();
    mouse(&mut small, MouseEventKind::ScrollDown, (at.x, 5));
    assert_eq!((small.list.first_row, small.focus), (3, Focus::Rows));
    let blots = tab(&model, ViewPage::List(Subject::Blots));
    click(&mut model, blots);
    assert_eq!(model.page, ViewPage::List(Subject::Blots));
}

#[test]
fn a_click_elsewhere_ends_what_is_typed() {
    let mut model = model_of(Subject::Passages, 120, 40);
    keys(&mut model, "/ x");
    let blots = tab(&model, ViewPage::List(Subject::Blots));
    click(&mut model, blots);
    assert!(model.dialogue.prompt.is_none() && model.list.view.filter.is_empty());
    keys(&mut model, "j");
    assert_eq!(model.list.view.filter, "", "keys go to the list that is seen");
    let mut model = model_of(Subject::Passages, 120, 40);
    keys(&mut model, "Enter Ctrl-g");
    let second = Position::new(2, model.layout().rows.y + 1);
    click(&mut model, second);
    assert!(model.dialogue.prompt.is_none() && model.list.selected_row() == Some(1));
    keys(&mut model, "x");
    click(&mut model, second);
    assert!(
        matches!(&model.dialogue.prompt, Some(prompt) if matches!(prompt.ask, Ask::Export(_))),
        "that stays"
    );
}

#[test]
fn a_file_can_be_named_from_the_home_folder() {
    let mut model = model_of(Subject::Passages, 80, 24);
    model.settings.home = Some("/home/ida".into());
    keys(&mut model, "x Ctrl-u ~ / a Enter");
    let Some(Request::Export { file, .. }) = &model.dialogue.writing else {
        panic!("{:?}", model.dialogue.prompt)
    };
    assert_eq!(file.to_str(), Some("/home/ida/a"));
    keys(&mut model, "5");
    tell_of(&mut model, |model| listing(model, 9));
    let asked = keys(&mut model, "I ~ / b Enter");
    assert!(
        matches!(&asked[..], [Effect::Ask(Request::ImportTaboo { file })] if file.ends_with("ida/b")),
        "{asked:?}"
    );
}

#[test]
fn a_name_that_is_none_can_be_mended() {
    let mut model = model_of(Subject::Passages, 80, 24);
    for (typed, mended) in [("m y Space o w n", "Backspace Backspace Backspace Backspace"), ("@", "m y")] {
        keys(&mut model, "/ x Ctrl-s");
        assert!(keys(&mut model, &format!("{typed} Enter")).is_empty());
        let shown = screen(&model, &plain());
        assert!(shown.lines().nth(22).unwrap().contains("A filter's name is one word."), "{shown}");
        keys(&mut model, mended);
        assert!(!screen(&model, &plain()).contains("one word"));
        let kept = keys(&mut model, "Enter");
        assert!(matches!(&kept[..], [Effect::SaveFilter(name, Some(_))] if name == "my"), "{kept:?}");
        assert!(model.dialogue.prompt.is_none());
    }
}

#[test]
fn what_is_typed_is_left_with_the_key_that_goes_back() {
    let mut model = emacs(Subject::Passages);
    assert!(screen(&model, &plain()).lines().nth(23).unwrap().contains("Ctrl-s filter"));
    keys(&mut model, "Ctrl-s x");
    let footer = screen(&model, &plain()).lines().nth(23).unwrap().to_owned();
    assert!(footer.contains("Enter keep  Esc drop  Tab complete"), "{footer}");
    keys(&mut model, "Ctrl-g");
    assert!(model.dialogue.prompt.is_none() && model.list.view.filter.is_empty());
    for opening in ["Alt-x", "B"] {
        keys(&mut model, opening);
        assert!(model.dialogue.overlay.is_some());
        keys(&mut model, "g Ctrl-g");
        assert!(model.dialogue.overlay.is_none(), "{opening}");
    }
}

#[test]
fn the_program_is_stopped_and_the_screen_drawn_anew_while_something_is_typed() {
    let mut model = model_of(Subject::Passages, 80, 24);
    keys(&mut model, "/ x");
    assert!(keys(&mut model, "Ctrl-z").iter().any(|effect| matches!(effect, Effect::Suspend)));
    assert!(keys(&mut model, "Ctrl-l").iter().any(|effect| matches!(effect, Effect::Redraw)));
    assert!(model.dialogue.prompt.is_some());
}

#[test]
fn a_filter_is_completed_with_what_the_corpus_has() {
    let mut model = model_of(Subject::Passages, 80, 24);
    let asked = keys(&mut model, "/ e x t :");
    assert!(asked.iter().any(|effect| matches!(effect, Effect::Ask(Request::Names))));
    let names = Names { extensions: vec!["md".into()], folders: vec!["src".into()], ..Names::default() };
    tell(&mut model, Update::Names(names.into()));
    keys(&mut model, "Tab Space p a t h : s Tab");
    assert_eq!(model.list.view.filter, "ext:md path:src/");
}

#[test]
fn a_term_that_means_nothing_for_these_rows_is_named() {
    for (subject, is_named) in [(Subject::Passages, true), (Subject::Documents, false)] {
        let mut model = model_of(subject, 80, 24);
        keys(&mut model, "/ s h a r e : > 5");
        let shown = screen(&model, &plain());
        assert_eq!(shown.contains("share: does not apply here"), is_named, "{shown}");
    }
}

#[test]
fn a_letter_with_ctrl_is_no_answer() {
    let mut model = model_of(Subject::Passages, 80, 24);
    tell(&mut model, Update::Mismatch("built with another recipe".into()));
    assert!(keys(&mut model, "Ctrl-r Alt-r Ctrl-k").is_empty() && model.dialogue.overlay.is_some());
    let saved: SavedFilters = [("code".to_owned(), "ext:c".to_owned())].into_iter().collect();
    (model.settings.saved, model.dialogue.overlay) = (Arc::new(saved), Some(Overlay::Menu(Menu::Filters, 0)));
    assert!(keys(&mut model, "Ctrl-d Alt-d").is_empty() && model.dialogue.overlay.is_some());
    assert!(matches!(&keys(&mut model, "d")[..], [Effect::SaveFilter(_, None)]));
    model.dialogue.overlay = Some(Overlay::Replace(Request::Undo, "a".into()));
    assert!(keys(&mut model, "Ctrl-y Alt-y").is_empty() && model.dialogue.overlay.is_some());
    assert!(matches!(&keys(&mut model, "y")[..], [Effect::Ask(Request::Undo)]));
}

#[test]
fn a_question_waits_until_nothing_is_typed() {
    let mut model = model_of(Subject::Passages, 80, 24);
    keys(&mut model, "/ r");
    tell(&mut model, Update::Mismatch("first".into()));
    tell(&mut model, Update::Mismatch("second".into()));
    assert!(model.dialogue.overlay.is_none());
    keys(&mut model, "k Enter");
    assert!(matches!(&model.dialogue.overlay, Some(Overlay::Mismatch(asked)) if asked == "second"));
    assert!(model.dialogue.waiting.is_empty() && model.list.view.filter == "rk");
    keys(&mut model, "k");
    tell_of(&mut model, |model| listing(model, 9));
    keys(&mut model, "B w h y");
    model.dialogue.writing = Some(Request::ExportTaboo { file: "a".into(), texts: None, replace: true });
    tell(&mut model, Update::Written(WriteResult::Exists("a".into())));
    assert!(
        matches!(&model.dialogue.overlay, Some(Overlay::Before(before)) if before.reason.text() == "why")
    );
    keys(&mut model, "Esc");
    assert!(matches!(model.dialogue.overlay, Some(Overlay::Replace(..))));
}

#[test]
fn each_search_begins_where_the_reader_is() {
    let mut model = reading(&lines(), None, (100, 30));
    keys(&mut model, "g / n e e d l e Enter");
    let first = model.reader.scroll;
    assert!((380..400).contains(&first.line), "{first:?}");
    keys(&mut model, "/ Esc");
    assert_eq!((model.reader.scroll, model.reader.search.is_some()), (first, false));
    keys(&mut model, "/ n e e d l e Enter / t w i c e");
    assert!((480..500).contains(&model.reader.scroll.line), "{:?}", model.reader.scroll);
    keys(&mut model, "Esc");
    assert_eq!(model.reader.scroll, first);
}

#[test]
fn a_search_for_nothing_is_none() {
    let mut model = reading(&lines(), None, (100, 30));
    keys(&mut model, "/ x Backspace Enter");
    assert!(model.reader.search.is_none() && model.dialogue.prompt.is_none());
}

#[test]
fn back_from_a_search_in_another_document_leads_to_where_that_was() {
    let mut model = reading(&lines(), None, (100, 30));
    keys(&mut model, "/ n e e d l e");
    show_copy(&mut model, 1);
    let shown = model.reader.scroll;
    keys(&mut model, "Esc");
    assert_eq!(model.reader.scroll, shown);
}

#[test]
fn sentences_name_the_keys_that_there_are() {
    let spanned = |text: &str| Spanned::new(0..0, text.to_owned());
    let bound = [("undo", &["U"][..]), ("redo", &[]), ("passages-of", &["Ctrl-p"]), ("wrap", &["W"])];
    let bindings = bound.map(|(id, keys)| (spanned(id), keys.iter().map(|key| spanned(key)).collect()));
    let settings = KeySettings { bindings: bindings.into(), ..KeySettings::default() };
    let with_keys = |mut model: Model| {
        model.settings.keymap = Keymap::new(&settings).0;
        model
    };
    let mut model = with_keys(model_of(Subject::Documents, 80, 24));
    let mut decided = |result| {
        tell(&mut model, Update::Decided { sentence: "Decided".to_owned(), result });
        model.said().unwrap().to_owned()
    };
    assert_eq!(decided(DecisionResult::Done), "Decided; U undoes it");
    assert_eq!(decided(DecisionResult::Undone), "Decided; `redo` redoes it");
    assert_eq!(decided(DecisionResult::Nothing), "Decided");
    model.focus = Focus::Document;
    keys(&mut model, "t");
    assert!(model.said().unwrap().contains(": Ctrl-p shows the passages"), "{:?}", model.said());
    let mut model = with_keys(reading(&lines(), None, (80, 24)));
    assert!(model.wraps());
    keys(&mut model, "l");
    assert_eq!(model.said(), Some("Lines are wrapped; W shows them whole."));
}

/// Where a text is on a line of the screen.
fn place_of(model: &Model, y: u16, text: &str) -> Position {
    let shown = screen(model, &plain());
    let line = shown.lines().nth(usize::from(y)).unwrap();
    let x = line.find(text).map(|at| line[..at].chars().count() as u16).unwrap();
    Position { x, y }
}

#[test]
fn a_click_on_a_heading_sorts_by_that_column_and_a_second_one_reverses() {
    let mut model = model_of(Subject::Passages, 120, 40);
    let y = model.layout().columns.y;
    let asked = |effects: Vec<Effect>| match &effects[..] {
        [Effect::Ask(Request::Rows(view)), ..] => Some((view.sort, view.is_reversed)),
        _ => None,
    };
    let at = place_of(&model, y, "copies");
    let later = Position { x: at.x + 5, ..at };
    assert_eq!(asked(click(&mut model, at)), Some((Sort::Copies, false)));
    assert_eq!(asked(click(&mut model, later)), Some((Sort::Copies, true)));
    assert_eq!(asked(click(&mut model, at)), Some((Sort::Copies, false)));
    let at = place_of(&model, y, "worth");
    assert_eq!(asked(click(&mut model, at)), Some((Sort::Worth, false)));
    let at = place_of(&model, y, "text");
    assert_eq!(asked(click(&mut model, at)), None, "what is no number has no order here");
    let mut model = model_of(Subject::Blots, 120, 40);
    let at = place_of(&model, y, "docs");
    assert_eq!(asked(click(&mut model, at)), None);
    assert!(model.said().is_some(), "that there is one order is said");
}

#[test]
fn a_click_on_a_key_of_the_footer_does_what_it_does() {
    let mut model = model_of(Subject::Passages, 120, 40);
    let y = model.layout().footer.y + 1;
    let at = place_of(&model, y, "taboo");
    assert!(matches!(click(&mut model, at)[..], [Effect::Ask(Request::Taboo { .. })]));
    let at = place_of(&model, y, "/ filter");
    click(&mut model, at);
    assert!(matches!(&model.dialogue.prompt, Some(prompt) if prompt.ask == Ask::Filter));
    keys(&mut model, "x");
    let at = place_of(&model, y, "Enter keep");
    click(&mut model, at);
    assert_eq!((model.dialogue.prompt.is_none(), model.list.view.filter.as_str()), (true, "x"));
    let mut model = model_of(Subject::Passages, 120, 40);
    let at = place_of(&model, y, "keys");
    let gap = Position { x: at.x - 3, ..at };
    assert!(click(&mut model, gap).is_empty() && model.dialogue.overlay.is_none(), "between two keys");
    model.say("x".repeat(300));
    click(&mut model, at);
    assert!(model.dialogue.overlay.is_none(), "the message covers it");
    model.dialogue.message = None;
    click(&mut model, at);
    assert!(matches!(model.dialogue.overlay, Some(Overlay::Help(..))));
}

#[test]
fn arrows_bring_earlier_filters_and_the_typed_text_again() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let text = |model: &Model| {
        let prompt = model.dialogue.prompt.as_ref().map(|prompt| prompt.line.text().to_owned());
        (prompt.unwrap_or_default(), model.list.view.filter.clone())
    };
    let both = |of: &str| (of.to_owned(), of.trim().to_owned());
    keys(&mut model, "/ a Enter Esc / b Enter Esc / a Enter Esc / c Esc / x y");
    assert_eq!(model.dialogue.filters.filters(), ["a", "b"], "a filter that was dropped is none");
    let mut seen = Vec::new();
    for key in ["Down", "Up", "Up", "Up", "Down", "Down", "Up"] {
        keys(&mut model, key);
        seen.push(text(&model));
    }
    assert_eq!(seen, ["xy", "a", "b", "b", "a", "xy", "a"].map(both));
    // What is edited is the typed text.
    keys(&mut model, "z Up");
    assert_eq!(text(&model), both("a"));
    keys(&mut model, "Down");
    assert_eq!(text(&model), both("az"));
    keys(&mut model, "Enter");
    assert_eq!(model.dialogue.filters.filters(), ["az", "a", "b"]);
    // The filter that is there already is no earlier one.
    keys(&mut model, "/ Up");
    assert_eq!(text(&model), both("a"));
    assert!(screen(&model, &plain()).contains("Up earlier"));
    keys(&mut model, "Down Enter / q");
    assert_eq!(text(&model), ("az q".to_owned(), "az q".to_owned()));
}
