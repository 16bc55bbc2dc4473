//! The errors of a search for passages, and its progress callback.

use super::block_error::BlockError;
use dupi_index::index::IndexError;
use dupi_index::index::repeated::RepeatedError;

/// Called with the progress of a search for passages, 0 to 1. It ends the search by returning an error.
pub type Tick<'a> = dyn Fn(f64) -> Result<(), PassageError> + Sync + 'a;

/// Why a search for passages failed.
#[derive(Debug, thiserror::Error)]
pub enum PassageError {
    /// The index is damaged or cannot be read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Blocks of gathered text cannot be searched.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// The file of repeated blots cannot be used.
    #[error(transparent)]
    Repeated(#[from] RepeatedError),
    /// More tokens than 32-bit places can number.
    #[error("more than {} tokens are repeated; search for longer passages with --min-tokens", u32::MAX)]
    TooMany,
    /// The caller stopped it.
    #[error("stopped")]
    Stopped,
}
