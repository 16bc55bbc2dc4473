//! Whatever happens to the disk while somebody decides, undoes and does again: no decision that was confirmed is
//! lost, the lists and the journal differ by the last step at most, and undoing goes back step by step.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::faulty::{Fault, FaultyDisk, Op, Platter};
use dupi::storage::Folder;
use dupi::taboo::{
    AcceptedEntry, AcceptedId, AcceptedList, DecisionFolders, ExcludedEntry, ExcludedList, TabooEntry,
    TabooError, TabooList,
};

/// What somebody does.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Hide(&'static str),
    Show(&'static str),
    Change(&'static str, &'static str),
    Accept(u64),
    Exclude(&'static str),
    Include(&'static str),
    Undo,
    Redo,
}

const DEEDS: [Deed; 18] = [
    Deed::Hide("a"),
    Deed::Hide("b"),
    Deed::Undo,
    Deed::Redo,
    Deed::Accept(1),
    Deed::Undo,
    Deed::Undo,
    Deed::Hide("c"),
    Deed::Accept(2),
    Deed::Show("a"),
    Deed::Exclude("vendor"),
    Deed::Exclude("b.txt"),
    Deed::Undo,
    Deed::Redo,
    Deed::Include("vendor"),
    Deed::Change("c", "C"),
    Deed::Undo,
    Deed::Redo,
];

/// The texts that are hidden, what was accepted, and what is left out.
type State = (Vec<String>, Vec<u64>, Vec<PathBuf>);

fn entry(text: &str) -> TabooEntry {
    TabooEntry { text: text.to_owned(), added: jiff::civil::date(2026, 1, 2), reason: None, language: None }
}

fn excluded(path: &str) -> ExcludedEntry {
    ExcludedEntry::new(Path::new(path), jiff::civil::date(2026, 1, 2), None).unwrap()
}

fn carry_out(home: &Folder, deed: Deed) -> Result<(), TabooError> {
    match deed {
        Deed::Hide(text) => TabooList::edit(home, |list| list.add(entry(text))).map(drop),
        Deed::Show(text) => {
            TabooList::edit(home, |list| list.remove_all(|entry| entry.text == *text)).map(drop)
        }
        Deed::Change(old, new) => {
            TabooList::edit(home, |list| list.replace(&entry(old), entry(new))).map(drop)
        }
        Deed::Accept(id) => AcceptedList::edit(home, |list| {
            list.add(AcceptedEntry {
                of: AcceptedId::Passage(id),
                text: String::new(),
                copies: 2,
                fix: false,
                texts: Default::default(),
                added: jiff::civil::date(2026, 1, 2),
                reason: None,
            })
        })
        .map(drop),
        Deed::Exclude(path) => ExcludedList::edit(home, |list| list.exclude([excluded(path)])).map(drop),
        Deed::Include(path) => ExcludedList::edit(home, |list| list.take(&excluded(path))).map(drop),
        Deed::Undo => DecisionFolders::from(home.clone()).undo().map(drop),
        Deed::Redo => DecisionFolders::from(home.clone()).redo().map(drop),
    }
}

fn state(home: &Folder) -> State {
    let taboo = TabooList::load(home).unwrap();
    let accepted = AcceptedList::load(home).unwrap();
    let id = |entry: &AcceptedEntry| match entry.of {
        AcceptedId::Passage(id) => id,
        AcceptedId::Cluster(_) | AcceptedId::Blot(_) => unreachable!(),
    };
    (
        taboo.entries().iter().map(|entry| entry.text.clone()).collect(),
        accepted.entries().iter().map(id).collect(),
        ExcludedList::load(home).unwrap().entries().iter().map(ExcludedEntry::path).collect(),
    )
}

/// For each number of deeds the states that undoing goes back through, the newest last.
fn histories() -> Vec<Vec<State>> {
    let (mut done, mut undone): (Vec<State>, Vec<State>) = (vec![State::default()], Vec::new());
    let mut histories = vec![done.clone()];
    for deed in DEEDS {
        let (mut texts, mut ids, mut paths) = done.last().unwrap().clone();
        match deed {
            Deed::Hide(text) => texts.push(text.to_owned()),
            Deed::Show(text) => texts.retain(|known| known != text),
            Deed::Change(old, new) => {
                texts.iter_mut().filter(|known| *known == old).for_each(|text| *text = new.to_owned());
            }
            Deed::Accept(id) => ids.push(id),
            Deed::Exclude(path) => paths.push(path.into()),
            Deed::Include(path) => paths.retain(|known| known != Path::new(path)),
            Deed::Undo => undone.push(done.pop().unwrap()),
            Deed::Redo => done.push(undone.pop().unwrap()),
        }
        if !matches!(deed, Deed::Undo | Deed::Redo) {
            done.push((texts, ids, paths));
            undone.clear();
        }
        histories.push(done.clone());
    }
    histories
}

/// The lists are as after so many deeds, or after one more; and undoing leads back as it should.
fn check(place: &Path, confirmed: usize, what: &str) {
    // A disk that refuses nothing, and does not wait for the real one.
    let home = &Folder::on(Arc::new(FaultyDisk::default()), place);
    let histories = histories();
    let now = state(home);
    let possible = &histories[confirmed..(confirmed + 2).min(histories.len())];
    let history = possible.iter().find(|history| *history.last().unwrap() == now);
    let history = history.unwrap_or_else(|| panic!("{what}: {now:?} after {confirmed} deeds"));
    for before in history.iter().rev().skip(1) {
        assert!(DecisionFolders::from(home.clone()).undo().unwrap().is_some(), "{what}");
        assert_eq!(state(home), *before, "{what}");
    }
    assert_eq!(DecisionFolders::from(home.clone()).undo().unwrap(), None, "{what}");
}

fn log_of_all() -> (Vec<Op>, Vec<usize>) {
    let place = crate::tempdir().unwrap();
    let disk = FaultyDisk::default();
    let home = Folder::on(Arc::new(disk.clone()), place.path());
    let mut ends = Vec::new();
    for deed in DEEDS {
        carry_out(&home, deed).unwrap();
        ends.push(disk.log().len());
    }
    (disk.log(), ends)
}

#[test]
fn every_deed_may_fail_at_every_operation_and_is_done_once() {
    let (log, _) = log_of_all();
    for (at, op) in log.iter().enumerate() {
        let short = matches!(op, Op::Write(..)).then_some(Fault::Short);
        for fault in [Fault::Error(ErrorKind::StorageFull)].into_iter().chain(short) {
            let place = crate::tempdir().unwrap();
            let disk = FaultyDisk::failing(at, fault);
            let home = Folder::on(Arc::new(disk.clone()), place.path());
            let histories = histories();
            let (mut done, mut failed) = (0, None);
            for (number, deed) in DEEDS.into_iter().enumerate() {
                // After what failed there is one more deed.
                if failed.is_some_and(|failed| number > failed + 1) {
                    break;
                }
                done = number + 1;
                while carry_out(&home, deed).is_err() {
                    failed = Some(number);
                    disk.fill(false);
                    // The last thing that can fail comes after the list is replaced.
                    if state(&home) == *histories[number + 1].last().unwrap() {
                        break;
                    }
                    assert_eq!(state(&home), *histories[number].last().unwrap());
                }
            }
            check(place.path(), done, &format!("operation {at}, {op:?}, {fault:?}"));
        }
    }
}

#[test]
fn after_a_crash_what_was_confirmed_is_there_and_can_be_undone() {
    let (log, ends) = log_of_all();
    let mut platter = Platter::default();
    for (number, op) in log.iter().enumerate() {
        platter.take(op);
        let confirmed = ends.iter().filter(|&&end| end <= number + 1).count();
        let questions = platter.open_questions();
        assert!(questions < 8);
        let all = (1_u32 << questions) - 1;
        // None of it is lost, all of it, and some other parts.
        let mut cases = vec![0, all];
        cases.extend((0..4).map(|case| (number as u32 * 37 + case * 11) & all));
        cases.sort_unstable();
        cases.dedup();
        for case in cases {
            let part = if (case as usize + number).is_multiple_of(3) { 0.5 } else { 1.0 };
            let after = platter.crash(|of| if case >> of & 1 == 1 { part } else { 0.0 });
            let place = crate::tempdir().unwrap();
            for (path, bytes) in &after {
                fs::write(place.path().join(Path::new(path.file_name().unwrap())), bytes).unwrap();
            }
            check(place.path(), confirmed, &format!("operation {number}, case {case}"));
        }
    }
}
