//! What is new since the screen of a corpus was left is marked, and found by a filter.

use std::fs;
use std::sync::Arc;

use crate::shown::{Shown, words};
use dupi::judge::known::News;
use dupi::session::{Item, Listing, Request, Subject, Update, View};

/// For each row the first letter of its text, and what is new in it.
fn news(listing: &Listing) -> Vec<(char, Option<News>)> {
    let row = |row: &Item| match row {
        Item::Passage(passage) => (passage.text.chars().next().unwrap(), passage.news),
        _ => panic!("{row:?}"),
    };
    let mut rows: Vec<_> = listing.rows.iter().map(row).collect();
    rows.sort_by_key(|(first, _)| *first);
    rows
}

fn filtered(shown: &Shown, filter: &str) -> Arc<Listing> {
    let view = View { of: Subject::Passages, wanted: 100, filter: filter.to_owned(), ..View::default() };
    shown.ask(Request::Rows(view.clone()));
    shown.wait(filter, |update| {
        let Update::Rows(listing) = update else { return None };
        (listing.view == view && listing.complete).then_some(listing)
    })
}

#[test]
fn what_came_since_the_screen_was_left_is_marked_until_it_is_left_again() {
    let (otter, heron, vole) = (words("otter", 40), words("heron", 60), words("vole", 50));
    let mut shown = Shown::new(&[
        ("a", format!("one {otter}")),
        ("b", format!("two {otter}")),
        ("c", format!("one {heron}")),
        ("d", format!("two {heron}")),
        ("e", format!("one {vole}")),
    ]);
    assert_eq!(news(&shown.rows(&[2, 2])), [('h', None), ('o', None)], "at the first visit nothing is new");
    shown.close();
    shown.write("f", &format!("six {vole}"));
    shown.write("g", &format!("six {heron}"));
    // A file that is edited elsewhere has no new copy.
    shown.write("a", &format!("one {otter} more"));
    shown.open();
    let marked = [('h', Some(News::MoreCopies(1))), ('o', None), ('v', Some(News::New))];
    assert_eq!(news(&shown.rows(&[3, 2, 2])), marked);
    assert_eq!(news(&filtered(&shown, "since:visit")), [marked[0], marked[2]]);
    assert_eq!(news(&filtered(&shown, "-since:visit")), [marked[1]]);
    assert_eq!(news(&filtered(&shown, "since:1h")).len(), 3);
    assert!(filtered(&shown, "since:2999-01-01").rows.is_empty());
    // What comes while the screen is open is new too.
    shown.write("h", &format!("new {otter}"));
    let all = [marked[0], ('o', Some(News::MoreCopies(1))), marked[2]];
    shown.show(Subject::Passages);
    let listing = shown.listing("the copy that is new", |listing| {
        listing.rows[0].copies() == Some(3) && listing.rows[1].copies() == Some(3)
    });
    assert_eq!(news(&listing), all);
    shown.open();
    assert!(news(&shown.rows(&[3, 3, 2])).iter().all(|(_, news)| news.is_none()));
    // A damaged file does no harm.
    shown.close();
    fs::write(shown.beside("index").join("visit.seen"), "rubbish").unwrap();
    shown.write("i", &format!("odd {vole}"));
    shown.open();
    shown.rows(&[3, 3, 3]);
}
