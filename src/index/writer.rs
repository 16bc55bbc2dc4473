//! How one generation follows another: the one writer of an index.
//!
//! A commit seals new postings as a segment, then replaces the manifest. Whatever stops it before the
//! manifest's rename leaves the old generation whole.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

use super::IndexError;
use super::home;
use super::manifest::{self, Manifest, SegmentState};
use super::merge::{self, MergePlan, Merged};
use super::ranking::Ranking;
use super::segment::{self, Batch};
use super::snapshot::{FileId, Snapshot};
use crate::corpus::{Disks, Formats, LosslessPath, Skipped, WalkRules};
use crate::storage::{Folder, Held, IsDraft, Lock};

/// The writer of the index in a folder. Holds the lock until dropped.
pub struct IndexWriter {
    folder: Folder,
    snapshot: Snapshot,
    reserved: u64,
    /// The last number that was given to a generation, whether or not it came about.
    generation: u64,
    lock: Arc<Lock>,
}

/// What a commit changes. Files are named as the writer's newest snapshot names them.
#[derive(Default)]
pub struct Change {
    /// New documents.
    pub batches: Vec<Batch>,
    /// Files that are gone, or that `batches` hold anew.
    pub dead: Vec<FileId>,
    /// Files that moved without a change, with their new paths.
    pub moved: Vec<(FileId, PathBuf)>,
    /// The list of files left out, when it changed.
    pub skipped: Option<Vec<Skipped>>,
    /// When the walk of the whole corpus began that the index agrees with then.
    pub walked: Option<i64>,
    /// Which files are documents and how they hold several, when that changed.
    pub rules: Option<(WalkRules, Formats)>,
}

impl Change {
    /// Whether there is nothing to commit.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
            && self.dead.is_empty()
            && self.moved.is_empty()
            && self.skipped.is_none()
            && self.walked.is_none()
            && self.rules.is_none()
    }
}

impl IndexWriter {
    /// Opens the index in `folder` for writing.
    ///
    /// # Errors
    /// [`IndexError::Absent`] when there is none, [`IndexError::Locked`] when another process writes it.
    pub fn open(folder: &Folder) -> Result<Self, IndexError> {
        if !folder.path().exists() {
            return Err(IndexError::Absent(folder.path().to_owned()));
        }
        home::check(folder)?;
        let lock = lock(folder)?;
        folder.create_private()?;
        Ok(Self::of(folder, Snapshot::open(folder)?, lock))
    }

    /// Makes an index without documents in `folder`; one that is there is replaced. Its generation and its first
    /// file have the numbers that `manifest` has, or greater ones.
    pub fn create(folder: &Folder, manifest: Manifest) -> Result<Self, IndexError> {
        home::check(folder)?;
        folder.create_private()?;
        let lock = lock(folder)?;
        // Names and generations go on behind those of an index that was here: its readers may still open its
        // files, and keep what they made by its generations.
        let before = Manifest::read(folder).ok();
        let generation = before.as_ref().map_or(0, |before| before.generation + 1).max(manifest.generation);
        let next_file = before.as_ref().map_or(1, |before| before.next_file).max(manifest.next_file);
        let manifest = Manifest { next_file, generation, content: generation, ..manifest };
        manifest.commit(folder)?;
        Ok(Self::of(folder, Snapshot::of(folder, manifest, &[])?, lock))
    }

    fn of(folder: &Folder, snapshot: Snapshot, lock: Lock) -> Self {
        let Manifest { next_file, generation, .. } = *snapshot.manifest();
        let writer =
            Self { folder: folder.clone(), reserved: next_file, generation, snapshot, lock: Arc::new(lock) };
        writer.sweep();
        writer
    }

    /// The newest generation.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// What an index that replaces this one has to go on from: the newest generation, with the number of a file that
    /// was never begun, be it by a merge of which no generation knows.
    pub fn predecessor(&self) -> Manifest {
        Manifest { next_file: self.reserved, ..self.snapshot.manifest().clone() }
    }

    /// Makes a new generation.
    pub fn commit(&mut self, change: Change) -> Result<(), IndexError> {
        let mut manifest = self.next_manifest();
        if !change.dead.is_empty() || !change.batches.is_empty() {
            (manifest.content, manifest.ranking) = (manifest.generation, None);
        }
        let mut dead: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for file in change.dead {
            manifest.segments[file.segment as usize].moved.remove(&file.file);
            dead.entry(file.segment).or_default().push(file.file);
        }
        for (segment, files) in dead {
            bury(&mut manifest.segments[segment as usize].dead, files);
        }
        for (file, path) in change.moved {
            manifest.segments[file.segment as usize].moved.insert(file.file, LosslessPath(path));
        }
        if let Some(skipped) = change.skipped {
            manifest.skipped = skipped;
        }
        manifest.walked = change.walked.or(manifest.walked);
        if let Some((rules, formats)) = change.rules {
            (manifest.rules, manifest.formats) = (rules, formats);
        }
        if !change.batches.is_empty() {
            let name = self.reserve("segment");
            let sealed = segment::seal_batches(&self.folder, &name, change.batches)?;
            manifest.segments.push(SegmentState {
                segment: sealed,
                dead: Vec::new(),
                moved: BTreeMap::new(),
            });
        }
        drop_dead_segments(&self.snapshot, &mut manifest);
        self.install(manifest)
    }

    /// A merge that is worth doing now, to be run on any thread.
    pub fn plan_merge(&mut self) -> Option<MergePlan> {
        let inputs = merge::choose(&self.snapshot)?;
        let name = self.reserve("segment");
        Some(MergePlan::new(&self.folder, name, inputs, Arc::clone(&self.lock)))
    }

    /// Puts a merged segment in the place of those it was made from, with what died or moved meanwhile.
    /// When one of them is gone by now, the merge is dropped.
    pub fn adopt(&mut self, merged: Merged) -> Result<(), IndexError> {
        let mut manifest = self.next_manifest();
        let mut state = SegmentState { segment: merged.segment, dead: Vec::new(), moved: BTreeMap::new() };
        let mut position = None;
        for (input, files) in merged.inputs.iter().zip(&merged.files) {
            let Some(at) = manifest.segments.iter().position(|state| state.segment == *input.name()) else {
                self.sweep();
                return Ok(());
            };
            let replaced = manifest.segments.remove(at);
            position.get_or_insert(at);
            let renumbered = |file: u32| files.get(file as usize).copied().flatten();
            state.dead.extend(replaced.dead.iter().filter_map(|&file| renumbered(file)));
            state.moved.extend(
                replaced.moved.into_iter().filter_map(|(file, path)| Some((renumbered(file)?, path))),
            );
        }
        state.dead.sort_unstable();
        manifest.segments.insert(position.unwrap_or(0).min(manifest.segments.len()), state);
        self.install(manifest)
    }

    /// Keeps the ranking on disk, if it is that of the newest generation, so that the next start need not make it.
    /// One that is there is replaced when it cannot be read: it is damaged, or of an older format.
    pub fn keep_ranking(&mut self, ranking: &Ranking) -> Result<(), IndexError> {
        let is_newest = ranking.content == self.snapshot.manifest().content;
        if !is_newest || Ranking::read(&self.folder, &self.snapshot).is_some() {
            return Ok(());
        }
        let name = self.reserve("ranking");
        let mut manifest = self.snapshot.manifest().clone();
        manifest.next_file = self.reserved;
        manifest.ranking = Some(ranking.write(&self.folder, &name)?);
        self.install(manifest)
    }

    /// The manifest of the next generation, as yet unchanged.
    fn next_manifest(&mut self) -> Manifest {
        self.generation += 1;
        Manifest { generation: self.generation, ..self.snapshot.manifest().clone() }
    }

    fn reserve(&mut self, kind: &str) -> String {
        let name = home::sealed_name(self.reserved, kind);
        self.reserved += 1;
        name
    }

    /// Whether the index is still there: our lock, the manifest, and the files of the newest generation.
    ///
    /// # Errors
    /// [`IndexError::Lost`] when some of it was removed by somebody else.
    pub fn check(&self) -> Result<(), IndexError> {
        let is_there = |name: &str| {
            let found = std::fs::symlink_metadata(self.folder.at(name));
            found.map_or_else(|error| error.kind() != ErrorKind::NotFound, |_| true)
        };
        let mut segments = self.snapshot.manifest().segments.iter();
        let is_whole = self.lock.stands()
            && is_there(manifest::NAME)
            && segments.all(|state| is_there(&state.segment.name));
        is_whole.then_some(()).ok_or_else(|| IndexError::Lost(self.folder.path().to_owned()))
    }

    /// The commit itself.
    fn install(&mut self, mut manifest: Manifest) -> Result<(), IndexError> {
        // A manifest must not name what is gone, nor take the place of another writer's.
        self.check()?;
        manifest.next_file = self.reserved;
        manifest.commit(&self.folder)?;
        self.snapshot = Snapshot::of(&self.folder, manifest, self.snapshot.segments())?.after(&self.snapshot);
        Ok(())
    }

    /// Removes files that no generation names. Not while a merge runs: its output is such a file.
    pub fn sweep(&self) {
        let manifest = self.snapshot.manifest();
        // After a commit that failed at its very end, the disk may have a newer generation than we do.
        if Manifest::read(&self.folder).is_ok_and(|on_disk| on_disk == *manifest) {
            sweep(&self.folder, |name| manifest.names(name));
        }
    }
}

/// Takes the right to write the index in `folder`.
fn lock(folder: &Folder) -> Result<Lock, IndexError> {
    let held = |Held(holder)| IndexError::Locked { path: folder.path().to_owned(), holder };
    Lock::take(folder, home::LOCK)?.map_err(held)
}

/// Whether nobody writes the index in `folder` now.
pub fn is_free(folder: &Folder) -> bool {
    // In a folder that is gone nobody writes.
    !folder.path().exists() || lock(folder).is_ok()
}

/// Adds files to those of a segment that are dead, which are in order and each there once. A sort takes what is
/// in order already as it is, so that this costs about as much as reading both lists.
fn bury(dead: &mut Vec<u32>, mut files: Vec<u32>) {
    files.sort_unstable();
    dead.append(&mut files);
    dead.sort();
    dead.dedup();
}

/// Removes what is an index's, by names that only an index has, and `is_named` does not claim; and drafts: what
/// the writer has written, it has sealed.
fn sweep(folder: &Folder, is_named: impl Fn(&str) -> bool) {
    folder.sweep(|name, IsDraft(is_draft)| {
        let is_ours = home::is_sealed_name(name) && (is_draft || !is_named(name));
        is_ours || (is_draft && (name == manifest::NAME || home::is_draft_of_screen(name)))
    });
}

/// Segments of which every file is dead need no merge to go.
fn drop_dead_segments(before: &Snapshot, manifest: &mut Manifest) {
    let files: BTreeMap<&str, usize> = before
        .segments()
        .iter()
        .map(|live| (live.name().name.as_str(), live.segment().table().file_count()))
        .collect();
    manifest.segments.retain(|state| files.get(state.segment.name.as_str()) != Some(&state.dead.len()));
}

/// Removes the index in `folder`, but for what is not the index's: the taboo list stays.
pub fn remove(folder: &Folder) -> Result<(), IndexError> {
    home::check(folder)?;
    let lock = lock(folder)?;
    folder.remove(manifest::NAME)?;
    sweep(folder, |_| false);
    Disks::forget(folder)?;
    folder.remove(home::SCREEN)?;
    // It goes last: by it the folder is known as ours if we die before.
    Ok(lock.remove()?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_dead_are_in_order_and_there_once(
            before in proptest::collection::btree_set(0..50_u32, 0..30),
            files in proptest::collection::vec(0..50_u32, 0..30),
        ) {
            let mut dead: Vec<u32> = before.iter().copied().collect();
            bury(&mut dead, files.clone());
            let all: Vec<u32> = before.iter().copied().chain(files).collect::<std::collections::BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(dead, all);
        }
    }
}
