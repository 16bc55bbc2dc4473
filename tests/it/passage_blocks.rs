//! `segment query passages` and `passages --reduce`: a search in blocks finds what one search finds, however the corpus was
//! divided; and what is wrong with a block is said in one sentence.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

use crate::branches::{function, text as source_of};
use crate::support::{Home, Said, text};

/// What documents are made of: prose with and without differences, code, and lines that mark it.
pub(crate) fn pieces() -> Vec<String> {
    let prose = |changed: &str| {
        format!(
            "The tenant shall return all keys on the last day of the lease, leave the {changed} clean and empty, and tell the \
             landlord in writing where letters and the {changed} should be sent to afterwards, for 12 months.\n"
        )
    };
    let code = |number| source_of(&[function(number)]);
    let renamed = code(1).replace("value", "other").replace("total", "sum");
    vec![
        prose("rooms"),
        prose("halls"),
        "Nobody who crosses the river by the old ferry has ever asked the keeper why the bell is rung twice at dusk, and he \
         has never told anybody of his own accord, not even his sons.\n"
            .to_owned(),
        code(1),
        code(2),
        renamed,
        format!("// dupi:ignore-start\n{}// dupi:ignore-end\n", code(2)),
        "short\n".to_owned(),
    ]
}

/// Ways to search, and the options that `segment query passages` takes of them.
const WAYS: [(&[&str], &[&str]); 7] = [
    (&[], &[]),
    (&["--gap", "0"], &["--members", "--aside", "none"]),
    (&["--min-tokens", "9", "--gap", "2", "--min-overlap", "0.5"], &["--across", "--sort", "copies"]),
    (&["--match", "renamed"], &["--json"]),
    (&["--match", "consistent"], &[]),
    (&["--gap", "0", "--min-tokens", "12"], &["--json"]),
    (&["-g", "!*/1*", "--gap", "0"], &["--json"]),
];

/// Makes a block in `../blocks`, and returns its path.
fn block(home: &Home, number: u32, blocks: u32, way: &[&str]) -> PathBuf {
    let (number, blocks) = (number.to_string(), blocks.to_string());
    let verb = ["segment", "query", "passages", "--index", "../index", "--out", "../blocks"];
    let printed =
        home.stdout(&[&verb, &["--task", &number, "--blocks", &blocks, "-j", "1"][..], way].concat());
    home.at(printed.trim())
}

/// Makes all blocks, in an order, some of them twice; and what is printed of them.
fn in_blocks(home: &Home, order: &[u32], again: u32, (way, shown): (&[&str], &[&str])) -> Said {
    let _ = fs::remove_dir_all(home.at("../blocks"));
    for &number in order {
        let path = block(home, number, order.len() as u32, way);
        if number == again {
            let before = path.metadata().unwrap().modified().unwrap();
            assert_eq!(block(home, number, order.len() as u32, way), path);
            assert_eq!(
                path.metadata().unwrap().modified().unwrap(),
                before,
                "what is done is not done again"
            );
            fs::copy(&path, path.with_file_name("again.block")).unwrap();
        }
    }
    let reduce = ["passages", "--index", "../index", "--reduce", "../blocks"];
    home.run(&[&reduce[..], way, shown].concat())
}

/// What one search prints, of a copy of the index in which no result is kept.
fn at_once(home: &Home, (way, shown): (&[&str], &[&str])) -> Said {
    let verb = ["passages", "--index", "../whole", "--no-update"];
    home.run(&[&verb[..], way, shown].concat())
}

fn index(home: &Home) {
    for index in ["../index", "../whole"] {
        home.run(&["index", "-q", "--index", index, "--jsonl", "text"]);
        home.run(&["passages", "--index", index, "--match", "renamed"]);
        home.run(&["passages", "--index", index, "--match", "consistent"]);
        let _ = fs::remove_dir_all(home.at("../blocks"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn a_search_in_blocks_prints_what_one_search_prints(
        documents in prop::collection::vec((prop::collection::vec(0..8_usize, 0..5), 0..3_usize, any::<bool>()), 2..14),
        order in Just((0..8_u32).collect::<Vec<_>>()).prop_shuffle(),
        count in prop::sample::select(vec![1_u32, 2, 3, 8]),
        again in 0..3_u32,
        way in 0..WAYS.len(),
    ) {
        let home = Home::new();
        let pieces = pieces();
        for (number, (own, ending, is_alone)) in documents.iter().enumerate() {
            let body: String = own.iter().map(|&piece| &*pieces[piece]).collect();
            // Without a word of its own a document may be equal to another one.
            let head = if *is_alone { format!("// number{number} alone{number}\n") } else { String::new() };
            let name = format!("d{}/{number}.{}", number % 3, ["txt", "c", "jsonl"][*ending]);
            let lines = own.iter().map(|&piece| serde_json::json!({"text": pieces[piece]}).to_string() + "\n");
            home.write(&name, if *ending == 2 { lines.collect() } else { head + &body });
        }
        index(&home);
        let order: Vec<u32> = order.into_iter().filter(|number| *number < count).collect();
        let both = |way| (in_blocks(&home, &order, again, way), at_once(&home, way));
        // The first ones are those of most users.
        for way in [WAYS[way], WAYS[0], WAYS[1]] {
            let (blocks, whole) = both(way);
            prop_assert_eq!(blocks, whole, "{:?}", way);
        }
    }
}

/// A corpus with passages, and its index in `../index`.
pub(crate) fn corpus() -> Home {
    let home = Home::new();
    let pieces = pieces();
    for number in 0..12 {
        let own = [&pieces[number % 5], &pieces[(number + 3) % 8], &pieces[(number * 3 + 1) % 7]];
        let ending = if number % 2 == 0 { "c" } else { "txt" };
        home.write(&format!("{number}.{ending}"), own.map(|piece| &**piece).concat());
    }
    home.run(&["index", "-q", "--index", "../index"]);
    home
}

#[test]
fn every_way_prints_the_same_of_each_division() {
    let home = corpus();
    index(&home);
    for way in WAYS {
        let whole = at_once(&home, way);
        assert!(whole.is_done() && whole.stdout.contains(".c"), "{way:?}: {whole:?}");
        for blocks in [1, 2, 8] {
            let order: Vec<u32> = (0..blocks).rev().collect();
            assert_eq!(in_blocks(&home, &order, 0, way), whole, "{way:?} in {blocks}");
        }
    }
}

#[test]
fn the_result_of_blocks_is_kept_in_the_index() {
    let home = corpus();
    (0..2).for_each(|number| drop(block(&home, number, 2, &[])));
    let kept = || {
        let names = fs::read_dir(home.at("../index")).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".kept")).count()
    };
    assert_eq!(kept(), 0);
    home.stdout(&["passages", "--index", "../index", "--reduce", "../blocks"]);
    assert_eq!(kept(), 1);
}

/// What is said when blocks are refused, in one line.
fn refused(home: &Home, more: &[&str]) -> String {
    let reduce = ["passages", "--index", "../index", "--reduce", "../blocks"];
    home.run(&[&reduce[..], more].concat()).refused_in_a_line(&[])
}

#[test]
fn blocks_that_do_not_belong_together_are_refused() {
    let home = corpus();
    fs::create_dir(home.at("../blocks")).unwrap();
    assert!(refused(&home, &[]).contains("there is no block in ../blocks; make all"));
    let third = block(&home, 2, 3, &[]);
    let first = block(&home, 0, 3, &[]);
    assert!(refused(&home, &[]).contains("the block 1 of 3 is missing in ../blocks"));
    block(&home, 1, 3, &[]);
    home.stdout(&["passages", "--index", "../index", "--reduce", "../blocks"]);
    assert!(refused(&home, &["--gap", "0"]).contains("was made with other options"));
    assert!(refused(&home, &["--min-tokens", "30"]).contains("was made with other options"));
    assert!(refused(&home, &["-g", "*.txt"]).contains("or of other files of it"));
    block(&home, 1, 2, &[]);
    assert!(refused(&home, &[]).contains("has blocks of a division into 2 and of one into 3"));
    fs::remove_dir_all(home.at("../blocks")).unwrap();
    (0..2).for_each(|number| drop(block(&home, number, 2, &[])));
    home.write("13.txt", "one more document\n");
    home.run(&["index", "-q", "--index", "../index"]);
    assert!(refused(&home, &[]).contains("is of another generation of the index"));
    let inside = ["segment", "query", "passages", "--index", "../index", "--task", "0", "--blocks", "1"];
    home.refuses(&[&inside[..], &["--out", "blocks"]].concat(), "lies in the corpus");
    let beyond = [&inside[..5], &["--task", "2", "--blocks", "2", "--out", "../b"]].concat();
    home.refuses(&beyond, "there is no task 2 of 2; they are numbered from 0");
    assert!(!first.exists() && !third.exists() && !home.at("blocks").exists());
}

#[test]
fn a_block_lacks_no_document_that_cannot_be_read() {
    let home = corpus();
    let path = home.at("3.txt");
    fs::remove_file(&path).unwrap();
    // What is there and is no file is refused to everybody.
    fs::create_dir(&path).unwrap();
    let verb = ["segment", "query", "passages", "--index", "../index", "--task", "0", "--blocks", "1"];
    let Said { code, stdout: out, stderr: error } = home.run(&[&verb[..], &["--out", "../blocks"]].concat());
    if code == Some(2) {
        assert!(out.is_empty() && error.contains("3.txt"), "{error}");
        assert!(fs::read_dir(home.at("../blocks")).unwrap().next().is_none());
    } else {
        assert_eq!(code, Some(0), "{error}");
    }
}

#[test]
fn a_block_lacks_no_document_that_was_indexed() {
    let home = corpus();
    let gone = home.at("3.txt");
    let block_of_all = || {
        let verb = ["segment", "query", "passages", "--index", "../index", "--task", "0", "--blocks", "1"];
        home.run(&[&verb[..], &["--out", "../blocks"]].concat())
    };
    let before = fs::read_to_string(&gone).unwrap();
    for (text, expected) in [
        (None, "3.txt: vanished; a task must see the corpus"),
        (Some(String::new()), "3.txt: empty; a task must see the corpus"),
        (Some(before + "more\n"), "3.txt: it has changed since it was indexed; a task must see the corpus"),
    ] {
        match text {
            None => fs::remove_file(&gone).unwrap(),
            Some(text) => fs::write(&gone, text).unwrap(),
        }
        block_of_all().refused_in_a_line(&[expected]);
        assert!(fs::read_dir(home.at("../blocks")).unwrap().next().is_none());
    }
    home.run(&["index", "-q", "--index", "../index"]);
    assert_eq!(block_of_all().code, Some(0));
}

#[test]
fn every_damaged_byte_and_every_cut_of_a_block_is_refused() {
    let home = corpus();
    let path = block(&home, 0, 1, &[]);
    let whole = fs::read(&path).unwrap();
    let size = whole.len();
    assert!(size < 1 << 20, "{size}");
    let places = (0..40).step_by(3).chain((40..size).step_by(size / 30)).chain((size - 40..size).step_by(3));
    for at in places {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        let error = refused(&home, &[]);
        let is_named = error.contains(text(path.file_name().unwrap().as_ref()));
        assert!(
            is_named && (error.contains("is damaged") || error.contains("has format version")),
            "{at}: {error}"
        );
    }
    for at in [0, 1, 15, 16, 39, size / 2, size - 24, size - 1] {
        fs::write(&path, &whole[..at]).unwrap();
        assert!(refused(&home, &[]).contains("is damaged"), "{at}");
    }
    // What is damaged is made again.
    assert_eq!(block(&home, 0, 1, &[]), path);
    assert_eq!(fs::read(&path).unwrap(), whole);
    home.stdout(&["passages", "--index", "../index", "--reduce", "../blocks"]);
}
