//! A git repository, by the crate gix: which commit a change begins at, and what it changes.
//!
//! Nothing of a repository is run: no hook, no filter, no program that its configuration names. The network is not used.

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::BStr;
use gix::index::State;

use super::error::ChangeError;
use super::lines::ChangedLines;
use super::states::{Candidate, Target, Texts, between, changed_lines, in_working_tree};
use crate::corpus::{self, SkipReason, Stamp};

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
/// The memory for objects that are read more than once, in bytes.
const CACHE: usize = 16 << 20;
/// The largest file of which the former text is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// A repository, mostly with a working tree.
pub struct Repository {
    repo: gix::Repository,
    root: PathBuf,
}

/// The state that a change begins at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// What it is called.
    pub name: String,
    tree: ObjectId,
}

impl Base {
    /// The begin of its commit's name; of the empty tree before the first commit too.
    pub fn tree(&self) -> String {
        self.tree.to_hex_with_len(12).to_string()
    }
}

impl Repository {
    /// The repository that a folder or file lies in.
    ///
    /// # Errors
    /// When there is none, when it has no working tree, and when it is of a kind that cannot be read.
    pub fn discover(place: &Path) -> Result<Self, ChangeError> {
        let found = Self::of_commits(place)?;
        if found.repo.workdir().is_none() { Err(ChangeError::Bare(found.root)) } else { Ok(found) }
    }

    /// The same for a question about commits only: a bare repository is one too. Its root is then its own folder.
    ///
    /// # Errors
    /// When there is none, and when it is of a kind that cannot be read.
    pub fn of_commits(place: &Path) -> Result<Self, ChangeError> {
        // The library looks for relative paths of bare repositories in the wrong folder.
        let found = gix::discover(place.canonicalize().as_deref().unwrap_or(place));
        let mut repo = found.map_err(|error| match error_words(&error) {
            words if is_absent(place) || words.contains("Could not find a git repository") => {
                ChangeError::NoRepository(place.to_owned())
            }
            detail => ChangeError::Git { path: place.to_owned(), detail },
        })?;
        let format = repo.config_snapshot().string("extensions.refStorage").map(|format| format.to_string());
        if let Some(format) = format.filter(|format| format != "files") {
            return Err(ChangeError::RefFormat { path: repo.git_dir().to_owned(), format });
        }
        let root = repo.workdir().unwrap_or(repo.git_dir());
        let root = root.canonicalize().map_err(|_| ChangeError::NoRepository(place.to_owned()))?;
        repo.object_cache_size_if_unset(CACHE);
        Ok(Self { repo, root })
    }

    /// The repository that a file lies in, and its path there. A symbolic link counts as what it leads to.
    ///
    /// # Errors
    /// As [`Self::discover`], and when the file is not in the working tree of the repository.
    pub fn of_file(path: &Path) -> Result<(Self, PathBuf), ChangeError> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let repository = Self::discover(real.parent().unwrap_or(Path::new("/")))?;
        match real.strip_prefix(&repository.root) {
            Ok(below) => Ok((repository, below.to_owned())),
            Err(_) => Err(ChangeError::NoRepository(real)),
        }
    }

    /// The path of a file in this repository, if it is in its working tree and in no other one below that. A symbolic link
    /// counts as what it leads to.
    pub fn path_of(&self, file: &Path) -> Option<PathBuf> {
        let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let below = real.strip_prefix(&self.root).ok()?;
        let mut folders = real.ancestors().skip(1).take_while(|folder| *folder != self.root);
        let is_in_other = folders.any(|folder| folder.join(".git").symlink_metadata().is_ok());
        (!is_in_other).then(|| below.to_owned())
    }

    /// Where a folder lies among the files of its commits. Nothing in a bare repository is one of them.
    pub fn below(&self, folder: &Path) -> PathBuf {
        let below = self.repo.workdir().and_then(|_| folder.strip_prefix(&self.root).ok());
        below.unwrap_or(Path::new("")).to_owned()
    }

    /// The real path of its working tree, or of its folder if it is bare.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The state at the last common commit of HEAD and the main branch. Before the first commit, the empty one.
    pub fn main_base(&self) -> Result<Base, ChangeError> {
        let Some(head) = self.head_commit()? else { return Ok(self.nothing()) };
        let main = MAIN.iter().find_map(|name| {
            let mut found = self.repo.try_find_reference(*name).ok()??;
            Some((name.rsplit_once('/')?.1, *name, found.peel_to_id().ok()?.detach()))
        });
        let Some((short, name, main)) = main else { return Err(ChangeError::NoMainBranch) };
        let is_remote = name.starts_with("refs/remotes/");
        let name = if is_remote { format!("origin/{short}") } else { short.to_owned() };
        self.common(&name, main, head)
    }

    /// The state at the last common commit of HEAD and a commit.
    pub fn base(&self, name: &str) -> Result<Base, ChangeError> {
        let commit = self.commit(name)?;
        match self.head_commit()? {
            Some(head) => self.common(name, commit, head),
            None => self.state(name, commit),
        }
    }

    /// The state at HEAD. Before the first commit, the empty one.
    pub fn head_base(&self) -> Result<Base, ChangeError> {
        match self.head_commit()? {
            Some(head) => self.state("HEAD", head),
            None => Ok(self.nothing()),
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
        let (base, index) = (self.files(base)?, self.index(None)?);
        self.lines(in_working_tree(&base, &index, &self.root, present))
    }

    /// What differs between HEAD and the index, or another file like it.
    pub fn to_index(&self, file: Option<&Path>) -> Result<ChangedLines, ChangeError> {
        let (base, index) = (self.files(&self.head_base()?)?, self.index(file)?);
        self.lines(between(&base, &index))
    }

    /// What differs between a base and HEAD.
    pub fn to_head(&self, base: &Base) -> Result<ChangedLines, ChangeError> {
        let (base, head) = (self.files(base)?, self.files(&self.head_base()?)?);
        self.lines(between(&base, &head))
    }

    pub(super) fn failed(&self, error: &dyn std::error::Error) -> ChangeError {
        ChangeError::Git { path: self.root.clone(), detail: error_words(error) }
    }

    /// The commit that is checked out, if there is one.
    pub(super) fn head_commit(&self) -> Result<Option<ObjectId>, ChangeError> {
        let head = self.repo.head().map_err(|error| self.failed(&error))?;
        if head.is_unborn() {
            return Ok(None);
        }
        let id = head.into_peeled_id().map_err(|error| self.failed(&error))?;
        Ok(Some(id.detach()))
    }

    fn nothing(&self) -> Base {
        Base { name: "the empty state".to_owned(), tree: ObjectId::empty_tree(self.repo.object_hash()) }
    }

    /// The commit with a name.
    pub(super) fn commit(&self, name: &str) -> Result<ObjectId, ChangeError> {
        let unknown = || ChangeError::NoCommit(name.to_owned());
        let id = self.repo.rev_parse_single(BStr::new(name)).map_err(|_| unknown())?;
        let commit = id.object().ok().and_then(|object| object.peel_to_commit().ok());
        Ok(commit.ok_or_else(unknown)?.id)
    }

    fn common(&self, name: &str, commit: ObjectId, head: ObjectId) -> Result<Base, ChangeError> {
        let common = self.common_ancestor(commit, head);
        let is_shallow = self.repo.is_shallow().unwrap_or(false);
        match common {
            Ok(Some(common)) => self.state(name, common),
            _ if is_shallow => Err(ChangeError::Shallow(name.to_owned())),
            Ok(None) => Err(ChangeError::Unrelated(name.to_owned())),
            Err(error) => Err(error),
        }
    }

    /// The last common ancestor of two commits, if they have one.
    pub(super) fn common_ancestor(&self, a: ObjectId, b: ObjectId) -> Result<Option<ObjectId>, ChangeError> {
        let mut common = self.repo.merge_bases_many(a, &[b]).map_err(|error| self.failed(&error))?;
        Ok((!common.is_empty()).then(|| common.swap_remove(0).detach()))
    }

    /// The repository as the library has it.
    pub(super) fn git(&self) -> &gix::Repository {
        &self.repo
    }

    fn state(&self, name: &str, commit: ObjectId) -> Result<Base, ChangeError> {
        let object = self.repo.find_object(commit).map_err(|error| self.failed(&error))?;
        let tree = object.peel_to_tree().map_err(|error| self.failed(&error))?;
        Ok(Base { name: name.to_owned(), tree: tree.id })
    }

    fn files(&self, base: &Base) -> Result<State, ChangeError> {
        self.state_of(base.tree)
    }

    /// The files of a tree.
    pub(super) fn state_of(&self, tree: ObjectId) -> Result<State, ChangeError> {
        let file = self.repo.index_from_tree(&tree).map_err(|error| self.failed(&error))?;
        Ok(State::from(file))
    }

    fn index(&self, file: Option<&Path>) -> Result<State, ChangeError> {
        if let Some(file) = file {
            let kind = self.repo.object_hash();
            let read = gix::index::File::at(file, kind, true, gix::index::decode::Options::default());
            return read.map(State::from).map_err(|error| self.failed(&error));
        }
        let index = self.repo.index_or_empty().map_err(|error| self.failed(&error))?;
        Ok(State::clone(&index))
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
        match corpus::read(&self.root.join(path), LARGEST, buffer) {
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
        let size = self.repo.find_header(id).map_err(|error| self.failed(&error))?.size();
        if size > LARGEST {
            return Ok(String::new());
        }
        let mut object = self.repo.find_object(id).map_err(|error| self.failed(&error))?;
        let text = corpus::decode_owned(std::mem::take(&mut object.data));
        Ok(text.map(|(text, _)| text).unwrap_or_default())
    }
}

fn is_absent(place: &Path) -> bool {
    !place.exists()
}

/// An error with its causes, in one line.
fn error_words(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let words: Vec<String> =
        causes.map(|error| error.to_string().lines().next().unwrap_or_default().to_owned()).collect();
    let mut said: Vec<&str> = Vec::new();
    for word in &words {
        if !said.iter().any(|before| before.contains(word.as_str())) {
            said.push(word);
        }
    }
    said.join(": ")
}
