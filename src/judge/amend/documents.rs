//! Which of the documents that earlier passages name are there still, and which files are new.

use std::path::Path;

use crate::kept::EarlierFiles;
use crate::passages::{PassageId, SourceDocument};
use crate::trees::TreeDocuments;
use dupi_index::index::changes::FileChanges;
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};

/// When more than 1 / this of the files are new or gone, the whole corpus is searched.
const SHARE: usize = 5;

/// How the files of a generation differ from those of an earlier one.
pub struct DocumentChanges<'a> {
    /// The later generation.
    pub(super) now: &'a Snapshot,
    /// The files of the later generation that are new or have changed, in order.
    pub(super) new: Vec<FileId>,
    /// How many files are gone or have changed.
    gone: usize,
    /// How many files are the same.
    same: usize,
    /// Where the documents of the earlier generation are now; `None` if a kept file named them by their numbers in the later one.
    places: Option<FileChanges<'a>>,
    has_same_recipe: bool,
}

impl<'a> DocumentChanges<'a> {
    /// Compares the files of two generations.
    pub fn between(before: &'a Snapshot, now: &'a Snapshot) -> Self {
        let mut changes = FileChanges::between(before, now);
        let has_same_recipe = before.manifest().recipe == now.manifest().recipe;
        let (new, gone, same) = (std::mem::take(&mut changes.new), changes.gone, changes.same);
        Self { now, new, gone, same, places: Some(changes), has_same_recipe }
    }

    /// The changes that a kept file of an earlier generation told.
    pub fn since_kept(files: &EarlierFiles, now: &'a Snapshot) -> Self {
        let EarlierFiles { new, gone, same } = files.clone();
        Self { now, new, gone, same, places: None, has_same_recipe: true }
    }

    /// Whether most files are the same, and their documents are read in the same way. A changed file counts twice.
    pub(super) fn are_few(&self) -> bool {
        let files = self.same + self.new.len();
        self.has_same_recipe && (self.new.len() + self.gone) * SHARE <= files
    }

    /// The number of a document in the later generation, if its file is the same.
    pub(super) fn document(&self, id: DocumentId) -> Option<DocumentId> {
        match &self.places {
            Some(changes) => changes.later(id),
            None => EarlierFiles::is_there(id).then_some(id),
        }
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

    /// What lies in identical folders, with numbers of the later generation. `None` if a document is gone.
    pub(super) fn tree(
        &self,
        tree: &TreeDocuments<u32>,
        id: impl Fn(&u32) -> PassageId,
    ) -> Option<TreeDocuments<PassageId>> {
        let documents = |all: &[DocumentId]| all.iter().map(|id| self.document(*id)).collect::<Option<_>>();
        Some(TreeDocuments {
            documents: documents(&tree.documents)?,
            rows: tree.rows.iter().map(id).collect(),
            others: documents(&tree.others)?,
        })
    }
}
