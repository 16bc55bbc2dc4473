//! A selection is held while the list changes under it, and a decision that could hit a newcomer is asked again.

use std::sync::Arc;
use std::time::Duration;

use crate::event::{Effect, TuiEvent};
use crate::fixture::rows::{passage, row};
use crate::fixture::{
    again, all_rows, click, idle, indexing, keys, list_passages, model_of, preview, request_of, show_copy,
    tell, tell_of,
};
use crate::model::{Focus, Model};
use crate::update::update;
use dupi_base::config::Kind;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_session::{
    DecisionResult, Item, ListedPassage, Listing, Preview, Request, SearchState, Subject, Update,
};

fn passages(model: &Model, numbers: impl IntoIterator<Item = u64>) -> Update {
    all_rows(model, numbers.into_iter().map(|number| passage(number, "text")))
}

/// Takes rows in at a time.
fn tell_at(model: &mut Model, told: Update, milliseconds: u64) {
    update(model, TuiEvent::Session(told), Duration::from_millis(milliseconds));
}

fn decided(result: DecisionResult) -> Update {
    Update::Decided { sentence: "done".into(), result }
}

/// The rows of a decision; a row that is taboo is shown again.
fn taboo(effects: &[Effect]) -> Option<&Vec<Item>> {
    request_of(effects, |request| {
        if let Request::Taboo { rows, .. } | Request::ShowAgain { rows } = request {
            Some(rows)
        } else {
            None
        }
    })
}

#[test]
fn the_first_row_is_held_once_all_is_read_and_the_list_still_begins_at_its_top() {
    let mut model = model_of(Subject::Passages, 120, 20);
    let first = model.list.selected;
    list_passages(&mut model, [100, 101].into_iter().chain(0..30));
    assert_eq!((model.list.selected, model.list.selected_row(), model.list.first_row), (first, Some(2), 0));
    assert!(!model.list.is_chosen, "nobody selected it");
    keys(&mut model, "s j Enter");
    list_passages(&mut model, (0..30).rev());
    assert_eq!(model.list.selected_row(), Some(0), "in another order the first row is selected");
}

#[test]
fn while_the_corpus_is_read_the_first_row_is_selected_whichever_it_is() {
    for busy in [indexing(), Update::Searching(SearchState::At(0.3))] {
        let mut model = Model::new("x".into(), (120, 30));
        tell(&mut model, idle());
        tell(&mut model, busy);
        for first in [5, 9] {
            list_passages(&mut model, first..20);
            assert_eq!(model.list.selected_row(), Some(0));
        }
    }
}

#[test]
fn what_is_undone_is_selected_again() {
    for (height, steps) in [(20, "j j"), (12, "G k k k"), (20, "")] {
        let mut model = model_of(Subject::Passages, 120, height);
        keys(&mut model, steps);
        let (chosen, at) = (model.list.selected, model.list.selected_row().unwrap() as u64);
        keys(&mut model, "t");
        list_passages(&mut model, (0..30).filter(|number| *number != at));
        tell(&mut model, decided(DecisionResult::Done));
        assert_ne!(model.list.selected, chosen);
        keys(&mut model, "k u");
        list_passages(&mut model, 0..30);
        tell(&mut model, decided(DecisionResult::Undone));
        assert_eq!(model.list.selected, chosen);
        let shown = model.list.first_row..model.list.first_row + usize::from(model.layout().rows.height);
        assert!(shown.contains(&(at as usize)) && (at > 2 || model.list.first_row == 0), "{at} in {shown:?}");
        list_passages(&mut model, (100..102).chain(0..30));
        assert_eq!(model.list.selected, chosen, "later changes select nothing");
    }
}

#[test]
fn a_decision_is_asked_again_when_another_row_has_just_come_under_the_cursor() {
    let mut model = model_of(Subject::Passages, 120, 30);
    keys(&mut model, "j");
    let without = passages(&model, [0].into_iter().chain(2..30));
    tell_at(&mut model, without, 1000);
    update(&mut model, TuiEvent::Tick, Duration::from_millis(1499));
    assert!(taboo(&keys(&mut model, "t")).is_none());
    assert!(model.said().unwrap_or_default().contains("t again"), "{:?}", model.said());
    assert_eq!(taboo(&keys(&mut model, "t")), Some(&vec![passage(2, "text")]));
    // Somebody who had half a second has seen it.
    tell(&mut model, decided(DecisionResult::Done));
    let without = passages(&model, [0].into_iter().chain(4..30));
    tell_at(&mut model, without, 2000);
    update(&mut model, TuiEvent::Tick, Duration::from_millis(2500));
    assert!(taboo(&keys(&mut model, "t")).is_some());
}

#[test]
fn rows_that_decisions_hide_are_decided_one_after_the_other() {
    let mut model = model_of(Subject::Passages, 120, 30);
    for hidden in 1..5 {
        assert!(taboo(&keys(&mut model, "t")).is_some(), "{hidden}: {:?}", model.said());
        list_passages(&mut model, hidden..30);
        tell(&mut model, decided(DecisionResult::Done));
    }
    // A movement or a request for another list confirms the selection.
    list_passages(&mut model, 9..30);
    assert!(taboo(&keys(&mut model, "j t")).is_some());
    tell(&mut model, decided(DecisionResult::Done));
    keys(&mut model, "/ x Enter");
    list_passages(&mut model, 20..30);
    assert!(taboo(&keys(&mut model, "t")).is_some());
}

#[test]
fn a_document_that_fills_the_screen_does_so_until_it_is_left() {
    let mut model = model_of(Subject::Passages, 120, 30);
    for leave in ["Esc", "h", "2 1", "z"] {
        keys(&mut model, "z");
        assert!(model.focus == Focus::Document && model.layout().rows.is_empty(), "{leave}");
        let saved = again(&model);
        keys(&mut model, leave);
        keys(&mut model, "Enter");
        assert!(model.focus == Focus::Document && !model.layout().rows.is_empty(), "{leave}");
        keys(&mut model, "Esc");
        assert!(!saved.reader.split.is_zoomed);
    }
}

/// Blots, with a copy of the selected row in a document, and then passages in their place.
#[test]
fn when_passages_take_the_place_of_blots_the_one_at_the_same_place_is_selected() {
    let mut model = model_of(Subject::Passages, 120, 30);
    model.list.release();
    let blots = (0..9).map(|number| row(number, "words that are in no row")).collect();
    let view = model.list.view.clone();
    let listing = Listing { view, rows: blots, is_provisional: true, ..Listing::default() };
    tell(&mut model, Update::Rows(listing.into()));
    keys(&mut model, "j j");
    let selected = model.list.row().cloned().unwrap();
    let Update::Preview(of_row) = preview(&selected, 0) else { unreachable!() };
    let at = |number: u64| Occurrence {
        path: format!("letters/{number}.md").into(),
        text_span: ByteSpan { start: 2, end: 30 },
        ..of_row.occurrences[0].clone()
    };
    let occurrences = Arc::new(vec![at(100), at(6)]);
    tell(&mut model, Update::Preview(Arc::new(Preview { occurrences, ..Preview::clone(&of_row) })));
    list_passages(&mut model, 0..20);
    assert_eq!(model.list.selected, Some(passage(6, "text").id()));
}

#[test]
fn a_copy_is_compared_with_another_one_however_early_that_is_asked_for() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let row = model.list.row().cloned().unwrap();
    let Update::Preview(all) = preview(&row, 0) else { unreachable!() };
    let told = |known: usize, unread: u32, is_compared: bool| {
        let occurrences = Arc::new(all.occurrences[..known].to_vec());
        Update::Preview(Arc::new(Preview { occurrences, unread, is_compared, ..Preview::clone(&all) }))
    };
    for (first, later) in [(told(1, 5, true), told(2, 4, true)), (told(2, 4, false), told(2, 4, true))] {
        tell(&mut model, first);
        keys(&mut model, "v");
        assert!(model.beside.is_none() && model.said().is_some_and(|said| said.contains("as soon as")));
        let effects = tell(&mut model, later);
        assert!(model.beside.is_some() && model.said().is_none());
        assert!(
            matches!(&effects[..], [Effect::Ask(Request::Preview { current: 1, .. }), ..]),
            "{effects:?}"
        );
        keys(&mut model, "v p");
        tell(&mut model, preview(&row, 0));
    }
    // The reference copy can be the last one.
    let Update::Preview(last) = preview(&row, 2) else { unreachable!() };
    let mut beside = (**last.beside.as_ref().unwrap()).clone();
    beside.at = last.occurrences[2].clone();
    keys(&mut model, "n n");
    tell(&mut model, Update::Preview(Arc::new(Preview { beside: Some(beside.into()), ..(*last).clone() })));
    let effects = keys(&mut model, "v");
    assert!(matches!(&effects[..], [Effect::Ask(Request::Preview { current: 1, .. }), ..]), "{effects:?}");
    // None other is left.
    keys(&mut model, "v p p");
    tell(&mut model, told(1, 0, true));
    keys(&mut model, "v");
    assert!(model.beside.is_none() && model.said().is_some_and(|said| said.contains("cannot be read")));
}

#[test]
fn the_passages_of_a_document_open_at_the_one_that_was_read_and_at_its_copy_there() {
    let mut model = model_of(Subject::Documents, 120, 30);
    show_copy(&mut model, 2);
    keys(&mut model, "P");
    assert!(model.list.view.of == Subject::Passages && model.list.view.show_aside);
    list_passages(&mut model, 0..9);
    let passage = passage(3, "text");
    assert_eq!(model.list.selected, Some(passage.id()));
    let effects = tell(&mut model, preview(&passage, 0));
    assert!(matches!(&effects[..], [Effect::Ask(Request::Preview { current: 2, .. }), ..]), "{effects:?}");
    tell(&mut model, preview(&passage, 2));
    assert_eq!((model.reader.current, model.reader.preview.current), (2, 2));
    keys(&mut model, "j");
    assert_eq!(model.reader.current, 0);
}

#[test]
fn a_list_that_was_asked_for_surprises_nobody_even_in_parts() {
    for key in ["T", "A"] {
        let mut model = model_of(Subject::Passages, 120, 30);
        keys(&mut model, "j");
        keys(&mut model, key);
        let Update::Rows(part) = passages(&model, [0].into_iter().chain(2..5)) else { unreachable!() };
        let part = Listing { complete: false, ..Listing::clone(&part) };
        tell(&mut model, Update::Rows(part.into()));
        list_passages(&mut model, [0].into_iter().chain(2..30));
        let selected = model.list.row().cloned().unwrap();
        assert_ne!(selected, passage(1, "text"), "{key}");
        assert_eq!(taboo(&keys(&mut model, "t")), Some(&vec![selected]), "{key}: {:?}", model.said());
        tell(&mut model, decided(DecisionResult::Done));
        // What changes by itself afterwards does.
        list_passages(&mut model, 9..30);
        assert!(taboo(&keys(&mut model, "t")).is_none(), "{key}");
    }
}

#[test]
fn who_has_marked_rows_is_asked_again_about_what_is_under_the_cursor_only() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let of_kind = |number: u64| {
        let Item::Passage(row) = passage(number, "text") else { unreachable!() };
        Item::Passage(Arc::new(ListedPassage { kind: Some(Kind::Test), ..ListedPassage::clone(&row) }))
    };
    let listed = |model: &Model, numbers: std::ops::Range<u64>| all_rows(model, numbers.map(of_kind));
    tell_of(&mut model, |model| listed(model, 0..30));
    keys(&mut model, "g Space");
    tell_of(&mut model, |model| listed(model, 2..30));
    let is_set = |effects: &[Effect]| matches!(effects, [Effect::Ask(Request::SetAside { .. }), ..]);
    assert!(!is_set(&keys(&mut model, "Z")), "the kind is that of another row");
    assert!(is_set(&keys(&mut model, "Z")));
    tell(&mut model, decided(DecisionResult::Done));
    tell_of(&mut model, |model| listed(model, 5..30));
    assert!(taboo(&keys(&mut model, "t")).is_some(), "the marked row is decided about");
    // Who selects a row has seen it.
    tell(&mut model, decided(DecisionResult::Done));
    tell_of(&mut model, |model| listed(model, 9..30));
    let at = model.layout().rows;
    click(&mut model, (at.x + 9, at.y + 3));
    assert_eq!(taboo(&keys(&mut model, "t")), Some(&vec![of_kind(12)]));
}
