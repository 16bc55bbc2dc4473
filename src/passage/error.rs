//! Why a search for passages ends early, and the callback that is told how far it is.

use crate::index::IndexError;

/// Told how far the search for passages is, 0 to 1; [`PassageError::Stopped`] ends it.
pub type Tick<'a> = dyn Fn(f64) -> Result<(), PassageError> + Sync + 'a;

/// Why passages cannot be found.
#[derive(Debug, thiserror::Error)]
pub enum PassageError {
    /// The index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// More tokens than places can be numbered.
    #[error("more than {} tokens are repeated; look for longer passages with --min-tokens", u32::MAX)]
    TooMany,
    /// It was asked to end.
    #[error("stopped")]
    Stopped,
}
