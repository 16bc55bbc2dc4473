//! What of a walked corpus is new, changed, moved or gone, seen against a snapshot.
//!
//! A file whose size and time are as they were is compared by its content where the watcher names it, where it had
//! just been written when it was read, and where the system noted a change since the last walk: a tool may have set
//! the time back. A file that may not be read any more keeps its documents as long as size and time stay; it is
//! listed as left out when it is opened for one of these reasons.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::corpus::{self, Corpus, FoundFile, Scope, SkipReason, Skipped, Stamp};
use crate::index::snapshot::{FileId, Snapshot};

/// What there is to do.
#[derive(Debug, Default, PartialEq)]
pub struct Plan {
    /// New and changed files, by path.
    pub read: Vec<FoundFile>,
    /// Files of the snapshot that are gone or changed.
    pub dead: Vec<FileId>,
    /// Files of the snapshot that lie elsewhere now, unchanged.
    pub moved: Vec<(FileId, PathBuf)>,
    /// Files of the snapshot that the system refuses to read; they stay.
    pub refused: Vec<Skipped>,
    /// Files were compared because the system noted a change since the last walk.
    pub has_compared: bool,
}

/// The system may note a change with a time that was so long ago.
const CLOCK_TICK: i64 = 10_000_000;

/// What a walk looked at.
pub struct Reach<'a> {
    /// The paths that changed; `None` for the whole corpus.
    pub scope: Option<&'a Scope>,
    /// What could not be listed: nobody knows what is there.
    pub unknown: &'a Scope,
    /// When the last walk of the whole corpus began, in nanoseconds since 1970, if that is known.
    pub walked: Option<i64>,
}

impl Reach<'_> {
    /// Whether a file may be among those found.
    fn contains(&self, path: &Path) -> bool {
        self.scope.is_none_or(|scope| scope.contains(path))
    }

    /// Whether a file itself is said to have changed.
    fn names(&self, path: &Path) -> bool {
        self.scope.is_some_and(|scope| scope.names(path))
    }

    /// Whether the system noted a change of a file since the last walk, or so shortly before that its clock may be
    /// late.
    fn may_have_changed(&self, file: &FoundFile) -> bool {
        self.walked.is_some_and(|walked| file.changed.saturating_add(CLOCK_TICK) >= walked)
    }

    /// Whether it noted one since then for certain.
    fn has_changed(&self, file: &FoundFile) -> bool {
        self.walked.is_some_and(|walked| file.changed >= walked)
    }
}

impl Plan {
    /// Compares files found now with the files of a snapshot that are within reach: there, the found ones
    /// are taken to be all that there are. What must be read for that is read by all threads of the pool; once
    /// `is_cancelled` says so no more of it is, and what is not read is taken to be as it was.
    pub fn new(
        corpus: &Corpus,
        snapshot: &Snapshot,
        found: Vec<FoundFile>,
        reach: &Reach,
        max: u64,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let mut known: HashMap<&[u8], FileId> = snapshot
            .files()
            .filter(|&file| reach.contains(snapshot.path(file)))
            .map(|file| (snapshot.path(file).as_os_str().as_bytes(), file))
            .collect();
        let mut plan = Self::default();
        let mut compared = Vec::new();
        for file in found {
            let Some(id) = known.remove(file.path.as_os_str().as_bytes()) else {
                plan.read.push(file);
                continue;
            };
            let row = snapshot.file(id);
            // A stamp may stay when a file changes: twice within a tick, or by a tool that sets the time back.
            let is_sure = !row.racy && !reach.names(&file.path);
            let is_alike = row.stamp == file.stamp;
            plan.has_compared |= is_alike && is_sure && reach.has_changed(&file);
            if !is_alike {
                plan.dead.push(id);
                plan.read.push(file);
            } else if !is_sure || reach.may_have_changed(&file) {
                compared.push((file, id, row.hash));
            }
        }
        let compared: Vec<(FoundFile, FileId, Content)> = compared
            .into_par_iter()
            .filter(|_| !is_cancelled())
            .map(|(file, id, hash)| {
                let content = content(corpus, &file, hash, max);
                (file, id, content)
            })
            .collect();
        for (file, id, content) in compared {
            match content {
                Content::Same => {}
                Content::Refused(reason) => plan.refused.push(Skipped::new(file.path, reason)),
                Content::Other => {
                    plan.dead.push(id);
                    plan.read.push(file);
                }
            }
        }
        plan.read.sort_by(|a, b| a.path.cmp(&b.path));
        let gone = known.into_values().filter(|&id| !reach.unknown.contains(snapshot.path(id)));
        plan.dead.extend(gone);
        plan.dead.sort_unstable();
        plan.find_moved(corpus, snapshot, max, is_cancelled);
        plan
    }

    /// A file that is gone, and one that is new with the same size, time and content, are one that moved.
    /// Not when its name also decides how it is read: then it is shattered anew.
    fn find_moved(
        &mut self,
        corpus: &Corpus,
        snapshot: &Snapshot,
        max: u64,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) {
        let mut stamps = HashSet::new();
        let mut gone: HashMap<(Stamp, u64, Manner), Vec<FileId>> = HashMap::new();
        for &id in self.dead.iter().rev() {
            let row = snapshot.file(id);
            stamps.insert(row.stamp);
            gone.entry((row.stamp, row.hash, manner(snapshot.path(id)))).or_default().push(id);
        }
        // Most new files need not be read to know that they are new.
        let is_worth_it = |file: &FoundFile| stamps.contains(&file.stamp) && !is_cancelled();
        let hash = |file: &FoundFile| is_worth_it(file).then(|| hash(corpus, file, max).ok()).flatten();
        let hashes: Vec<Option<u64>> = self.read.par_iter().map(hash).collect();
        let mut hashes = hashes.into_iter();
        let mut moved = HashSet::new();
        self.read.retain(|file| {
            let hash = hashes.next().flatten();
            let alike = |hash| gone.get_mut(&(file.stamp, hash, manner(&file.path)))?.pop();
            let Some(id) = hash.and_then(alike) else { return true };
            moved.insert(id);
            self.moved.push((id, file.path.clone()));
            false
        });
        self.dead.retain(|id| !moved.contains(id));
    }
}

/// What of a name may tell how a file is to be read: its ending, or without one all of it.
type Manner = Result<OsString, Option<OsString>>;

fn manner(path: &Path) -> Manner {
    path.extension().map(OsStr::to_owned).ok_or_else(|| path.file_name().map(OsStr::to_owned))
}

/// A file's content, beside that of a row.
#[derive(PartialEq)]
enum Content {
    Same,
    Other,
    Refused(SkipReason),
}

fn content(corpus: &Corpus, file: &FoundFile, known: u64, max: u64) -> Content {
    match hash(corpus, file, max) {
        Ok(hash) if hash == known => Content::Same,
        Err(reason) if reason.is_refusal() => Content::Refused(reason),
        _ => Content::Other,
    }
}

/// The hash of a file that is still as it was found.
fn hash(corpus: &Corpus, file: &FoundFile, max: u64) -> Result<u64, SkipReason> {
    match corpus::hash(&corpus.absolute(&file.path), max)? {
        (hash, stamp) if stamp == file.stamp => Ok(hash),
        _ => Err(SkipReason::Vanished),
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
