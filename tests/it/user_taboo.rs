//! The taboo list of the user's own, for all corpora: from a script, in a session, and on a disk that fails.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use crate::faulty::{Fault, FaultyDisk};
use crate::shown::{Shown, words};
use dupi::session::{DecisionResult, Item, Listing, Request, Subject, Update, View};
use dupi::storage::Folder;
use dupi::taboo::{DecisionFolders, LIST, TabooEntry, TabooError, TabooList, TabooScope};

fn entry(text: &str) -> TabooEntry {
    TabooEntry { text: text.to_owned(), added: jiff::civil::date(2026, 1, 2), reason: None, language: None }
}

/// The entries of both lists as the view has them: where each applies.
fn scopes(listing: &Listing) -> Vec<TabooScope> {
    let scope = |row: &Item| match row {
        Item::Taboo(row) => row.scope,
        other => panic!("{other:?}"),
    };
    listing.rows.iter().map(scope).collect()
}

fn taboo_view(shown: &Shown, expected: &[TabooScope]) {
    shown.ask(Request::Rows(View { of: Subject::Taboo, wanted: 100, ..View::default() }));
    shown.listing(&format!("{expected:?}"), |listing| {
        listing.view.of == Subject::Taboo && scopes(listing) == expected
    });
}

#[test]
fn a_session_hides_moves_and_undoes_in_both_lists() {
    use TabooScope::{Corpus, User};
    let files: Vec<(String, String)> = ["ash", "birch"]
        .iter()
        .flat_map(|tree| {
            (0..3).map(move |number| (format!("{tree}{number}"), format!("{number} {}", words(tree, 40))))
        })
        .collect();
    let mut shown = Shown::new(&files);
    let rows = shown.rows(&[3, 3]).rows.clone();
    shown.ask(Request::Taboo { rows: rows[..1].to_vec(), reason: None, scope: User });
    shown.rows(&[3]);
    shown.said("Taboo in all corpora: 1 passage with 3 copies");
    let Item::Passage(first) = &rows[0] else { panic!() };
    let text = TabooList::load(&Folder::new(shown.beside("user"))).unwrap().entries()[0].text.clone();
    assert!(text.starts_with(&first.text[..10]));
    taboo_view(&shown, &[User]);
    shown.ask(Request::MoveTaboo { texts: vec![text.clone()], to: Corpus });
    shown.said("Taboo in this corpus only from now on: 1 text");
    taboo_view(&shown, &[Corpus]);
    shown.open();
    shown.rows(&[3]);
    shown.ask(Request::Undo);
    shown.said("Undone: moved \"ash0 ");
    taboo_view(&shown, &[User]);
    shown.ask(Request::Redo);
    shown.said("Redone: ");
    taboo_view(&shown, &[Corpus]);
    shown.ask(Request::Undo);
    shown.said("Undone: ");
    // Another process decides.
    let folders = DecisionFolders {
        corpus: Folder::new(shown.beside("index")),
        user: Some(Folder::new(shown.beside("user"))),
    };
    folders.edit_taboo(User, |list| list.add(entry(&words("birch", 40)))).unwrap();
    taboo_view(&shown, &[User, User]);
    shown.show(Subject::Passages);
    shown.rows(&[]);
    let list = Folder::new(shown.beside("user")).at(LIST);
    let whole = fs::read(&list).unwrap();
    fs::write(&list, "[[taboo]]\ntext = 3\n").unwrap();
    shown.wait("what is wrong", |update| match update {
        Update::Notice(sentence) => sentence.contains("user/taboo.toml, line 2, column 8").then_some(()),
        _ => None,
    });
    shown.ask(Request::MoveTaboo { texts: vec![text], to: Corpus });
    assert_eq!(shown.decided("the taboo list ").1, DecisionResult::Failed);
    assert_eq!(fs::read(&list).unwrap(), b"[[taboo]]\ntext = 3\n");
    fs::write(&list, whole).unwrap();
    shown.ask(Request::ShowAgain { rows: rows[..1].to_vec() });
    shown.rows(&[3]);
    shown.said("No longer taboo: 1 passage");
}

/// What somebody does.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Hide(TabooScope, &'static str),
    Move(&'static str, TabooScope),
    Undo,
    Redo,
}

const DEEDS: [Deed; 9] = [
    Deed::Hide(TabooScope::User, "a"),
    Deed::Hide(TabooScope::Corpus, "b"),
    Deed::Move("b", TabooScope::User),
    Deed::Undo,
    Deed::Redo,
    Deed::Move("a", TabooScope::Corpus),
    Deed::Hide(TabooScope::User, "c"),
    Deed::Undo,
    Deed::Redo,
];

fn carry_out(folders: &DecisionFolders, deed: Deed) -> Result<(), TabooError> {
    match deed {
        Deed::Hide(scope, text) => folders.edit_taboo(scope, |list| list.add(entry(text))).map(drop),
        Deed::Move(text, to) => folders.move_taboo(|entry| entry.text == text, to).map(drop),
        Deed::Undo => folders.undo().map(drop),
        Deed::Redo => folders.redo().map(drop),
    }
}

fn texts(folders: &DecisionFolders) -> [Vec<String>; 2] {
    [TabooScope::Corpus, TabooScope::User].map(|scope| {
        let list = TabooList::load(folders.folder(scope).unwrap()).unwrap();
        list.entries().iter().map(|entry| entry.text.clone()).collect()
    })
}

fn folders(disk: &FaultyDisk, place: &Path) -> DecisionFolders {
    let at = |name: &str| Folder::on(Arc::new(disk.clone()), place.join(name));
    DecisionFolders { corpus: at("corpus"), user: Some(at("user")) }
}

#[test]
fn whatever_fails_no_text_is_ever_in_neither_list_and_all_is_undone() {
    let place = crate::tempdir().unwrap();
    let disk = FaultyDisk::default();
    DEEDS.iter().for_each(|deed| carry_out(&folders(&disk, place.path()), *deed).unwrap());
    let whole = folders(&FaultyDisk::default(), place.path());
    assert_eq!(texts(&whole), [vec!["a"], vec!["b", "c"]]);
    for at in 0..disk.log().len() {
        let place = crate::tempdir().unwrap();
        let failing = FaultyDisk::failing(at, Fault::Error(ErrorKind::StorageFull));
        let (mine, sound) = (folders(&failing, place.path()), folders(&FaultyDisk::default(), place.path()));
        let mut expected: Vec<&str> = Vec::new();
        for (number, deed) in DEEDS.into_iter().enumerate() {
            if carry_out(&mine, deed).is_err() {
                failing.fill(false);
                let all = texts(&sound).concat();
                let is_there = |text: &&str| all.iter().any(|known| known == text);
                // `c` is undone in the end: it need not be there.
                let held = expected.iter().filter(|text| **text != "c").all(is_there);
                assert!(held, "operation {at}, deed {number}: {all:?}");
                match deed {
                    // What failed at its end was done.
                    Deed::Undo | Deed::Redo => break,
                    deed => carry_out(&mine, deed).unwrap(),
                }
            }
            if let Deed::Hide(_, text) = deed {
                expected.push(text);
            }
        }
        while sound.undo().unwrap().is_some() {}
        assert_eq!(texts(&sound).concat(), <[String; 0]>::default(), "operation {at}");
    }
}
