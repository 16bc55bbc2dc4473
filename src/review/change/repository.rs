//! A git repository, read by the program git: which commit a change begins at, and what it changes.
//!
//! Nothing of a repository is run: no hook, no filter, no program that its configuration names. The network is not used.

use std::cell::RefCell;
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::error::ChangeError;
use super::files::State;
use super::git::{Git, check_file};
use super::lines::ChangedLines;
use super::objects::{Object, ObjectId, Objects};
use super::running::Wanted;
use super::states::{Candidate, Target, Texts, between, changed_lines, in_working_tree, is_in_other};
use dupi_base::corpus::{self, SkipReason, Stamp};
use dupi_base::storage::shown;

/// The names that a main branch usually has; that of the remote repository comes first.
const MAIN: [&str; 7] = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/remotes/origin/trunk",
    "refs/heads/main",
    "refs/heads/master",
    "refs/heads/trunk",
];
/// The largest commit or tag that is read, in bytes.
const LARGEST_COMMIT: u64 = 16 << 20;
/// The largest file of which the former text is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// A repository, mostly with a working tree.
pub struct Repository<'w> {
    git: Git,
    is_bare: bool,
    objects: RefCell<Objects<'w>>,
    is_wanted: Wanted<'w>,
}

/// The state that a change begins at: a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base(ObjectId);

impl<'w> Repository<'w> {
    /// The repository that a folder or file lies in. It is read while that `is_wanted`.
    ///
    /// # Errors
    /// When there is none, when it has no working tree, and when it cannot be read.
    pub fn discover(place: &Path, is_wanted: Wanted<'w>) -> Result<Self, ChangeError> {
        let found = Self::of_commits(place, is_wanted)?;
        if found.is_bare { Err(ChangeError::Bare(found.git.root)) } else { Ok(found) }
    }

    /// The same for a question about commits only: a bare repository is one too. Its root is then its own folder.
    ///
    /// # Errors
    /// When there is none, and when it cannot be read.
    pub fn of_commits(place: &Path, is_wanted: Wanted<'w>) -> Result<Self, ChangeError> {
        let none = || ChangeError::NoRepository(place.to_owned());
        let mut git = Git::find(&place.canonicalize().map_err(|_| none())?)?.ok_or_else(none)?;
        let (_, bare) = git.run(&["rev-parse", "--is-bare-repository"], is_wanted)?;
        let is_bare = bare == "true";
        if !is_bare {
            // The configuration may name another folder.
            let (is_known, root) = git.run(&["rev-parse", "--show-toplevel"], is_wanted)?;
            let root = PathBuf::from(root);
            if !is_known || !root.is_dir() {
                return Err(git.failed(format_args!(
                    "its working tree {} is no folder; `git config core.worktree` names it",
                    shown(&root)
                )));
            }
            git.root = root;
        }
        for name in MAIN {
            git.check(name.as_ref())?;
        }
        Ok(Self { git, is_bare, objects: RefCell::default(), is_wanted })
    }

    /// The repository that a file lies in, and its path there. A symbolic link counts as what it leads to.
    ///
    /// # Errors
    /// As [`Self::discover`], and when the file is not in the working tree of the repository.
    pub fn of_file(path: &Path, is_wanted: Wanted<'w>) -> Result<(Self, PathBuf), ChangeError> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let repository = Self::discover(real.parent().unwrap_or(Path::new("/")), is_wanted)?;
        match real.strip_prefix(repository.root()) {
            Ok(below) => Ok((repository, below.to_owned())),
            Err(_) => Err(ChangeError::NoRepository(real)),
        }
    }

    /// The path of a file in this repository, if it is in its working tree and in no other one below that. A symbolic link
    /// counts as what it leads to.
    pub fn path_of(&self, file: &Path) -> Option<PathBuf> {
        let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let below = real.strip_prefix(self.root()).ok()?;
        (!is_in_other(self.root(), below, &mut HashMap::new())).then(|| below.to_owned())
    }

    /// Where a folder lies among the files of its commits. Nothing in a bare repository is one of them.
    pub fn below(&self, folder: &Path) -> PathBuf {
        let below = folder.strip_prefix(self.root()).ok().filter(|_| !self.is_bare);
        below.unwrap_or(Path::new("")).to_owned()
    }

    /// The real path of its working tree, or of its folder if it is bare.
    pub fn root(&self) -> &Path {
        &self.git.root
    }

    /// The state at the last common commit of HEAD and the main branch. Before the first commit, the empty one.
    pub fn main_base(&self) -> Result<Base, ChangeError> {
        let Some(head) = self.head_commit()? else { return self.nothing() };
        for name in MAIN {
            if let Some(found) = self.object(&format!("{name}^{{commit}}"))? {
                // As people call it: `main`, `origin/main`.
                let name = name.trim_start_matches("refs/remotes/").trim_start_matches("refs/heads/");
                return self.common(name, found.id, head);
            }
        }
        Err(ChangeError::NoMainBranch)
    }

    /// The state at the last common commit of HEAD and a commit.
    pub fn base(&self, name: &str) -> Result<Base, ChangeError> {
        let commit = self.commit(name)?;
        match self.head_commit()? {
            Some(head) => self.common(name, commit, head),
            None => self.state(&commit.to_string()),
        }
    }

    /// The state at HEAD. Before the first commit, the empty one.
    pub fn head_base(&self) -> Result<Base, ChangeError> {
        match self.head_commit()? {
            Some(head) => self.state(&head.to_string()),
            None => self.nothing(),
        }
    }

    /// Checks that a commit is the one that is checked out.
    pub fn check_is_head(&self, name: &str) -> Result<(), ChangeError> {
        let is_head = Some(self.commit(name)?) == self.head_commit()?;
        if is_head { Ok(()) } else { Err(ChangeError::NotHead(name.to_owned())) }
    }

    /// What differs between a base and the working tree. `present` are the documents in it, relative to the root, with
    /// their stamps.
    pub fn to_working_tree(
        &self,
        base: &Base,
        present: &[(PathBuf, Stamp)],
    ) -> Result<ChangedLines, ChangeError> {
        // The time before it is read: what is written meanwhile is younger.
        let written = corpus::stamp(&self.git.at("index")).map_or(0, |stamp| stamp.mtime);
        let index = State::of_index(&self.git, None, self.is_wanted)?;
        let [differing, _] = self.differing_from_index(base, None)?;
        self.lines(in_working_tree(&differing, (&index, written), self.root(), present))
    }

    /// What differs between HEAD and the index, or another file like it.
    pub fn to_index(&self, file: Option<&Path>) -> Result<ChangedLines, ChangeError> {
        file.map_or(Ok(()), check_file)?;
        let [base, index] = self.differing_from_index(&self.head_base()?, file)?;
        self.lines(between(&base, &index))
    }

    /// What differs between a base and HEAD.
    pub fn to_head(&self, base: &Base) -> Result<ChangedLines, ChangeError> {
        let words = ["diff-tree", "-r", "-z", "--no-renames"];
        let trees = [base.0, self.head_base()?.0];
        let [base, head] = State::differing(&self.git, &words, &trees, None, self.is_wanted)?;
        self.lines(between(&base, &head))
    }

    /// What differs between a base and the index.
    fn differing_from_index(&self, base: &Base, file: Option<&Path>) -> Result<[State; 2], ChangeError> {
        let words = ["diff-index", "--cached", "-z", "--no-renames", "--ita-invisible-in-index"];
        State::differing(&self.git, &words, &[base.0], file, self.is_wanted)
    }

    pub(super) fn git(&self) -> &Git {
        &self.git
    }

    pub(super) fn is_wanted(&self) -> Wanted<'w> {
        self.is_wanted
    }

    /// A commit, tag or tree with a name.
    fn object(&self, name: &str) -> Result<Option<Object>, ChangeError> {
        self.objects.borrow_mut().find(&self.git, self.is_wanted, name, LARGEST_COMMIT)
    }

    /// An object that must be there, with its bytes if there are no more than `most`.
    pub(super) fn read(&self, name: &str, most: u64) -> Result<Object, ChangeError> {
        let found = self.objects.borrow_mut().find(&self.git, self.is_wanted, name, most)?;
        found.ok_or_else(|| self.git.failed(format_args!("the object {name} is missing")))
    }

    /// The commit that is checked out, if there is one.
    pub(super) fn head_commit(&self) -> Result<Option<ObjectId>, ChangeError> {
        if let Some(head) = self.object("HEAD^{commit}")? {
            return Ok(Some(head.id));
        }
        let (is_branch, branch) = self.git.run(&["symbolic-ref", "-q", "HEAD"], self.is_wanted)?;
        self.git.check(branch.as_ref())?;
        // A branch without a commit has no file and no other name yet.
        let words = ["show-ref".as_ref(), "--verify".as_ref(), "-q".as_ref(), &*branch];
        let is_known = !is_branch || self.git.shared(branch.as_ref()).is_file();
        let is_known = is_known || self.git.run(&words, self.is_wanted)?.0;
        if is_known { Err(self.git.failed("the commit that HEAD names is missing")) } else { Ok(None) }
    }

    fn nothing(&self) -> Result<Base, ChangeError> {
        // Its name depends on the hash that the repository has.
        let (_, tree) = self.git.run(&["hash-object", "-t", "tree", "/dev/null"], self.is_wanted)?;
        let tree =
            ObjectId::from_hex(tree.as_bytes()).ok_or_else(|| self.git.failed("git names no empty tree"))?;
        Ok(Base(tree))
    }

    /// The commit with a name.
    pub(super) fn commit(&self, name: &str) -> Result<ObjectId, ChangeError> {
        let mut found = self.object(name)?;
        if let Some(tag) = found.take_if(|found| found.kind == "tag") {
            found = self.object(&format!("{}^{{commit}}", tag.id))?;
        }
        let found = found.filter(|found| found.kind == "commit").map(|found| found.id);
        found.ok_or_else(|| ChangeError::NoCommit(name.to_owned()))
    }

    fn common(&self, name: &str, commit: ObjectId, head: ObjectId) -> Result<Base, ChangeError> {
        let (commit, head) = (commit.to_string(), head.to_string());
        let common = self.git.run(&["merge-base", &commit, &head], self.is_wanted);
        let is_shallow =
            corpus::stamp(&self.git.shared("shallow".as_ref())).is_some_and(|stamp| stamp.size > 0);
        match common {
            Ok((true, common)) => self.state(&common.to_string_lossy()),
            Ok(_) | Err(ChangeError::Git { .. }) if is_shallow => Err(ChangeError::Shallow(name.to_owned())),
            Ok(_) => Err(ChangeError::Unrelated(name.to_owned())),
            Err(error) => Err(error),
        }
    }

    fn state(&self, commit: &str) -> Result<Base, ChangeError> {
        Ok(Base(self.read(&format!("{commit}^{{tree}}"), 0)?.id))
    }

    /// The files of a tree.
    pub(super) fn state_of(&self, tree: ObjectId) -> Result<State, ChangeError> {
        State::of_tree(&self.git, &["-r".as_ref(), tree.to_string().as_ref()], self.is_wanted)
    }

    /// The lines of some files.
    fn lines(&self, candidates: Vec<Candidate>) -> Result<ChangedLines, ChangeError> {
        let mut texts = Vec::new();
        let mut buffer = Vec::new();
        for Candidate { path, former, target } in candidates {
            let former = former.map(|id| self.text(id)).transpose()?;
            let new = match target {
                Target::Gone => None,
                Target::File | Target::Blob(_) => match self.file(&path, &mut buffer)? {
                    // What is no text has no lines, and what is not there is not searched.
                    None => continue,
                    text => text,
                },
            };
            let target = match target {
                Target::Blob(id) => Some(self.text(id)?).filter(|target| Some(target) != new.as_ref()),
                _ => None,
            };
            texts.push(Texts { path, former, target, new });
        }
        Ok(changed_lines(&texts))
    }

    /// The text of a file of the working tree.
    fn file(&self, path: &Path, buffer: &mut Vec<u8>) -> Result<Option<String>, ChangeError> {
        match corpus::read(&self.root().join(path), LARGEST, buffer) {
            Ok(_) => Ok(corpus::decode(buffer).ok().map(|decoded| decoded.text.into_owned())),
            Err(reason @ (SkipReason::Unreadable(_) | SkipReason::NotNow(_))) => {
                Err(ChangeError::File(path.to_owned(), reason))
            }
            // An empty file has lost all its lines.
            Err(SkipReason::Empty) => Ok(Some(String::new())),
            Err(_) => Ok(None),
        }
    }

    /// The text of an object; empty if it is none.
    pub(super) fn text(&self, id: ObjectId) -> Result<String, ChangeError> {
        let Some(bytes) = self.read(&id.to_string(), LARGEST)?.bytes else { return Ok(String::new()) };
        Ok(corpus::decode_owned(bytes).map(|(text, _)| text).unwrap_or_default())
    }
}
