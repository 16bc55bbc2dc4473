//! What of a walked corpus is new, changed, moved or gone, seen against a snapshot.

use std::collections::{HashMap, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::corpus::{self, Corpus, FoundFile, Scope, Stamp};
use crate::index::snapshot::{FileId, Snapshot};
use crate::index::table::FileRow;

/// What there is to do.
#[derive(Debug, Default, PartialEq)]
pub struct Plan {
    /// New and changed files, by path.
    pub read: Vec<FoundFile>,
    /// Files of the snapshot that are gone or changed.
    pub dead: Vec<FileId>,
    /// Files of the snapshot that lie elsewhere now, unchanged.
    pub moved: Vec<(FileId, PathBuf)>,
}

/// What a walk looked at.
pub struct Reach<'a> {
    /// The paths that changed; `None` for the whole corpus.
    pub scope: Option<&'a Scope>,
    /// What could not be listed: nobody knows what is there.
    pub unknown: &'a Scope,
}

impl Reach<'_> {
    /// Whether a file would have been found, were it there.
    fn contains(&self, path: &Path) -> bool {
        self.scope.is_none_or(|scope| scope.contains(path)) && !self.unknown.contains(path)
    }

    /// Whether a file itself is said to have changed.
    fn names(&self, path: &Path) -> bool {
        self.scope.is_some_and(|scope| scope.names(path))
    }
}

impl Plan {
    /// Compares files found now with the files of a snapshot that are within reach: there, the found ones
    /// are taken to be all that there are.
    pub fn new(corpus: &Corpus, snapshot: &Snapshot, found: Vec<FoundFile>, reach: &Reach, max: u64) -> Self {
        let mut known: HashMap<&[u8], FileId> = snapshot
            .files()
            .filter(|&file| reach.contains(snapshot.path(file)))
            .map(|file| (snapshot.path(file).as_os_str().as_bytes(), file))
            .collect();
        let mut plan = Self::default();
        for file in found {
            let Some(id) = known.remove(file.path.as_os_str().as_bytes()) else {
                plan.read.push(file);
                continue;
            };
            let row = snapshot.file(id);
            // A stamp may stay when a file changes: twice within a tick, or by a tool that sets the time back.
            let is_sure = !row.racy && !reach.names(&file.path);
            let unchanged = row.stamp == file.stamp && (is_sure || is_same_content(corpus, &file, &row, max));
            if !unchanged {
                plan.dead.push(id);
                plan.read.push(file);
            }
        }
        plan.dead.extend(known.into_values());
        plan.find_moved(corpus, snapshot, max);
        plan.dead.sort_unstable();
        plan
    }

    /// A file that is gone, and one that is new with the same size, time and content, are one that moved.
    /// Not when its name also decides how it is read: then it is shattered anew.
    fn find_moved(&mut self, corpus: &Corpus, snapshot: &Snapshot, max: u64) {
        let mut gone: HashMap<(u64, i64), Vec<FileId>> = HashMap::new();
        for &id in &self.dead {
            let Stamp { size, mtime } = snapshot.file(id).stamp;
            gone.entry((size, mtime)).or_default().push(id);
        }
        if gone.is_empty() {
            return;
        }
        let moved = &mut self.moved;
        self.read.retain(|file| {
            let Some(candidates) = gone.get_mut(&(file.stamp.size, file.stamp.mtime)) else { return true };
            let alike = candidates.iter().position(|&id| {
                let was = snapshot.path(id);
                was != file.path
                    && is_named_alike(was, &file.path)
                    && is_same_content(corpus, file, &snapshot.file(id), max)
            });
            let Some(at) = alike else { return true };
            moved.push((candidates.swap_remove(at), file.path.clone()));
            false
        });
        let moved: HashSet<FileId> = moved.iter().map(|&(id, _)| id).collect();
        self.dead.retain(|id| !moved.contains(id));
    }
}

/// Whether two names tell the same about how a file is to be read.
fn is_named_alike(a: &Path, b: &Path) -> bool {
    a.file_name() == b.file_name() || (a.extension().is_some() && a.extension() == b.extension())
}

fn is_same_content(corpus: &Corpus, file: &FoundFile, row: &FileRow, max: u64) -> bool {
    let mut bytes = Vec::new();
    corpus::read(&corpus.absolute(&file.path), max, &mut bytes)
        .is_ok_and(|stamp| stamp == row.stamp && xxh3_64(&bytes) == row.hash)
}
