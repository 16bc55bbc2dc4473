//! The writer of an index, which makes new generations. There is one at a time.
//!
//! A commit seals new postings as a segment, then replaces the manifest. If it is interrupted before the rename of
//! the manifest, the old generation stays intact.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

use super::home::SegmentName;
use super::manifest::{self, Manifest, ManifestSegment};
use super::merge::{self, MergePlan, Merged};
use super::ranking::Ranking;
use super::segment::{self, Batch};
use super::sketches::{SketchRows, SketchWriter};
use super::snapshot::{FileId, Snapshot};
use super::{IndexError, home};
use dupi_base::corpus::{Formats, LosslessPath, MountedRoots, Skipped, WalkRules};
use dupi_base::storage::{Folder, IsDraft, Lock, LockHolder};

/// The writer of the index in a folder. Holds the lock until dropped.
pub struct IndexWriter {
    folder: Folder,
    snapshot: Snapshot,
    reserved: u64,
    /// The number of the last generation that was begun, committed or not.
    generation: u64,
    lock: Arc<Lock>,
}

/// The changes of a commit. Files are identified as in the writer's newest snapshot.
#[derive(Default)]
pub struct Commit {
    /// New documents.
    pub batches: Vec<Batch>,
    /// Files that were removed, or that `batches` replaces.
    pub dead: Vec<FileId>,
    /// Files that were moved unchanged, with their new paths.
    pub moved: Vec<(FileId, PathBuf)>,
    /// The list of skipped files, if it changed.
    pub skipped: Option<Vec<Skipped>>,
    /// The start of the walk of the whole corpus that this commit completes, in nanoseconds since 1970.
    pub walked: Option<i64>,
    /// The walk rules and formats, if they changed.
    pub rules: Option<(WalkRules, Formats)>,
    /// Whether sketches are kept, if that changed. If they no longer are, those of all segments are removed.
    pub sketches: Option<bool>,
}

impl Commit {
    /// Whether there is nothing to commit.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
            && self.dead.is_empty()
            && self.moved.is_empty()
            && self.skipped.is_none()
            && self.walked.is_none()
            && self.rules.is_none()
            && self.sketches.is_none()
    }
}

impl IndexWriter {
    /// Opens the index in `folder` for writing.
    ///
    /// # Errors
    /// [`IndexError::Absent`] if there is none, [`IndexError::Locked`] if another process writes it.
    pub fn open(folder: &Folder) -> Result<Self, IndexError> {
        if !folder.path().exists() {
            return Err(IndexError::Absent(folder.path().to_owned()));
        }
        home::check(folder)?;
        let lock = lock(folder)?;
        folder.create_private()?;
        Ok(Self::with_lock(folder, Snapshot::open(folder)?, lock))
    }

    /// Creates an index without documents in `folder`, replacing an existing one. Its generation and its first file
    /// have the numbers of `manifest` or greater ones.
    pub fn create(folder: &Folder, manifest: Manifest) -> Result<Self, IndexError> {
        let lock = make_folder(folder)?;
        let manifest = successor(folder, manifest);
        manifest.commit(folder)?;
        Ok(Self::with_lock(folder, Snapshot::with_segments(folder, manifest, &[])?, lock))
    }

    pub(super) fn with_lock(folder: &Folder, snapshot: Snapshot, lock: Lock) -> Self {
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

    /// The manifest that an index which replaces this one continues: the newest generation, with the number of the
    /// next unused file, counting those of unfinished merges.
    pub fn predecessor(&self) -> Manifest {
        Manifest { next_file: self.reserved, ..self.snapshot.manifest().clone() }
    }

    /// Commits a new generation.
    pub fn commit(&mut self, mut change: Commit) -> Result<(), IndexError> {
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
            add_dead(&mut manifest.segments[segment as usize].dead, files);
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
        if let Some(sketches) = change.sketches {
            manifest.sketches = sketches;
        }
        if !manifest.sketches {
            manifest.segments.iter_mut().for_each(|state| state.sketches = None);
        }
        if !change.batches.is_empty() {
            let sketches = if manifest.sketches { self.seal_sketches(&mut change.batches)? } else { None };
            let name = self.reserve("segment");
            let segment = segment::seal_batches(&self.folder, &name, change.batches)?;
            let (dead, moved) = (Vec::new(), BTreeMap::new());
            manifest.segments.push(ManifestSegment { segment, sketches, dead, moved });
        }
        drop_dead_segments(&self.snapshot, &mut manifest);
        self.install(manifest)
    }

    /// Seals the sketches of batches as one file, if all of them have some.
    fn seal_sketches(&mut self, batches: &mut [Batch]) -> Result<Option<SegmentName>, IndexError> {
        let documents = batches.iter().map(|batch| batch.table.documents.len()).sum();
        let rows: Option<Vec<SketchRows>> = batches.iter_mut().map(|batch| batch.sketches.take()).collect();
        let Some(rows) = rows else { return Ok(None) };
        let name = self.reserve("sketch");
        let mut writer = SketchWriter::create(&self.folder, &name, documents)?;
        rows.iter().try_for_each(|rows| writer.push(rows))?;
        writer.seal().map(Some)
    }

    /// A merge that is worth doing now, if any. It can run on any thread.
    pub fn plan_merge(&mut self) -> Option<MergePlan> {
        let inputs = merge::choose(&self.snapshot)?;
        let name = self.reserve("segment");
        let sketches = inputs.iter().all(|live| live.sketches_name().is_some());
        let sketches = sketches.then(|| self.reserve("sketch"));
        Some(MergePlan { folder: self.folder.clone(), name, sketches, inputs, _lock: Arc::clone(&self.lock) })
    }

    /// Replaces the inputs of a merge by the merged segment, with the files that died or moved meanwhile. If one of
    /// the inputs no longer exists, the merge is discarded.
    pub fn adopt(&mut self, merged: Merged) -> Result<(), IndexError> {
        let mut manifest = self.next_manifest();
        let Merged { segment, sketches, .. } = merged;
        let sketches = sketches.filter(|_| manifest.sketches);
        let mut state = ManifestSegment { segment, sketches, dead: Vec::new(), moved: BTreeMap::new() };
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

    /// Adds the sketches of segments of the newest generation, which are identified by their numbers. Existing ones are
    /// replaced.
    pub fn add_sketches(&mut self, made: &[(u32, SketchRows)]) -> Result<(), IndexError> {
        let mut manifest = self.snapshot.manifest().clone();
        for (segment, rows) in made {
            let documents = self.snapshot.segment(*segment).table().document_count();
            let name = self.reserve("sketch");
            let mut writer = SketchWriter::create(&self.folder, &name, documents)?;
            writer.push(rows)?;
            manifest.segments[*segment as usize].sketches = Some(writer.seal()?);
        }
        self.install(manifest)
    }

    /// Saves the ranking of the newest generation, so that the next start need not compute it. An existing file is
    /// replaced only if it is damaged or of an older format.
    pub fn save_ranking(&mut self, ranking: &Ranking) -> Result<(), IndexError> {
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

    /// The manifest of the next generation, before any change.
    fn next_manifest(&mut self) -> Manifest {
        self.generation += 1;
        Manifest { generation: self.generation, ..self.snapshot.manifest().clone() }
    }

    fn reserve(&mut self, kind: &str) -> String {
        let name = home::sealed_name(self.reserved, kind);
        self.reserved += 1;
        name
    }

    /// Checks that the index still exists: our lock, the manifest, and the files of the newest generation.
    ///
    /// # Errors
    /// [`IndexError::Lost`] if one of these files was removed.
    pub fn check(&self) -> Result<(), IndexError> {
        let is_there = |name: &str| {
            let found = std::fs::symlink_metadata(self.folder.at(name));
            found.map_or_else(|error| error.kind() != ErrorKind::NotFound, |_| true)
        };
        let mut segments = self.snapshot.manifest().segments.iter();
        let is_whole = self.lock.is_valid()
            && is_there(manifest::NAME)
            && segments.all(|state| is_there(&state.segment.name));
        is_whole.then_some(()).ok_or_else(|| IndexError::Lost(self.folder.path().to_owned()))
    }

    /// Commits a manifest.
    fn install(&mut self, mut manifest: Manifest) -> Result<(), IndexError> {
        // A manifest must not name files that were removed, nor replace another writer's manifest.
        self.check()?;
        manifest.next_file = self.reserved;
        manifest.commit(&self.folder)?;
        self.snapshot =
            Snapshot::with_segments(&self.folder, manifest, self.snapshot.segments())?.after(&self.snapshot);
        Ok(())
    }

    /// Removes unreferenced files. Must not be called while a merge runs: its output is unreferenced.
    pub fn sweep(&self) {
        let manifest = self.snapshot.manifest();
        // After a commit that failed at its very end, the disk may have a newer generation than this writer.
        if Manifest::read(&self.folder).is_ok_and(|on_disk| on_disk == *manifest) {
            sweep(&self.folder, |name| manifest.names(name) || home::is_kept_name(name));
        }
    }
}

/// The manifest of an index that replaces the one in `folder`, if there is one. File names and generations continue
/// those of the earlier index: its readers may still open its files and keep results by generation.
pub(super) fn successor(folder: &Folder, manifest: Manifest) -> Manifest {
    let before = Manifest::read(folder).ok();
    let generation = before.as_ref().map_or(0, |before| before.generation + 1).max(manifest.generation);
    let next_file = before.as_ref().map_or(1, |before| before.next_file).max(manifest.next_file);
    Manifest { next_file, generation, content: generation, ..manifest }
}

/// Makes the folder of an index, unless it holds other things, and takes the writer's lock.
pub(super) fn make_folder(folder: &Folder) -> Result<Lock, IndexError> {
    home::check(folder)?;
    folder.create_private()?;
    lock(folder)
}

/// Takes the writer's lock.
pub(super) fn lock(folder: &Folder) -> Result<Lock, IndexError> {
    let held = |LockHolder(holder)| IndexError::Locked { path: folder.path().to_owned(), holder };
    Lock::take(folder, home::LOCK)?.map_err(held)
}

/// Whether no process is writing the index in `folder`.
pub fn is_free(folder: &Folder) -> bool {
    // Nobody writes in a missing folder.
    !folder.path().exists() || lock(folder).is_ok()
}

/// Adds files to a sorted list of dead files without duplicates. The sort is fast, because both lists are sorted
/// runs.
fn add_dead(dead: &mut Vec<u32>, mut files: Vec<u32>) {
    files.sort_unstable();
    dead.append(&mut files);
    dead.sort();
    dead.dedup();
}

/// Removes sealed files that `is_named` does not claim, and drafts: every file that the writer needs is sealed.
/// Files are recognised by names that only an index has.
fn sweep(folder: &Folder, is_named: impl Fn(&str) -> bool) {
    folder.sweep(|name, IsDraft(is_draft)| {
        let is_unnamed = (home::is_sealed_name(name) || home::is_kept_name(name)) && !is_named(name);
        let is_unique = home::is_draft_of_screen(name) || home::is_kept_draft(name);
        if is_draft { name == manifest::NAME || home::is_sealed_name(name) || is_unique } else { is_unnamed }
    });
}

/// Removes segments of which every file is dead. That needs no merge.
fn drop_dead_segments(before: &Snapshot, manifest: &mut Manifest) {
    let files: BTreeMap<&str, usize> = before
        .segments()
        .iter()
        .map(|live| (live.name().name.as_str(), live.segment().table().file_count()))
        .collect();
    manifest.segments.retain(|state| files.get(state.segment.name.as_str()) != Some(&state.dead.len()));
}

/// Removes the index in `folder`. Other files, such as the taboo list, stay.
pub fn remove(folder: &Folder) -> Result<(), IndexError> {
    home::check(folder)?;
    let lock = lock(folder)?;
    folder.remove(manifest::NAME)?;
    sweep(folder, |_| false);
    MountedRoots::remove(folder)?;
    folder.remove(home::SCREEN)?;
    folder.remove(home::VISIT)?;
    // The lock is removed last: it marks the folder as ours if we die before.
    Ok(lock.remove()?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn dead_files_are_sorted_and_unique(
            before in proptest::collection::btree_set(0..50_u32, 0..30),
            files in proptest::collection::vec(0..50_u32, 0..30),
        ) {
            let mut dead: Vec<u32> = before.iter().copied().collect();
            add_dead(&mut dead, files.clone());
            let all: Vec<u32> = before.iter().copied().chain(files).collect::<std::collections::BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(dead, all);
        }
    }
}
