//! What single keys and updates do to the state, and that no order of them breaks it.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;

use crate::event::{Effect, TuiEvent};
use crate::fixture::rows::{passage, row};
use crate::fixture::{
    all_rows, click, drawn, idle, indexing, list, listing, model, model_of, press, preview, tell, tell_of,
};
use crate::model::{Focus, Model};
use crate::theme::{Charset, Theme};
use crate::update::update;
use crate::views::FIRST_ROWS;
use dupi_index::taboo::TabooScope;
use dupi_session::{Item, Listing, Request, SearchState, Sort, Subject, Update};

fn requests(effects: Vec<Effect>) -> Vec<Request> {
    let request = |effect| if let Effect::Ask(request) = effect { Some(request) } else { None };
    effects.into_iter().filter_map(request).collect()
}

#[test]
fn the_selection_stays_on_its_row_when_rows_come_and_go() {
    let mut model = model(120, 30);
    press(&mut model, "jjj");
    let chosen = model.list.selected;
    assert_eq!(model.list.selected_row(), Some(3));
    let mut rows: Vec<_> = (0..30).map(|number| row(number, "text")).collect();
    rows.insert(0, row(100, "new on top"));
    list(&mut model, rows);
    assert_eq!((model.list.selected, model.list.selected_row()), (chosen, Some(4)));
    list(&mut model, [row(0, "a"), row(1, "b")]);
    assert_eq!(model.list.selected_row(), Some(1), "the nearest that is left");
}

#[test]
fn moving_asks_for_the_copies_of_the_new_row() {
    let mut model = model(120, 30);
    let asked = requests(press(&mut model, "j"));
    assert_eq!(asked, [Request::Preview { row: model.list.row().cloned().unwrap(), current: 0 }]);
    assert!(requests(press(&mut model, "kk")).len() == 1, "the first row has none above it");
}

#[test]
fn copies_are_gone_through_in_a_circle_as_far_as_they_are_known() {
    let mut model = model(120, 30);
    let selected = model.list.row().cloned().unwrap();
    assert_eq!(requests(press(&mut model, "n")), [Request::Preview { row: selected.clone(), current: 1 }]);
    // The next one may be asked for before this one came.
    assert_eq!(requests(press(&mut model, "n")), [Request::Preview { row: selected.clone(), current: 2 }]);
    tell(&mut model, preview(&selected, 1));
    press(&mut model, "nnp");
    assert_eq!((model.reader.current, model.said()), (3, Some("More copies are being read.")));
    press(&mut model, "pppp");
    assert_eq!((model.reader.current, model.said()), (2, Some("The last copy that is known.")));
}

#[test]
fn a_copy_is_gone_to_before_the_row_was_looked_at() {
    let mut model = model(120, 30);
    press(&mut model, "j");
    let selected = model.list.row().cloned().unwrap();
    assert_eq!(requests(press(&mut model, "n")), [Request::Preview { row: selected.clone(), current: 1 }]);
    tell(&mut model, preview(&selected, 1));
    assert_eq!((model.reader.current, model.reader.preview.current), (1, 1));
    press(&mut model, "jp");
    assert_eq!(model.reader.current, 0);
}

#[test]
fn a_stale_preview_is_ignored() {
    let mut model = model(120, 30);
    let other = model.list.listing.rows[5].clone();
    tell(&mut model, preview(&other, 1));
    assert_eq!(model.reader.preview.row.as_ref().map(Item::id), model.list.selected);
}

#[test]
fn the_filter_is_applied_while_it_is_typed_and_dropped_by_escape() {
    let mut model = model(120, 30);
    let asked = requests(press(&mut model, "/ab\u{8}"));
    let filters: Vec<String> = asked
        .into_iter()
        .filter_map(|request| if let Request::Rows(view) = request { Some(view.filter) } else { None })
        .collect();
    assert_eq!(filters, ["a", "ab", "a"]);
    press(&mut model, "q\r");
    assert_eq!((model.list.view.filter.as_str(), model.dialogue.prompt.is_some()), ("aq", false));
    press(&mut model, "\u{1b}");
    assert_eq!(model.list.view.filter, "");
}

#[test]
fn sigma_moves_by_halves_and_ends_at_nothing() {
    let mut model = model(120, 30);
    press(&mut model, "+++-");
    assert_eq!(model.list.view.sigma, Some(0.5));
    press(&mut model, "---");
    assert_eq!(model.list.view.sigma, None);
}

#[test]
fn taboo_and_back() {
    let mut model = model(120, 30);
    let first = model.list.row().cloned().unwrap();
    assert_eq!(
        requests(press(&mut model, "t")),
        [Request::Taboo { rows: vec![first], reason: None, scope: TabooScope::Corpus }]
    );
    press(&mut model, "jj");
    let taboo = model.list.row().cloned().unwrap();
    assert!(taboo.is_taboo());
    assert_eq!(requests(press(&mut model, "t")), [Request::ShowAgain { rows: vec![taboo] }]);
    assert_eq!(requests(press(&mut model, "u")), [Request::Undo]);
}

#[test]
fn the_editor_opens_no_file_of_another_row() {
    let mut model = model(120, 30);
    let opens = |effects: Vec<Effect>| effects.iter().any(|effect| matches!(effect, Effect::Edit { .. }));
    assert!(opens(press(&mut model, "o")));
    assert!(!opens(press(&mut model, "jo")), "its copies are not known yet");
    assert!(model.said().is_some_and(|said| said.starts_with("The editor opens")), "{:?}", model.said());
    let selected = model.list.row().cloned().unwrap();
    assert!(opens(tell(&mut model, preview(&selected, 0))), "now they are");
    assert_eq!(model.said(), None);
    assert!(!opens(tell(&mut model, preview(&selected, 0))), "once");
    for other in ["jo\u{1b}", "jojk"] {
        press(&mut model, other);
        let selected = model.list.row().cloned().unwrap();
        assert!(!opens(tell(&mut model, preview(&selected, 0))), "nobody waits for it any more");
    }
    press(&mut model, "j\r\r");
    let selected = model.list.row().cloned().unwrap();
    assert!(opens(tell(&mut model, preview(&selected, 0))), "Enter, once in the text");
}

#[test]
fn a_click_below_the_last_row_changes_nothing() {
    let mut model = model(120, 60);
    let before = model.list.selected;
    let (column, row) = (3, model.layout().rows.bottom() - 1);
    click(&mut model, (column, row));
    assert_eq!(model.list.selected, before);
}

#[test]
fn another_view_of_the_same_rows_loads_as_many_as_before() {
    let mut model = model(120, 30);
    model.list.view.wanted = FIRST_ROWS * 2;
    press(&mut model, "T+F");
    assert_eq!(model.list.view.wanted, FIRST_ROWS * 2);
    press(&mut model, "/x");
    assert_eq!(model.list.view.wanted, FIRST_ROWS);
}

#[test]
fn a_question_is_answered_before_anything_else() {
    let mut model = model(120, 30);
    tell(&mut model, Update::Mismatch("built with another recipe".into()));
    assert!(press(&mut model, "jt").is_empty());
    assert_eq!(requests(press(&mut model, "r")), [Request::Rebuild]);
    assert!(model.dialogue.overlay.is_none());
}

#[test]
fn more_rows_are_asked_for_near_the_end() {
    let mut model = model(120, 30);
    let rows = (0..FIRST_ROWS as u64).map(|number| row(number, "x")).collect();
    let listing = Listing { view: model.list.view.clone(), rows, ..Listing::default() };
    tell(&mut model, Update::Rows(Arc::new(listing)));
    let asked = requests(press(&mut model, "G"));
    assert!(
        asked.iter().any(|request| matches!(request, Request::Rows(view) if view.wanted == FIRST_ROWS * 2)),
        "{asked:?}"
    );
}

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

#[test]
fn the_selection_is_held_by_the_passage() {
    let mut model = model_of(Subject::Passages, 120, 30);
    press(&mut model, "jjj");
    let chosen = model.list.selected;
    list(&mut model, (2..30).map(|number| passage(number, "found again")));
    assert_eq!((model.list.selected, model.list.selected_row()), (chosen, Some(1)));
}

#[test]
fn each_view_keeps_its_selection() {
    let mut model = model_of(Subject::Passages, 120, 30);
    press(&mut model, "jj");
    let chosen = model.list.selected;
    let asked = requests(press(&mut model, "2"));
    assert!(matches!(&asked[..], [Request::Rows(view)] if view.of == Subject::Blots), "{asked:?}");
    tell_of(&mut model, |model| listing(model, 9));
    assert_eq!(model.list.selected_row(), Some(0));
    press(&mut model, "j1");
    assert_eq!((model.list.view.of, model.list.selected), (Subject::Passages, chosen));
    press(&mut model, "\t");
    assert_eq!((model.list.view.of, model.list.selected_row()), (Subject::Blots, Some(1)));
    // Rows of the view that was left come too late.
    let late = model_of(Subject::Passages, 120, 30);
    tell(&mut model, listing(&late, 9));
    assert!(matches!(model.list.row(), Some(Item::Row(_))));
}

#[test]
fn a_menu_sorts_passages_and_the_first_is_selected() {
    let mut model = model_of(Subject::Passages, 120, 30);
    press(&mut model, "jj");
    let order = |asked: Vec<Request>| match &asked[..] {
        [Request::Rows(view)] => (view.sort, view.is_reversed),
        _ => panic!("{asked:?}"),
    };
    for &sort in &Sort::ways(Subject::Passages)[1..] {
        assert!(requests(press(&mut model, "sj")).is_empty(), "nothing changes before a choice");
        assert_eq!(order(requests(press(&mut model, "\r"))), (sort, false));
    }
    let last = *Sort::ways(Subject::Passages).last().unwrap();
    assert_eq!(order(requests(press(&mut model, "s\r"))), (last, true), "a second choice");
    assert_eq!(model.said(), Some("Sorted by recent, reversed."));
    assert_eq!(order(requests(press(&mut model, "sr"))), (last, false));
    assert_eq!(order(requests(press(&mut model, "sgjr"))), (Sort::Copies, true));
    assert_eq!(order(requests(press(&mut model, "sgj\r"))), (Sort::Copies, false));
    assert!(requests(press(&mut model, "sjs")).is_empty());
    assert!(model.dialogue.overlay.is_none());
    tell_of(&mut model, |model| listing(model, 9));
    assert_eq!(model.list.selected_row(), Some(0));
    assert!(requests(press(&mut model, "+F")).is_empty(), "these are for blots");
    press(&mut model, "2");
    assert!(requests(press(&mut model, "s")).is_empty(), "this is for passages");
    let mut model = model_of(Subject::Documents, 120, 30);
    assert_eq!(order(requests(press(&mut model, "sj\r"))), (Sort::Partner, false));
    assert_eq!(model.said(), Some("Sorted by partner."));
}

#[test]
fn side_by_side_begins_with_a_copy_that_is_not_the_one_compared_with() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let selected = model.list.row().cloned().unwrap();
    assert_eq!(requests(press(&mut model, "v")), [Request::Preview { row: selected, current: 1 }]);
    assert_eq!((model.beside, model.focus), (Some(Focus::Rows), Focus::Document));
    press(&mut model, "jk\u{1b}");
    assert_eq!((model.beside, model.focus), (None, Focus::Rows));
    press(&mut model, "\rvv");
    assert_eq!((model.beside, model.focus), (None, Focus::Document));
    press(&mut model, "v2");
    assert_eq!((model.beside, model.focus), (None, Focus::Rows));
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
