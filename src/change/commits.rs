//! The commits of a range, and the files of each of them.
//!
//! A history follows first parents, which is how a main branch went; what was merged counts with its merge.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use gix::ObjectId;
use gix::prelude::ObjectIdExt;

use super::error::ChangeError;
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
    #[cfg(test)]
    pub(crate) fn of_text(text: &str) -> Self {
        let hash = gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, text.as_bytes());
        Self(hash.unwrap())
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

impl Repository {
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
        let mut line = self.first_parents(tip)?;
        if let Some(name) = base {
            let base = named(name)?;
            // Who has a commit has those before it too.
            let (mut newer, mut older) = (0, line.len());
            while newer < older {
                let middle = newer.midpoint(older);
                let is_shared = self.has_ancestor(base, line[middle])?;
                (newer, older) = if is_shared { (newer, middle) } else { (middle + 1, older) };
            }
            if newer == line.len() {
                return Err(ChangeError::NoCommonBegin { base: name.to_owned() });
            }
            line.truncate(newer + 1);
        }
        line.reverse();
        let commits = spaced(line.len(), most).into_iter().map(|at| self.described(line[at]));
        Ok(CommitLine { commits: commits.collect::<Result<_, _>>()?, all: line.len() })
    }

    /// The regular files of a commit.
    pub fn files_of(&self, commit: &Commit) -> Result<BTreeMap<PathBuf, Blob>, ChangeError> {
        let state = self.state_of(commit.tree)?;
        let file = |entry| Some((path_of(gix::index::Entry::path(entry, &state)), Blob(blob(entry)?)));
        Ok(state.entries().iter().filter_map(file).filter(|(path, _)| lies_below(path)).collect())
    }

    /// The bytes of a file; `None` if there are more than `most`.
    pub fn bytes_of(&self, Blob(id): Blob, most: u64) -> Result<Option<Vec<u8>>, ChangeError> {
        let size = self.git().find_header(id).map_err(|error| self.failed(&error))?.size();
        if size > most {
            return Ok(None);
        }
        let mut object = self.git().find_object(id).map_err(|error| self.failed(&error))?;
        Ok(Some(std::mem::take(&mut object.data)))
    }

    /// A commit and its first parents, the newest first.
    fn first_parents(&self, tip: ObjectId) -> Result<Vec<ObjectId>, ChangeError> {
        let walk = self.git().rev_walk([tip]).first_parent_only().all();
        let walk = walk.map_err(|error| self.failed(&error))?;
        walk.map(|info| info.map(|info| info.id).map_err(|error| self.failed(&error))).collect()
    }

    /// Whether a commit is, or comes from, another one.
    fn has_ancestor(&self, commit: ObjectId, ancestor: ObjectId) -> Result<bool, ChangeError> {
        Ok(self.common_ancestor(commit, ancestor)? == Some(ancestor))
    }

    fn described(&self, id: ObjectId) -> Result<Commit, ChangeError> {
        let failed = |error: &dyn std::error::Error| self.failed(error);
        let commit = id.attach(self.git()).object().map_err(|error| failed(&error))?.into_commit();
        let seconds = commit.time().map_err(|error| failed(&error))?.seconds;
        let subject = commit.message().map_err(|error| failed(&error))?.summary().to_string();
        let tree = commit.tree_id().map_err(|error| failed(&error))?.detach();
        Ok(Commit { name: id.to_hex_with_len(12).to_string(), seconds, subject, tree })
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
