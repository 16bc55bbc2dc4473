//! Builds the segment of a task. It fits into the memory: documents for which it has no room at once are sealed as further
//! segments of the same set.

use std::collections::HashSet;
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::{fs, mem};

use rayon::ThreadPool;
use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::SegmentError;
use super::adopt::checked;
use super::folder_draft::FolderDraft;
use super::frames::{Frame, FrameReader};
use super::task_plan::check_outside;
use crate::intake::Intake;
use crate::plan::listed;
use crate::priority::{self, Nice};
use crate::progress::{Progress, Silent};
use crate::rounds::{ReadProgress, Shattering, most_of_round, rounds_from};
use crate::update::{UpdateError, fitting, largest};
use dupi_base::corpus::{self, FoundFile, SkipReason, Skipped, Stamp};
use dupi_base::storage::{Folder, StorageError, shown};
use dupi_index::index::manifest::Manifest;
use dupi_index::index::segment::Batch;
use dupi_index::index::sketches::SketchRows;
use dupi_index::index::writer::{Commit, IndexWriter};
use dupi_text::sketch::Sketcher;

/// How a task builds its segment.
pub struct SegmentTask {
    /// The corpus, the recipe, the rules and the formats; it has no segments.
    pub manifest: Manifest,
    /// Bytes of memory that it may use.
    pub memory: u64,
    /// Threads that read and shatter.
    pub threads: usize,
}

/// The documents of a task.
pub enum Documents<'a> {
    /// Files, absolute or relative to the corpus's base.
    Files(Vec<PathBuf>),
    /// A stream, as [`FrameReader`] reads it.
    Framed(&'a mut dyn Read),
}

/// A segment that was built.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// Its folder.
    pub folder: PathBuf,
}

impl SegmentTask {
    /// Builds the segment of these documents in a folder below `out`. If it is there already, nothing is done.
    ///
    /// # Errors
    /// [`SegmentError::Unread`] if a document is not there or cannot be read: another attempt, or another machine, may
    /// read it. [`SegmentError::Inside`] if `out` lies in the corpus.
    pub fn build(&self, documents: Documents, out: &Folder) -> Result<Sealed, SegmentError> {
        check_outside(&self.manifest.corpus, out.path())?;
        let pool = priority::pool(self.threads, Nice::Answering).map_err(UpdateError::Threads)?;
        match documents {
            Documents::Files(paths) => self.of_files(&self.found(paths)?, out, &pool),
            Documents::Framed(stream) => self.of_stream(stream, out, &pool),
        }
    }

    fn of_files(&self, files: &[FoundFile], out: &Folder, pool: &ThreadPool) -> Result<Sealed, SegmentError> {
        let mut name = self.name();
        files.iter().for_each(|file| name.add(&file.path, file.stamp, 0));
        let name = name.finish();
        if let Some(sealed) = self.done(out, &name) {
            return Ok(sealed);
        }
        let draft = FolderDraft::create(out)?;
        let mut segment = SegmentDraft::create(self, &draft, pool)?;
        let (files, large) = fitting(files.to_vec(), self.memory);
        segment.skipped.extend(large);
        let read_progress = ReadProgress::new(&files, Progress::default());
        let shattering =
            Shattering { intake: self.intake(), pool, read_progress: &read_progress, observer: &Silent };
        let most = most_of_round(&self.manifest.recipe, self.memory);
        for round in rounds_from(most, &files, most) {
            segment.add(shattering.shatter(round))?;
        }
        let lock = segment.finish()?;
        self.seal(draft, lock, &name)
    }

    fn of_stream(
        &self,
        stream: &mut dyn Read,
        out: &Folder,
        pool: &ThreadPool,
    ) -> Result<Sealed, SegmentError> {
        let draft = FolderDraft::create(out)?;
        let mut segment = SegmentDraft::create(self, &draft, pool)?;
        let mut name = self.name();
        self.each_round(stream, u64::MAX, |round| {
            for Frame { path, stamp, bytes } in &round {
                name.add(path, *stamp, bytes.as_deref().map_or(0, xxh3_64));
            }
            segment.add(pool.install(|| self.shatter(&round)))
        })?;
        let lock = segment.finish()?;
        self.seal(draft, lock, &name.finish())
    }

    /// Passes the documents of a stream to `take`, at least `enough` bytes of them at a time, or less if the memory has no room
    /// for their postings too.
    pub(super) fn each_round(
        &self,
        stream: &mut dyn Read,
        enough: u64,
        mut take: impl FnMut(Vec<Frame>) -> Result<(), SegmentError>,
    ) -> Result<(), SegmentError> {
        let enough = most_of_round(&self.manifest.recipe, self.memory).min(self.memory / 4).min(enough);
        let most_of_file = self.manifest.rules.max_filesize.min(largest(self.memory));
        let (mut round, mut size) = (Vec::new(), 0);
        for frame in FrameReader::new(stream, most_of_file) {
            let frame = frame?;
            size += frame.bytes.as_ref().map_or(0, Vec::len) as u64;
            round.push(Frame { path: self.relative(&frame.path)?, ..frame });
            if size >= enough {
                take(mem::take(&mut round))?;
                size = 0;
            }
        }
        take(round)
    }

    /// Shatters documents of a stream in parallel.
    fn shatter(&self, frames: &[Frame]) -> Vec<(Batch, Vec<Skipped>)> {
        let intake = self.intake();
        let of_piece = |sketcher: &mut Option<Sketcher>, frames: &[Frame]| {
            let sketches = intake.sketches.then(SketchRows::default);
            let mut batch = Batch { sketches, ..Batch::default() };
            let mut skipped = Vec::new();
            for Frame { path, stamp, bytes } in frames {
                match bytes.as_deref() {
                    None if stamp.size > intake.max_filesize => {
                        skipped.push(Skipped::new(path, SkipReason::TooLarge(stamp.size)));
                    }
                    None => skipped.push(Skipped::new(path, SkipReason::TooLargeForMemory(stamp.size))),
                    Some([]) => skipped.push(Skipped::new(path, SkipReason::Empty)),
                    Some(bytes) => {
                        intake.take_read(path, *stamp, bytes, sketcher, &mut batch, &mut skipped);
                    }
                }
            }
            (batch, skipped)
        };
        let pieces = frames.len().div_ceil(rayon::current_num_threads()).max(1);
        frames.par_chunks(pieces).map_init(|| None, of_piece).collect()
    }

    fn intake(&self) -> Intake<'_> {
        let Manifest { corpus, rules, formats, recipe, sketches, .. } = &self.manifest;
        Intake { corpus, formats, recipe, max_filesize: rules.max_filesize, sketches: *sketches }
    }

    /// The files of a task with their stamps, sorted by path. As in a walk, no link is followed unless the rules say so.
    pub(super) fn found(&self, paths: Vec<PathBuf>) -> Result<Vec<FoundFile>, SegmentError> {
        let Manifest { corpus, rules, .. } = &self.manifest;
        // Relative to the base.
        let mut entered = HashSet::new();
        let found = |path: PathBuf| {
            let path = self.relative(&path)?;
            let unread = |path: &Path, reason| SegmentError::Unread { path: corpus.absolute(path), reason };
            for folder in path.ancestors().skip(1) {
                if rules.follow || !entered.insert(folder.to_owned()) {
                    break;
                }
                if corpus.absolute(folder).is_symlink() {
                    return Err(unread(folder, SkipReason::NotRegular("symbolic link".to_owned())));
                }
            }
            let stamp = corpus::stamp_of_file(&corpus.absolute(&path), rules.follow)
                .map_err(|reason| unread(&path, reason))?;
            Ok(FoundFile { path, stamp, changed: 0 })
        };
        let mut files = paths.into_iter().map(found).collect::<Result<Vec<_>, _>>()?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        Ok(files)
    }

    /// A path relative to the corpus's base, in the one form that a walk finds it in: without `.` and `//`.
    pub(super) fn relative(&self, path: &Path) -> Result<PathBuf, SegmentError> {
        let base = &self.manifest.corpus.base;
        let below = if path.is_absolute() { path.strip_prefix(base).ok() } else { Some(path) };
        let is_below = |path: &&Path| {
            let mut parts = path.components();
            parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        };
        let outside = || {
            let (path, root) = (shown(path), shown(base));
            SegmentError::Wrong(format!(
                "{path} does not lie below {root}; name the folder of all documents with --root"
            ))
        };
        let plain = below.filter(is_below).into_iter().flat_map(Path::components);
        let plain: PathBuf = plain.filter(|part| *part != Component::CurDir).collect();
        if plain.as_os_str().is_empty() { Err(outside()) } else { Ok(plain) }
    }

    /// Renames the folder of a draft. If another process has sealed the same segment meanwhile, that stays; one that is
    /// damaged or lacks a document is replaced. The lock is held until then, so that no other process removes the draft.
    fn seal(&self, draft: FolderDraft, lock: IndexWriter, name: &str) -> Result<Sealed, SegmentError> {
        let out = Folder::new(&draft.out);
        let target = out.at(name);
        loop {
            match fs::rename(&draft.path, &target) {
                Ok(()) => break,
                Err(error)
                    if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) =>
                {
                    if let Some(sealed) = self.done(&out, name) {
                        return Ok(sealed);
                    }
                    match fs::remove_dir_all(&target) {
                        Err(error) if error.kind() != ErrorKind::NotFound => {
                            return Err(StorageError::during("remove", &target)(error).into());
                        }
                        _ => {}
                    }
                }
                Err(error) => return Err(StorageError::during("rename", &draft.path)(error).into()),
            }
        }
        drop(lock);
        out.sync()?;
        Ok(Sealed { folder: target })
    }

    /// The segment of this name, if it is there and whole, and lacks no document for which this task has the memory. The
    /// memory is not part of the name: a document must not get into two segments because a task ran again with more.
    fn done(&self, out: &Folder, name: &str) -> Option<Sealed> {
        let folder = out.at(name);
        let (manifest, _) = checked(&Folder::new(&folder)).ok()?;
        let most = largest(self.memory);
        let is_lacking = |entry: &Skipped| match entry.reason {
            SkipReason::TooLargeForMemory(size) => size <= most,
            ref reason => reason.is_refusal(),
        };
        (!manifest.skipped.iter().any(is_lacking)).then_some(Sealed { folder })
    }

    /// The name of the set, before any document.
    fn name(&self) -> InputName {
        let Manifest { corpus, rules, formats, recipe, lexing, sketches, .. } = &self.manifest;
        let mut hash = Xxh3::new();
        for path in std::iter::once(&corpus.base).chain(&corpus.roots) {
            hash.update(path.as_os_str().as_bytes());
            hash.update(&[0]);
        }
        hash.update(format!("{rules:?} {formats:?} {recipe} {lexing} {sketches}").as_bytes());
        InputName(hash)
    }
}

/// A name that says what a segment was made of.
struct InputName(Xxh3);

impl InputName {
    fn add(&mut self, path: &Path, stamp: Stamp, hash: u64) {
        self.0.update(path.as_os_str().as_bytes());
        self.0.update(format!("\0{} {} {hash}\0", stamp.size, stamp.mtime).as_bytes());
    }

    fn finish(&self) -> String {
        format!("{:032x}", self.0.digest128())
    }
}

/// A set of segments that is being written.
struct SegmentDraft<'a> {
    writer: IndexWriter,
    base: PathBuf,
    pool: &'a ThreadPool,
    skipped: Vec<Skipped>,
}

impl<'a> SegmentDraft<'a> {
    fn create(task: &SegmentTask, draft: &FolderDraft, pool: &'a ThreadPool) -> Result<Self, SegmentError> {
        let manifest = Manifest { skipped: Vec::new(), walked: None, ..task.manifest.clone() };
        let base = manifest.corpus.base.clone();
        let writer = IndexWriter::create(&Folder::new(&draft.path), manifest)?;
        Ok(Self { writer, base, pool, skipped: Vec::new() })
    }

    /// Seals a round.
    fn add(&mut self, batches: Vec<(Batch, Vec<Skipped>)>) -> Result<(), SegmentError> {
        let mut change = Commit::default();
        for (batch, skipped) in batches {
            for Skipped { path, reason, .. } in &skipped {
                if reason.is_refusal() || *reason == SkipReason::Vanished {
                    let (path, reason) = (self.base.join(path), reason.clone());
                    return Err(SegmentError::Unread { path, reason });
                }
            }
            self.skipped.extend(skipped);
            if !batch.table.files.is_empty() {
                change.batches.push(batch);
            }
        }
        if change.batches.is_empty() {
            return Ok(());
        }
        Ok(self.pool.install(|| self.writer.commit(change))?)
    }

    /// Seals the last part. The writer has the lock of the folder.
    fn finish(mut self) -> Result<IndexWriter, SegmentError> {
        let skipped = listed(mem::take(&mut self.skipped));
        let change = Commit { skipped: (!skipped.is_empty()).then_some(skipped), ..Commit::default() };
        if !change.is_empty() {
            self.writer.commit(change)?;
        }
        Ok(self.writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_base::corpus::{Corpus, Formats, WalkRules};
    use dupi_text::blot::Recipe;

    #[test]
    fn what_a_task_cannot_read_fails_it_and_what_is_no_text_is_only_skipped() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("corpus")).unwrap();
        let corpus = Corpus::resolve(&[place.path().join("corpus")]).unwrap();
        let manifest = Manifest::empty(corpus, WalkRules::default(), Formats::default(), Recipe::default());
        let task = SegmentTask { manifest, memory: 1 << 20, threads: 1 };
        let draft = FolderDraft::create(&Folder::new(place.path().join("segments"))).unwrap();
        let pool = priority::pool(1, Nice::Answering).unwrap();
        let mut segment = SegmentDraft::create(&task, &draft, &pool).unwrap();
        let why = || "Permission denied".to_owned();
        for (reason, is_refused) in [
            (SkipReason::Unreadable(why()), true),
            (SkipReason::NotNow(why()), true),
            (SkipReason::Vanished, true),
            (SkipReason::Empty, false),
        ] {
            let added = segment.add(vec![(Batch::default(), vec![Skipped::new("a", reason.clone())])]);
            let is_unread = matches!(added, Err(SegmentError::Unread { .. }));
            assert_eq!((is_unread, added.is_ok()), (is_refused, !is_refused), "{reason}");
        }
    }
}
