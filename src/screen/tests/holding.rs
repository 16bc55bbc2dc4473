//! A selection is held while the list changes under it, and a decision that could hit a newcomer is asked again.

use std::sync::Arc;

use crate::event::Effect;
use crate::fixture::rows::{passage, row};
use crate::fixture::{all_rows, click, keys, list_passages, model_of, preview, request_of, tell, tell_of};
use crate::model::Model;
use dupi_base::config::Kind;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_session::{DecisionResult, Item, ListedPassage, Listing, Preview, Request, Subject, Update};

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
