//! The errors of a search in an index for passages or similar documents, and its progress callback.

use super::IndexError;

use dupi_base::storage::sealed::SealedError;

/// Called with the progress of a search, 0 to 1. It ends the search by returning an error.
pub type Tick<'a> = dyn Fn(f64) -> Result<(), SearchError> + Sync + 'a;

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The index is damaged or cannot be read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The file of repeated blots cannot be used.
    #[error("{0}")]
    Repeated(String),
    /// The file of repeated blots is damaged.
    #[error(transparent)]
    File(#[from] SealedError),
    /// More tokens than 32-bit places can number.
    #[error("more than {} tokens are repeated; search for longer passages with --min-tokens", u32::MAX)]
    TooMany,
    /// The caller stopped it.
    #[error("stopped")]
    Stopped,
}
