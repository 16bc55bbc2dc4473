//! Rows of identical folders stand for all the documents in them: for filters, for decisions, and for the verb as for the
//! screen.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::naive::indexed;
use crate::shown::Shown;
use crate::support::{Home, words};
use dupi::blot::tiles_of;
use dupi::config::SavedFilters;
use dupi::judge::PassageOrder;
use dupi::judge::filter::PassageSieve;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::unit::Unit;
use dupi::query::filter::{ReviewState, parse};
use dupi::session::{Item, Listing, Request, Subject};
use dupi::storage::Folder;
use dupi::taboo::{TabooEntry, TabooList, TabooScope, today};
use dupi::token::{LexState, Tokeniser};
use serde_json::Value;

/// Two identical folders with three documents and a short one; and one document of another text.
fn files() -> Vec<(String, String)> {
    let mut files = vec![("else.txt".to_owned(), words("other", 200))];
    for folder in ["one", "old/two"] {
        for (name, text) in [
            ("ash.txt", words("ash", 90)),
            ("in/birch.txt", words("birch", 60)),
            ("in/cedar.txt", words("cedar", 40)),
            ("short.txt", "a note of five words".to_owned()),
        ] {
            files.push((format!("{folder}/{name}"), text));
        }
    }
    files
}

fn shown() -> Shown {
    let files = files();
    Shown::new(&files)
}

fn entry(text: &str) -> TabooEntry {
    TabooEntry { text: text.to_owned(), added: today(), reason: None, language: None }
}

/// The ids of the rows with their worth and their members.
fn rows_of(listing: &Listing) -> Vec<(String, u64)> {
    let row = |row: &Item| match row {
        Item::Passage(passage) => (passage.id.to_string(), passage.worth),
        other => panic!("{other:?}"),
    };
    listing.rows.iter().map(row).collect()
}

#[test]
fn hiding_folders_hides_all_documents_in_them_and_says_how_many() {
    let shown = shown();
    let rows = shown.rows(&[2]).rows.clone();
    shown.ask(Request::Taboo { rows: rows.clone(), reason: None, scope: TabooScope::Corpus });
    let listing = shown.listing("an empty list", |listing| listing.rows.is_empty());
    assert_eq!(listing.hidden.rows, 4, "the folders and the three documents");
    let said = shown.said("Taboo: 4 documents; ");
    assert!(said.ends_with("hidden"), "{said}");
    let texts = || -> Vec<String> {
        let list = TabooList::load(&Folder::new(shown.beside("index"))).unwrap();
        let mut texts: Vec<String> =
            list.entries().iter().map(|entry| entry.text.trim().to_owned()).collect();
        texts.sort();
        texts
    };
    let expected =
        ["a note of five words".to_owned(), words("ash", 90), words("birch", 60), words("cedar", 40)];
    assert_eq!(texts(), expected.map(|text| text.trim().to_owned()));
    // The list of what is taboo tells of each what it hides.
    shown.show(Subject::Taboo);
    let listing = shown.listing("what the entries hide", |listing| {
        let hides = |row: &Item| matches!(row, Item::Taboo(row) if row.hides.is_some());
        listing.rows.len() == 4 && listing.rows.iter().all(hides)
    });
    for row in &listing.rows {
        let Item::Taboo(row) = row else { unreachable!() };
        // Its own row and that of the folders; the short one hides a row of blots.
        let hidden = if row.tokens > 5 { 2 } else { 1 };
        assert_eq!(row.hides.unwrap().rows, hidden, "{row:?}");
    }
    shown.show(Subject::Passages);
    shown.ask(Request::ShowAgain { rows });
    shown.rows(&[2]);
    shown.said("No longer taboo: 4 texts; ");
    assert_eq!(texts(), Vec::<String>::new());
    shown.ask(Request::Undo);
    shown.listing("an empty list", |listing| listing.rows.is_empty());
}

#[test]
fn folders_are_listed_until_all_their_documents_are_hidden_by_the_verb_as_by_the_screen() {
    let home = Home::new();
    for (name, text) in files() {
        home.write(&name, text);
    }
    home.write("three/ash.txt", words("ash", 90));
    home.write("four/ash.txt", words("ash", 90));
    home.write("five/ash.txt", format!("Before it. {} Behind it.", words("ash", 90)));
    let shown = shown();
    for name in ["three/ash.txt", "four/ash.txt"] {
        shown.write(name, &words("ash", 90));
    }
    shown.write("five/ash.txt", &format!("Before it. {} Behind it.", words("ash", 90)));
    let verb = || -> Vec<(String, u64)> {
        let output = home.run(&["passages", "--json"]);
        let text = output.stdout;
        let row = |line: &str| {
            let row: Value = serde_json::from_str(line).unwrap();
            (row["id"].as_str().unwrap().to_owned(), row["worth"].as_u64().unwrap())
        };
        text.lines().map(row).collect()
    };
    let mut counts = Vec::new();
    for tree in [None, Some(("ash", 90)), Some(("birch", 60)), Some(("cedar", 40))] {
        if let Some((tree, count)) = tree {
            let text = words(tree, count);
            home.stdout(&["taboo", "add", &text]);
            TabooList::edit(&Folder::new(shown.beside("index")), |list| list.add(entry(&text))).unwrap();
        }
        let rows = verb();
        shown.show(Subject::Passages);
        shown.listing(&format!("{rows:?}"), |listing| rows_of(listing) == rows);
        counts.push(rows.len());
    }
    assert_eq!(counts, [2, 1, 1, 0], "the folders, and the document that stands elsewhere too");
}

/// Which of these filters the row of folders passes.
fn passing<'f>(filters: &[&'f str]) -> Vec<&'f str> {
    let documents: BTreeMap<String, String> = files().into_iter().collect();
    let (_folder, snapshot) = indexed(&documents, |usual| usual);
    let settings = SearchSettings::default();
    let passages = Passages::find(&snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap();
    let is_folder = |number: &usize| matches!(passages.found[*number].unit, Unit::Folder(_));
    let folders = (0..passages.found.len()).find(is_folder).unwrap() as u32;
    let passes = |filter: &&&str| {
        let (filter, problems) = parse(filter, &SavedFilters::default());
        assert_eq!(problems, []);
        let sieve = PassageSieve::new(filter, &snapshot, &passages, Arc::default(), &|| false).unwrap();
        sieve.passes_as(&passages, folders, ReviewState::Open)
    };
    filters.iter().filter(passes).copied().collect()
}

#[test]
fn filters_look_into_all_documents_of_the_folders() {
    let blot = |text: &str| {
        let mut blots = Vec::new();
        let tokens = Tokeniser::Words.tokens(text, LexState::default());
        tiles_of(tokens.into_iter(), &dupi::blot::Recipe::default(), |tile| blots.push(tile.blot));
        format!("blot:{}", blots[0])
    };
    let blots = [words("cedar", 40), "a note of five words".to_owned()].map(|text| blot(&text));
    let all = [
        "ash3",
        "cedar39",
        "birch7 cedar7",
        "'note",
        "path:old/two/in/cedar.txt",
        "path:one/short.txt",
        "kind:prose,data,markup,code",
        &blots[0],
        &blots[1],
    ];
    assert_eq!(passing(&all), all);
    assert_eq!(passing(&["other3", "path:else", "'notes", "-cedar39", "kind:licence"]), Vec::<&str>::new());
}
