//! Documents and files by how much of them stands elsewhere too: the rows of both views, for one state of the
//! taboo list.

use std::path::Path;
use std::sync::Arc;

use super::Listing;
use super::documents::DocumentRows;
use super::folders::{FolderRows, ListedFolder};
use super::known_passages::KnownPassages;
use crate::index::IndexError;
use crate::index::snapshot::Snapshot;
use crate::passage::search::{Passages, Settings};
use crate::session::protocol::{Subject, View};
use crate::taboo::TabooSet;

/// What passages say about documents and folders, ready to be listed.
pub struct Overview {
    documents: DocumentRows,
    files: FolderRows,
}

impl Overview {
    /// By the passages that were found with some settings, all of them shown.
    pub fn new(snapshot: Snapshot, passages: Passages, settings: Settings) -> Self {
        let known = Arc::new(KnownPassages::new(snapshot, passages, settings));
        let shares = known.shares(&Arc::new(TabooSet::default()));
        let documents = DocumentRows::new(Arc::clone(&known), Arc::clone(&shares));
        let files = FolderRows::new(known, shares);
        Self { documents, files }
    }

    /// The row of a folder or file; none where no document lies.
    pub fn row(&self, path: &Path) -> Option<ListedFolder> {
        self.files.row_at(path)
    }

    /// Lists the rows of a view: what lies in its folder when that is about files, else documents. What
    /// `is_cancelled` ends early holds for nothing.
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
