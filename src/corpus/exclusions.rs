//! What a walk leaves out, whatever the rules say: the folder of the index, and the files and folders that the user
//! decided to leave out.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::DirEntry;

use super::{Corpus, PathScope, SkipReason, Skipped};

/// What a walk leaves out, whatever the rules say.
#[derive(Clone, Debug, Default)]
pub struct Exclusions {
    /// The folder of the index, which is not entered, by whichever path or link it is reached.
    pub index: Option<PathBuf>,
    /// The files and folders that the user left out, relative to the corpus's base.
    pub by_user: Arc<PathScope>,
}

/// Leaves files and folders out of a walk, and remembers those of the user that were met. Clones share what they
/// remember.
#[derive(Clone)]
pub(super) struct LeftOut {
    base: PathBuf,
    index: Option<Arc<IndexFolder>>,
    by_user: Arc<PathScope>,
    met: Arc<Mutex<Vec<PathBuf>>>,
}

impl LeftOut {
    /// What is left out of a corpus.
    pub(super) fn new(corpus: &Corpus, exclusions: &Exclusions) -> Self {
        let index = exclusions.index.as_deref().map(|index| Arc::new(IndexFolder::new(index)));
        let by_user = Arc::clone(&exclusions.by_user);
        Self { base: corpus.base.clone(), index, by_user, met: Arc::default() }
    }

    /// Whether the user left a path out, or a folder above it. Such a path is remembered.
    pub(super) fn takes(&self, path: &Path) -> bool {
        let name = path.strip_prefix(&self.base).unwrap_or(path);
        let is_taken = self.by_user.contains(name);
        if is_taken {
            self.met.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
        }
        is_taken
    }

    /// Whether an entry is the folder of the index, or left out by the user.
    pub(super) fn takes_entry(&self, entry: &DirEntry) -> bool {
        self.index.as_ref().is_some_and(|index| index.is(entry)) || self.takes(entry.path())
    }

    /// The paths that the user left out, as far as the walk has met them.
    pub(super) fn met(&self) -> Vec<Skipped> {
        let met = std::mem::take(&mut *self.met.lock().unwrap_or_else(PoisonError::into_inner));
        met.into_iter().map(|path| Skipped::new(path, SkipReason::LeftOut)).collect()
    }
}

/// The folder of the index, by whichever path or link it is reached.
struct IndexFolder {
    path: PathBuf,
    /// Device and inode, if it exists.
    identity: Option<(u64, u64)>,
}

impl IndexFolder {
    fn new(path: &Path) -> Self {
        let identity = path.metadata().ok().map(|found| (found.dev(), found.ino()));
        Self { path: path.to_owned(), identity }
    }

    fn is(&self, entry: &DirEntry) -> bool {
        let is_same = |&(device, number): &(u64, u64)| {
            // The inode is known already; the system is asked only if it matches.
            entry.ino() == Some(number) && entry.path().metadata().is_ok_and(|found| found.dev() == device)
        };
        entry.path() == self.path || self.identity.as_ref().is_some_and(is_same)
    }
}
