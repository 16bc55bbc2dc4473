//! Which commits lines of the working tree come from.
//!
//! Git is asked about whole files of HEAD and only the lines that are wanted; which lines of the working tree these are is
//! found here. So git reads no file of the working tree, and runs no filter of one.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use super::error::ChangeError;
use super::files::State;
use super::git::Git;
use super::lines::{Hunk, hunks, moved};
use super::objects::ObjectId;
use super::repository::Repository;
use super::states::blob;

/// The lines of a file that git is asked about.
pub struct BlameQuestion {
    git: Git,
    path: PathBuf,
    /// The commit that is asked about.
    head: String,
    /// For each wanted line, the line of HEAD that it is.
    lines: BTreeMap<u32, Option<u32>>,
}

/// A commit that lines come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlamedCommit {
    /// The begin of its name.
    #[serde(rename = "commit")]
    pub name: String,
    /// Who wrote it.
    pub author: String,
    /// When it was written, in seconds since 1970.
    #[serde(rename = "date", serialize_with = "serialize_day")]
    pub seconds: i64,
    /// The first line of its message.
    pub subject: String,
}

/// The day of a time in seconds since 1970, in UTC: `2026-03-01`.
pub fn day(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    time.strftime("%Y-%m-%d").to_string()
}

fn serialize_day<S: Serializer>(seconds: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&day(*seconds))
}

/// Lines that come from one commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlamedLines {
    /// How many lines.
    pub lines: u32,
    /// The commit; `None` for what is not committed.
    #[serde(flatten)]
    pub commit: Option<BlamedCommit>,
}

/// From which commits some lines come.
#[derive(Debug)]
pub struct Blame {
    commits: BTreeMap<String, BlamedCommit>,
    /// The name of the commit of each line; `None` for a line that is not committed.
    lines: BTreeMap<u32, Option<String>>,
}

impl Repository<'_> {
    /// The question where some lines of a file of the working tree come from. The path is relative to the root, `new` is
    /// the text of the file.
    ///
    /// # Errors
    /// When the repository cannot be read.
    pub fn blame(&self, path: &Path, new: &str, wanted: &[Range<u32>]) -> Result<BlameQuestion, ChangeError> {
        let head = self.head_commit()?;
        let former = head.map(|head| self.text_in(head, path)).transpose()?.flatten();
        let changes = former.as_ref().map(|former| hunks(former, new));
        let line =
            |line| (line, changes.as_ref().and_then(|changes| moved(changes, line, Hunk::backward).ok()));
        Ok(BlameQuestion {
            git: self.git().clone(),
            path: path.to_owned(),
            head: head.map(|head| head.to_string()).unwrap_or_default(),
            lines: wanted.iter().cloned().flatten().map(line).collect(),
        })
    }

    fn text_in(&self, commit: ObjectId, path: &Path) -> Result<Option<String>, ChangeError> {
        let (commit, path) = (commit.to_string(), path.as_os_str());
        let state = State::of_tree(self.git(), &[commit.as_ref(), "--".as_ref(), path], self.is_wanted())?;
        let file = state.entries.first().filter(|entry| state.path(entry) == path.as_bytes()).and_then(blob);
        file.map(|id| self.text(id)).transpose()
    }
}

impl BlameQuestion {
    /// Asks git while that is wanted. Questions may be asked by several threads at once.
    ///
    /// # Errors
    /// When there is no git, when it fails, and when the answer is no longer wanted.
    pub fn ask_while(&self, is_wanted: &dyn Fn() -> bool) -> Result<Blame, ChangeError> {
        let committed: BTreeMap<u32, u32> =
            self.lines.iter().filter_map(|(line, of)| Some(((*of)?, *line))).collect();
        let lines = self.lines.keys().map(|line| (*line, None)).collect();
        let mut blame = Blame { commits: BTreeMap::new(), lines };
        if committed.is_empty() {
            return Ok(blame);
        }
        let mut arguments: Vec<OsString> =
            ["blame", "--porcelain", "--no-textconv"].map(OsString::from).into();
        for Range { start, end } in ranges(committed.keys().copied()) {
            arguments.push(format!("-L{},{end}", start + 1).into());
        }
        arguments.extend([(&*self.head).into(), "--".into(), self.path.clone().into()]);
        let (_, printed) = self.git.run(&arguments, is_wanted)?;
        let commits = read(printed.as_bytes(), |of, name| {
            if let Some(line) = of.checked_sub(1).and_then(|of| committed.get(&of)) {
                blame.lines.insert(*line, Some(name.to_owned()));
            }
        });
        Ok(Blame { commits, ..blame })
    }
}

impl Blame {
    /// The commits that some lines come from, those of the most lines first.
    pub fn commits(&self, lines: &Range<u32>) -> Vec<BlamedLines> {
        let mut counts: BTreeMap<Option<&str>, u32> = BTreeMap::new();
        for (_, name) in self.lines.range(lines.clone()) {
            *counts.entry(name.as_deref()).or_default() += 1;
        }
        let commit = |name: Option<&str>| name.and_then(|name| self.commits.get(name)).cloned();
        let of_commit = |(name, lines)| BlamedLines { lines, commit: commit(name) };
        let mut found: Vec<BlamedLines> = counts.into_iter().map(of_commit).collect();
        let newest = |of: &BlamedLines| of.commit.as_ref().map_or(i64::MAX, |commit| commit.seconds);
        found.sort_by_key(|of| Reverse((of.lines, newest(of))));
        found
    }
}

/// Ascending numbers as ranges.
fn ranges(numbers: impl Iterator<Item = u32>) -> Vec<Range<u32>> {
    let mut found: Vec<Range<u32>> = Vec::new();
    for number in numbers {
        match found.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => found.push(number..number + 1),
        }
    }
    found
}

/// Reads what `git blame --porcelain` prints: passes the number of each line, from 1, with the name of its commit, and
/// returns the commits.
fn read(printed: &[u8], mut line: impl FnMut(u32, &str)) -> BTreeMap<String, BlamedCommit> {
    let mut commits: BTreeMap<String, BlamedCommit> = BTreeMap::new();
    let mut current: Option<String> = None;
    for text in printed.split(|byte| *byte == b'\n') {
        // The line itself is behind a tab and ends what is said of it.
        if text.starts_with(b"\t") {
            current = None;
            continue;
        }
        let text = String::from_utf8_lossy(text);
        let (key, value) = text.split_once(' ').unwrap_or((&text, ""));
        match &current {
            None if key.len() >= 40 => {
                let number = value.split(' ').nth(1).and_then(|number| number.parse().ok());
                number.into_iter().for_each(|number| line(number, key));
                let name = key[..12].to_owned();
                let (author, subject) = (String::new(), String::new());
                commits.entry(key.to_owned()).or_insert(BlamedCommit { name, author, seconds: 0, subject });
                current = Some(key.to_owned());
            }
            None => {}
            Some(name) => {
                let Some(commit) = commits.get_mut(name) else { continue };
                match key {
                    "author" => value.clone_into(&mut commit.author),
                    "author-time" => commit.seconds = value.parse().unwrap_or(0),
                    "summary" => value.clone_into(&mut commit.subject),
                    _ => {}
                }
            }
        }
    }
    commits
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "1111111111111111111111111111111111111111";
    const SECOND: &str = "2222222222222222222222222222222222222222";

    #[test]
    fn what_git_prints_is_read() {
        let printed = format!(
            "{FIRST} 3 7 2\nauthor Ada L.\nauthor-mail <a@example.org>\nauthor-time 90\nsummary One thing\n\
             filename a b.c\n\tauthor Nobody\n{FIRST} 4 8\n\t{SECOND} 1 1 1\n{SECOND} 9 9 1\nauthor Bob\nauthor-time 95\n\
             summary Other\nboundary\nfilename x\n\t\n"
        );
        let mut lines = Vec::new();
        let commits = read(printed.as_bytes(), |number, name| lines.push((number, name.to_owned())));
        assert_eq!(lines, [(7, FIRST.to_owned()), (8, FIRST.to_owned()), (9, SECOND.to_owned())]);
        let of = |name: &str| {
            let BlamedCommit { name, author, seconds, subject } = commits[name].clone();
            (name, author, seconds, subject)
        };
        assert_eq!(of(FIRST), ("111111111111".into(), "Ada L.".into(), 90, "One thing".into()));
        assert_eq!(of(SECOND), ("222222222222".into(), "Bob".into(), 95, "Other".into()));
        assert!(read(b"", |_, _| panic!("no line")).is_empty());
    }

    #[test]
    fn lines_are_counted_by_commit() {
        let commit = |name: &str, seconds| {
            let (name, author, subject) = (name[..12].to_owned(), String::new(), String::new());
            BlamedCommit { name, author, seconds, subject }
        };
        let blame = Blame {
            commits: [(FIRST.to_owned(), commit(FIRST, 5)), (SECOND.to_owned(), commit(SECOND, 9))].into(),
            lines: [(0, Some(FIRST)), (1, Some(SECOND)), (2, Some(FIRST)), (3, None), (4, Some(SECOND))]
                .map(|(line, name)| (line, name.map(str::to_owned)))
                .into(),
        };
        let counts = |lines: Range<u32>| {
            let of = blame.commits(&lines);
            of.into_iter()
                .map(|of| (of.commit.map_or(0, |commit| commit.seconds), of.lines))
                .collect::<Vec<_>>()
        };
        assert_eq!(counts(0..3), [(5, 2), (9, 1)]);
        assert_eq!(counts(0..5), [(9, 2), (5, 2), (0, 1)], "of as many lines, the newest");
        assert_eq!(counts(3..4), [(0, 1)]);
    }

    #[test]
    fn lines_of_the_working_tree_are_found_in_the_former_text() {
        let changes = hunks("a\nb\nc\nd\n", "X\na\nc\nY\nd\n");
        let lines: Vec<Option<u32>> = (0..5).map(|line| moved(&changes, line, Hunk::backward).ok()).collect();
        assert_eq!(lines, [None, Some(0), Some(2), None, Some(3)]);
        assert_eq!(moved(&[], 4, Hunk::backward).ok(), Some(4));
        assert_eq!(ranges([1, 2, 3, 7, 9, 10].into_iter()), [1..4, 7..8, 9..11]);
    }
}
