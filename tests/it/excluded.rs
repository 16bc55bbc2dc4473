//! A session leaves files and folders out of its corpus: at once, for good, whoever decided it, and until it is undone.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::followed::Followed;
use crate::shown::{Shown, words};
use dupi::corpus::SkipReason;
use dupi::session::{DecisionResult, Phase, Request, Subject};
use dupi::storage::Folder;
use dupi::taboo::{ExcludedEntry, ExcludedList};

fn entry(path: &str) -> ExcludedEntry {
    ExcludedEntry::new(Path::new(path), jiff::civil::date(2026, 1, 2), None).unwrap()
}

/// What is left out of an index because the user decided so.
fn left_out(followed: &Followed) -> Vec<PathBuf> {
    let skipped = followed.snapshot().skipped();
    let by_user = skipped.into_iter().filter(|left| left.reason == SkipReason::LeftOut);
    by_user.map(|left| left.path).collect()
}

/// Waits until the system watches so many folders.
fn watched(followed: &Followed, folders: u64) {
    followed.told_of_activity("the folders that are watched", |activity| activity.folders == folders);
}

fn exclude(followed: &Followed, paths: &[&str]) {
    followed.ask(Request::Exclude { paths: paths.iter().map(PathBuf::from).collect() });
}

#[test]
fn the_index_follows_a_decision_at_once_and_changes_bring_nothing_back() {
    let mut followed = Followed::new();
    for (name, seed) in [("vendor/a", 1), ("vendor/deep/b", 2), ("vendors", 3), ("c", 4)] {
        followed.write(name, seed);
    }
    followed.check("all files");
    exclude(&followed, &["vendor", "c"]);
    followed.check_names("without the folder and the file", &["vendors"]);
    assert_eq!(left_out(&followed), ["c", "vendor"].map(PathBuf::from));
    followed.write("vendor/a", 5);
    followed.write("vendor/new", 6);
    followed.write("c", 7);
    followed.write("last", 8);
    followed.check_names("what was written last", &["last", "vendors"]);
    followed.open();
    followed.check_names("after a restart", &["last", "vendors"]);
    assert_eq!(left_out(&followed), ["c", "vendor"].map(PathBuf::from));
    watched(&followed, 1);
    followed.ask(Request::Undo);
    followed.check("all files again, as they are now");
    assert_eq!(left_out(&followed), <[PathBuf; 0]>::default());
    watched(&followed, 3);
    followed.write("vendor/deep/b", 9);
    followed.check("what is watched again");
    followed.ask(Request::Redo);
    followed.check_names("left out again", &["last", "vendors"]);
    watched(&followed, 1);
}

#[test]
fn what_another_process_leaves_out_is_followed_and_a_spoilt_list_brings_nothing_back() {
    let followed = Followed::new();
    followed.write("a", 1);
    followed.write("b", 2);
    followed.check("all files");
    let home = Folder::new(followed.outside("index"));
    ExcludedList::edit(&home, |list| list.exclude([entry("a")])).unwrap();
    followed.check_names("without what another process left out", &["b"]);
    fs::write(home.at("excluded.toml"), "[[excluded]]\npath = 3\n").unwrap();
    followed.write("a", 3);
    followed.wait("what is wrong with the list", |progress| {
        matches!(&progress.phase, Phase::Failed(sentence) if sentence.contains("excluded.toml, line 2, column 8"))
    });
    followed.check_names("nothing comes back", &["b"]);
    fs::write(home.at("excluded.toml"), "[[excluded]]\npath = 'b'\nadded = '2026-01-02'\n").unwrap();
    followed.check_names("as the corrected list says", &["a"]);
}

#[test]
fn a_name_that_is_not_text_is_left_out_too() {
    let followed = Followed::new();
    let odd = Path::new(std::ffi::OsStr::from_bytes(b"odd\xff"));
    followed.write("b", 2);
    fs::write(followed.at("").join(odd), "one two").unwrap();
    followed.until("both", |snapshot| snapshot.files().count() == 2);
    followed.ask(Request::Exclude { paths: vec![odd.to_owned()] });
    followed.check_names("without it", &["b"]);
    assert_eq!(left_out(&followed), [odd]);
}

#[test]
fn the_lists_lose_the_copies_and_the_sentence_says_how_many_files_went() {
    let text = |name: &str| format!("{name} {}", words("ash", 40));
    let shown = Shown::new(&[
        ("a/1", text("one")),
        ("a/2", text("two")),
        ("b/3", text("three")),
        ("b/4", text("four")),
    ]);
    shown.rows(&[4]);
    shown.ask(Request::Exclude { paths: vec!["a".into()] });
    let (said, result) = shown.decided("Left out of this corpus from now on: a (2 files)");
    assert_eq!((result, said.ends_with(')')), (DecisionResult::Done, true));
    shown.rows(&[2]);
    shown.ask(Request::Exclude { paths: vec!["a/1".into(), "a".into()] });
    assert_eq!(shown.decided("Left out already: 2 files and folders.").1, DecisionResult::Nothing);
    shown.ask(Request::Undo);
    assert_eq!(shown.decided("Undone: left out \"a\"").1, DecisionResult::Undone);
    shown.rows(&[4]);
    shown.show(Subject::Passages);
}
