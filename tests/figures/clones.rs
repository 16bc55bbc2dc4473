//! Equal passages beside the clones that `jscpd` (the one in Rust) reports: time and memory of both programs from files to
//! rows, and whether each of its clones is covered by a passage.
//!
//! Its line numbers are partly in the wrong order, and so are some of its texts. So a clone is looked for by its text, as far
//! as both of its files have that: words, numbers, strings and signs, without white space and comments.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use regex::bytes::Regex;
use serde::Deserialize;

use crate::support::page::figure;
use crate::support::process::{memory, processor_time};
use crate::support::{Home, program, text};
use crate::{run, seconds};

/// What a lexeme is here, the comments first.
const LEXEME: &str = r#"(?s-u)/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\w+|\S"#;
/// A token of ours has the signs behind a word too, so what differs there may lack at an end so many lexemes.
const AT_END: usize = 8;
/// Its clones have at least so many of its tokens; passages of fewer of ours have as much text.
const ITS_TOKENS: &str = "50";
const OUR_TOKENS: &str = "12";

/// What its report says of a clone.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Clone {
    first_file: Place,
    second_file: Place,
    fragment: String,
}

#[derive(Deserialize)]
struct Place {
    name: PathBuf,
}

#[derive(Deserialize)]
struct Report {
    duplicates: Vec<Clone>,
}

/// What is needed of a row of ours.
#[derive(Deserialize)]
struct Row {
    unit: String,
    occurrences: Vec<Copy>,
}

#[derive(Deserialize)]
struct Copy {
    path: PathBuf,
    start: usize,
    end: usize,
}

/// A file with its lexemes.
struct Lexed {
    bytes: Vec<u8>,
    /// Without comments.
    lexemes: Vec<u32>,
    spans: Vec<Range<usize>>,
}

/// The files, and the copies in each: where, and of which passage.
struct Compared<'a> {
    folder: &'a Path,
    lexeme: Regex,
    numbers: HashMap<Vec<u8>, u32>,
    files: BTreeMap<PathBuf, Lexed>,
    copies: HashMap<PathBuf, Vec<(Range<usize>, usize)>>,
}

/// How a clone is covered.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Cover {
    Whole,
    ButForEnds,
    OtherComments,
    /// What both files have of its text is too short for a passage.
    Short,
    Not,
}

/// Prints the figures of a folder.
pub fn figures(folder: &Path) {
    let folder = folder.canonicalize().unwrap();
    figure!("| what | figure |");
    figure!("| --- | --- |");
    let place = tempfile::tempdir().unwrap();
    let mut its = Command::new("jscpd");
    its.args(["--silent", "--min-tokens", ITS_TOKENS, "--max-size", "100mb", "--max-lines", "10000000"]);
    its.args(["--no-gitignore", "--reporters", "json", "--output"]).arg(place.path()).arg(".");
    its.current_dir(&folder);
    let Some(its) = best(|| its.stderr(Stdio::null()).spawn().ok()) else {
        figure!("| `jscpd` | is not installed |");
        return;
    };
    figure!("| `jscpd --min-tokens {ITS_TOKENS}`, without its limits | {} |", in_words(its));
    let mut home = Home::new();
    let ours = best(|| {
        home = Home::new();
        let mut ours = Command::new(program());
        ours.args(["passages", "--gap", "0", "--min-tokens", ITS_TOKENS, text(&folder)]);
        ours.env("HOME", home.at("..")).env("XDG_DATA_HOME", home.at("../data"));
        Some(ours.stderr(Stdio::null()).spawn().unwrap())
    });
    let ours = ours.unwrap();
    let share = |of: fn(Run) -> f64| of(ours) / of(its);
    figure!(
        "| `passages --gap 0 --min-tokens {ITS_TOKENS}`, with its index | {}: {:.2}, {:.2} and {:.2} of that |",
        in_words(ours),
        share(|run| seconds(run.0)),
        share(|run| seconds(run.1)),
        share(|run| run.2 as f64)
    );
    let report = fs::read(place.path().join("jscpd-report.json")).unwrap();
    let report: Report = serde_json::from_slice(&report).unwrap();
    let clones = report.duplicates;
    let mut compared = Compared::of(&home, &folder);
    let mut counts: BTreeMap<(bool, Cover), usize> = BTreeMap::new();
    for clone in &clones {
        *counts.entry(compared.cover(clone)).or_default() += 1;
    }
    let sum =
        |is_whole| counts.iter().filter(|((whole, _), _)| *whole == is_whole).map(|(_, count)| count).sum();
    let (whole, rest): (usize, usize) = (sum(true), sum(false));
    figure!("| clones that it reports | {} |", clones.len());
    figure!("| clones whose text both files have | {whole}: {} |", told(&counts, true));
    figure!(
        "| clones of whose text both files have only a part; that part | {rest}: {} |",
        told(&counts, false)
    );
    let missed: usize =
        counts.iter().filter(|((_, cover), _)| *cover == Cover::Not).map(|(_, count)| count).sum();
    assert_eq!(missed, 0, "a clone is covered by no passage");
}

fn told(counts: &BTreeMap<(bool, Cover), usize>, whole: bool) -> String {
    let words = [
        (Cover::Whole, "covered by a passage".to_owned()),
        (Cover::ButForEnds, format!("covered but for at most {AT_END} lexemes at its ends")),
        (Cover::OtherComments, "with other comments in each copy, which divide a passage".to_owned()),
        (Cover::Short, format!("of less than {} lexemes", 2 * AT_END)),
        (Cover::Not, "not covered".to_owned()),
    ];
    let count = |(cover, words)| format!("{} {words}", counts.get(&(whole, cover)).unwrap_or(&0));
    words.map(count).join(", ")
}

/// Processor time, time by the clock, and peak memory in MiB.
type Run = (Duration, Duration, u64);

fn in_words((processor, clock, peak): Run) -> String {
    format!("{:.2} s of the processor, {:.2} s by the clock, {peak} MiB", seconds(processor), seconds(clock))
}

/// The run that takes the least processor time of three; `None` if the program cannot be started.
fn best(mut start: impl FnMut() -> Option<Child>) -> Option<Run> {
    let mut runs = Vec::new();
    for _ in 0..3 {
        let started = Instant::now();
        let mut child = start()?;
        let (mut processor, mut peak) = (Duration::ZERO, 0);
        let status = loop {
            processor = processor.max(processor_time(child.id()));
            peak = peak.max(memory(child.id(), "VmHWM").unwrap_or(0) / 1024);
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        assert!(status.success(), "{status}");
        runs.push((processor, started.elapsed(), peak));
    }
    runs.into_iter().min()
}

impl<'a> Compared<'a> {
    /// The passages of an index that was made before.
    fn of(home: &Home, folder: &'a Path) -> Self {
        let asked = ["passages", "--no-update", "--gap", "0", "--min-tokens", OUR_TOKENS, "--aside", "none"];
        let asked = [&asked[..], &["--members", "--json", text(folder)]].concat();
        let mut copies: HashMap<PathBuf, Vec<(Range<usize>, usize)>> = HashMap::new();
        for (number, line) in run(home, &asked).0.lines().enumerate() {
            let row: Row = serde_json::from_str(line).unwrap();
            for Copy { path, start, end } in row.occurrences {
                if row.unit != "folder" {
                    copies.entry(path).or_default().push((start..end, number));
                }
            }
        }
        let lexeme = Regex::new(LEXEME).unwrap();
        Self { folder, lexeme, numbers: HashMap::new(), files: BTreeMap::new(), copies }
    }

    /// The path of a file below the folder, which is read now or was before.
    fn read(&mut self, name: &Path) -> PathBuf {
        let path = self.folder.join(name).canonicalize().unwrap();
        let below = path.strip_prefix(self.folder).unwrap().to_owned();
        if !self.files.contains_key(&below) {
            let bytes = fs::read(&path).unwrap();
            let (mut lexemes, mut spans) = (Vec::new(), Vec::new());
            for found in self.lexeme.find_iter(&bytes).filter(|found| !is_comment(found.as_bytes())) {
                let next = self.numbers.len() as u32;
                lexemes.push(*self.numbers.entry(found.as_bytes().to_owned()).or_insert(next));
                spans.push(found.range());
            }
            self.files.insert(below.clone(), Lexed { bytes, lexemes, spans });
        }
        below
    }

    /// Whether both files of a clone have all of its text, and how what they have of it is covered.
    fn cover(&mut self, clone: &Clone) -> (bool, Cover) {
        let (one, other) = (self.read(&clone.first_file.name), self.read(&clone.second_file.name));
        let (a, b) = (&self.files[&one], &self.files[&other]);
        let fragment = clone.fragment.as_bytes();
        let start = a.bytes.windows(fragment.len()).position(|part| part == fragment).unwrap();
        let is_inside = |span: &&Range<usize>| span.start >= start && span.end <= start + fragment.len();
        let first = a.spans.partition_point(|span| span.start < start);
        let count = a.spans[first..].iter().take_while(is_inside).count();
        // The first and the last lexeme are mostly those beside the copy.
        let all = &a.lexemes[first + 1..(first + count).saturating_sub(1).max(first + 1)];
        let least = if one == other { 2 } else { 1 };
        let common = longest(all, &b.lexemes, least);
        let part = &all[common];
        let (of_a, of_b) = (places(part, &a.lexemes), places(part, &b.lexemes));
        let mut best = Cover::Not;
        for (x, y) in of_a.iter().flat_map(|x| of_b.iter().map(move |y| (*x, *y))) {
            if best != Cover::Whole && (one != other || x != y) {
                best = best.min(self.cover_at((&one, x..x + part.len()), (&other, y..y + part.len())));
            }
        }
        (part.len() == all.len(), if part.len() < 2 * AT_END { best.min(Cover::Short) } else { best })
    }

    /// The same of a part of each of two files, by their lexemes.
    fn cover_at(&self, (one, x): (&Path, Range<usize>), (other, y): (&Path, Range<usize>)) -> Cover {
        let (a, b) = (&self.files[one], &self.files[other]);
        let bytes = |file: &Lexed, at: &Range<usize>| file.spans[at.start].start..file.spans[at.end - 1].end;
        let (of_a, of_b) = (bytes(a, &x), bytes(b, &y));
        let meet = |p: &Range<usize>, q: &Range<usize>| p.start < q.end && q.start < p.end;
        let of = |path: &Path| self.copies.get(path).into_iter().flatten();
        let there: HashSet<usize> =
            of(other).filter(|(copy, _)| meet(copy, &of_b)).map(|(_, number)| *number).collect();
        let here: Vec<&Range<usize>> = of(one)
            .filter(|(copy, number)| there.contains(number) && meet(copy, &of_a))
            .map(|(copy, _)| copy)
            .collect();
        let covers =
            |span: &Range<usize>| here.iter().any(|copy| copy.start <= span.start && span.end <= copy.end);
        let lacks: Vec<usize> = (0..x.len()).filter(|at| !covers(&a.spans[x.start + at])).collect();
        let is_at_end = |at: &usize| *at < AT_END || *at + AT_END >= x.len();
        match &lacks[..] {
            [] => Cover::Whole,
            some if some.iter().all(is_at_end) => Cover::ButForEnds,
            _ if self.comments(&a.bytes[of_a]) != self.comments(&b.bytes[of_b]) => Cover::OtherComments,
            _ => Cover::Not,
        }
    }

    fn comments<'t>(&self, text: &'t [u8]) -> Vec<&'t [u8]> {
        self.lexeme.find_iter(text).map(|found| found.as_bytes()).filter(|found| is_comment(found)).collect()
    }
}

fn is_comment(lexeme: &[u8]) -> bool {
    lexeme.starts_with(b"/*") || lexeme.starts_with(b"//")
}

/// Where a part stands in a text.
fn places(part: &[u32], text: &[u32]) -> Vec<usize> {
    let Some(first) = part.first() else { return Vec::new() };
    let starts = text.iter().enumerate().filter(|(_, lexeme)| *lexeme == first).map(|(at, _)| at);
    starts.filter(|&at| text[at..].starts_with(part)).collect()
}

/// The longest part of some lexemes that stands in a text at least so many times.
fn longest(all: &[u32], text: &[u32], least: usize) -> Range<usize> {
    let is_there = |part: Range<usize>| places(&all[part], text).len() >= least;
    let (mut best, mut start, mut end) = (0..0, 0, all.len());
    if is_there(0..end) {
        return 0..end;
    }
    end = 1;
    while end <= all.len() {
        if is_there(start..end) {
            if end - start > best.len() {
                best = start..end;
            }
            end += 1;
        } else {
            start += 1;
            end = end.max(start + 1);
        }
    }
    best
}
