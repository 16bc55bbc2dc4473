//! The commits of a range, and the files of each of them.
//!
//! A history follows first parents, which is how a main branch went; what was merged counts with its merge.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::error::ChangeError;
use super::objects::ObjectId;
use super::repository::Repository;
use super::states::{blob, path_of};

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The begin of its name.
    pub name: String,
    /// When it was committed, in seconds since 1970.
    pub seconds: i64,
    /// The first line of its message.
    pub subject: String,
    tree: ObjectId,
}

/// The contents of a file. Equal contents have equal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Blob(ObjectId);

impl Blob {
    /// The one of a text.
    #[cfg(any(test, feature = "testing"))]
    pub fn of_text(text: &str) -> Self {
        let hash = xxhash_rust::xxh3::xxh3_128(text.as_bytes());
        Self(ObjectId::from_hex(format!("{hash:040x}").as_bytes()).expect("40 hexadecimal digits"))
    }
}

/// Some commits of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitLine {
    /// The commits, the oldest first.
    pub commits: Vec<Commit>,
    /// How many the range has.
    pub all: usize,
}

impl Repository<'_> {
    /// The commits of a range by first parents: with `BASE..TIP` from the last one that BASE has too, with `TIP` from the
    /// first of all; HEAD if nothing is given. At most `most` of them, evenly spaced, with the first and the last one.
    pub fn commits(&self, range: Option<&str>, most: usize) -> Result<CommitLine, ChangeError> {
        let (base, tip) = match range.map(|range| range.split_once("..").ok_or(range)) {
            None => (None, "HEAD"),
            Some(Err(tip)) => (None, tip),
            Some(Ok((base, tip))) => (Some(base), tip.trim_start_matches('.')),
        };
        let named = |name: &str| self.commit(if name.is_empty() { "HEAD" } else { name });
        let tip = named(tip)?.to_string();
        let base = base.map(|name| Ok((name, format!("^{}", named(name)?)))).transpose()?;
        let mut line = self.log(
            &[
                &["--first-parent", &*tip],
                base.iter().map(|(_, without)| &**without).collect::<Vec<_>>().as_slice(),
            ]
            .concat(),
        )?;
        if let Some((name, _)) = base {
            // The last one that the base has too is not listed. A shallow clone may lack it.
            let begin = line.last().map_or(Some(&*tip), |(_, parent)| parent.as_deref());
            let begin = begin.ok_or_else(|| ChangeError::NoCommonBegin { base: name.to_owned() })?;
            line.extend(self.log(&["-1", begin])?);
        }
        line.reverse();
        let commits = spaced(line.len(), most).into_iter().map(|at| line[at].0.clone());
        Ok(CommitLine { commits: commits.collect(), all: line.len() })
    }

    /// The regular files of a commit.
    pub fn files_of(&self, commit: &Commit) -> Result<BTreeMap<PathBuf, Blob>, ChangeError> {
        let state = self.state_of(commit.tree)?;
        let file = |entry| Some((path_of(state.path(entry)), Blob(blob(entry)?)));
        Ok(state.entries.iter().filter_map(file).filter(|(path, _)| lies_below(path)).collect())
    }

    /// The bytes of a file; `None` if there are more than `most`.
    pub fn bytes_of(&self, Blob(id): Blob, most: u64) -> Result<Option<Vec<u8>>, ChangeError> {
        Ok(self.read(&id.to_string(), most)?.bytes)
    }

    /// The commits that `git log` lists, each with the name of its first parent, if it has one here.
    fn log(&self, words: &[&str]) -> Result<Vec<(Commit, Option<String>)>, ChangeError> {
        let form = ["log", "--no-mailmap", "--encoding=UTF-8", "--format=%H %T %ct %P%x00%s"];
        let (_, printed) = self.git().run(&[&form, words].concat(), self.is_wanted())?;
        let commit = |line: &str| {
            let (head, subject) = line.split_once('\0')?;
            let mut fields = head.split(' ');
            let name = fields.next()?.get(..12)?.to_owned();
            let tree = ObjectId::from_hex(fields.next()?.as_bytes())?;
            let seconds = fields.next()?.parse().ok()?;
            let parent = fields.next().filter(|parent| !parent.is_empty()).map(str::to_owned);
            Some((Commit { name, seconds, subject: subject.to_owned(), tree }, parent))
        };
        let malformed = |line: &str| {
            let name = line.split(' ').next().unwrap_or_default();
            self.git().failed(format_args!("the commit {name} is malformed"))
        };
        let printed = printed.to_string_lossy();
        let commits = printed.split_terminator('\n').map(|line| commit(line).ok_or_else(|| malformed(line)));
        commits.collect()
    }
}

/// Whether a path leads to no place outside of the folder that it is relative to, and not to where git keeps its own.
fn lies_below(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(name) if !name.eq_ignore_ascii_case(".git")))
}

/// At most `most` of the numbers from 0, evenly spaced, with the first and the last one.
fn spaced(count: usize, most: usize) -> Vec<usize> {
    match count {
        0 => Vec::new(),
        count if count <= most => (0..count).collect(),
        count if most < 2 => vec![count - 1],
        count => (0..most).map(|at| at * (count - 1) / (most - 1)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_of_many_are_evenly_spaced_and_have_both_ends() {
        assert_eq!(spaced(0, 5), [0; 0]);
        assert_eq!(spaced(3, 5), [0, 1, 2]);
        assert_eq!(spaced(9, 5), [0, 2, 4, 6, 8]);
        assert_eq!(spaced(100, 3), [0, 49, 99]);
        assert_eq!(spaced(7, 1), [6]);
        for (count, most) in [(10, 4), (1000, 24), (25, 24), (24, 24)] {
            let some = spaced(count, most);
            assert_eq!((some.len(), some[0], some[most - 1]), (most, 0, count - 1));
            assert!(some.is_sorted_by(|a, b| a < b), "each once");
        }
    }

    #[test]
    fn only_paths_below_the_folder_are_files() {
        for path in ["a", "a/b.c", "a/.gitignore"] {
            assert!(lies_below(Path::new(path)), "{path}");
        }
        for path in ["../a", "/a", "a/../../b", ".git/config", "a/.GIT/x"] {
            assert!(!lies_below(Path::new(path)), "{path}");
        }
    }
}
