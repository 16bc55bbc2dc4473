//! Decisions about a passage are found when another copy represents it.

use crate::shown::Shown;
use crate::support::Home;
use dupi::config::Kind;
use dupi::query::filter::ReviewState;
use dupi::session::{Item, Listing, Request};
use dupi::taboo::TabooScope;
use serde_json::Value;

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

fn corpus() -> Home {
    let home = Home::new();
    write(&home, 3);
    home
}

fn write(home: &Home, count: usize) {
    copies(count).iter().for_each(|(name, text)| home.write(name, text));
}

fn rows(home: &Home, arguments: &[&str]) -> Vec<Value> {
    let output = home.run(&[&["passages"], arguments, &["--json"]].concat());
    assert!(matches!(output.code, Some(0 | 1)), "{}", output.stderr);
    output.rows()
}

fn only(home: &Home) -> Value {
    let [row] = &rows(home, &[])[..] else { panic!("{:?}", rows(home, &[])) };
    assert_eq!(row["copies"], 5);
    row.clone()
}

fn id(row: &Value) -> String {
    row["id"].as_str().unwrap().to_owned()
}

#[test]
fn an_accepted_passage_stays_accepted_when_another_copy_represents_it_and_not_when_it_gains_one() {
    let home = corpus();
    let before = id(&only(&home));
    home.stdout(&["accept", "add", &before, "--reason", "seen"]);
    write(&home, 2);
    let after = id(&only(&home));
    assert_ne!(before, after, "the other text has more copies now");
    let with = |state: &str| rows(&home, &["--filter", state]).len();
    assert_eq!((with("state:accepted"), with("state:open")), (1, 0));
    // It is the same entry.
    home.stdout(&["accept", "add", &after]);
    let listed = home.stdout(&["accept", "list", "--json"]);
    assert!(listed.lines().count() == 1 && listed.contains(&before), "{listed}");
    home.write("fir.txt", document("fir", true));
    assert_eq!((with("state:accepted"), with("state:open")), (0, 1));
    home.stdout(&["accept", "add", &after]);
    let listed = home.stdout(&["accept", "list", "--json"]);
    assert!(listed.lines().count() == 1 && listed.contains(&after) && listed.contains("seen"), "{listed}");
    assert_eq!((with("state:accepted"), with("state:open")), (1, 0));
    // Either id names it.
    assert!(home.stdout(&["accept", "remove", &before]).starts_with("open again: "));
    assert_eq!((with("state:accepted"), with("state:open")), (0, 1));
}

#[test]
fn a_corrected_kind_stays_when_another_copy_represents_the_passage() {
    let home = corpus();
    home.stdout(&["kind", "set", &id(&only(&home)), "licence"]);
    write(&home, 2);
    let row = only(&home);
    assert_eq!(row["kind"], "licence");
    home.stdout(&["kind", "set", &id(&row), "comment"]);
    assert_eq!(home.stdout(&["kind", "list"]).lines().count(), 1);
    assert_eq!(only(&home)["kind"], "comment");
    assert_eq!(rows(&home, &["--kind", "comment"]).len(), 1);
}

#[test]
fn a_taboo_passage_stays_hidden_when_another_copy_represents_it() {
    let home = corpus();
    home.stdout(&["taboo", "add", &text(false)]);
    assert_eq!(rows(&home, &[]).len(), 0);
    write(&home, 2);
    assert_eq!(rows(&home, &[]).len(), 0);
    assert_eq!(rows(&home, &["--filter", "state:taboo"]).len(), 1);
    // Without a copy of that text it is shown: nobody has seen it.
    write(&home, 0);
    assert_eq!(rows(&home, &[]).len(), 1);
}

#[test]
fn on_the_screen_decisions_are_found_and_taken_back_too() {
    let files = copies(3);
    let shown =
        Shown::new(&files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect::<Vec<_>>());
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

/// Two identical documents, and three longer ones with the same text: a row of documents, and a passage that has all.
fn documents_and_a_passage() -> (Home, [String; 2]) {
    let home = Home::new();
    for name in ["a.txt", "b.txt"] {
        home.write(name, text(false));
    }
    for number in 0..3 {
        home.write(&format!("longer{number}.txt"), document(&format!("own{number}"), false));
    }
    let ids = ["passage", "document"].map(|unit| {
        let found = rows(&home, &["--members"]);
        id(found.iter().find(|row| row["unit"] == unit).unwrap())
    });
    (home, ids)
}

#[test]
fn a_decision_about_a_row_leaves_the_entry_of_another_row_that_recognised_it() {
    let (home, [passage, documents]) = documents_and_a_passage();
    let kinds = |home: &Home| {
        let of = |id: &str| {
            let found = rows(home, &["--members"]);
            found.iter().find(|row| row["id"] == id).unwrap()["kind"].as_str().unwrap().to_owned()
        };
        [of(&passage), of(&documents)]
    };
    home.stdout(&["kind", "set", &passage, "code"]);
    assert_eq!(kinds(&home), ["code", "code"], "their text is the same");
    home.stdout(&["kind", "set", &documents, "comment"]);
    assert_eq!(kinds(&home), ["code", "comment"]);
    home.stdout(&["kind", "remove", &documents]);
    assert_eq!(kinds(&home), ["code", "code"]);
}

#[test]
fn identical_documents_have_one_id_whether_or_not_a_longer_copy_is_there() {
    let home = Home::new();
    for name in ["a.txt", "b.txt"] {
        home.write(name, text(false));
    }
    let documents = |home: &Home| {
        let rows = rows(home, &["--members"]);
        id(rows.iter().find(|row| row["unit"] == "document").unwrap())
    };
    let before = documents(&home);
    home.stdout(&["accept", "add", &before]);
    for number in 0..3 {
        home.write(&format!("longer{number}.txt"), document(&format!("own{number}"), false));
    }
    assert_eq!(documents(&home), before);
    let accepted = rows(&home, &["--filter", "state:accepted", "--members"]);
    assert_eq!(accepted.iter().map(id).collect::<Vec<_>>(), std::slice::from_ref(&before));
    (0..3).for_each(|number| std::fs::remove_file(home.at(&format!("longer{number}.txt"))).unwrap());
    assert_eq!(documents(&home), before);
    assert_eq!(rows(&home, &["--filter", "state:accepted"]).len(), 1);
}
