//! Which copy of a row is read, while keys, and the session, are faster or slower than each other.

use std::sync::Arc;

use crate::event::Effect;
use crate::fixture::{keys, model, model_of, preview, tell};
use crate::model::Model;
use crate::tests::screen::{plain, screen};
use dupi_base::storage::shown;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_session::{DocumentView, Item, ListedPassage, Listing, Preview, Request, Subject, Update};

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
fn the_copy_that_is_wanted_is_gone_to_however_late_it_is_read() {
    let mut model = model(120, 30);
    let selected = model.list.row().cloned().unwrap();
    let asked = keys(&mut model, "n n n n n");
    assert!(matches!(asked.last(), Some(Effect::Ask(Request::Preview { current: 5, .. }))), "{asked:?}");
    let known = |count: usize, unread| {
        let paths: Vec<String> = (0..count).map(|at| at.to_string()).collect();
        copies(&selected, &paths, 5.min(count - 1), unread)
    };
    tell(&mut model, known(4, 9));
    assert_eq!(model.reader.current, 5);
    tell(&mut model, known(7, 6));
    assert_eq!((model.reader.current, model.reader.preview.current), (5, 5));
    keys(&mut model, "n n n");
    tell(&mut model, known(7, 0));
    assert_eq!(model.reader.current, 6, "there are no more");
}

#[test]
fn the_editor_and_the_clipboard_get_the_copy_that_is_wanted() {
    let mut model = model(120, 30);
    let at = |effects: Vec<Effect>| match effects.last() {
        Some(Effect::Edit { path, .. }) => shown(path).to_string(),
        Some(Effect::Copy(place)) => place.clone(),
        other => format!("{other:?}"),
    };
    assert_eq!(at(keys(&mut model, "n o")), "letters/1.md", "though another one is shown still");
    assert!(keys(&mut model, "j n n Y").iter().all(|effect| matches!(effect, Effect::Ask(_))));
    let selected = model.list.row().cloned().unwrap();
    let copied = tell(&mut model, preview(&selected, 2));
    assert!(
        copied.iter().any(|effect| matches!(effect, Effect::Copy(at) if at == "letters/2.md:4")),
        "{copied:?}"
    );
    // There are fewer than were wanted; and who types is not interrupted.
    keys(&mut model, "j n n n n o / x");
    let selected = model.list.row().cloned().unwrap();
    let asked = tell(&mut model, copies(&selected, &["a", "b"], 1, 0));
    assert!(!asked.iter().any(|effect| matches!(effect, Effect::Edit { .. })), "{asked:?}");
    assert_eq!(at(keys(&mut model, "Esc")), "b");
}

#[test]
fn a_copy_stays_the_current_one_when_others_come_and_go() {
    let mut model = model(120, 30);
    let row = model.list.row().cloned().unwrap();
    let asked = |effects: Vec<Effect>| match effects.last() {
        Some(Effect::Ask(Request::Preview { current, .. })) => Some(*current),
        _ => None,
    };
    let shown = |model: &Model| (model.reader.current, shown(&model.document().unwrap().path).to_string());
    tell(&mut model, copies(&row, &["1", "2", "3", "4", "5"], 0, 0));
    keys(&mut model, "n n n");
    tell(&mut model, copies(&row, &["1", "2", "3", "4", "5"], 3, 0));
    assert_eq!(shown(&model), (3, "4".to_owned()));
    // One above it goes.
    assert_eq!(asked(tell(&mut model, copies(&row, &["1", "2", "4", "5"], 3, 0))), Some(2));
    assert_eq!(shown(&model), (2, "4".to_owned()), "what stands in its place is not shown");
    tell(&mut model, copies(&row, &["1", "2", "4", "5"], 2, 0));
    assert_eq!((shown(&model), model.reader.preview.occurrences.len()), ((2, "4".to_owned()), 4));
    // Two come above it, and it is read later than what stands in its place.
    assert_eq!(asked(tell(&mut model, copies(&row, &["1", "11", "12"], 2, 3))), None);
    assert_eq!(shown(&model), (2, "4".to_owned()));
    assert_eq!(asked(tell(&mut model, copies(&row, &["1", "11", "12", "2", "4"], 2, 1))), Some(4));
    tell(&mut model, copies(&row, &["1", "11", "12", "2", "4", "5"], 4, 0));
    assert_eq!(shown(&model), (4, "4".to_owned()));
    // It goes itself: then the one in its place, and of fewer the last.
    tell(&mut model, copies(&row, &["1", "11", "12", "2", "5"], 4, 2));
    assert_eq!(shown(&model), (4, "5".to_owned()));
    tell(&mut model, copies(&row, &["1", "2"], 1, 0));
    assert_eq!(shown(&model), (1, "2".to_owned()));
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
        effects.iter().find_map(|effect| match effect {
            Effect::Ask(Request::Pin { id, copy }) => Some((*id, copy.clone())),
            _ => None,
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

#[test]
fn a_folder_has_no_copies_to_go_to_or_to_compare() {
    let mut model = model_of(Subject::Files, 120, 30);
    keys(&mut model, "j");
    assert!(matches!(model.list.row(), Some(Item::Folder(folder)) if folder.is_folder));
    for key in ["v", "n", "p", "]", "["] {
        let effects = keys(&mut model, key);
        assert!(effects.is_empty() && model.beside.is_none() && model.reader.pending.is_none(), "{key}");
        assert!(model.said().is_some_and(|said| said.contains("Enter shows its content")), "{key}");
    }
}
