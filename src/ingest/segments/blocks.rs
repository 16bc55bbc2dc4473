//! Gathers the text of a block for a search for passages, as a task does.

use std::path::Path;

use super::error::SegmentError;
use super::task_plan::check_outside;
use crate::priority::{self, Nice};
use crate::update::UpdateError;
use dupi_base::storage::Folder;
use dupi_index::index::snapshot::Snapshot;
use dupi_passage::blocks::{self, BlockNumber};
use dupi_passage::search::SearchSettings;

/// A task that gathers the text of a block.
pub struct PassageBlock<'a> {
    /// The index, as it is.
    pub snapshot: &'a Snapshot,
    /// The settings of the search.
    pub settings: &'a SearchSettings,
    /// The file of repeated blots; without one the index is scanned for them.
    pub repeated: Option<&'a Path>,
    /// Which block of how many.
    pub block: BlockNumber,
    /// Threads that read.
    pub threads: usize,
}

impl PassageBlock<'_> {
    /// Writes the block to a folder, and returns the name of its file. If it is there already, nothing is done.
    ///
    /// # Errors
    /// [`SegmentError::Inside`] if the folder lies in the corpus.
    pub fn build(&self, out: &Folder) -> Result<String, SegmentError> {
        check_outside(&self.snapshot.manifest().corpus, out.path())?;
        let pool = priority::pool(self.threads, Nice::Answering).map_err(UpdateError::Threads)?;
        let write =
            || blocks::write(self.snapshot, self.settings, self.repeated, self.block, out, &|_| Ok(()));
        Ok(pool.install(write)?)
    }
}
