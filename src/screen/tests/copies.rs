//! Which copy of a row is read, while keys, and the session, are faster or slower than each other.
//!
//! The screen where something ends: no copy to put beside, no row left, nothing below, nothing that a key is for.

use std::sync::Arc;

use crate::event::Effect;
use crate::fixture::rows::passage;
use crate::fixture::{keys, list, model, model_of, press, preview, request_of, show_copy, tell, tell_of};
use crate::model::{Focus, Model, Overlay};
use crate::tests::screen::{plain, screen};
use dupi_base::corpus::{SkipReason, Skipped};
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_passage::unit::Unit;
use dupi_session::{
    CounterpartView, DocumentView, Item, ListedPassage, Listing, Preview, Request, Subject, Update,
    WriteResult,
};

/// A row's copies in documents with these paths, one of them shown.
fn copies(row: &Item, paths: &[impl AsRef<str>], current: usize, unread: u32) -> Update {
    let Update::Preview(of_row) = preview(row, 0) else { unreachable!() };
    let first = &of_row.occurrences[0];
    let at = |path: &str| Occurrence { path: path.into(), ..first.clone() };
    let shown = DocumentView {
        path: paths[current].as_ref().into(),
        ..DocumentView::clone(of_row.document.as_ref().unwrap())
    };
    let occurrences = Arc::new(paths.iter().map(|path| at(path.as_ref())).collect());
    let document = Some(Arc::new(shown));
    Update::Preview(Arc::new(Preview { occurrences, unread, current, document, ..Preview::clone(&of_row) }))
}

#[test]
fn among_copies_in_one_document_the_nearest_is_the_same() {
    let mut model = model(120, 30);
    let row = model.list.row().cloned().unwrap();
    let moved = |starts: &[u64], current| {
        let Update::Preview(of_row) = copies(&row, &vec!["1"; starts.len()], current, 0) else {
            unreachable!()
        };
        let at = |(at, start): (&Occurrence, &u64)| {
            let text_span = ByteSpan { start: *start, end: start + 9 };
            Occurrence { text_span, ..at.clone() }
        };
        let occurrences = Arc::new(of_row.occurrences.iter().zip(starts).map(at).collect());
        Update::Preview(Arc::new(Preview { occurrences, ..Preview::clone(&of_row) }))
    };
    keys(&mut model, "n");
    tell(&mut model, moved(&[10, 30, 90], 1));
    tell(&mut model, moved(&[33, 93], 1));
    assert_eq!(model.reader.current, 0);
    // Who wants another one goes there.
    tell(&mut model, moved(&[33, 93], 0));
    keys(&mut model, "n");
    tell(&mut model, moved(&[33, 93], 1));
    assert_eq!((model.reader.current, model.reader.preview.current), (1, 1));
}

#[test]
fn a_key_pins_the_copy_that_the_others_are_compared_with() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let Some(Item::Passage(row)) = model.list.row().cloned() else { unreachable!() };
    let Update::Preview(told) = preview(&Item::Passage(row.clone()), 1) else { unreachable!() };
    let place = |at: usize| told.occurrences[at].clone();
    // The copy in the second document begins elsewhere than the first one.
    let base = |at: usize, pinned| {
        let (path, span) = (place(at).path, place(at).text_span);
        Item::Passage(Arc::new(ListedPassage { path, span, pinned, ..ListedPassage::clone(&row) }))
    };
    let listed = |model: &mut Model, row: &Item, current| {
        let listing = Listing { rows: vec![row.clone()], ..Listing::clone(&model.list.listing) };
        tell(model, Update::Rows(listing.into()));
        tell(model, preview(row, current));
    };
    let asked = |effects: &[Effect]| {
        request_of(effects, |request| {
            if let Request::Pin { id, copy } = request { Some((*id, copy.clone())) } else { None }
        })
    };
    listed(&mut model, &base(0, false), 0);
    assert_eq!(asked(&keys(&mut model, "c")), None);
    assert!(model.said().is_some_and(|said| said.contains("already")), "{:?}", model.said());
    keys(&mut model, "n");
    tell(&mut model, preview(&base(0, false), 1));
    assert_eq!(asked(&keys(&mut model, "c")), Some((row.id, Some(place(1)))));
    assert!(model.said().is_some_and(|said| said.contains("c on it again")), "{:?}", model.said());
    listed(&mut model, &base(1, true), 1);
    keys(&mut model, "w");
    let shown = screen(&model, &plain());
    assert!(shown.contains("▶◆letters/1.md") && shown.contains("· pinned"), "{shown}");
    assert_eq!(asked(&keys(&mut model, "c")), Some((row.id, None)));
    // From another copy the pin goes there.
    keys(&mut model, "n");
    tell(&mut model, preview(&base(1, true), 2));
    assert_eq!(asked(&keys(&mut model, "c")), Some((row.id, Some(place(2)))));
    // Side by side, the reference copy becomes the current one.
    tell(&mut model, preview(&base(0, false), 1));
    keys(&mut model, "p");
    listed(&mut model, &base(0, false), 1);
    keys(&mut model, "v");
    let effects = keys(&mut model, "c");
    assert_eq!(asked(&effects), Some((row.id, Some(place(1)))));
    assert!(matches!(&effects[..], [Effect::Ask(Request::Preview { current: 0, .. }), ..]), "{effects:?}");
    let mut blots = model_of(Subject::Blots, 120, 30);
    assert_eq!(asked(&keys(&mut blots, "Enter c")), None);
    assert!(blots.said().is_some_and(|said| said.contains("passage")));
}

/// The selected row's document, of which nothing stands elsewhere.
fn alone(model: &Model) -> Update {
    let Update::Preview(shown) = preview(model.list.row().unwrap(), 0) else { unreachable!() };
    let nothing = Preview { occurrences: Arc::default(), unread: 0, beside: None, ..(*shown).clone() };
    Update::Preview(Arc::new(nothing))
}

#[test]
fn what_stands_nowhere_else_has_nothing_beside_it_but_opens_in_the_editor() {
    let mut model = model_of(Subject::Documents, 120, 30);
    tell_of(&mut model, alone);
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
fn what_has_outgrown_its_acceptance_says_so() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let Item::Passage(passage) = passage(9, "Kind regards") else { unreachable!() };
    let with = |accepted| {
        let copies = passage.copies;
        let accepted = Some(accepted);
        Item::Passage(Arc::new(dupi_session::ListedPassage { copies, accepted, ..(*passage).clone() }))
    };
    list(&mut model, [with(passage.copies)]);
    assert!(screen(&model, &plain()).contains("✓ Kind regards"));
    list(&mut model, [with(2)]);
    assert!(screen(&model, &plain()).contains("✓+ Kind regards"));
}

#[test]
fn identical_documents_say_so_where_there_is_room() {
    for (columns, words) in [(120, "identical: Kind regards"), (40, " Kind regards")] {
        let mut model = model_of(Subject::Passages, columns, 30);
        let Item::Passage(row) = passage(9, "Kind regards") else { unreachable!() };
        let row = dupi_session::ListedPassage { unit: Unit::Document, ..(*row).clone() };
        list(&mut model, [Item::Passage(Arc::new(row))]);
        assert!(screen(&model, &plain()).contains(words), "{}", screen(&model, &plain()));
    }
}

#[test]
fn side_by_side_the_next_copy_is_never_the_one_that_is_compared_with() {
    let mut model = model_of(Subject::Passages, 120, 30);
    keys(&mut model, "n");
    show_copy(&mut model, 1);
    keys(&mut model, "v");
    let shown = |model: &mut Model, current: usize, copies: usize| {
        let Preview { occurrences, beside, row, document, .. } = Preview::clone(&model.reader.preview);
        let known = occurrences[..copies].to_vec();
        let at = known[0].clone();
        let beside = beside.map(|beside| Arc::new(CounterpartView { at, ..CounterpartView::clone(&beside) }));
        let (occurrences, is_compared) = (Arc::new(known), true);
        let of = Preview { occurrences, beside, row, document, current, is_compared, ..Preview::default() };
        tell(model, Update::Preview(Arc::new(of)));
    };
    shown(&mut model, 1, 3);
    keys(&mut model, "n");
    assert_eq!((model.reader.current, model.said()), (2, None));
    shown(&mut model, 2, 3);
    keys(&mut model, "n");
    assert_eq!((model.reader.current, model.said()), (1, Some("The first copy again.")));
    shown(&mut model, 1, 3);
    keys(&mut model, "p");
    assert_eq!(model.reader.current, 2);
    shown(&mut model, 1, 2);
    keys(&mut model, "n");
    assert_eq!((model.reader.current, model.said()), (1, Some("There are no other copies than these two.")));
}
