//! Compares a walked corpus with a snapshot: which files are new, changed, moved or removed.
//!
//! A file with unchanged size and time is compared by its content in three cases: the watcher reported it, it had
//! just been written when it was read, or its ctime is later than the last walk (a tool may have set its mtime
//! back). A file that is no longer readable keeps its documents as long as size and time are unchanged; it is
//! listed as skipped if it has to be opened in one of these cases.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use dupi_base::corpus::{self, Corpus, FoundFile, PathScope, SkipReason, Skipped, Stamp};
use dupi_base::parallel;
use dupi_index::index::segment::Batch;
use dupi_index::index::snapshot::{FileId, Snapshot};

/// What an update has to do.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Plan {
    /// New and changed files, sorted by path.
    pub read: Vec<FoundFile>,
    /// Files of the snapshot that were removed or changed.
    pub dead: Vec<FileId>,
    /// Files of the snapshot that were moved unchanged, with their new paths.
    pub moved: Vec<(FileId, PathBuf)>,
    /// Files of the snapshot that cannot be read; their documents stay.
    pub refused: Vec<Skipped>,
    /// Whether files were compared because their ctime is later than the last walk.
    pub has_compared: bool,
}

/// The resolution of ctime in nanoseconds: it may be this much too early.
const CLOCK_TICK: i64 = 10_000_000;

/// The part of the corpus that was walked.
pub(super) struct WalkedPart<'a> {
    /// The paths that changed; `None` for the whole corpus.
    pub scope: Option<&'a PathScope>,
    /// The paths that could not be listed: their content is unknown.
    pub unknown: &'a PathScope,
    /// The start of the last walk of the whole corpus, in nanoseconds since 1970, if known.
    pub walked: Option<i64>,
}

/// The start of the last walk, given that of this one. A walk in the future had another clock, so the times of changes do
/// not tell what came after it: it counts as long ago.
pub(super) fn last_walk(walked: Option<i64>, begun: Option<i64>) -> Option<i64> {
    let is_later = |walked: i64| begun.is_some_and(|begun| begun < walked);
    walked.map(|walked| if is_later(walked) { i64::MIN } else { walked })
}

impl WalkedPart<'_> {
    /// Whether a file is in the walked part.
    fn contains(&self, path: &Path) -> bool {
        self.scope.is_none_or(|scope| scope.contains(path))
    }

    /// Whether a file itself was reported as changed.
    fn names(&self, path: &Path) -> bool {
        self.scope.is_some_and(|scope| scope.names(path))
    }

    /// Whether a file may have changed since the last walk, by its ctime and given its resolution.
    fn may_have_changed(&self, file: &FoundFile) -> bool {
        self.walked.is_some_and(|walked| file.changed.saturating_add(CLOCK_TICK) >= walked)
    }

    /// Whether a file's ctime is later than the last walk.
    fn has_changed(&self, file: &FoundFile) -> bool {
        self.walked.is_some_and(|walked| file.changed >= walked)
    }
}

impl Plan {
    /// Compares the files found by a walk with the snapshot's files in the walked part; there, files that were not
    /// found are removed. Files that must be compared are read by all threads of the current pool. After
    /// `is_cancelled` returns `true` no more are read, and the rest counts as unchanged.
    pub(super) fn new(
        corpus: &Corpus,
        snapshot: &Snapshot,
        found: Vec<FoundFile>,
        walked_part: &WalkedPart,
        max: u64,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let mut known: HashMap<&[u8], FileId> = snapshot
            .files()
            .filter(|&file| walked_part.contains(snapshot.path(file)))
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
            // A stamp can stay the same when a file changes: twice within a tick, or by a tool that sets the time
            // back.
            let is_sure = !row.racy && !walked_part.names(&file.path);
            let is_alike = row.stamp == file.stamp;
            plan.has_compared |= is_alike && is_sure && walked_part.has_changed(&file);
            if !is_alike {
                plan.dead.push(id);
                plan.read.push(file);
            } else if !is_sure || walked_part.may_have_changed(&file) {
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
        let gone = known.into_values().filter(|&id| !walked_part.unknown.contains(snapshot.path(id)));
        plan.dead.extend(gone);
        plan.dead.sort_unstable();
        plan.find_moved(corpus, snapshot, max, is_cancelled);
        plan
    }

    /// A removed file and a new one with the same size, time and content are one moved file, unless the new name
    /// may change how it is read: then it is shattered again.
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
        // Most new files have a new stamp and need not be read.
        let is_worth_it = |file: &FoundFile| stamps.contains(&file.stamp) && !is_cancelled();
        let hash = |file: &FoundFile| is_worth_it(file).then(|| hash(corpus, file, max).ok()).flatten();
        let hashes: Vec<Option<u64>> = parallel::map(&self.read, hash);
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

/// The part of a file name that may determine how the file is read: its extension, or without one the whole name.
type Manner = Result<OsString, Option<OsString>>;

fn manner(path: &Path) -> Manner {
    path.extension().map(OsStr::to_owned).ok_or_else(|| path.file_name().map(OsStr::to_owned))
}

/// The result of comparing a file with the index.
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

/// The hash of a file, if its stamp has not changed since it was found.
fn hash(corpus: &Corpus, file: &FoundFile, max: u64) -> Result<u64, SkipReason> {
    match corpus::hash(&corpus.absolute(&file.path), max)? {
        (hash, stamp) if stamp == file.stamp => Ok(hash),
        _ => Err(SkipReason::Vanished),
    }
}

// Changed files of the index. The old documents of a file are removed when it was read again, or is no longer a
// document. A file that could not be read, or was not reached, keeps them.

/// The changed files that still have their old documents, by path.
pub(super) struct Replaced(HashMap<Vec<u8>, IndexedFile>);

/// A file in the index, by the name of its segment, which is valid in later generations too.
struct IndexedFile {
    segment: String,
    file: u32,
}

impl Replaced {
    /// Moves the files that are to be read again from the plan's dead files to this list.
    pub(super) fn take(snapshot: &Snapshot, plan: &mut Plan) -> Self {
        let mut changed = HashMap::new();
        let Plan { read, dead, .. } = plan;
        dead.retain(|&id| {
            let path = snapshot.path(id);
            let is_read = read.binary_search_by(|file| file.path.as_path().cmp(path)).is_ok();
            if is_read {
                let segment = snapshot.segments()[id.segment as usize].name().name.clone();
                changed.insert(path.as_os_str().as_bytes().to_vec(), IndexedFile { segment, file: id.file });
            }
            !is_read
        });
        Self(changed)
    }

    /// Removes and returns the files that are replaced by a batch, or that were skipped with it, as a snapshot
    /// identifies them.
    pub(super) fn by(&mut self, snapshot: &Snapshot, batch: &Batch, skipped: &[Skipped]) -> Vec<FileId> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let read = batch.table.files.iter().map(|row| row.path.as_slice());
        let no_more = skipped.iter().filter(|entry| !entry.reason.is_refusal());
        let no_more = no_more.map(|entry| entry.path.as_os_str().as_bytes());
        let mut dead = Vec::new();
        for path in read.chain(no_more) {
            let Some(IndexedFile { segment, file }) = self.0.remove(path) else { continue };
            let number = snapshot.segments().iter().position(|live| live.name().name == segment);
            dead.extend(number.map(|number| FileId { segment: number as u32, file }));
        }
        dead
    }
}

// The list of skipped files, updated while the index is brought up to date.

/// The list of skipped files and records.
pub(super) struct SkippedFiles {
    list: Vec<Skipped>,
}

impl SkippedFiles {
    /// What the walk skipped, and the entries of the old list that are still valid: files outside of `scope`, and
    /// those that were skipped because of their content and did not change.
    pub(super) fn new(
        snapshot: &Snapshot,
        walked: Vec<Skipped>,
        scope: Option<&PathScope>,
        plan: &Plan,
    ) -> Self {
        let by_content = |entry: &Skipped| matches!(entry.reason, SkipReason::BadRecord(_));
        let old = &snapshot.manifest().skipped;
        let known: HashSet<&Path> = match old.iter().any(by_content) {
            true => snapshot.files().map(|file| snapshot.path(file)).collect(),
            false => HashSet::new(),
        };
        let is_read_anew =
            |entry: &Skipped| plan.read.binary_search_by(|file| file.path.cmp(&entry.path)).is_ok();
        let holds = |entry: &&Skipped| {
            let is_outside = scope.is_some_and(|scope| !scope.contains(&entry.path));
            is_outside || (by_content(entry) && !is_read_anew(entry) && known.contains(entry.path.as_path()))
        };
        let mut list = walked;
        list.extend(old.iter().filter(holds).cloned());
        Self { list }
    }

    /// Adds what was skipped when files were read.
    pub(super) fn extend(&mut self, skipped: Vec<Skipped>) {
        self.list.extend(skipped);
    }

    /// The list, if it differs from the snapshot's.
    pub(super) fn if_changed(&mut self, snapshot: &Snapshot) -> Option<Vec<Skipped>> {
        self.list = listed(std::mem::take(&mut self.list));
        (self.list != snapshot.manifest().skipped).then(|| self.list.clone())
    }
}

/// The list in the order and form in which an index keeps it.
pub(super) fn listed(mut list: Vec<Skipped>) -> Vec<Skipped> {
    let line = |reason: &SkipReason| if let SkipReason::BadRecord(line) = reason { *line } else { 0 };
    list.sort_by_cached_key(|entry| (entry.path.clone(), line(&entry.reason), entry.reason.to_string()));
    list.dedup();
    Skipped::first_of_each(list)
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
