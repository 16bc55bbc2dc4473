//! A copy that is pinned is what the other copies of its passage are compared with.

use std::sync::Arc;

use crate::shown::{Shown, words};
use dupi::session::{Item, ListedPassage, Listing, Preview, Request};
use dupi::taboo::TabooScope;

fn passage(row: &Item) -> &Arc<ListedPassage> {
    match row {
        Item::Passage(passage) => passage,
        other => panic!("a passage was expected: {other:?}"),
    }
}

fn shows(preview: &Preview, path: &str) -> bool {
    preview.is_compared
        && preview.unread == 0
        && preview.document.as_ref().is_some_and(|document| document.path.ends_with(path))
}

#[test]
fn the_copies_are_compared_with_the_pinned_one_until_it_is_released() {
    let text = words("bird", 40);
    let other = text.replace("bird20 ", "raven swan ");
    let shown = Shown::new(&[("a", text.clone()), ("b", other), ("c", format!("{text}\n"))]);
    let row = shown.rows(&[3]).rows[0].clone();
    let before = Arc::clone(passage(&row));
    assert!(before.path.ends_with("a") && !before.pinned);
    shown.ask(Request::Preview { row, current: 1 });
    let preview = shown.preview("the second copy", |preview| shows(preview, "b"));
    assert_eq!(preview.alike[..], [100, 95, 100]);
    let differing = |preview: &Preview| -> Vec<u32> {
        preview.variants.iter().flatten().map(|variant| variant.differing).collect()
    };
    let preview = shown.preview("how the copies differ", |preview| preview.variants.len() == 3);
    assert_eq!(differing(&preview), [0, 2, 0]);
    assert_eq!(preview.variants[0], preview.variants[2]);
    assert_ne!(preview.variants[0], preview.variants[1]);
    let copy = preview.occurrences[1].clone();
    shown.ask(Request::Pin { id: before.id, copy: Some(copy.clone()) });
    // The row shows it,
    let listing = shown.listing("the row of the pinned copy", |listing| passage(&listing.rows[0]).pinned);
    let pinned = passage(&listing.rows[0]);
    assert_eq!((pinned.id, pinned.copies, pinned.worth), (before.id, 3, before.worth));
    assert!(pinned.path.ends_with("b") && pinned.text.contains("raven swan"));
    assert!(pinned.similarity < before.similarity, "{} {}", pinned.similarity, before.similarity);
    // the preview compares with it,
    shown.ask(Request::Preview { row: listing.rows[0].clone(), current: 0 });
    let preview = shown.preview("the first copy", |preview| shows(preview, "a"));
    let beside = preview.beside.as_ref().unwrap();
    assert_eq!((&beside.at, &preview.alike[..]), (&copy, &[95, 100, 95][..]));
    assert_eq!(preview.differs.len(), 1);
    let preview = shown.preview("how the copies differ from it", |preview| preview.variants.len() == 3);
    assert_eq!(differing(&preview), [2, 0, 2]);
    // it is still pinned when the passages are searched again,
    shown.write("d", &format!("one more {text}"));
    let listing = shown.rows(&[4]);
    assert!(passage(&listing.rows[0]).pinned && passage(&listing.rows[0]).path.ends_with("b"));
    // and a decision is about the passage.
    shown.ask(Request::Taboo {
        rows: vec![listing.rows[0].clone()],
        reason: None,
        scope: TabooScope::Corpus,
    });
    shown.rows(&[]);
    shown.ask(Request::Undo);
    shown.rows(&[4]);
    let is_as_it_was = |listing: &Listing| {
        let row = passage(&listing.rows[0]);
        !row.pinned && row.path.ends_with("a")
    };
    shown.ask(Request::Pin { id: before.id, copy: None });
    shown.listing("the row as it was", is_as_it_was);
    // To pin the representative is to remove the pin.
    shown.ask(Request::Pin { id: before.id, copy: Some(copy) });
    shown.listing("the row of the pinned copy", |listing| passage(&listing.rows[0]).pinned);
    shown.ask(Request::Pin { id: before.id, copy: Some(preview.occurrences[0].clone()) });
    shown.listing("the row as it was", is_as_it_was);
}
