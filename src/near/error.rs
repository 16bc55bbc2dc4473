//! Why a search for similar documents failed.

use crate::config::Size;
use crate::passage::PassageError;

/// Why a search for similar documents failed.
#[derive(Debug, thiserror::Error)]
pub enum NearError {
    /// The index is damaged, or the caller stopped the search.
    #[error(transparent)]
    Search(#[from] PassageError),
    /// The method compares all documents in memory, and they are too large for it.
    #[error("the documents take about {} of memory to compare; allow as much with --memory", .0)]
    Memory(Size),
}
