//! Joins segments that were built apart into one index, after a check of each: its checksums, that no document is in two,
//! and that every document of the plan is in one.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::SegmentError;
use super::task_plan::TaskPlan;
use crate::plan::listed;
use crate::priority::{self, Nice};
use crate::progress::Options;
use crate::update::UpdateError;
use dupi_base::corpus::{Corpus, Skipped};
use dupi_base::storage::{Folder, StorageError, TEMPORARY, shown};
use dupi_index::index::join::{self, JoinedIndex};
use dupi_index::index::manifest::{self, Manifest};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::index::stream::verify;
use dupi_index::index::writer::IndexWriter;
use dupi_text::token::LEXING_VERSION;

/// Which segments are adopted, and how.
pub struct Adoption {
    /// Folders of segments, or folders of such folders.
    pub from: Vec<PathBuf>,
    /// The folder in which the documents are now, if it is another than when the segments were built.
    pub root: Option<PathBuf>,
    /// The plan, all documents of which must be in the segments.
    pub plan: Option<TaskPlan>,
    /// Whether an existing index is replaced.
    pub replace: bool,
    /// Threads that check.
    pub threads: usize,
}

/// Checks that an index can be made in `home` now, so that hours of work are not in vain. [`Adopted::join`] checks it again.
///
/// # Errors
/// [`SegmentError::Wrong`] if there is an index that is not to be replaced; the errors of the index if that is damaged or
/// of another version, if the folder holds other things, or if another process writes there.
pub fn may_replace(home: &Folder, replace: bool) -> Result<(), SegmentError> {
    join::is_vacant(home, replace)?.then_some(()).ok_or_else(|| SegmentError::exists(home.path()))
}

/// Segments that were checked, ready to become an index.
pub struct Adopted {
    manifest: Manifest,
    joined: Vec<JoinedIndex>,
    replace: bool,
}

impl Adoption {
    /// Checks the segments.
    pub fn check(&self) -> Result<Adopted, SegmentError> {
        let pool = priority::pool(self.threads, Nice::Answering).map_err(UpdateError::Threads)?;
        pool.install(|| self.check_here())
    }

    fn check_here(&self) -> Result<Adopted, SegmentError> {
        let mut sets = Sets::default();
        for from in &self.from {
            let found = folders(from)?;
            if found.is_empty() && self.plan.as_ref().is_none_or(|plan| plan.tasks > 0) {
                return Err(SegmentError::none(from));
            }
            found.into_iter().try_for_each(|folder| sets.add(folder))?;
        }
        let Sets { mut joined, files, mut skipped } = sets;
        let first = joined.first();
        let usual = self.plan.as_ref().map(|plan| &plan.manifest).or(first.map(|(_, set)| &set.manifest));
        let Some(usual) = usual.cloned() else {
            return Err(SegmentError::none(self.from.first().map_or(Path::new(""), PathBuf::as_path)));
        };
        for (_, set) in &joined {
            self.check_alike(&usual, first.map(|(_, first)| first), set)?;
        }
        if let Some(plan) = &self.plan {
            check_whole(plan, &files, &skipped)?;
            skipped.extend(plan.manifest.skipped.iter().cloned());
        }
        let others = joined.iter().map(|(_, set)| &set.manifest.corpus).filter(|of| **of != usual.corpus);
        let corpora = std::iter::once(&usual.corpus).chain(others);
        let corpus = match &self.root {
            Some(root) => Corpus::elsewhere(corpora, root)?,
            None => usual.corpus,
        };
        let mut manifest = Manifest::empty(corpus, usual.rules, usual.formats, usual.recipe);
        manifest.sketches = usual.sketches && joined.iter().all(|(_, set)| set.manifest.sketches);
        manifest.skipped = listed(skipped);
        // At another place nothing was walked.
        let walked = self.plan.as_ref().and_then(|plan| plan.manifest.walked);
        manifest.walked = walked.filter(|_| self.root.is_none());
        // So that the index does not depend on the order in which the segments were made.
        joined.sort_by(|(a, one), (b, other)| {
            a.cmp(b).then_with(|| one.folder.path().file_name().cmp(&other.folder.path().file_name()))
        });
        let joined = joined.into_iter().map(|(_, set)| set).collect();
        Ok(Adopted { manifest, joined, replace: self.replace })
    }

    /// Refuses segments that were not built like the others.
    fn check_alike(
        &self,
        usual: &Manifest,
        first: Option<&JoinedIndex>,
        set: &JoinedIndex,
    ) -> Result<(), SegmentError> {
        let Manifest { recipe, formats, rules, corpus, .. } = &set.manifest;
        let [one, other] = [first.unwrap_or(set), set].map(|set| shown(set.folder.path()));
        let differs = [
            (*recipe != usual.recipe, "recipes"),
            (*formats != usual.formats, "formats of files"),
            (*rules != usual.rules, "rules for files"),
        ];
        if let Some(&(_, what)) = differs.iter().find(|(differs, _)| *differs) {
            return Err(SegmentError::Wrong(format!(
                "the segments in {one} and {other} were built with different {what}; build all in one way"
            )));
        }
        if self.root.is_none() && *corpus != usual.corpus {
            return Err(SegmentError::Wrong(format!(
                "the segments in {one} and {other} have different roots; name the root with --root"
            )));
        }
        Ok(())
    }
}

impl Adopted {
    /// The corpus of the index.
    pub fn corpus(&self) -> &Corpus {
        &self.manifest.corpus
    }

    /// Makes the index in `home`. The segments themselves stay where they are. What could not be read is in
    /// [`Snapshot::unread`].
    ///
    /// # Errors
    /// [`SegmentError::Wrong`] if there is an index that is not to be replaced.
    pub fn join(&self, home: &Folder) -> Result<Snapshot, SegmentError> {
        Options::new(home.clone()).check_apart(&self.manifest.corpus)?;
        let writer = IndexWriter::join(home, self.manifest.clone(), &self.joined, self.replace)?;
        let writer = writer.ok_or_else(|| SegmentError::exists(home.path()))?;
        let snapshot = writer.snapshot().clone();
        for Skipped { path, reason, .. } in &snapshot.manifest().skipped {
            snapshot.unread().note(path, reason);
        }
        Ok(snapshot)
    }
}

/// The segments found so far, and what is in them.
#[derive(Default)]
struct Sets {
    /// Each with the path of its first file.
    joined: Vec<(Vec<u8>, JoinedIndex)>,
    /// The hash of the path of each file, and the number of its set.
    files: HashMap<u64, u32>,
    skipped: Vec<Skipped>,
}

impl Sets {
    /// Checks a set and adds it. It is closed again, so that any number of them can be checked.
    fn add(&mut self, folder: Folder) -> Result<(), SegmentError> {
        let (manifest, snapshot) = checked(&folder)?;
        let number = self.joined.len() as u32;
        let mut first: Option<&Path> = None;
        for file in snapshot.files() {
            let path = snapshot.path(file);
            first = first.filter(|first| *first <= path).or(Some(path));
            let Some(other) = self.files.insert(hash(path), number) else { continue };
            let (one, is_same) = match self.joined.get(other as usize) {
                Some((_, set)) => (set.folder.path(), has(&Snapshot::open(&set.folder)?, path) > 0),
                None => (folder.path(), has(&snapshot, path) > 1),
            };
            if is_same {
                let [path, one, other] = [path, one, folder.path()].map(|path| shown(path));
                return Err(SegmentError::Wrong(format!(
                    "the document {path} is in two segments, {one} and {other}; adopt only one of them"
                )));
            }
        }
        self.skipped.extend(manifest.skipped.iter().cloned());
        let first = first.map_or_else(Vec::new, |path| path.as_os_str().as_bytes().to_vec());
        self.joined.push((first, JoinedIndex { folder, manifest }));
        Ok(())
    }
}

fn has(snapshot: &Snapshot, path: &Path) -> usize {
    snapshot.files().filter(|&file| snapshot.path(file) == path).count()
}

fn hash(path: &Path) -> u64 {
    xxh3_64(path.as_os_str().as_bytes())
}

/// Opens a set of segments, and reads all of it.
pub(super) fn checked(folder: &Folder) -> Result<(Manifest, Snapshot), SegmentError> {
    let of_segment = |error| SegmentError::of_segment(error, folder.path());
    let manifest = Manifest::read(folder).map_err(of_segment)?;
    if manifest.lexing != LEXING_VERSION {
        return Err(SegmentError::other_tokens(folder.path()));
    }
    let snapshot = Snapshot::open(folder).map_err(of_segment)?;
    for live in snapshot.segments() {
        verify(live.segment()).map_err(of_segment)?;
        if let Err(error) = live.sketches() {
            return Err(SegmentError::damaged(&error.path, error.detail));
        }
    }
    Ok((manifest, snapshot))
}

/// The folders of segments in a folder, by name; only itself if it is one.
fn folders(from: &Path) -> Result<Vec<Folder>, SegmentError> {
    let is_set = |folder: &Path| folder.join(manifest::NAME).exists();
    if is_set(from) {
        return Ok(vec![Folder::new(from)]);
    }
    let entries = fs::read_dir(from).map_err(StorageError::during("list", from))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = paths.map_err(StorageError::during("list", from))?;
    let is_draft =
        |path: &Path| path.file_name().is_some_and(|name| name.as_bytes().starts_with(TEMPORARY.as_bytes()));
    paths.retain(|path| path.is_dir() && !is_draft(path));
    paths.sort();
    Ok(paths.into_iter().map(Folder::new).collect())
}

/// Refuses segments without a document of the plan.
fn check_whole(plan: &TaskPlan, files: &HashMap<u64, u32>, skipped: &[Skipped]) -> Result<(), SegmentError> {
    // What a task could not read is missing; tasks of older versions recorded it.
    let skipped = skipped.iter().filter(|entry| !entry.reason.is_refusal());
    let skipped: HashSet<&Path> = skipped.map(|entry| entry.path.as_path()).collect();
    let (mut first, mut missing) = (None, 0);
    for task in 0..plan.tasks {
        for path in plan.files(task)? {
            if !files.contains_key(&hash(&path)) && !skipped.contains(&*path) {
                missing += 1;
                first.get_or_insert(path);
            }
        }
    }
    let Some(first) = first else { return Ok(()) };
    let more = if missing > 1 { format!(" and {} more", missing - 1) } else { String::new() };
    Err(SegmentError::Wrong(format!(
        "no segment has the document {}{more}; build the segments of all tasks",
        shown(&first)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_base::storage::Lock;

    #[test]
    fn an_index_is_replaced_only_on_demand_and_never_under_a_writer() {
        let place = tempfile::tempdir().unwrap();
        let home = Folder::new(place.path().join("index"));
        let asked = |replace| may_replace(&home, replace).map_err(|error| error.to_string());
        assert_eq!((asked(false), home.path().exists()), (Ok(()), false));
        let corpus = Corpus { base: "/c".into(), roots: vec!["/c".into()] };
        let empty = Manifest::empty(corpus, <_>::default(), <_>::default(), <_>::default());
        drop(IndexWriter::create(&home, empty).unwrap());
        assert!(asked(false).unwrap_err().contains("--rebuild"));
        assert_eq!(asked(true), Ok(()));
        let whole = fs::read(home.at(manifest::NAME)).unwrap();
        fs::write(home.at(manifest::NAME), &whole[..whole.len() / 2]).unwrap();
        assert!(asked(false).unwrap_err().contains("damaged"));
        assert_eq!(asked(true), Ok(()));
        let _lock = Lock::take(&home, "writer.lock").unwrap().unwrap();
        assert!(asked(true).unwrap_err().contains("is being written"));
        fs::write(place.path().join("of others"), "").unwrap();
        assert!(may_replace(&Folder::new(place.path()), true).is_err(), "not a folder of ours");
    }
}
