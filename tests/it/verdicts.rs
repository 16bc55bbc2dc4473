//! What comes first deserves a look: of the first 40 rows of `passages`, in its default order, at least 36.
//!
//! `verdicts/NAME.tsv` judges these rows of nine corpora, a row a line: the rank; yes or no, whether someone who wonders
//! what was copied would want to see it; the kind, or `folder`; the path of a copy; words that stand in that copy; how the row
//! reads, in at most 80 bytes; the reason. The corpora are described in `verdicts/README.md`. Quoted texts stay under
//! the licences of their authors.
//!
//! A verdict belongs to the row that has a copy with its words in its file. So it outlives other representatives, other
//! ends of passages, and lines that were added before. A row without a verdict counts as a no.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::made_news::texts;
use crate::support::{Home, text};

/// How many rows are judged.
const ROWS: usize = 40;
/// How many of them deserve a look, at least.
const LEAST: usize = 36;
/// How many words of a copy name a row.
const WORDS: usize = 8;
/// A headline has at most so many bytes.
const HEADLINE: usize = 80;
/// What a table has for the kind of identical folders.
const FOLDER: &str = "folder";

const TABLES: [(&str, &str); 9] = [
    ("crates", include_str!("verdicts/crates.tsv")),
    ("doc", include_str!("verdicts/doc.tsv")),
    ("docs", include_str!("verdicts/docs.tsv")),
    ("fs", include_str!("verdicts/fs.tsv")),
    ("go", include_str!("verdicts/go.tsv")),
    ("kernel", include_str!("verdicts/kernel.tsv")),
    ("news", include_str!("verdicts/news.tsv")),
    ("py", include_str!("verdicts/py.tsv")),
    ("repo", include_str!("verdicts/repo.tsv")),
];

/// A judged row.
#[derive(Clone, Debug)]
struct Verdict {
    yes: bool,
    path: String,
    words: String,
    reason: String,
}

/// A row as `passages --json` prints it.
#[derive(Deserialize)]
struct Row {
    /// Identical folders have none.
    kind: Option<String>,
    text: String,
    occurrences: Vec<Copy>,
}

#[derive(Deserialize)]
struct Copy {
    path: String,
    start: usize,
    end: usize,
}

/// The verdicts of a table, in the order of its ranks.
fn verdicts(table: &str) -> Vec<Verdict> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let verdict = |(number, line): (usize, &str)| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [rank, verdict, kind, path, words, headline, reason] = fields[..] else {
            panic!("seven fields: {line}")
        };
        assert_eq!(rank.parse(), Ok(number + 1), "{line}");
        assert!(
            matches!(verdict, "yes" | "no")
                && (kind == FOLDER || kind.parse::<dupi::judge::kind::Kind>().is_ok()),
            "{line}"
        );
        assert!(!path.is_empty() && !words.is_empty() && !reason.is_empty(), "{line}");
        assert!(!headline.is_empty() && headline.len() <= HEADLINE, "{line}");
        let (path, words, reason) = (path.to_owned(), words.to_owned(), reason.to_owned());
        Verdict { yes: verdict == "yes", path, words, reason }
    };
    lines.enumerate().map(verdict).collect()
}

/// The words of a text in small letters, a space before, between and after them.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(" ".to_owned(), |all, word| all + &word.to_lowercase() + " ")
}

/// The texts of files that copies are in.
struct Files<'a> {
    corpus: &'a Path,
    read: BTreeMap<String, String>,
}

impl Files<'_> {
    fn words_of(&mut self, copy: &Copy) -> String {
        let read =
            || String::from_utf8_lossy(&std::fs::read(self.corpus.join(&copy.path)).unwrap()).into_owned();
        let text = self.read.entry(copy.path.clone()).or_insert_with(read);
        words(text.get(copy.start..copy.end).unwrap_or_default())
    }
}

impl Row {
    /// Its verdict, if it has one.
    fn judged<'v>(&self, verdicts: &'v [Verdict], files: &mut Files) -> Option<&'v Verdict> {
        let mut of_copy = |copy: &Copy| {
            let mut near = verdicts.iter().filter(|verdict| verdict.path == copy.path).peekable();
            near.peek()?;
            // A file that is not UTF-8 is read by the program alone.
            let has = files.words_of(copy) + &words(&self.text);
            near.find(|verdict| has.contains(&format!(" {} ", verdict.words)))
        };
        self.occurrences.iter().find_map(&mut of_copy)
    }

    /// Its line in a table; a question mark stands for what is to be judged.
    fn line(&self, rank: usize, verdict: Option<&Verdict>, files: &mut Files) -> String {
        let all = words(&self.text);
        let all: Vec<&str> = all.split_whitespace().collect();
        let middle = all.len().saturating_sub(WORDS) / 2;
        let named = all[middle..(middle + WORDS).min(all.len())].join(" ");
        let mut has_words = |copy: &&Copy| files.words_of(copy).contains(&format!(" {named} "));
        let named_by = self.occurrences.iter().find(&mut has_words);
        let path = &named_by.unwrap_or(&self.occurrences[0]).path;
        let headline = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let headline = headline[..headline.floor_char_boundary(HEADLINE)].trim_end();
        let shown = verdict.map_or("?", |verdict| if verdict.yes { "yes" } else { "no" });
        let reason = verdict.map_or("?", |verdict| &verdict.reason);
        let kind = self.kind.as_deref().unwrap_or(FOLDER);
        format!("{rank}\t{shown}\t{kind}\t{path}\t{named}\t{headline}\t{reason}\n")
    }
}

/// The first rows of a corpus.
fn rows(home: &Home, corpus: &Path) -> Vec<Row> {
    let index = home.at("../index");
    let printed = home.stdout(&[
        "passages",
        "--corpus",
        text(corpus),
        "--index",
        text(&index),
        "--json",
        "--top",
        &ROWS.to_string(),
    ]);
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Holds the first rows of a corpus against the table of this name. With `DUPI_VERDICTS_WRITE` the table is written
/// anew, with the verdicts that are known.
fn check(name: &str, corpus: &Path, home: &Home) {
    let (_, table) = TABLES.iter().find(|(table, _)| *table == name).expect("a table of this name");
    let is_writing = std::env::var_os("DUPI_VERDICTS_WRITE").is_some();
    let verdicts = if is_writing { known(table) } else { verdicts(table) };
    let mut files = Files { corpus, read: BTreeMap::new() };
    let (mut written, mut others, mut yes) = (String::new(), String::new(), 0);
    for (number, row) in rows(home, corpus).iter().enumerate() {
        let verdict = row.judged(&verdicts, &mut files);
        let line = row.line(number + 1, verdict, &mut files);
        yes += usize::from(verdict.is_some_and(|verdict| verdict.yes));
        if verdict.is_none_or(|verdict| !verdict.yes) {
            write!(others, "{line}").unwrap();
        }
        written += &line;
    }
    if is_writing {
        let head: String = table.split_inclusive('\n').take_while(|line| line.starts_with('#')).collect();
        let path = format!("{}/tests/it/verdicts/{name}.tsv", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, head + &written).unwrap();
    }
    println!(
        "{name}: {yes} of {ROWS} deserve a look; the others, a question mark where one is unjudged:\n{others}"
    );
    assert!(yes >= LEAST, "{name}: {yes} of {ROWS}; the others:\n{others}");
}

/// The verdicts of a table that is not complete.
fn known(table: &str) -> Vec<Verdict> {
    let is_judged = |line: &&str| !line.contains("\t?\t") && !line.starts_with('#');
    let lines = table.lines().filter(is_judged).enumerate();
    let renumbered = |(number, line): (usize, &str)| {
        let (_, rest) = line.split_once('\t').unwrap_or_default();
        format!("{}\t{rest}\n", number + 1)
    };
    verdicts(&lines.map(renumbered).collect::<String>())
}

#[test]
fn the_tables_say_that_most_of_the_first_rows_deserve_a_look() {
    for (name, table) in TABLES {
        let verdicts = verdicts(table);
        let yes = verdicts.iter().filter(|verdict| verdict.yes).count();
        assert_eq!(verdicts.len(), ROWS, "{name}");
        assert!(yes >= LEAST, "{name}: {yes}");
    }
}

#[test]
#[ignore = "takes a minute without optimisation; .ci/run runs it with the release program"]
fn most_of_the_first_rows_of_the_news_texts_deserve_a_look() {
    let home = Home::new();
    for made in texts() {
        home.write(&made.path, made.text);
    }
    check("news", &home.at("").canonicalize().unwrap(), &home);
}

/// `DUPI_VERDICTS=fs=/usr/src/linux/fs,docs=/usr/src/linux/Documentation` names the corpora and where they are.
#[test]
#[ignore = "needs corpora that are not in the repository; see verdicts/README.md"]
fn most_of_the_first_rows_of_other_corpora_deserve_a_look() {
    let named = std::env::var("DUPI_VERDICTS").expect("DUPI_VERDICTS=NAME=FOLDER,…");
    for part in named.split(',') {
        let (name, folder) = part.split_once('=').expect("NAME=FOLDER");
        check(name, &PathBuf::from(folder).canonicalize().unwrap(), &Home::new());
    }
}
