//! What lies in identical folders: the row of such folders stands for all of their documents.

use std::collections::HashMap;

use super::passages::{Passage, PassageId};
use dupi_index::index::snapshot::DocumentId;

/// For each row of identical folders, by its number, what lies in these.
#[derive(Clone, Debug, Default)]
pub struct Trees(HashMap<u32, TreeDocuments<u32>>);

/// The documents of some identical folders. `R` names the rows of identical documents.
#[derive(Clone, Debug)]
pub struct TreeDocuments<R> {
    /// The documents, one folder after another.
    pub documents: Vec<DocumentId>,
    /// The rows of identical documents that those of a folder belong to, each once.
    pub rows: Vec<R>,
    /// The documents of the first folder that belong to none because they are too short.
    pub others: Vec<DocumentId>,
}

impl Trees {
    /// What lies in the folders of some rows. Those are left out that are not among the passages found, or name such rows.
    pub(super) fn new(trees: Vec<(PassageId, TreeDocuments<PassageId>)>, found: &[Passage]) -> Self {
        let ids = trees.iter().flat_map(|(id, tree)| tree.rows.iter().chain([id])).copied();
        let mut numbers: HashMap<PassageId, Option<u32>> = ids.map(|id| (id, None)).collect();
        for (number, passage) in (0..).zip(found) {
            numbers.entry(passage.id).and_modify(|of| *of = Some(number));
        }
        let numbered = |(id, TreeDocuments { documents, rows, others }): (PassageId, TreeDocuments<_>)| {
            let rows = rows.iter().map(|row| numbers[row]).collect::<Option<_>>()?;
            Some((numbers[&id]?, TreeDocuments { documents, rows, others }))
        };
        Self(trees.into_iter().filter_map(numbered).collect())
    }

    /// What lies in the folders of some rows, by their numbers.
    pub(super) fn of_rows(rows: HashMap<u32, TreeDocuments<u32>>) -> Self {
        Self(rows)
    }

    /// What lies in the folders of the row with a number; `None` if it is not a row of folders.
    pub fn of(&self, number: u32) -> Option<&TreeDocuments<u32>> {
        self.0.get(&number)
    }

    /// All rows of folders.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &TreeDocuments<u32>)> {
        self.0.iter().map(|(number, tree)| (*number, tree))
    }
}
