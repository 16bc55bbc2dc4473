//! Kept passages that lie: all checksums are right, and what they protect is not. The folder of an index may come from
//! others.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use dupi::storage::sealed::{from_bytes, to_bytes};
use xxhash_rust::xxh3::xxh3_64;

use super::trial::{Limits, run};
use crate::support::Home;
use crate::support::page::figure;

/// The head of a kept file: fingerprints of settings and content, the memory limit, how many passages there are and were left
/// out, whether a search of all found them, and the length of each section.
type Head = (u128, u128, u64, u64, [u64; 4], bool, Vec<u64>);
/// The bytes before the head: a mark, the version, and the length of the head.
const BEFORE_HEAD: usize = 24;

static VERBS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| super::listed("kept"));

/// A kept file in its parts.
#[derive(Clone)]
struct KeptFile {
    mark: Vec<u8>,
    head: Head,
    sections: Vec<Vec<u8>>,
}

impl KeptFile {
    fn of(bytes: &[u8]) -> Self {
        let length = u64::from_le_bytes(*bytes[16..].first_chunk().unwrap()) as usize;
        let head: Head = from_bytes(&bytes[BEFORE_HEAD..][..length]).unwrap();
        let mut rest = &bytes[(BEFORE_HEAD + length).next_multiple_of(8) + 8..];
        let mut section = |length: &u64| rest.split_off(..*length as usize).unwrap().to_vec();
        let sections = head.6.iter().map(&mut section).collect();
        Self { mark: bytes[..16].to_vec(), head, sections }
    }

    /// The file, with the lengths and checksums of what it holds.
    fn bytes(&self) -> Vec<u8> {
        let mut head = self.head.clone();
        head.6 = self.sections.iter().map(|section| section.len() as u64).collect();
        self.bytes_with(&to_bytes(&head), None)
    }

    /// The file with a head, which may say that it has another length.
    fn bytes_with(&self, head: &[u8], length: Option<u64>) -> Vec<u8> {
        sealed(&self.mark, head, length.unwrap_or(head.len() as u64), &self.sections.concat())
    }
}

/// The bytes of a sealed file, with a mark and version, a head that says to have some length, and a body; and with right
/// checksums.
pub fn sealed(mark: &[u8], head: &[u8], length: u64, body: &[u8]) -> Vec<u8> {
    let mut bytes = [mark, &length.to_le_bytes(), head].concat();
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    [bytes, xxh3_64(body).to_le_bytes().to_vec()].join(body)
}

impl KeptFile {
    /// Changes a byte or two of a section, most often of the rows.
    fn lie(&mut self, mut below: impl FnMut(usize) -> usize) {
        let last = self.sections.len() - 1;
        let section = if below(3) == 0 { below(last + 1) } else { last };
        let section = &mut self.sections[section];
        if section.is_empty() {
            return;
        }
        for _ in 0..=below(2) {
            let at = below(section.len());
            match below(5) {
                0 => section[at] = [0, 1, 0x7f, 0x80, 0xff][below(5)],
                1 => section.insert(at, [0x80, 0xff, 1][below(3)]),
                2 if section.len() > 1 => drop(section.remove(at)),
                _ => section[at] ^= 1 << below(8),
            }
        }
    }

    /// Files with counts, lengths and numbers that are far from true, each with what it is.
    fn forged(&self) -> Vec<(String, Vec<u8>)> {
        let mut forged = Vec::new();
        for length in [0, 1 << 20, 1 << 30, u64::MAX] {
            let bytes = self.bytes_with(&to_bytes(&self.head), Some(length));
            forged.push((format!("the head has {length} bytes"), bytes));
        }
        let far = |number: usize, value: u64| {
            let mut head = self.head.clone();
            match number {
                0 => head.0 = value.into(),
                1 => head.1 = value.into(),
                2 => head.2 = value,
                3 => head.3 = value,
                4..8 => head.4[number - 4] = value,
                8 => head.6.clear(),
                9 => head.6 = vec![value; 1 << 16],
                _ => head.6[number - 10] = value,
            }
            head
        };
        for number in 0..10 + self.sections.len() {
            for value in [0, 1 << 40, u64::MAX] {
                let bytes = self.bytes_with(&to_bytes(&far(number, value)), None);
                forged.push((format!("number {number} is {value}"), bytes));
            }
        }
        // A sequence that says to be longer than all bytes.
        let head = to_bytes(&self.head);
        let long = [&head[..head.len() - self.sections.len() - 1], &[0xff; 9], &[1]].concat();
        forged.push(("there are many sections".to_owned(), self.bytes_with(&long, None)));
        for section in 0..self.sections.len() {
            let mut empty = self.clone();
            empty.sections[section].clear();
            let mut full = self.clone();
            full.sections[section].iter_mut().for_each(|byte| *byte = 0xff);
            let mut long = self.clone();
            long.sections[section].extend(vec![0; 1 << 16]);
            let lengths = [("empty", empty), ("full of ones", full), ("long", long)];
            forged.extend(lengths.map(|(what, file)| (format!("section {section} is {what}"), file.bytes())));
        }
        forged
    }
}

/// A corpus whose passages are kept, and the file that keeps them. `salt` makes it another corpus.
fn kept_corpus(salt: usize) -> (Home, PathBuf) {
    let home = Home::new();
    let words = |seed: usize, count: usize| -> String {
        (0..count).map(|at| format!("w{} ", ((seed + salt) * 7919 + at * at) % 5000)).collect()
    };
    for number in 0..12 {
        let text =
            [words(number / 3, 60), words(100 + number, 40), words(50 + number % 4, 50)].join("\nbehind it ");
        home.write(&format!("{number}.txt"), text);
    }
    for (folder, number) in [("x", 0), ("y", 0), ("x", 1), ("y", 1)] {
        home.write(&format!("{folder}/s/{number}.txt"), words(200 + number, 80));
    }
    for verb in [&["index", "-q"][..], &["passages"]] {
        assert!(run(&home, verb, Limits::default()).is_done());
    }
    let names = fs::read_dir(home.at("../index")).unwrap().map(|entry| entry.unwrap().path());
    let path = names.into_iter().find(|path| path.extension().is_some_and(|of| of == "kept")).unwrap();
    (home, path)
}

/// Asks verbs of an index with kept passages that lie in so many ways.
fn trials(rounds: usize) -> usize {
    let (home, path) = kept_corpus(0);
    let bytes = fs::read(&path).unwrap();
    let whole = KeptFile::of(&bytes);
    assert_eq!(whole.bytes(), bytes);
    let mut random = 7_u64;
    let mut below = |n: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % n
    };
    for round in 0..rounds {
        let mut lying = whole.clone();
        lying.lie(&mut below);
        fs::write(&path, lying.bytes()).unwrap();
        let verb = &VERBS[round % VERBS.len()];
        run(&home, verb, Limits::default()).check(&format!("{verb:?} with lie {round}"));
    }
    rounds
}

#[test]
fn kept_passages_that_lie_do_no_harm() {
    trials(60);
}

/// Asks for passages with every `step`-th forged file; how many were tried, and the highest peak of memory in KiB.
fn forgeries(step: usize) -> (usize, u64) {
    let (home, path) = kept_corpus(0);
    let whole = KeptFile::of(&fs::read(&path).unwrap());
    let (mut made, mut peak) = (0, 0);
    for (what, bytes) in whole.forged().into_iter().step_by(step) {
        fs::write(&path, bytes).unwrap();
        let outcome = run(&home, &VERBS[0], Limits::default());
        outcome.check(&what);
        assert!(outcome.peak < 400 << 10, "{what}: {} KiB", outcome.peak);
        (made, peak) = (made + 1, peak.max(outcome.peak));
    }
    (made, peak)
}

#[test]
fn kept_passages_with_forged_counts_and_lengths_do_no_harm() {
    assert!(forgeries(5).0 > 5);
}

#[test]
fn kept_passages_of_another_corpus_are_not_shown() {
    let ((home, path), (_other, foreign)) = (kept_corpus(0), kept_corpus(1));
    let whole = run(&home, &VERBS[0], Limits::default()).stdout;
    fs::copy(foreign, path).unwrap();
    assert_eq!(run(&home, &VERBS[0], Limits::default()).stdout, whole);
}

/// The long form.
pub fn at_length() {
    figure!("| kept passages that lie, with right checksums: trials | {} |", trials(1500));
    let (made, peak) = forgeries(1);
    figure!("| forged counts and lengths of kept passages: trials · peak | {made} · {} MiB |", peak >> 10);
}
