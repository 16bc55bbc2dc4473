//! `segment tally blots`: with the file that it makes once, `segment query passages` gathers what it gathers with a scan of the
//! index of its own; and a file that is not whole, or of another index, is refused.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use crate::passage_blocks::{corpus, pieces};
use crate::support::{Home, text};

/// Searches that ask which blots are repeated.
const WAYS: [&[&str]; 3] =
    [&["--gap", "0"], &["--gap", "0", "--min-tokens", "12", "-g", "!*/1*"], &["--match", "consistent"]];

/// Makes the file of repeated blots, and returns its path. It takes the options that say which files of which index.
fn of_verb(home: &Home, way: &[&str]) -> PathBuf {
    let at = way.iter().position(|option| *option == "-g" || *option == "--match");
    let options = at.map_or(&[][..], |at| &way[at..]);
    let verb = ["segment", "tally", "blots", "--index", "../index", "--out", "../tallied"];
    home.at(home.stdout(&[&verb[..], options].concat()).trim())
}

/// Makes a block in a folder, and returns its bytes.
fn block(home: &Home, out: &str, (number, blocks): (u32, u32), more: &[&str]) -> Vec<u8> {
    let (number, blocks) = (number.to_string(), blocks.to_string());
    let verb = ["segment", "query", "passages", "--index", "../index", "--out", out, "-j", "1"];
    let printed = home.stdout(&[&verb[..], &["--task", &number, "--blocks", &blocks], more].concat());
    fs::read(home.at(printed.trim())).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn with_the_file_a_block_is_that_of_a_scan(
        documents in prop::collection::vec((prop::collection::vec(0..8_usize, 0..5), 0..3_usize, any::<bool>()), 2..14),
        later in prop::collection::vec(prop::collection::vec(0..8_usize, 0..4), 0..3),
        way in prop::sample::select(&WAYS),
    ) {
        let home = Home::new();
        let pieces = pieces();
        let body = |own: &[usize]| own.iter().map(|&piece| &*pieces[piece]).collect::<String>();
        for (number, (own, folder, _)) in documents.iter().enumerate() {
            home.write(&format!("d{folder}/{number}.c"), body(own));
        }
        home.run(&["index", "-q", "--index", "../index"]);
        // Some documents are dead, and others are in another segment.
        for (number, (_, folder, is_left)) in documents.iter().enumerate() {
            if !is_left {
                fs::remove_file(home.at(&format!("d{folder}/{number}.c"))).unwrap();
            }
        }
        for (number, own) in later.iter().enumerate() {
            home.write(&format!("d1/later{number}.c"), body(own));
        }
        home.run(&["index", "-q", "--index", "../index"]);
        home.run(&["passages", "--index", "../index", "--match", "consistent"]);
        let file = of_verb(&home, way);
        for number in 0..2 {
            let scanned = block(&home, "../scanned", (number, 2), way);
            let more = [&["--repeated", text(&file)], way].concat();
            prop_assert_eq!(block(&home, "../with the file", (number, 2), &more), scanned);
        }
    }
}

/// What is said of a file of repeated blots that is refused, in one line.
fn refused(home: &Home, file: &Path, more: &[&str]) -> String {
    let verb = ["segment", "query", "passages", "--index", "../index", "--out", "../blocks", "--gap", "0"];
    let task = ["--task", "0", "--blocks", "1", "--repeated", text(file)];
    let output = home.run(&[&verb[..], &task, more].concat());
    output.refused_in_a_line(&[text(file.file_name().unwrap().as_ref())])
}

#[test]
fn every_damaged_byte_and_every_cut_of_the_file_is_refused() {
    let home = corpus();
    let file = of_verb(&home, &[]);
    let whole = fs::read(&file).unwrap();
    let size = whole.len();
    let places = (0..96).step_by(5).chain((96..size).step_by(size / 40)).chain(size - 8..size);
    for at in places {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&file, &bytes).unwrap();
        let error = refused(&home, &file, &[]);
        assert!(error.contains("is damaged") || error.contains("has format version"), "{at}: {error}");
    }
    for at in [0, 1, 15, 95, 103, size / 2, size - 8, size - 1] {
        fs::write(&file, &whole[..at]).unwrap();
        assert!(refused(&home, &file, &[]).contains("is damaged"), "{at}");
    }
    // What is damaged is made again, and what is there is not.
    assert_eq!(of_verb(&home, &[]), file);
    assert_eq!(fs::read(&file).unwrap(), whole);
    let before = file.metadata().unwrap().modified().unwrap();
    assert_eq!(of_verb(&home, &[]), file);
    assert_eq!(file.metadata().unwrap().modified().unwrap(), before);
    block(&home, "../blocks", (0, 1), &["--gap", "0", "--repeated", text(&file)]);
}

#[test]
fn the_file_of_another_generation_or_of_other_files_is_refused() {
    let home = corpus();
    let file = of_verb(&home, &[]);
    assert!(refused(&home, &file, &["-g", "*.txt"]).contains("or of other files of it"));
    let some = of_verb(&home, &["-g", "*.txt"]);
    assert!(refused(&home, &some, &[]).contains("or of other files of it"));
    home.write("13.txt", "one more document\n");
    home.run(&["index", "-q", "--index", "../index"]);
    assert!(refused(&home, &file, &[]).contains("is of another generation of the index"));
    fs::remove_file(&file).unwrap();
    assert!(refused(&home, &file, &[]).contains("there is no file of repeated blots"));
    let inside = ["segment", "tally", "blots", "--index", "../index", "--out", "blots"];
    home.refuses(&inside, "lies in the corpus");
    assert!(!home.at("blots").exists());
}

#[test]
fn a_given_file_is_checked_where_all_text_is_read() {
    let home = corpus();
    let file = of_verb(&home, &[]);
    let with = |file: &Path| {
        let verb = ["segment", "query", "passages", "--index", "../index", "--out", "../blocks"];
        let task = ["--task", "0", "--blocks", "1", "--repeated", text(file)];
        home.run(&[&verb[..], &task].concat())
    };
    let missing = file.with_file_name("missing");
    with(&missing).refused("there is no file of repeated blots");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[1..]).unwrap();
    with(&file).refused("is damaged");
    fs::write(&file, whole).unwrap();
    assert_eq!(with(&file).code, Some(0));
}
