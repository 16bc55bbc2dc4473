//! Tests of [`super`].

use std::fs;

use super::*;
use crate::taboo::{AcceptedEntry, AcceptedId, AcceptedList, LIST};

fn entry(text: &str) -> TabooEntry {
    TabooEntry { text: text.to_owned(), added: jiff::civil::date(2026, 1, 2), reason: None, language: None }
}

struct Place {
    _folder: tempfile::TempDir,
    folders: DecisionFolders,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| Folder::new(folder.path().join(name));
        let folders = DecisionFolders { corpus: at("corpus"), user: Some(at("user")) };
        Self { _folder: folder, folders }
    }

    fn add(&self, scope: TabooScope, text: &str) {
        assert!(self.folders.edit_taboo(scope, |list| list.add(entry(text))).unwrap().1);
    }

    /// The texts of the corpus's list and of the user's.
    fn texts(&self) -> [String; 2] {
        [TabooScope::Corpus, TabooScope::User].map(|scope| {
            let list = TabooList::load(self.folders.of(scope).unwrap()).unwrap();
            list.entries().iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>().join(" ")
        })
    }
}

#[test]
fn decisions_of_both_journals_are_undone_and_redone_in_the_order_of_time() {
    let place = Place::new();
    let mut states = vec![place.texts()];
    let mut note = || states.push(place.texts());
    place.add(TabooScope::Corpus, "a");
    note();
    place.add(TabooScope::User, "b");
    note();
    place.add(TabooScope::Corpus, "c");
    note();
    assert_eq!(place.folders.move_taboo(|entry| entry.text == "a", TabooScope::User).unwrap(), 1);
    note();
    assert_eq!(place.folders.move_taboo(|entry| entry.text == "b", TabooScope::Corpus).unwrap(), 1);
    note();
    assert_eq!(place.folders.remove_taboo(|entry| entry.text != "b").unwrap(), 2);
    note();
    assert_eq!(states[4..].iter().map(|state| state.join("|")).collect::<Vec<_>>(), ["c|b a", "c b|a", "b|"]);
    for state in states.iter().rev().skip(1) {
        let undone = place.folders.undo().unwrap().unwrap();
        assert_eq!((place.texts(), undone.changed().1), (state.clone(), 0));
    }
    assert!(place.folders.undo().unwrap().is_none());
    for state in &states[1..] {
        place.folders.redo().unwrap().unwrap();
        assert_eq!(place.texts(), *state);
    }
    assert!(place.folders.redo().unwrap().is_none());
    assert_eq!(
        place.folders.undo().unwrap().unwrap().words(),
        "no longer taboo \"c\" and no longer taboo \"a\" in all corpora"
    );
    let moved = place.folders.undo().unwrap().unwrap().words();
    assert_eq!(moved, "moved \"b\" to the taboo list of this corpus");
    let log = place.folders.log().unwrap();
    assert_eq!(log.len(), 9, "three decisions are a step of each journal");
    let said = step_words(log[1].0, &log[1].1);
    assert_eq!(said, "taboo \"b\" in all corpora");
}

#[test]
fn what_was_undone_is_not_redone_after_another_decision_in_either_journal() {
    let place = Place::new();
    place.add(TabooScope::User, "a");
    assert_eq!(place.folders.undo().unwrap().unwrap().words(), "taboo \"a\" in all corpora");
    place.add(TabooScope::Corpus, "b");
    assert!(place.folders.redo().unwrap().is_none());
    place.folders.undo().unwrap().unwrap();
    assert_eq!(place.texts().concat(), "");
}

#[test]
fn decisions_of_other_kinds_are_undone_between_those_of_the_user() {
    let place = Place::new();
    place.add(TabooScope::User, "a");
    let accepted = AcceptedEntry {
        of: AcceptedId::Passage(1),
        text: "x".into(),
        copies: 2,
        texts: Default::default(),
        added: jiff::civil::date(2026, 1, 2),
        reason: None,
    };
    AcceptedList::edit(&place.folders.corpus, |list| list.add(accepted)).unwrap();
    assert!(place.folders.undo().unwrap().unwrap().words().starts_with("accepted"));
    assert!(place.folders.undo().unwrap().unwrap().words().starts_with("taboo"));
}

#[test]
fn without_a_decision_of_the_user_nothing_is_made_in_the_folder_of_settings() {
    let place = Place::new();
    place.add(TabooScope::Corpus, "a");
    place.folders.remove_taboo(|_| true).unwrap();
    place.folders.undo().unwrap().unwrap();
    assert!(!place.folders.user.as_ref().unwrap().path().exists());
    let none = DecisionFolders::from(place.folders.corpus);
    assert!(none.edit_taboo(TabooScope::User, |list| list.add(entry("b"))).is_err());
    assert!(none.load_user().unwrap().entries().is_empty());
}

#[test]
fn a_move_that_was_cut_short_leaves_the_text_in_both_lists_and_is_undone() {
    let place = Place::new();
    place.add(TabooScope::Corpus, "a");
    let before = fs::read(place.folders.corpus.at(LIST)).unwrap();
    place.folders.move_taboo(|_| true, TabooScope::User).unwrap();
    // As if the program had died before the second list was written.
    fs::write(place.folders.corpus.at(LIST), &before).unwrap();
    assert_eq!(place.texts(), ["a", "a"]);
    place.folders.undo().unwrap().unwrap();
    assert_eq!(place.texts(), ["a", ""]);
    place.folders.undo().unwrap().unwrap();
    assert_eq!(place.texts(), ["", ""]);
}
