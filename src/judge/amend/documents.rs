//! Which of the documents that earlier passages name are there still, and which files are new.

use std::path::Path;

use crate::kept::EarlierFiles;
use crate::passages::SourceDocument;
use crate::trees::TreeDocuments;
use dupi_index::index::changes::FileChanges;
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};

/// How the files of a generation differ from those of an earlier one.
pub(super) struct DocumentChanges<'a> {
    /// The later generation.
    pub(super) now: &'a Snapshot,
    earlier: Earlier<'a>,
}

/// The earlier generation.
enum Earlier<'a> {
    /// It is open.
    Open(FileChanges<'a>),
    /// A kept file tells of it, and names documents by their numbers in the later one.
    Kept(&'a EarlierFiles),
}

impl<'a> DocumentChanges<'a> {
    /// Compares the files of two generations.
    pub(super) fn between(before: &'a Snapshot, now: &'a Snapshot) -> Self {
        Self { now, earlier: Earlier::Open(FileChanges::between(before, now)) }
    }

    /// The changes that a kept file of an earlier generation told.
    pub(super) fn since_kept(files: &'a EarlierFiles, now: &'a Snapshot) -> Self {
        Self { now, earlier: Earlier::Kept(files) }
    }

    /// The files of the later generation that are new or have changed, in order.
    pub(super) fn new_files(&self) -> &[FileId] {
        match &self.earlier {
            Earlier::Open(changes) => &changes.new,
            Earlier::Kept(files) => &files.new,
        }
    }

    /// How many files are new, gone or have changed. A changed file counts twice.
    pub(super) fn count(&self) -> usize {
        let gone = match &self.earlier {
            Earlier::Open(changes) => changes.gone,
            Earlier::Kept(files) => files.gone,
        };
        self.new_files().len() + gone
    }

    /// How many files the later generation has.
    pub(super) fn files(&self) -> usize {
        let same = match &self.earlier {
            Earlier::Open(changes) => changes.same,
            Earlier::Kept(files) => files.same,
        };
        same + self.new_files().len()
    }

    /// The number of a document in the later generation, if its file is the same.
    pub(super) fn document(&self, id: DocumentId) -> Option<DocumentId> {
        match &self.earlier {
            Earlier::Open(changes) => changes.later(id),
            Earlier::Kept(_) => EarlierFiles::is_there(id).then_some(id),
        }
    }

    /// The numbers of some sources in the later generation.
    pub(super) fn of_sources(&self, sources: &[SourceDocument]) -> Vec<Option<DocumentId>> {
        sources.iter().map(|source| self.document(source.id)).collect()
    }

    /// Whether a document lies in a new file.
    pub(super) fn is_new(&self, id: DocumentId) -> bool {
        self.new_files().binary_search(&self.now.file_of(id)).is_ok()
    }

    /// Whether a file of the later generation that is new lies in the folder.
    pub(super) fn has_new_in(&self, folder: &Path) -> bool {
        self.new_files().iter().any(|file| self.now.path(*file).starts_with(folder))
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
