//! The shares of documents and of files in passages, for verbs that print them without a session.

use std::path::Path;
use std::sync::Arc;

use super::Listing;
use super::documents::DocumentRows;
use super::folders::{FolderRows, ListedFolder};
use super::known_passages::KnownPassages;
use crate::protocol::{Subject, View};
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::TabooSet;
use dupi_passage::search::{Passages, SearchSettings};

/// The rows of documents and of folders, ready to be listed.
pub struct Overview {
    documents: DocumentRows,
    files: FolderRows,
}

impl Overview {
    /// The shares by these passages, as far as the taboo list does not hide them.
    pub fn new(snapshot: Snapshot, passages: Passages, settings: SearchSettings, taboo: TabooSet) -> Self {
        let known = Arc::new(KnownPassages::new(snapshot, passages, settings));
        let shares = known.shares(&Arc::new(taboo));
        let documents = DocumentRows::new(Arc::clone(&known), Arc::clone(&shares));
        let files = FolderRows::new(known, shares);
        Self { documents, files }
    }

    /// The row of a folder or file; `None` if no document lies there.
    pub fn row(&self, path: &Path) -> Option<ListedFolder> {
        self.files.row_at(path)
    }

    /// Lists the rows of a view: the contents of its folder if its subject is files, else documents. A list that
    /// `is_cancelled` ends early is of no use.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn list(
        &mut self,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Listing, IndexError> {
        match view.of {
            Subject::Files => self.files.list(view, is_cancelled),
            _ => self.documents.list(view, is_cancelled),
        }
    }
}
