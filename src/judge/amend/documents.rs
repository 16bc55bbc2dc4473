//! Which of the documents that earlier passages name are there still, which files are new, and the sources of both searches, of
//! before and around the changes, in one list.

use std::collections::HashMap;
use std::path::Path;

use crate::HashedMap;
use crate::identical::TreeDocuments;
use crate::kept::EarlierFiles;
use crate::passages::{Passage, PassageCopy, PassageId, SourceDocument};
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

/// Sources of two searches, sorted by path and document.
pub(super) struct MergedSources {
    /// The sources.
    pub(super) sources: Vec<SourceDocument>,
    /// For each earlier source, its number now, if it is not gone.
    earlier: Vec<Option<u32>>,
    /// For each source of the search around the changes, its number now.
    found: Vec<u32>,
}

impl MergedSources {
    /// Merges the earlier sources, of which `documents` are the numbers now, with those that were `found`. Both are sorted
    /// by path.
    pub(super) fn merge(
        now: &Snapshot,
        (earlier, documents): (&[SourceDocument], &[Option<DocumentId>]),
        found: &[SourceDocument],
    ) -> Self {
        let place = |id: DocumentId| (now.path(now.file_of(id)).as_os_str(), id.document);
        let stay = earlier.iter().zip(documents);
        let stay = stay.filter_map(|(source, id)| Some(SourceDocument { id: (*id)?, ..*source }));
        let mut sources: Vec<SourceDocument> = stay.chain(found.iter().copied()).collect();
        // A document of both lists is there as the earlier search read it: the sort is stable.
        sources.sort_by_key(|source| place(source.id));
        sources.dedup_by_key(|source| source.id);
        let numbers: HashMap<DocumentId, u32> =
            (0..).zip(&sources).map(|(number, source)| (source.id, number)).collect();
        let earlier = documents.iter().map(|id| id.map(|id| numbers[&id])).collect();
        let found = found.iter().map(|source| numbers[&source.id]).collect();
        Self { sources, earlier, found }
    }

    /// An earlier copy with the number of its source now; `None` if that is gone.
    pub(super) fn earlier(&self, copy: &PassageCopy) -> Option<PassageCopy> {
        Some(PassageCopy { source: self.earlier_source(copy.source)?, ..*copy })
    }

    /// The number now of an earlier source; `None` if that is gone.
    pub(super) fn earlier_source(&self, source: u32) -> Option<u32> {
        self.earlier[source as usize]
    }

    /// A copy that was found around the changes, with the number of its source now.
    pub(super) fn found(&self, copy: &PassageCopy) -> PassageCopy {
        PassageCopy { source: self.found_source(copy.source), ..*copy }
    }

    /// The number now of a source of the search around the changes.
    pub(super) fn found_source(&self, source: u32) -> u32 {
        self.found[source as usize]
    }
}

/// Rows by the sources in which they have copies.
pub(super) type BySource<T> = HashedMap<u32, Vec<T>>;

/// A passage with other copies than it had. What depends on their number is estimated from what it was `before`.
pub(super) fn with_copies(before: &Passage, copies: Vec<PassageCopy>, representative: u32) -> Passage {
    let documents = copies.chunk_by(|a, b| a.source == b.source).count() as u32;
    let passage = Passage { copies, representative, documents, ..*before };
    let saved = |of: &Passage| of.similarity() * of.copies.len() as f64 - 1.0;
    let others = |of: &Passage| of.copies.len() as f64 - 1.0;
    Passage {
        worth: scaled(before.worth, saved(&passage), saved(before)),
        lines: scaled(before.lines, others(&passage), others(before)),
        ..passage
    }
}

/// A number times one value by another; the number itself if they have no quotient.
fn scaled(number: u64, by: f64, of: f64) -> u64 {
    if of > 0.0 { (number as f64 * by.max(0.0) / of).round() as u64 } else { number }
}
