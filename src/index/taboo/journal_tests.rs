//! Tests of [`super`].

use std::fs;

use super::*;
use crate::taboo::fixture::{Place, entry};
use crate::taboo::{AppliedSteps, DecisionFolders, LIST, TabooEntry, TabooList};

fn undo(home: &Folder) -> Result<Option<AppliedSteps>, TabooError> {
    DecisionFolders::from(home.clone()).undo()
}

/// The texts of the corpus's list.
fn texts(place: &Place) -> Vec<String> {
    place.texts()[0].split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_damaged_journal_is_reported_and_moved_aside_and_the_decisions_stay() {
    let place = Place::with(&["a"]);
    assert_eq!(repair_journal(place.home()).unwrap(), None);
    let whole = fs::read_to_string(place.home().at(NAME)).unwrap();
    let damaged = whole.replace("\"at\"", "\"ta\"");
    fs::write(place.home().at(NAME), &damaged).unwrap();
    let sentence = repair_journal(place.home()).unwrap().unwrap();
    assert!(sentence.contains(NAME) && sentence.contains("line 2") && sentence.contains(ASIDE), "{sentence}");
    assert_eq!(fs::read_to_string(place.home().at(ASIDE)).unwrap(), damaged);
    assert!(undo(place.home()).unwrap().is_none());
    place.edit(|list| list.add(entry("b")));
    undo(place.home()).unwrap();
    assert_eq!(texts(&place), ["a"]);
}

#[test]
fn the_number_of_steps_is_limited() {
    let place = Place::with(&["a"]);
    let step = Journal::load(place.home()).unwrap().steps[0].clone();
    let mut journal = Journal { steps: vec![step.clone(); MAX_STEPS + 3], last: None };
    journal.last = Some(LastOperation { step: MAX_STEPS + 2, from: 1, to: 2 });
    journal.write(place.home()).unwrap();
    let kept = Journal::load(place.home()).unwrap();
    assert_eq!((kept.steps.len(), kept.last.unwrap().step), (MAX_STEPS, MAX_STEPS - 1));
    let long = EntryChange { at: 0, before: None, after: Some(entry(&"x".repeat(5000))) };
    let long = JournalStep { taboo: vec![long], ..step.clone() };
    for (steps, kept) in [(vec![step.clone(), long.clone()], 1), (vec![long, step], 1)] {
        Journal { steps, last: None }.write_within(place.home(), 5000).unwrap();
        assert_eq!(Journal::load(place.home()).unwrap().steps.len(), kept);
    }
}

#[test]
fn a_large_import_drops_no_older_step() {
    let place = Place::with(&["a"]);
    let step = Journal::load(place.home()).unwrap().steps[0].clone();
    let imported = EntryChange { at: 1, before: None, after: Some(entry(&"words ".repeat(2 << 20))) };
    let import = JournalStep { taboo: vec![imported], ..step.clone() };
    let mut journal = Journal { steps: vec![step.clone(), import, step], last: None };
    journal.write(place.home()).unwrap();
    assert!(fs::metadata(place.home().at(NAME)).unwrap().len() > 12 << 20);
    assert_eq!(Journal::load(place.home()).unwrap().steps.len(), 3);
}

#[test]
fn steps_from_many_threads_are_all_kept() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for number in 0..6 {
            let place = &place;
            scope.spawn(move || place.edit(|list| list.add(entry(&number.to_string()))));
        }
    });
    assert_eq!(Journal::load(place.home()).unwrap().steps.len(), 6);
    for _ in 0..6 {
        assert_eq!(undo(place.home()).unwrap().unwrap().changed(), (1, 0));
    }
    assert!(texts(&place).is_empty());
}

#[test]
fn a_text_that_is_twice_in_a_list_is_not_changed_by_other_decisions() {
    let place = Place::new();
    place.home().create().unwrap();
    let [first, second] = ["first", "second"].map(|reason| {
        let list: TabooList =
            [TabooEntry { reason: Some(reason.into()), ..entry("a") }].into_iter().collect();
        list.to_text().unwrap()
    });
    fs::write(place.home().at(LIST), format!("{first}\n{second}")).unwrap();
    place.edit(|list| list.add(entry("b")));
    assert_eq!(Journal::load(place.home()).unwrap().steps[0].taboo.len(), 1);
    undo(place.home()).unwrap();
    let reasons = TabooList::load(place.home()).unwrap();
    let reasons: Vec<_> = reasons.entries().iter().map(|entry| entry.reason.as_deref()).collect();
    assert_eq!(reasons, [Some("first"), Some("second")]);
}
