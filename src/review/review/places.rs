//! The files of a change as they are now, with the lines of their bytes.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::change::{ChangedFile, ChangedLines};
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_index::query::page::{DocumentReader, OpenFile};

/// A changed file of a snapshot.
pub struct ChangedDocument<'c> {
    /// The file.
    pub id: FileId,
    /// Its text now.
    pub file: Arc<OpenFile>,
    /// Its change.
    pub change: &'c ChangedFile,
}

/// The changed files that a snapshot has.
pub struct ChangedDocuments<'c> {
    files: HashMap<FileId, ChangedDocument<'c>>,
    by_path: HashMap<&'c OsStr, FileId>,
}

impl<'c> ChangedDocuments<'c> {
    /// Opens the files of a change, whose paths are relative to the base of the corpus.
    pub fn open(snapshot: &Snapshot, changed: &'c ChangedLines) -> Self {
        let stays = |(_, change): &(&Path, &ChangedFile)| !change.is_removed;
        let changes: HashMap<&OsStr, &ChangedFile> =
            changed.files().filter(stays).map(|(path, change)| (path.as_os_str(), change)).collect();
        let of_text = |id: FileId| {
            let (path, change) = changes.get_key_value(snapshot.path(id).as_os_str())?;
            Some((*path, *change, id))
        };
        let known: Vec<(&OsStr, &ChangedFile, FileId)> = snapshot.texts().filter_map(of_text).collect();
        let open = |reader: &mut DocumentReader, (path, change, id)| {
            let file = reader.file(Path::new(path)).ok()?;
            Some((path, ChangedDocument { id, file, change }))
        };
        let opened: Vec<Option<(&OsStr, ChangedDocument)>> =
            known.into_par_iter().map_init(|| DocumentReader::new(snapshot), open).collect();
        let mut documents = Self { files: HashMap::new(), by_path: HashMap::new() };
        for (path, document) in opened.into_iter().flatten() {
            documents.by_path.insert(path, document.id);
            documents.files.insert(document.id, document);
        }
        documents
    }

    /// A changed file.
    pub fn get(&self, file: FileId) -> Option<&ChangedDocument<'c>> {
        self.files.get(&file)
    }

    /// The changed file with a path.
    pub fn at(&self, path: &Path) -> Option<&ChangedDocument<'c>> {
        self.get(*self.by_path.get(path.as_os_str())?)
    }

    /// The ranges of added text, in bytes, and those at which text was removed, sorted by path.
    pub fn places(&self) -> Vec<(FileId, Vec<Range<u32>>)> {
        let mut documents: Vec<&ChangedDocument> = self.files.values().collect();
        documents.sort_by(|a, b| a.file.path.cmp(&b.file.path));
        let of = |document: &ChangedDocument| {
            let added = document.change.hunks.iter().map(|hunk| document.bytes(&hunk.added));
            (document.id, added.collect())
        };
        documents.into_iter().map(of).collect()
    }
}

impl ChangedDocument<'_> {
    /// The lines of a range of bytes, which is not empty.
    pub fn lines(&self, bytes: Range<u32>) -> Range<u32> {
        let line = |byte: u32| self.file.line_starts.partition_point(|start| *start <= byte) as u32;
        line(bytes.start).saturating_sub(1)..line(bytes.end.saturating_sub(1).max(bytes.start))
    }

    /// The bytes of a range of lines.
    pub fn bytes(&self, lines: &Range<u32>) -> Range<u32> {
        let end = u32::try_from(self.file.text.len()).unwrap_or(u32::MAX);
        let start = |line: u32| self.file.line_starts.get(line as usize).copied().unwrap_or(end);
        start(lines.start)..start(lines.end)
    }

    /// Whether a range of bytes has a line that the change adds.
    pub fn has_added(&self, bytes: Range<u32>) -> bool {
        self.change.adds_to(&self.lines(bytes))
    }

    /// Whether the change adds or removes a line in a range of bytes.
    pub fn is_changed(&self, bytes: Range<u32>) -> bool {
        let lines = self.lines(bytes);
        let is_inside = |at: u32| lines.start < at && at < lines.end;
        self.change.adds_to(&lines) || self.change.hunks.iter().any(|hunk| is_inside(hunk.added.start))
    }
}
