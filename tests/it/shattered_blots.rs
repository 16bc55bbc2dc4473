//! `segment shatter blots`: what programs shuffle are the blots that an index keeps.

use std::fs;
use std::io::Read;
use std::process::Output;

use dupi::blot::Blot;
use integer_encoding::VarIntReader;

use crate::segments::{SENTENCES, corpus, framed};
use crate::support::Said;

/// A document of the stream: its path, the number of its record, and of each blot its text and the first token.
type Shattered = (String, u64, Vec<(String, u64)>);

/// What `segment shatter blots` printed.
fn blots(mut printed: &[u8]) -> Vec<Shattered> {
    let mut documents = Vec::new();
    while !printed.is_empty() {
        let mut number = || printed.read_varint::<u64>().unwrap();
        let mut path = vec![0; number() as usize];
        printed.read_exact(&mut path).unwrap();
        let mut number = || printed.read_varint::<u64>().unwrap();
        let (record, count, mut first) = (number(), number(), 0);
        let blots = (0..count).map(|_| {
            let blot = Blot::new(number()).unwrap().to_string();
            first += number();
            (blot, first)
        });
        let blots = blots.collect();
        documents.push((String::from_utf8(path).unwrap(), record, blots));
    }
    documents
}

#[test]
fn the_blots_of_a_task_are_those_of_its_documents() {
    let home = corpus();
    let line = |text: &str| format!("{}\n", serde_json::json!({ "text": text }));
    home.write("records.jsonl", line(SENTENCES[0]) + &line(SENTENCES[3]));
    home.stdout(&["segment", "plan", "--tasks", "3", "--jsonl", "text", "--out", "../plan"]);
    home.run(&["index", "-q", "--jsonl", "text"]);
    let mut found = Vec::new();
    for task in ["0", "1", "2"] {
        let verb = ["segment", "shatter", "blots", "--plan", "../plan", "--task", task, "-j", "2"];
        found.extend(blots(&home.output(&verb, b"").stdout));
    }
    let names: Vec<(&str, u64)> = found.iter().map(|(name, record, _)| (&**name, *record)).collect();
    let files = ["in 0/é0.txt", "in 0/é2.txt", "in 0/é4.txt", "in 1/é1.txt", "in 1/é3.txt", "in 1/é5.txt"];
    let expected =
        files.map(|name| (name, 0)).into_iter().chain([("records.jsonl", 1), ("records.jsonl", 2)]);
    assert_eq!(names, expected.collect::<Vec<_>>());
    for (name, record, blots) in &found {
        let mut text = fs::read(home.at(name)).unwrap();
        if *record > 0 {
            text = SENTENCES[[0, 3][*record as usize - 1]].into();
            home.write("../record.txt", &text);
        }
        let file = if *record > 0 { "../record.txt" } else { name };
        let own: Vec<&str> = blots.iter().map(|(blot, _)| &**blot).collect();
        assert_eq!(own, home.stdout(&["blot", file]).lines().collect::<Vec<_>>(), "{name}");
        assert!(blots.is_sorted_by(|a, b| a.1 < b.1) && text.len() as u64 > blots[blots.len() - 1].1);
    }
    // The same of a stream.
    let names = ["in 0/é0.txt", "empty", "in 1/é1.txt"].map(str::to_owned);
    let stream = framed(&home, &names);
    let verb = ["segment", "shatter", "blots", "--root", "."];
    let with = |more: &[&str], stream: &[u8]| home.output(&[&verb, more].concat(), stream);
    let (given, of_files) = (with(&["--framed"], &stream), with(&[&names[2], &names[0]], b""));
    assert_eq!((blots(&given.stdout), given.stdout.len()), (blots(&of_files.stdout), of_files.stdout.len()));
    let cut = Output { stdout: Vec::new(), ..with(&["--framed"], &stream[..stream.len() - 1]) };
    Said::from(cut).refused_in_a_line(&["ends within a document"]);
    Said::from(with(&["none"], b"")).refused_in_a_line(&["cannot read the document", "none"]);
}
