//! The sketches that an index keeps: what `near` answers with them is what it answers without them, whatever happened to the
//! documents and to the sketches.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;

use crate::support::{Home, lines};
use serde_json::Value;

/// Methods and settings with which sketches are used, and two with which they are not.
const ASKED: [&[&str]; 7] = [
    &["--method", "minhash"],
    &["--method", "minhash", "--pairs", "--threshold", "0.3"],
    &["--method", "minhash", "--no-verify", "--pairs"],
    &["--method", "simhash", "--distance", "12", "--pairs"],
    &["--method", "minhash", "--like", "0.txt"],
    &["--method", "minhash", "--threshold", "0.1", "--pairs"],
    &["--method", "simhash", "--shingle", "2", "--distance", "12"],
];

/// The sealed files of an index with sketches.
fn sketches(home: &Home) -> Vec<PathBuf> {
    let entries = fs::read_dir(home.at("../index")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|kind| kind == "sketch")).collect();
    found.sort();
    found
}

/// What `near` prints, of an index of its own.
fn near(home: &Home, index: &str, more: &[&str]) -> String {
    let output = home.run(&[&["near", "--json", "--index", index], more].concat());
    assert!(output.code.is_some_and(|code| code < 2), "{}", output.stderr);
    output.stdout
}

/// Gives a file a time so long ago that its sketch is used.
fn age(home: &Home, name: &str, seconds: u64) {
    let file = File::options().write(true).open(home.at(name)).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + seconds)).unwrap();
}

/// A text of words, some of which depend on the edits.
fn text(topic: u32, edits: u32) -> String {
    let word = |at: u32| {
        let is_edited = edits > 0 && (at * 7 + topic) % 40 < edits;
        format!("{}{} ", if is_edited { "edited" } else { "word" }, (topic * 31 + at * at) % 97)
    };
    (0..60 + topic % 5 * 30).map(word).collect()
}

/// A change of the corpus.
#[derive(Clone, Debug)]
enum Change {
    /// File, topic, edits.
    Write(u32, u32, u32),
    Remove(u32),
    Move(u32, u32),
    /// A mailbox-like file of records with these topics.
    Records(u32, Vec<u32>),
    Index,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => (0..12_u32, 0..4_u32, 0..9_u32).prop_map(|(file, topic, edits)| Change::Write(file, topic, edits)),
        1 => (0..12_u32).prop_map(Change::Remove),
        1 => (0..12_u32, 0..12_u32).prop_map(|(from, to)| Change::Move(from, to)),
        1 => (0..3_u32, prop::collection::vec(0..6_u32, 0..4)).prop_map(|(file, topics)| Change::Records(file, topics)),
        4 => Just(Change::Index),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1, max_shrink_iters: 20, ..ProptestConfig::default() })]
    #[test]
    fn with_and_without_sketches_the_answer_is_the_same(changes in prop::collection::vec(change(), 12..24)) {
        let home = Home::new();
        home.write("0.txt", text(0, 0));
        age(&home, "0.txt", 0);
        let index = |options: &[&str]| {
            home.stdout(&[&["index", "-q", "--jsonl", "text"], options].concat());
        };
        let both = || {
            index(&["--index", "../index"]);
            index(&["--index", "../bare", "--no-sketch"]);
        };
        both();
        for (number, change) in changes.iter().enumerate() {
            let name = |file: &u32| format!("{file}.txt");
            let written = |name: &str, text: String| {
                home.write(name, text);
                // Some were just written when they are indexed.
                if number % 5 > 0 {
                    age(&home, name, number as u64);
                }
            };
            match change {
                Change::Write(file, topic, edits) => written(&name(file), text(*topic, *edits)),
                Change::Remove(file) => drop(fs::remove_file(home.at(&name(file)))),
                Change::Move(from, to) => drop(fs::rename(home.at(&name(from)), home.at(&name(to)))),
                Change::Records(file, topics) => {
                    let record = |topic: &u32| format!("{{\"text\": \"{}\"}}\n", if *topic == 5 { String::new() } else { text(*topic, 2) });
                    written(&format!("{file}.jsonl"), topics.iter().map(record).collect());
                }
                Change::Index => both(),
            }
        }
        home.write("0.txt", text(0, 0));
        // First as indexed, though files changed since, then with all changes.
        for more in [&["--no-update"][..], &[]] {
            for asked in ASKED {
                let of = |index| near(&home, index, &[asked, more].concat());
                prop_assert_eq!(of("../index"), of("../bare"), "{:?} {:?}", asked, more);
            }
        }
        prop_assert!(!sketches(&home).is_empty());
    }
}

/// Eight topics with an edited copy each, indexed one by one so that segments are merged.
fn topics() -> Home {
    let home = Home::new();
    for topic in 0..8 {
        for (copy, edits) in [("a", 0), ("b", 1)] {
            let name = format!("{topic}{copy}.txt");
            home.write(&name, text(topic, edits));
            age(&home, &name, u64::from(topic));
        }
        home.stdout(&["index", "-q", "--index", "../index"]);
    }
    home
}

#[test]
fn with_sketches_documents_are_not_read() {
    let home = topics();
    assert!((1..8).contains(&sketches(&home).len()), "merged");
    let simhash = ["--no-update", "--method", "simhash", "--distance", "12", "--pairs"];
    let minhash = ["--no-update", "--method", "minhash", "--no-verify", "--pairs"];
    let before = [near(&home, "../index", &simhash), near(&home, "../index", &minhash)];
    assert!(before.iter().all(|rows| lines(rows).len() >= 8), "{before:?}");
    // Other texts of the same size and time: nobody may see them.
    for topic in 0..8 {
        for copy in ["a", "b"] {
            let name = format!("{topic}{copy}.txt");
            let size = fs::read(home.at(&name)).unwrap().len();
            home.write(&name, vec![b'a' + topic as u8; size]);
            age(&home, &name, topic);
        }
    }
    assert_eq!([near(&home, "../index", &simhash), near(&home, "../index", &minhash)], before);
    // With other settings there is no sketch for it.
    let other = near(&home, "../index", &[&simhash[..], &["--shingle", "4"]].concat());
    assert_ne!(lines(&other).len(), lines(&before[0]).len());
    assert_eq!(
        near(&home, "../index", &["--no-update", "--method", "minhash", "--pairs"]).lines().count(),
        0,
        "verified"
    );
}

#[test]
fn damaged_and_missing_sketches_are_told_and_the_documents_read() {
    let home = topics();
    let asked = ["--no-update", "--method", "simhash", "--distance", "12", "--pairs"];
    let expected = near(&home, "../index", &asked);
    for path in sketches(&home) {
        let whole = fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let check = |what: &str| {
            let output = home.run(&[&["near", "--json", "--index", "../index"], &asked[..]].concat());
            let said = output.stderr;
            assert_eq!(output.stdout, expected, "{what}");
            assert_eq!(output.code, Some(0), "{what}: {said}");
            assert!(said.contains(&name) && said.contains("read instead"), "{what}: {said}");
        };
        for at in [0, 9, 13, 17, 21, 30, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x40;
            fs::remove_file(&path).unwrap();
            fs::write(&path, &bytes).unwrap();
            check(&format!("byte {at}"));
        }
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        check("cut");
        fs::remove_file(&path).unwrap();
        check("missing");
        let precious = home.at("../precious");
        fs::write(&precious, &whole).unwrap();
        symlink(&precious, &path).unwrap();
        check("a link");
        assert_eq!(fs::read(&precious).unwrap(), whole);
        fs::remove_file(&path).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        check("a pipe");
        fs::remove_file(&path).unwrap();
        fs::write(&path, &whole).unwrap();
    }
    assert_eq!(near(&home, "../index", &asked), expected);
}

#[test]
fn an_index_remembers_whether_it_keeps_sketches() {
    let home = topics();
    let index = |more: &[&str]| home.stdout(&[&["index", "-q", "--index", "../index"], more].concat());
    index(&["--no-sketch"]);
    assert_eq!(sketches(&home), [] as [PathBuf; 0]);
    home.write("new.txt", text(3, 3));
    index(&[]);
    index(&["--rebuild"]);
    assert_eq!(sketches(&home), [] as [PathBuf; 0]);
    home.write("more.txt", text(4, 3));
    index(&["--sketch"]);
    assert_eq!(sketches(&home).len(), 1);
    index(&["--rebuild"]);
    assert_eq!(sketches(&home).len(), 1);
    home.stdout(&["clean", "--index", "../index"]);
    assert_eq!(fs::read_dir(home.at("../index")).map_or(0, Iterator::count), 0);
}

#[test]
fn sketches_cost_what_they_are_said_to() {
    let home = topics();
    let summary = home.stdout(&["inspect", "--no-update", "--json", "--index", "../index"]);
    let summary: Value = lines(&summary)[0].clone();
    let sizes: BTreeMap<String, u64> = fs::read_dir(home.at("../index"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().len()))
        .collect();
    let sealed = |name: &&String| name.ends_with(".segment") || name.ends_with(".sketch");
    let bytes: u64 = sizes.iter().filter(|(name, _)| sealed(name)).map(|(_, size)| size).sum();
    assert_eq!(summary["index_bytes"], bytes);
    let of_sketches: u64 = sketches(&home).iter().map(|path| path.metadata().unwrap().len()).sum();
    assert_eq!(of_sketches, sketches(&home).len() as u64 * 24 + 16 * 152);
}

#[test]
fn missing_and_damaged_sketches_are_made_when_they_are_asked_for() {
    let home = topics();
    let asked = ["--method", "minhash", "--pairs"];
    let expected = near(&home, "../index", &asked);
    let whole: Vec<Vec<u8>> = sketches(&home).iter().map(|path| fs::read(path).unwrap()).collect();
    for path in sketches(&home) {
        fs::write(&path, "damaged").unwrap();
    }
    let index = |more: &[&str]| home.stdout(&[&["index", "-q", "--index", "../index"], more].concat());
    for restore in [&[][..], &["--no-sketch"]] {
        if !restore.is_empty() {
            index(restore);
            index(&["--sketch"]);
            assert_eq!(sketches(&home), [] as [PathBuf; 0], "until they are asked for");
        }
        let output = home.run(&[&["near", "--json", "--index", "../index"], &asked[..]].concat());
        assert_eq!(output.stderr, "");
        assert_eq!(output.stdout, expected);
        index(&[]);
        let made: Vec<Vec<u8>> = sketches(&home).iter().map(|path| fs::read(path).unwrap()).collect();
        let sorted = |mut all: Vec<Vec<u8>>| {
            all.sort();
            all
        };
        assert_eq!(sorted(made), sorted(whole.clone()));
    }
}
