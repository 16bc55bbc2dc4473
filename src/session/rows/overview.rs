//! Documents and files by how much of them stands elsewhere too: the rows of both views, for one state of the
//! taboo list.

use std::path::Path;
use std::sync::Arc;

use super::documents::DocumentRows;
use super::files::FileRows;
use super::known::Known;
use super::shares::Shares;
use crate::index::IndexError;
use crate::index::snapshot::Snapshot;
use crate::passage::search::{Passages, SearchSettings};
use crate::session::protocol::{FolderRow, Listing, Subject, View};
use crate::taboo::TabooSet;

/// What passages say about documents and folders, ready to be listed.
pub struct Overview {
    shares: Arc<Shares>,
    documents: DocumentRows,
    files: FileRows,
}

impl Overview {
    /// By the passages that were found with some settings, all of them shown.
    pub fn new(snapshot: Snapshot, passages: Passages, settings: SearchSettings) -> Self {
        let known = Arc::new(Known::new(snapshot, passages, settings));
        let shares = known.shares(&Arc::new(TabooSet::default()));
        Self::of(known, shares)
    }

    pub(crate) fn of(known: Arc<Known>, shares: Arc<Shares>) -> Self {
        let documents = DocumentRows::new(Arc::clone(&known), Arc::clone(&shares));
        let files = FileRows::new(known, Arc::clone(&shares));
        Self { shares, documents, files }
    }

    /// Whether it is made by some shares.
    pub(crate) fn is_of(&self, shares: &Arc<Shares>) -> bool {
        Arc::ptr_eq(&self.shares, shares)
    }

    /// The row of a folder or file; none where no document lies.
    pub fn row(&self, path: &Path) -> Option<FolderRow> {
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
        let mut listing = match view.of {
            Subject::Files => self.files.list(view, is_cancelled)?,
            _ => self.documents.list(view, is_cancelled)?,
        };
        listing.hidden = self.shares.hides;
        Ok(listing)
    }
}
