//! The documents of files as they are now, read once for a search over a whole corpus.
//!
//! A file that changed since it was indexed is read as it is now. Nothing comes of a document that vanished since, and of
//! a file that cannot be read: the latter is noted in the list of unread files. Files whose tokens would take too much
//! memory are skipped and counted.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_base::corpus::{self, Corpus, Formats, Record, Records, SkipReason, Stamp};
use dupi_base::parallel;

/// The largest file is this fraction of the memory: its tokens take several times as much, and each thread reads a
/// file.
const TOKENS_SHARE: u64 = 4;
/// Files up to this size are read whatever the memory limit.
const LARGEST_AT_LEAST: u64 = 16 << 20;

/// Reads files of a snapshot.
pub struct CurrentFiles<'a> {
    snapshot: &'a Snapshot,
    corpus: &'a Corpus,
    formats: &'a Formats,
    max_filesize: u64,
    /// The size in bytes of the largest file that is read.
    largest: u64,
    /// How many files were larger.
    too_large: AtomicU64,
    /// The first file, by path, that is not as it was indexed.
    changed: Mutex<Option<ChangedFile>>,
}

/// A file that is not as it was indexed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedFile {
    /// Its path, relative to the corpus's base.
    pub path: PathBuf,
    /// What is known of it.
    pub what: String,
}

/// The size in bytes of the largest file that is read for a search within a memory limit in bytes.
pub fn largest(memory: u64) -> u64 {
    (memory / TOKENS_SHARE).max(LARGEST_AT_LEAST)
}

/// A document as it is now.
pub struct CurrentDocument<'a> {
    /// Its number in the snapshot.
    pub id: DocumentId,
    /// Its file, relative to the corpus's base.
    pub path: &'a Path,
    /// Its text.
    pub record: Record<'a>,
    /// The stamp of its file.
    pub stamp: Stamp,
}

impl<'a> CurrentFiles<'a> {
    /// For a search within `memory` bytes.
    pub fn new(snapshot: &'a Snapshot, memory: u64) -> Self {
        let manifest = snapshot.manifest();
        Self {
            snapshot,
            corpus: &manifest.corpus,
            formats: &manifest.formats,
            max_filesize: manifest.rules.max_filesize,
            largest: largest(memory),
            too_large: AtomicU64::new(0),
            changed: Mutex::default(),
        }
    }

    /// The files that hold a document that is wanted, sorted by path.
    pub fn files(&self, is_wanted: impl Fn(DocumentId) -> bool) -> Vec<FileId> {
        let mut files: Vec<FileId> =
            self.snapshot.files().filter(|&file| self.holds(file, &is_wanted)).collect();
        parallel::sort_by_cached_key(&mut files, |&file| self.snapshot.path(file).as_os_str());
        files
    }

    /// Whether a file holds a document that is wanted.
    pub fn holds(&self, file: FileId, is_wanted: impl Fn(DocumentId) -> bool) -> bool {
        let table = self.snapshot.segment(file.segment).table();
        let segment = file.segment;
        table.documents_of(file.file).any(|document| is_wanted(DocumentId { segment, document }))
    }

    /// The size of a file when it was indexed, in bytes.
    pub fn size(&self, file: FileId) -> u64 {
        self.snapshot.segment(file.segment).table().stamp(file.file).size
    }

    /// Whether a file is small enough to be read, by its size when it was indexed.
    pub fn is_read(&self, file: FileId) -> bool {
        self.size(file) <= self.largest
    }

    /// Passes the wanted documents of a file to `take`, in their order. `buffer` is for the bytes of files.
    pub fn read(
        &self,
        file: FileId,
        buffer: &mut Vec<u8>,
        is_wanted: impl Fn(DocumentId) -> bool,
        mut take: impl FnMut(CurrentDocument),
    ) {
        let path = self.snapshot.path(file);
        // The file may have another size than when it was indexed.
        let most = self.largest.min(self.max_filesize);
        let table = self.snapshot.segment(file.segment).table();
        let indexed = table.stamp(file.file);
        let stamp = match corpus::read(&self.corpus.absolute(path), most, buffer) {
            Ok(stamp) => stamp,
            Err(SkipReason::TooLarge(size)) if size <= self.max_filesize => {
                if size != indexed.size {
                    self.note_changed(path, None);
                }
                self.too_large.fetch_add(1, Ordering::Relaxed);
                return;
            }
            Err(reason) => {
                if !reason.is_refusal() {
                    self.note_changed(path, Some(&reason));
                }
                return self.snapshot.unread().note(path, &reason);
            }
        };
        if stamp != indexed {
            self.note_changed(path, None);
        }
        let Ok(text) = corpus::decode(buffer) else { return };
        let records = Records::split(path, &text.text, self.formats);
        for document in table.documents_of(file.file) {
            let id = DocumentId { segment: file.segment, document };
            if is_wanted(id)
                && let Some(record) = records.get(&text.text, table.document(document).record)
            {
                take(CurrentDocument { id, path, record, stamp });
            }
        }
    }

    /// The first of the files that were read, by path, that vanished or changed since it was indexed. What could not be read
    /// is in the list of unread files.
    pub fn changed(&self) -> Option<ChangedFile> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note_changed(&self, path: &Path, why: Option<&SkipReason>) {
        let what =
            why.map_or_else(|| "it has changed since it was indexed".to_owned(), SkipReason::to_string);
        let mut first = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|first| path < first.path.as_path()) {
            *first = Some(ChangedFile { path: path.to_owned(), what });
        }
    }

    /// How many files were skipped because their tokens would take too much memory.
    pub fn too_large(&self) -> u64 {
        self.too_large.load(Ordering::Relaxed)
    }
}
