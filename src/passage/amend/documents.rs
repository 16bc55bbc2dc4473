//! What two generations have in common: files with the same path, size and modification time.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::Path;

use crate::index::snapshot::{DocumentId, FileId, Snapshot};
use crate::passage::passages::SourceDocument;
use crate::passage::trees::TreeDocuments;

/// How the files of a generation differ from those of an earlier one.
pub(super) struct DocumentChanges<'a> {
    before: &'a Snapshot,
    /// The later generation.
    pub(super) now: &'a Snapshot,
    /// The files of the earlier generation that are the same now.
    same: HashMap<FileId, FileId>,
    /// The files of the later generation that are new or have changed, in order.
    pub(super) new: Vec<FileId>,
    /// How many files of the earlier generation are gone or have changed.
    gone: usize,
}

impl<'a> DocumentChanges<'a> {
    /// Compares all files with text.
    pub(super) fn between(before: &'a Snapshot, now: &'a Snapshot) -> Self {
        let path = |file| (before.path(file).as_os_str(), file);
        let earlier: HashMap<&OsStr, FileId> = before.texts().map(path).collect();
        let (mut same, mut new) = (HashMap::with_capacity(earlier.len()), Vec::new());
        for file in now.texts() {
            match earlier.get(now.path(file).as_os_str()) {
                Some(&known) if is_same((before, known), (now, file)) => drop(same.insert(known, file)),
                _ => new.push(file),
            }
        }
        let gone = earlier.len() - same.len();
        Self { before, now, same, new, gone }
    }

    /// How many files are new, gone or have changed. A changed file counts twice.
    pub(super) fn count(&self) -> usize {
        self.new.len() + self.gone
    }

    /// How many files the later generation has.
    pub(super) fn files(&self) -> usize {
        self.same.len() + self.new.len()
    }

    /// The number of a document in the later generation, if its file is the same.
    pub(super) fn document(&self, id: DocumentId) -> Option<DocumentId> {
        let file = self.before.file_of(id);
        let same = self.same.get(&file)?;
        // The same text has the same documents in the same order.
        let at = id.document - documents(self.before, file).start;
        Some(DocumentId { segment: same.segment, document: documents(self.now, *same).start + at })
    }

    /// The numbers of some sources in the later generation.
    pub(super) fn of_sources(&self, sources: &[SourceDocument]) -> Vec<Option<DocumentId>> {
        sources.iter().map(|source| self.document(source.id)).collect()
    }

    /// Whether a document lies in a new file.
    pub(super) fn is_new(&self, id: DocumentId) -> bool {
        self.new.binary_search(&self.now.file_of(id)).is_ok()
    }

    /// Whether a file of the later generation that is new lies in the folder.
    pub(super) fn has_new_in(&self, folder: &Path) -> bool {
        self.new.iter().any(|file| self.now.path(*file).starts_with(folder))
    }

    /// The path of a document of the earlier generation.
    pub(super) fn path(&self, id: DocumentId) -> &'a Path {
        self.before.path(self.before.file_of(id))
    }

    /// What lies in identical folders, with numbers of the later generation. `None` if a document or row is gone.
    pub(super) fn tree(
        &self,
        tree: &TreeDocuments<u32>,
        row: impl Fn(&u32) -> Option<u32>,
    ) -> Option<TreeDocuments<u32>> {
        let document = |id: &DocumentId| self.document(*id);
        Some(TreeDocuments {
            documents: tree.documents.iter().map(document).collect::<Option<_>>()?,
            rows: tree.rows.iter().map(row).collect::<Option<_>>()?,
            others: tree.others.iter().map(document).collect::<Option<_>>()?,
        })
    }
}

/// The numbers of a file's documents.
fn documents(snapshot: &Snapshot, file: FileId) -> Range<u32> {
    snapshot.segment(file.segment).table().documents_of(file.file)
}

/// Whether two files with one path are the same.
fn is_same((before, known): (&Snapshot, FileId), (now, file): (&Snapshot, FileId)) -> bool {
    let stamp = |snapshot: &Snapshot, file: FileId| snapshot.segment(file.segment).table().stamp(file.file);
    stamp(before, known) == stamp(now, file) && documents(before, known).len() == documents(now, file).len()
}
