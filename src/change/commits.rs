//! The commits of a range, and the files of each of them.
//!
//! A history follows first parents, which is how a main branch went; what was merged counts with its merge.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::error::ChangeError;
use super::objects::ObjectId;
use super::repository::{LARGEST_COMMIT, Repository};
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
    #[cfg(test)]
    pub(crate) fn of_text(text: &str) -> Self {
        let hash = xxhash_rust::xxh3::xxh3_128(text.as_bytes());
        Self(ObjectId::from_hex(format!("{hash:040x}").as_bytes()).unwrap())
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
    /// first of all; HEAD if nothing is given. At most so many, evenly spaced, with the first and the last one.
    pub fn commits(&self, range: Option<&str>, most: usize) -> Result<CommitLine, ChangeError> {
        let (base, tip) = match range.map(|range| range.split_once("..").ok_or(range)) {
            None => (None, "HEAD"),
            Some(Err(tip)) => (None, tip),
            Some(Ok((base, tip))) => (Some(base), tip.trim_start_matches('.')),
        };
        let named = |name: &str| self.commit(if name.is_empty() { "HEAD" } else { name });
        let tip = named(tip)?;
        let base = base.map(|name| Ok((name, named(name)?))).transpose()?;
        let mut line = self.first_parents(tip, base.map(|(_, base)| base))?;
        if let Some((name, _)) = base {
            // The last one that the base has too is not listed.
            let begin = match line.last() {
                None => Some(tip),
                Some(last) => self.first_parent(*last)?,
            };
            let begin = begin.ok_or_else(|| ChangeError::NoCommonBegin { base: name.to_owned() })?;
            line.push(begin);
        }
        line.reverse();
        let commits = spaced(line.len(), most).into_iter().map(|at| self.described(line[at]));
        Ok(CommitLine { commits: commits.collect::<Result<_, _>>()?, all: line.len() })
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

    /// A commit and its first parents, the newest first, without those that are part of another commit.
    fn first_parents(&self, tip: ObjectId, without: Option<ObjectId>) -> Result<Vec<ObjectId>, ChangeError> {
        let mut words = vec!["rev-list".to_owned(), "--first-parent".to_owned(), tip.to_string()];
        words.extend(without.map(|without| format!("^{without}")));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (_, printed) = self.git().run(&words, self.is_wanted())?;
        Ok(printed.lines().filter_map(|line| ObjectId::from_hex(line.as_bytes())).collect())
    }

    /// The first parent of a commit, if it has one here: a shallow clone lacks some.
    fn first_parent(&self, commit: ObjectId) -> Result<Option<ObjectId>, ChangeError> {
        let commit = commit.to_string();
        let (_, printed) = self.git().run(&["rev-list", "--parents", "-n1", &commit], self.is_wanted())?;
        Ok(printed.split(' ').nth(1).and_then(|parent| ObjectId::from_hex(parent.as_bytes())))
    }

    fn described(&self, id: ObjectId) -> Result<Commit, ChangeError> {
        let name = id.to_string();
        let bytes = self.read(&name, LARGEST_COMMIT)?.bytes.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let (head, message) = text.split_once("\n\n").unwrap_or((&text, ""));
        let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
        let tree = field("tree ").and_then(|tree| ObjectId::from_hex(tree.as_bytes()));
        // The time is the last but one: `committer A <a@example.org> 1700000000 +0100`.
        let seconds = field("committer ").and_then(|of| of.rsplit(' ').nth(1)?.parse().ok());
        let lines = message.trim_start().lines().take_while(|line| !line.trim().is_empty());
        let subject = lines.map(str::trim).collect::<Vec<_>>().join(" ");
        let (Some(tree), Some(seconds)) = (tree, seconds) else {
            return Err(self.git().failed(format_args!("the commit {name} is malformed")));
        };
        Ok(Commit { name: name[..12].to_owned(), seconds, subject, tree })
    }
}

/// Whether a path leads to no place outside of the folder that it is relative to, and not to where git keeps its own.
fn lies_below(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(name) if !name.eq_ignore_ascii_case(".git")))
}

/// At most so many of some numbers from 0, evenly spaced, with the first and the last one.
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
