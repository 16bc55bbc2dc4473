//! Texts that are made to be expensive: their memory stays within a stated bound, and their time is measured beside
//! `wc -w` of the same files.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::trial::{Limits, Outcome, run};
use crate::support::Home;
use crate::support::page::figure;

/// What the program takes before it has read anything, and what it may take beyond `--memory` for each byte of text:
/// 200 bytes a token, as the README says, and a token has two bytes at the least.
const BASE: u64 = 96 << 20;
const A_BYTE: u64 = 100;

/// An expensive text: its name, and its files of so many bytes in all.
type Made = (&'static str, fn(usize) -> Vec<String>);

const TEXTS: [Made; 9] = [
    ("a table of numbers", |size| {
        let rows = (0..size / 28).map(|row| format!("0,0,0,0,{},0,0,0,0,0,0,0,0,0\n", row % 7));
        vec![rows.collect()]
    }),
    ("one word over and over", |size| vec!["y\n".repeat(size / 2)]),
    ("two words in turn", |size| vec!["one two ".repeat(size / 8)]),
    ("words of two kinds in every order", |size| vec![de_bruijn((size / 2).ilog2())]),
    ("lines of forty words, re-arranged", |size| {
        let line = |number: usize| -> String {
            let mut words: Vec<usize> = (0..40).collect();
            let mut random = number as u64 + 1;
            for last in (1..40).rev() {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                words.swap(last, (random >> 33) as usize % (last + 1));
            }
            words.iter().map(|word| format!("word{word} ")).collect::<String>() + "\n"
        };
        vec![(0..size / 270).map(line).collect()]
    }),
    ("copies of one document", |size| {
        let words: String = (0..size / 1000).map(|word| format!("w{word} ")).collect();
        vec![words; 150]
    }),
    ("one line", |size| vec![(0..size / 8).map(|word| format!("{:07} ", word % 5000)).collect()]),
    ("brackets", |size| vec!["((((((((}}}}}}}}".repeat(size / 16)]),
    ("a Fibonacci word", |size| {
        let (mut before, mut word) = ("a ".to_owned(), "a b ".to_owned());
        while word.len() < size {
            (before, word) = (word.clone(), word + &before);
        }
        word.truncate(size);
        vec![word]
    }),
];

/// Every sequence of so many words of two kinds stands in it once.
fn de_bruijn(order: u32) -> String {
    // Prefer-one by a shift register: a word is followed by `b` unless that sequence was seen.
    let count = 1_usize << order;
    let mut seen = vec![false; count];
    let mut state = 0;
    let mut text = "a ".repeat(order as usize);
    seen[0] = true;
    loop {
        let next = |bit: usize| ((state << 1) | bit) & (count - 1);
        let bit = if !seen[next(1)] {
            1
        } else if !seen[next(0)] {
            0
        } else {
            return text;
        };
        text.push_str(["a ", "b "][bit]);
        state = next(bit);
        seen[state] = true;
    }
}

/// How whole documents are compared, with the widest search of each method.
const NEAR: [&[&str]; 6] = [
    &["--method", "jaccard", "--threshold", "0.1"],
    &["--method", "jaccard", "--bag", "--shingle", "1"],
    &["--method", "minhash", "--threshold", "0.1"],
    &["--method", "simhash", "--distance", "24", "--shingle", "1"],
    &["--method", "spotsigs", "--threshold", "0.1"],
    &["--method", "identical"],
];

/// An index of the text, and the two searches: their outcomes, and how long `wc -w` takes.
fn trial(made: Made, size: usize, memory: u64, limits: Limits) -> ([Outcome; 3], Duration) {
    let home = Home::new();
    for (number, text) in made.1(size).iter().enumerate() {
        home.write(&format!("{number}.txt"), text);
    }
    let memory = format!("{memory}M");
    let verbs: [&[&str]; 3] = [
        &["index", "-q", "--memory", &memory],
        &["passages", "--no-update", "--json", "--top", "100", "--gap", "0", "--memory", &memory],
        &["passages", "--no-update", "--json", "--top", "100", "--memory", &memory],
    ];
    let outcomes = verbs.map(|verb| run(&home, verb, limits));
    for (outcome, verb) in outcomes.iter().zip(verbs) {
        outcome.check(&format!("{}: {verb:?}", made.0));
    }
    let started = Instant::now();
    let status = Command::new("sh")
        .args(["-c", "cat ./*.txt | wc -w"])
        .env("LC_ALL", "C")
        .current_dir(home.at(""))
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    (outcomes, started.elapsed())
}

#[test]
fn expensive_texts_stay_within_their_memory() {
    let (size, memory) = (1 << 17, 64);
    for made in TEXTS {
        let (outcomes, _) =
            trial(made, size, memory, Limits { time: Duration::from_secs(60), ..Limits::default() });
        for outcome in outcomes {
            let bound = bound(memory, size);
            assert!(outcome.peak < bound, "{}: {} KiB of {bound}", made.0, outcome.peak);
        }
    }
}

/// Compares the parts of the text as documents by some methods, under a bound of memory.
fn near(made: Made, size: usize, memory: u64, methods: &[&[&str]], limits: Limits) {
    let home = Home::new();
    let text = made.1(size).join("\n");
    // In two and in many documents: long ones, and many that are alike.
    let words: Vec<&str> = text.split_inclusive([' ', '\n', ',', '}']).collect();
    let halves = words.chunks(words.len().div_ceil(4).max(1)).zip(0..2);
    let parts = words[words.len() / 2..].chunks(60).zip(2..);
    for (part, number) in halves.chain(parts) {
        home.write(&format!("{number}.txt"), part.concat());
    }
    let memory_option = format!("{memory}M");
    assert!(run(&home, &["index", "-q", "--memory", &memory_option], limits).is_done());
    for method in methods {
        let verb = [&["near", "--no-update", "--json", "--memory", &memory_option], *method].concat();
        let outcome = run(&home, &verb, limits);
        outcome.check(&format!("{}: {verb:?}", made.0));
        let bound = bound(memory, size);
        assert!(outcome.peak < bound, "{}: {verb:?}: {} KiB of {bound}", made.0, outcome.peak);
    }
}

/// What the program may take, in KiB, with `--memory` in MiB and a text of so many bytes.
fn bound(memory: u64, size: usize) -> u64 {
    ((memory << 20) + BASE + A_BYTE * size as u64) >> 10
}

#[test]
fn expensive_texts_are_compared_as_wholes_within_their_memory() {
    let (size, memory) = (1 << 17, 64);
    let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
    // The methods in turn; the long form has each with each.
    for (made, method) in TEXTS.into_iter().zip(NEAR.chunks(1).cycle()) {
        near(made, size, memory, method, limits);
    }
}

/// The long form.
pub fn at_length() {
    figure!("| text | MiB | `wc -w` | index | `passages --gap 0` | `passages` | peak |");
    figure!("| --- | ---: | --- | --- | --- | --- | --- |");
    for made in TEXTS {
        for mebibytes in [4, 16] {
            let (size, memory) = (mebibytes << 20, 256_u64);
            let limits = Limits { time: Duration::from_secs(300), ..Limits::default() };
            let (outcomes, wc) = trial(made, size, memory, limits);
            let peak = outcomes.iter().map(|outcome| outcome.peak).max().unwrap();
            let [index, exact, near] = outcomes.map(|outcome| outcome.time.as_secs_f64());
            let wc = wc.as_secs_f64();
            figure!(
                "| {} | {mebibytes} | {wc:.2} s | {index:.2} s | {exact:.2} s | {near:.2} s | {} MiB |",
                made.0,
                peak >> 10
            );
            let bound = bound(memory, size);
            assert!(peak < bound, "{}: {peak} KiB of {bound}", made.0);
        }
        let limits = Limits { time: Duration::from_secs(300), ..Limits::default() };
        near(made, 4 << 20, 256, &NEAR, limits);
    }
}
