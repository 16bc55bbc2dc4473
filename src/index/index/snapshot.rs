//! A snapshot: one generation, opened for reading, without dead files.

mod lack;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::block::PostingBlock;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::home::SegmentName;
use super::manifest::{Manifest, ManifestSegment};
use super::posting::{PartId, PartRef};
use super::run::RunCounts;
use super::segment::Segment;
use super::sketches::{SketchFile, Sketches, SketchesError};
use super::table::{DocumentEntry, FileEntry, PartEntry};
use super::{IndexError, segment};
use dupi_base::corpus::{LosslessPath, SkipReason, Skipped, Unread};
use dupi_base::storage::Folder;
use dupi_text::blot::Blot;

/// An open generation. It is cheap to clone; its files stay readable as long as a clone lives.
#[derive(Clone, Debug)]
pub struct Snapshot {
    folder: Folder,
    manifest: Arc<Manifest>,
    segments: Arc<[LiveSegment]>,
    /// Computed on first use.
    totals: Arc<OnceLock<Totals>>,
    is_part: bool,
    unread: Unread,
}

/// A segment with its tombstones and the new paths of moved files.
#[derive(Clone, Debug)]
pub struct LiveSegment {
    segment: Arc<Segment>,
    sketches: Option<Arc<SketchFile>>,
    dead: DeadFiles,
    whole: bool,
    moved: Arc<BTreeMap<u32, LosslessPath>>,
}

/// A set of file numbers.
#[derive(Clone, Debug, Default)]
struct DeadFiles(Arc<[u64]>);

/// A part of a live document in which a blot occurs, with the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LivePart {
    /// The number of the segment in the snapshot.
    pub segment: u32,
    /// The part within the segment.
    pub place: PartRef,
}

/// Whether a blot with these live places is repeated: it has two places, or one with the mark.
pub fn is_repeated(places: &[LivePart]) -> bool {
    places.len() > 1 || places.first().is_some_and(|only| only.place.is_marked())
}

/// A live file of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    /// The number of the segment in the snapshot.
    pub segment: u32,
    /// The number of the file in the segment.
    pub file: u32,
}

/// A live document of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DocumentId {
    /// The number of the segment in the snapshot.
    pub segment: u32,
    /// The number of the document in the segment.
    pub document: u32,
}

/// Sums over the live documents of a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Live files, without binary ones.
    pub files: u64,
    /// Live documents.
    pub documents: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Bytes of the live files.
    pub bytes: u64,
    /// Live binary files.
    pub binary: u64,
    /// Live files whose encoding was guessed to be Windows-1252.
    pub guessed: u64,
    /// Postings on disk, including dead ones.
    pub postings: u64,
    /// Bytes of the segments on disk, with their sketches.
    pub index_bytes: u64,
}

impl Snapshot {
    /// Opens the newest generation of the index in `folder`.
    pub fn open(folder: &Folder) -> Result<Self, IndexError> {
        Self::open_from(folder, Manifest::read(folder)?, &[])
    }

    /// Opens the generation of a manifest, or a newer one.
    fn open_from(folder: &Folder, mut manifest: Manifest, known: &[LiveSegment]) -> Result<Self, IndexError> {
        loop {
            let opened = Self::with_segments(folder, manifest.clone(), known);
            let Err(error) = opened else { return opened };
            // A writer may have committed and removed the files of this generation since we read its manifest.
            let newer = Manifest::read(folder)?;
            if newer.generation == manifest.generation {
                return Err(error);
            }
            manifest = newer;
        }
    }

    /// The newest generation, if it is not this one. The manifest is read first: if nothing has changed, nothing
    /// else is read. Segments of this snapshot are not opened again.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn newer(&self) -> Result<Option<Self>, IndexError> {
        let manifest = Manifest::read(&self.folder)?;
        if manifest == *self.manifest {
            return Ok(None);
        }
        Self::open_from(&self.folder, manifest, &self.segments).map(Some)
    }

    /// Opens the generation of a manifest; segments in `known` are not opened again.
    pub(super) fn with_segments(
        folder: &Folder,
        manifest: Manifest,
        known: &[LiveSegment],
    ) -> Result<Self, IndexError> {
        // In parallel, because opening verifies checksums, which takes most of the time of a small query.
        let segments = manifest.segments.par_iter().map(|state| {
            let open = known.iter().find(|known| *known.segment.name() == state.segment);
            let segment = match open {
                Some(known) => Arc::clone(&known.segment),
                None => Arc::new(Segment::open(folder, &state.segment)?),
            };
            let sketches = state.sketches.as_ref().map(|name| {
                let open = open.and_then(|known| known.sketches.as_ref());
                let open = open.filter(|open| open.is_open() && open.name() == name).map(Arc::clone);
                let documents = segment.table().document_count();
                open.unwrap_or_else(|| Arc::new(SketchFile::open(folder, name, documents)))
            });
            LiveSegment::new(segment, sketches, state).ok_or_else(|| {
                IndexError::damaged(
                    folder.at(super::manifest::NAME),
                    "it names files that a segment does not have",
                )
            })
        });
        let segments: Vec<LiveSegment> = segments.collect::<Result<_, _>>()?;
        let segments = segments.into();
        Ok(Self {
            folder: folder.clone(),
            manifest: Arc::new(manifest),
            segments,
            totals: Arc::default(),
            is_part: false,
            unread: Unread::default(),
        })
    }

    /// The folder of the index.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The same snapshot with the list of unreadable files of the previous generation.
    pub(super) fn after(self, before: &Self) -> Self {
        Self { unread: before.unread.clone(), ..self }
    }

    /// The files that could not be read when the generation was made or queried. All queries that read documents
    /// add to it.
    pub fn unread(&self) -> &Unread {
        &self.unread
    }

    /// The manifest of the generation.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Its segments.
    pub fn segments(&self) -> &[LiveSegment] {
        &self.segments
    }

    /// The live places of a blot, sorted by segment and part.
    pub fn find(&self, blot: Blot) -> Result<Vec<LivePart>, IndexError> {
        let mut found = Vec::new();
        let mut block = PostingBlock::default();
        for (number, live) in (0..).zip(self.segments.iter()) {
            let alive =
                live.segment.find(blot, &mut block)?.iter().filter(|place| live.is_alive(place.part()));
            found.extend(alive.map(|&place| LivePart { segment: number, place }));
        }
        Ok(found)
    }

    /// All live files, including binary ones, by segment.
    pub fn files(&self) -> impl Iterator<Item = FileId> + '_ {
        (0..)
            .zip(self.segments.iter())
            .flat_map(|(segment, live)| live.live_files().map(move |file| FileId { segment, file }))
    }

    /// The live files except binary ones.
    pub fn texts(&self) -> impl Iterator<Item = FileId> + '_ {
        let table = |file: FileId| self.segment(file.segment).table();
        self.files().filter(move |&file| !table(file).is_binary(file.file))
    }

    /// The current path of a live file, relative to the corpus's base.
    pub fn path(&self, file: FileId) -> &Path {
        self.segments[file.segment as usize].path(file.file)
    }

    /// A live file, with its current path.
    pub fn file(&self, file: FileId) -> FileEntry {
        self.segments[file.segment as usize].file(file.file)
    }

    /// The document of a place.
    pub fn document_at(&self, place: LivePart) -> DocumentId {
        let document = self.segment(place.segment).table().document_of(place.place.part());
        DocumentId { segment: place.segment, document }
    }

    /// The file of a document.
    pub fn file_of(&self, document: DocumentId) -> FileId {
        let file = self.segment(document.segment).table().file_of(document.document);
        FileId { segment: document.segment, file }
    }

    /// A document's row.
    pub fn document(&self, document: DocumentId) -> DocumentEntry {
        self.segment(document.segment).table().document(document.document)
    }

    /// The part of a place.
    pub fn part(&self, place: LivePart) -> PartEntry {
        self.segment(place.segment).table().part(place.place.part())
    }

    /// Sums over the live documents.
    pub fn totals(&self) -> Totals {
        *self.totals.get_or_init(|| self.count_totals())
    }

    fn count_totals(&self) -> Totals {
        let mut totals = Totals::default();
        for live in self.segments.iter() {
            let table = live.segment.table();
            for file in live.live_files() {
                if table.is_binary(file) {
                    totals.binary += 1;
                    continue;
                }
                totals.files += 1;
                totals.guessed += u64::from(table.is_guessed(file));
                totals.bytes += table.stamp(file).size;
                for document in table.documents_of(file) {
                    totals.documents += 1;
                    totals.tokens += u64::from(table.document(document).tokens);
                }
            }
            totals.postings += live.segment.counts().postings;
            totals.index_bytes += live.segment.name().length;
            totals.index_bytes += live.sketches_name().map_or(0, |name| name.length);
        }
        totals
    }

    /// The number of skipped files and records, including binary files.
    pub fn skipped_count(&self) -> u64 {
        Skipped::count_all(&self.manifest.skipped) + self.totals().binary
    }

    /// All skipped files, sorted by path, with the first few records of each file.
    pub fn skipped(&self) -> Vec<Skipped> {
        let table = |file: FileId| self.segment(file.segment).table();
        let binary = self.files().filter(|&file| table(file).is_binary(file.file));
        let binary = binary.map(|file| Skipped::new(self.path(file), SkipReason::Binary));
        let mut skipped: Vec<Skipped> = self.manifest.skipped.iter().cloned().chain(binary).collect();
        skipped.sort_by(|a, b| a.path.cmp(&b.path));
        skipped
    }

    /// A segment by its number.
    pub fn segment(&self, number: u32) -> &Segment {
        &self.segments[number as usize].segment
    }
}

impl LiveSegment {
    fn new(
        segment: Arc<Segment>,
        sketches: Option<Arc<SketchFile>>,
        state: &ManifestSegment,
    ) -> Option<Self> {
        let files = segment.table().file_count();
        let mut dead = vec![0_u64; files.div_ceil(64)];
        for &file in &state.dead {
            *dead.get_mut(file as usize / 64)? |= 1 << (file % 64);
        }
        let known = |&file: &u32| (file as usize) < files;
        (state.dead.iter().all(known) && state.moved.keys().all(known)).then(|| Self {
            segment,
            sketches,
            dead: DeadFiles(dead.into()),
            whole: state.dead.is_empty(),
            moved: Arc::new(state.moved.clone()),
        })
    }

    /// The sealed file.
    pub fn segment(&self) -> &segment::Segment {
        &self.segment
    }

    /// As the manifest names it.
    pub fn name(&self) -> &SegmentName {
        self.segment.name()
    }

    /// The sketches of its documents; `None` if there are none.
    ///
    /// # Errors
    /// The file with the sketches is missing or damaged.
    pub fn sketches(&self) -> Result<Option<Sketches<'_>>, SketchesError> {
        self.sketches.as_ref().map(|file| file.sketches()).transpose()
    }

    /// The sealed file with its sketches, as the manifest names it.
    pub fn sketches_name(&self) -> Option<&SegmentName> {
        self.sketches.as_ref().map(|file| file.name())
    }

    /// The counts of the sealed file.
    pub fn counts(&self) -> RunCounts {
        self.segment.counts()
    }

    /// Whether it has no dead files.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Whether a file is live.
    pub fn is_live_file(&self, file: u32) -> bool {
        self.dead.0[file as usize / 64] >> (file % 64) & 1 == 0
    }

    /// Whether a part belongs to a live file.
    pub fn is_alive(&self, part: PartId) -> bool {
        let table = self.segment.table();
        self.is_live_file(table.file_of(table.document_of(part)))
    }

    /// The numbers of its live files.
    pub fn live_files(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.segment.table().file_count() as u32).filter(|&file| self.is_live_file(file))
    }

    /// The current path of a file.
    pub fn path(&self, file: u32) -> &Path {
        match self.moved.get(&file) {
            Some(LosslessPath(path)) => path,
            None => self.segment.table().path(file),
        }
    }

    /// A file, with its current path.
    pub fn file(&self, file: u32) -> FileEntry {
        use std::os::unix::ffi::OsStrExt;
        let path = self.path(file).as_os_str().as_bytes().to_vec();
        FileEntry { path, ..self.segment.table().file(file) }
    }
}
