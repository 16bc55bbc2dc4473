//! Tests of [`super`].

use std::fs;

use proptest::prelude::*;

use super::*;
use crate::taboo::LIST;
use crate::taboo::fixture::{Place, entry, texts};

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
    place.accept();
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
    let none = DecisionFolders::from(place.home().clone());
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

/// A place in whose other corpus a text was moved to the list of the user, or from it.
fn moved_elsewhere(to: TabooScope) -> (Place, DecisionFolders) {
    let place = Place::with(&["mine"]);
    let other = place.other_corpus();
    let from = if to == TabooScope::User { TabooScope::Corpus } else { TabooScope::User };
    other.edit_taboo(from, |list| list.add(entry("moved"))).unwrap();
    assert_eq!(other.move_taboo(|entry| entry.text == "moved", to).unwrap(), 1);
    (place, other)
}

#[test]
fn a_move_is_not_undone_by_half_in_another_corpus() {
    for to in [TabooScope::User, TabooScope::Corpus] {
        let (place, other) = moved_elsewhere(to);
        let (user, moved) =
            if to == TabooScope::User { ("moved", ["", "moved"]) } else { ("", ["moved", ""]) };
        // What was decided in this corpus is undone and redone.
        assert_eq!(place.folders.undo().unwrap().unwrap().words(), "taboo \"mine\"");
        assert_eq!(place.texts(), ["", user]);
        let said = place.folders.undo().unwrap_err().to_string();
        assert!(
            said.contains("moved") && said.contains("in another corpus") && said.contains("other"),
            "{said}"
        );
        assert_eq!(place.folders.redo().unwrap().unwrap().words(), "taboo \"mine\"");
        assert_eq!(
            (place.texts(), texts(&other)),
            (["mine".to_owned(), user.to_owned()], moved.map(str::to_owned))
        );
        // Where it was decided it is undone whole, and it is redone only there.
        let words = other.undo().unwrap().unwrap().words();
        assert!(words.starts_with("moved \"moved\" to the taboo list"), "{words}");
        let before = [moved[1], moved[0]].map(str::to_owned);
        assert_eq!(texts(&other), before);
        assert!(place.folders.redo().unwrap().is_none());
        assert_eq!(texts(&other), before);
        other.redo().unwrap().unwrap();
        assert_eq!(texts(&other), moved);
    }
}

#[test]
fn a_move_is_not_redone_by_half_after_another_decision() {
    let (_place, other) = moved_elsewhere(TabooScope::Corpus);
    other.undo().unwrap().unwrap();
    other.edit_taboo(TabooScope::Corpus, |list| list.add(entry("later"))).unwrap();
    other.undo().unwrap().unwrap();
    while other.redo().unwrap().is_some() {}
    assert_eq!(texts(&other), ["later", "moved"]);
}

#[test]
fn what_a_move_added_comes_back_when_the_users_folder_is_gone() {
    let (_place, other) = moved_elsewhere(TabooScope::User);
    fs::remove_dir_all(other.user.as_ref().unwrap().path()).unwrap();
    other.undo().unwrap().unwrap();
    assert_eq!(texts(&other), ["moved", ""]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_moved_text_is_always_in_a_list(deeds in prop::collection::vec((0..2_usize, 0..6_u8), 1..16)) {
        let place = Place::new();
        let corpora = [place.folders.clone(), place.other_corpus()];
        // It was added by hand, so its addition is not undone.
        let list: TabooList = [entry("x")].into_iter().collect();
        place.home().create().unwrap();
        fs::write(place.home().at(LIST), list.to_text().unwrap()).unwrap();
        for (number, (corpus, deed)) in deeds.into_iter().enumerate() {
            let folders = &corpora[corpus];
            let add = |scope| folders.edit_taboo(scope, |list| list.add(entry(&format!("y{number}")))).map(drop);
            let done = match deed {
                0 => folders.move_taboo(|entry| entry.text == "x", TabooScope::User).map(drop),
                1 => folders.move_taboo(|entry| entry.text == "x", TabooScope::Corpus).map(drop),
                2 => add(TabooScope::Corpus),
                3 => add(TabooScope::User),
                4 => folders.undo().map(drop),
                _ => folders.redo().map(drop),
            };
            prop_assert!(matches!(done, Ok(()) | Err(TabooError::Elsewhere { .. } | TabooError::DecidedSince { .. })), "{done:?}");
            let lists = [texts(&corpora[0]).join(" "), texts(&corpora[1]).join(" ")].join(" ");
            prop_assert!(lists.split(' ').any(|text| text == "x"), "{lists}");
        }
    }
}
