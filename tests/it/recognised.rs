//! Decisions about a passage are found when another copy represents it.

use crate::shown::Shown;
use dupi::config::Kind;
use dupi::query::filter::ReviewState;
use dupi::session::{Item, Listing, Request};
use dupi::taboo::TabooScope;

/// A text of many words; of the second text a fifth of the words are others.
fn text(second: bool) -> String {
    let word = |at: usize| format!("{}{at} ", if second && at % 25 > 19 { "other" } else { "word" });
    (0..200).map(word).collect()
}

/// A document with one of two texts, and words of its own.
fn document(name: &str, second: bool) -> String {
    format!("{name}1 {name}2 {name}3. {}{name}4", text(second))
}

/// Five near copies; the first `count` are of the first text.
fn copies(count: usize) -> Vec<(String, String)> {
    let names = ["ash", "birch", "cedar", "durian", "elm"];
    let of = |(number, name): (usize, &str)| (format!("{name}.txt"), document(name, number >= count));
    names.into_iter().enumerate().map(of).collect()
}

#[test]
fn on_the_screen_decisions_are_found_and_taken_back_too() {
    let files = copies(3);
    let shown = Shown::new(&files);
    let first = |listing: &Listing| -> dupi::session::ListedPassage {
        let Item::Passage(row) = &listing.rows[0] else { panic!("{:?}", listing.rows) };
        (**row).clone()
    };
    let before = shown.rows(&[5]);
    shown.ask(Request::SetState { rows: before.rows.clone(), state: ReviewState::Accepted });
    shown.said("Accepted: 1 passage");
    shown.ask(Request::SetKind { rows: before.rows.clone(), kind: Some(Kind::Comment) });
    shown.said("Set to comment: 1 passage");
    for (name, text) in copies(2) {
        shown.write(&name, &text);
    }
    let is_other = |listing: &Listing| {
        !listing.rows.is_empty() && first(listing).id != first(&before).id && first(listing).copies == 5
    };
    let after = shown.listing("another representative", is_other);
    assert!(after.rows[0].is_accepted() && first(&after).kind == Some(Kind::Comment), "{:?}", after.rows);
    shown.ask(Request::SetState { rows: after.rows.clone(), state: ReviewState::Open });
    shown.said("Open again: 1 passage");
    shown.ask(Request::SetKind { rows: after.rows.clone(), kind: None });
    shown.said("Of the kind that the rules say: 1 passage");
    // What hides a copy is what hides the passage.
    shown.ask(Request::Taboo { rows: before.rows.clone(), reason: None, scope: TabooScope::Corpus });
    shown.ask(Request::Undo);
    shown.ask(Request::Taboo { rows: after.rows.clone(), reason: None, scope: TabooScope::Corpus });
    shown.listing("an empty list", |listing| listing.rows.is_empty());
    for (name, text) in copies(3) {
        shown.write(&name, &text);
    }
    shown.listing("an empty list of what was found anew", |listing| {
        listing.rows.is_empty() && listing.generation > after.generation
    });
    shown.ask(Request::ShowAgain { rows: before.rows.clone() });
    shown.rows(&[5]);
}
