//! Tests of [`super`].

use std::fs;

use proptest::prelude::*;

use super::*;
use crate::taboo::LIST;
use crate::taboo::fixture::{Place, entry, texts};

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
