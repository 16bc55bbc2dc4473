//! Kept passages that lie: all checksums are right, and what they protect is not. The folder of an index may come from
//! others.

use std::fs;
use std::path::PathBuf;

use xxhash_rust::xxh3::xxh3_64;

use super::trial::{Limits, run};
use crate::support::Home;
use crate::support::page::figure;

/// The bytes before the numbers: a mark, the version, and how many numbers and sections there are.
const HEAD: usize = 20;

const VERBS: [&[&str]; 6] = [
    &["passages", "--no-update", "--json", "--edits", "--context", "3", "--members", "--aside", "none"],
    &["passages", "--no-update"],
    &["passages", "--no-update", "--sort", "recent", "--base", "0.txt"],
    &["passages", "--no-update", "--filter", "'w2", "--sort", "lines"],
    &["accept", "add", "--no-update", "w"],
    &["kind", "set", "--no-update", "w", "data"],
];

/// A kept file in its parts.
#[derive(Clone)]
struct KeptFile {
    mark: Vec<u8>,
    numbers: Vec<u64>,
    sections: Vec<Vec<u8>>,
}

fn words(bytes: &[u8]) -> Vec<u64> {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

impl KeptFile {
    fn of(bytes: &[u8]) -> Self {
        let count = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let (numbers, sections) = (count(12), count(16));
        let all = words(&bytes[HEAD..HEAD + 8 * (numbers + 2 * sections)]);
        let (numbers, directory) = all.split_at(numbers);
        let mut rest = &bytes[HEAD + 8 * (all.len() + 1)..];
        let mut section = |length: u64| {
            let (section, behind) = rest.split_at(length as usize);
            rest = behind;
            section.to_vec()
        };
        let sections = directory.iter().step_by(2).map(|&length| section(length)).collect();
        Self { mark: bytes[..12].to_vec(), numbers: numbers.to_vec(), sections }
    }

    /// The file, with the checksums of what it holds.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.mark.clone();
        for count in [self.numbers.len(), self.sections.len()] {
            bytes.extend((count as u32).to_le_bytes());
        }
        let directory = self.sections.iter().flat_map(|section| [section.len() as u64, xxh3_64(section)]);
        bytes.extend(self.numbers.iter().copied().chain(directory).flat_map(u64::to_le_bytes));
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes.extend(self.sections.concat());
        bytes
    }

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
        for (name, at) in [("numbers", 12), ("sections", 16)] {
            for count in [0, 1 << 20, u32::MAX] {
                let mut bytes = self.bytes();
                bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
                forged.push((format!("{count} {name}"), bytes));
            }
        }
        for number in 0..self.numbers.len() {
            for value in [0, 1 << 40, u64::MAX] {
                let mut file = self.clone();
                file.numbers[number] = value;
                forged.push((format!("number {number} is {value}"), file.bytes()));
            }
        }
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
        let verb = VERBS[round % VERBS.len()];
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
        let outcome = run(&home, VERBS[0], Limits::default());
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
    let whole = run(&home, VERBS[0], Limits::default()).stdout;
    fs::copy(foreign, path).unwrap();
    assert_eq!(run(&home, VERBS[0], Limits::default()).stdout, whole);
}

/// The long form.
pub fn at_length() {
    figure!("| kept passages that lie, with right checksums: trials | {} |", trials(1500));
    let (made, peak) = forgeries(1);
    figure!("| forged counts and lengths of kept passages: trials · peak | {made} · {} MiB |", peak >> 10);
}
