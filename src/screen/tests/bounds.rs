//! The screen where something ends: no copy to put beside, no row left, nothing below, nothing that a key is for.

use std::sync::Arc;

use crate::event::Effect;
use crate::fixture::rows::passage;
use crate::fixture::{click, indexing, model_of, press, preview, tell, tell_of};
use crate::model::{Focus, Model, Overlay};
use crate::tests::screen::{plain, screen};
use dupi_base::corpus::{SkipReason, Skipped};
use dupi_passage::unit::Unit;
use dupi_session::{Item, Listing, Preview, Request, Subject, Update, WriteResult};

/// The selected row's document, of which nothing stands elsewhere.
fn alone(model: &Model) -> Update {
    let Update::Preview(shown) = preview(model.list.row().unwrap(), 0) else { unreachable!() };
    let nothing = Preview { occurrences: Arc::default(), unread: 0, beside: None, ..(*shown).clone() };
    Update::Preview(Arc::new(nothing))
}

fn rows(model: &Model, rows: Vec<Item>) -> Update {
    Update::Rows(Arc::new(Listing {
        view: model.list.view.clone(),
        rows,
        complete: true,
        ..Listing::default()
    }))
}

#[test]
fn what_stands_nowhere_else_has_nothing_beside_it_but_opens_in_the_editor() {
    let mut model = model_of(Subject::Documents, 120, 30);
    tell_of(&mut model, |model| alone(model));
    press(&mut model, "v");
    assert_eq!((model.beside, model.said()), (None, Some("Nothing in this occurs anywhere else.")));
    let effects = press(&mut model, "o");
    assert!(matches!(&effects[..], [Effect::Edit { path, line: 1, column: 1 }] if path.ends_with("0.md")));
    // The same when that is found out later.
    press(&mut model, "jv");
    assert_eq!((model.beside, model.focus), (None, Focus::Rows));
    let Update::Preview(other) = alone(&model) else { unreachable!() };
    let mut text = (**other.document.as_ref().unwrap()).clone();
    text.path = "another.md".into();
    model.reader.scroll.line = 3;
    tell(&mut model, Update::Preview(Arc::new(Preview { document: Some(text.into()), ..(*other).clone() })));
    assert_eq!((model.beside, model.focus, model.reader.scroll.line), (None, Focus::Rows, 0));
    assert_eq!(model.said(), Some("Nothing in this occurs anywhere else."));
}

#[test]
fn when_the_last_row_goes_keys_go_to_the_list() {
    let mut model = model_of(Subject::Passages, 120, 30);
    press(&mut model, "v");
    tell_of(&mut model, |model| rows(model, Vec::new()));
    assert_eq!((model.beside, model.focus), (None, Focus::Rows));
}

#[test]
fn a_shorter_file_is_scrolled_to_its_last_line() {
    let mut model = model_of(Subject::Passages, 120, 30);
    model.reader.scroll.line = 3000;
    let again = preview(model.list.row().unwrap(), 0);
    tell(&mut model, again);
    assert_eq!(model.reader.scroll.line, model.document().unwrap().line_starts.len() - 1);
}

#[test]
fn the_files_left_out_end_at_the_bottom_of_the_screen() {
    let mut model = model_of(Subject::Passages, 100, 14);
    press(&mut model, "S");
    let file = |number| Skipped::new(format!("{number}.bin"), SkipReason::Binary);
    tell(&mut model, Update::Skipped(Arc::new((0..100).map(file).collect())));
    press(&mut model, "G");
    assert!(screen(&model, &plain()).contains("99.bin"));
    press(&mut model, "k");
    assert!(matches!(model.dialogue.overlay, Some(Overlay::Skipped(_, 87))), "{:?}", model.dialogue.overlay);
}

#[test]
fn the_line_below_the_copies_is_no_copy_and_a_third_press_no_second() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let copies = model.layout().copies;
    assert!(click(&mut model, (copies.x + 3, copies.bottom() - 1)).is_empty());
    let effects: Vec<Effect> = (0..3).flat_map(|_| click(&mut model, (copies.x + 3, copies.y))).collect();
    assert_eq!(effects.iter().filter(|effect| matches!(effect, Effect::Edit { .. })).count(), 1);
}

#[test]
fn the_footer_offers_what_can_be_done_with_what_is_chosen() {
    let footer = |model: &Model| screen(model, &plain()).lines().nth(29).unwrap_or_default().to_owned();
    let mut model = model_of(Subject::Documents, 120, 30);
    press(&mut model, " ");
    let keys = footer(&model);
    assert!(keys.contains("x export") && !keys.contains("taboo") && !keys.contains("accept"), "{keys}");
    let mut model = model_of(Subject::Taboo, 120, 30);
    press(&mut model, "\r");
    let keys = footer(&model);
    assert!(keys.contains("n next copy") && !keys.contains("taboo"), "{keys}");
    // The third passage is taboo already.
    let mut model = model_of(Subject::Passages, 120, 30);
    press(&mut model, "jj");
    assert!(footer(&model).contains("t show again"));
    press(&mut model, "Vkj");
    assert!(footer(&model).contains("t show again"));
    press(&mut model, "k");
    assert!(footer(&model).contains("t taboo"), "not all that is marked is");
}

#[test]
fn from_a_taboo_text_to_the_passages_that_have_it_though_they_are_hidden() {
    let mut model = model_of(Subject::Taboo, 120, 30);
    press(&mut model, "P");
    assert_eq!((model.list.view.of, model.list.view.show_taboo), (Subject::Passages, true));
    assert!(!model.list.view.filter.is_empty());
}

#[test]
fn a_file_that_is_there_is_asked_about_only_if_it_was_asked_for() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let (rows, file) = (model.list.chosen(), "ours.jsonl".into());
    model.dialogue.writing = Some(Request::Export { rows, file, replace: true });
    tell(&mut model, Update::Written(WriteResult::Exists("other.jsonl".into())));
    assert!(
        model.dialogue.overlay.is_none() && model.said().is_some_and(|said| said.contains("other.jsonl"))
    );
    tell(&mut model, Update::Written(WriteResult::Exists("ours.jsonl".into())));
    assert!(matches!(model.dialogue.overlay, Some(Overlay::Replace(..))));
}

#[test]
fn no_match_for_a_filter_is_said_while_indexing_goes_on() {
    let mut model = model_of(Subject::Passages, 120, 30);
    press(&mut model, "/zz\r");
    tell_of(&mut model, |model| rows(model, Vec::new()));
    tell(&mut model, indexing());
    assert!(screen(&model, &plain()).contains("No row matches the filter."));
}

#[test]
fn what_has_outgrown_its_acceptance_says_so() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let Item::Passage(passage) = passage(9, "Kind regards") else { unreachable!() };
    let with = |accepted| {
        let copies = passage.copies;
        let accepted = Some(accepted);
        Item::Passage(Arc::new(dupi_session::ListedPassage { copies, accepted, ..(*passage).clone() }))
    };
    tell_of(&mut model, |model| rows(model, vec![with(passage.copies)]));
    assert!(screen(&model, &plain()).contains("✓ Kind regards"));
    tell_of(&mut model, |model| rows(model, vec![with(2)]));
    assert!(screen(&model, &plain()).contains("✓+ Kind regards"));
}

#[test]
fn identical_documents_say_so_where_there_is_room() {
    for (columns, words) in [(120, "identical: Kind regards"), (40, " Kind regards")] {
        let mut model = model_of(Subject::Passages, columns, 30);
        let Item::Passage(row) = passage(9, "Kind regards") else { unreachable!() };
        let row = dupi_session::ListedPassage { unit: Unit::Document, ..(*row).clone() };
        tell_of(&mut model, |model| rows(model, vec![Item::Passage(Arc::new(row))]));
        assert!(screen(&model, &plain()).contains(words), "{}", screen(&model, &plain()));
    }
}
