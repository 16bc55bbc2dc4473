//! The files of a change as they are now, with the lines of their bytes.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::change::{ChangedFile, ChangedLines};
use crate::index::snapshot::{FileId, Snapshot};
use crate::query::page::{DocumentReader, OpenFile};

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
}

impl<'c> ChangedDocuments<'c> {
    /// Opens the files of a change, whose paths are relative to the base of the corpus.
    pub fn open(snapshot: &Snapshot, changed: &'c ChangedLines) -> Self {
        let mut reader = DocumentReader::new(snapshot);
        let files = snapshot.texts().filter_map(|id| {
            let path = snapshot.path(id);
            let change = changed.get(path).filter(|change| !change.is_removed)?;
            let file = reader.file(path).ok()?;
            Some((id, ChangedDocument { id, file, change }))
        });
        Self { files: files.collect() }
    }

    /// A changed file.
    pub fn get(&self, file: FileId) -> Option<&ChangedDocument<'c>> {
        self.files.get(&file)
    }

    /// The changed file with a path.
    pub fn at(&self, path: &Path) -> Option<&ChangedDocument<'c>> {
        self.files.values().find(|document| document.file.path == path)
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
