//! Why the repeated blots of an index cannot be read from a file or written to one.

use std::path::PathBuf;

use crate::index::IndexError;
use dupi_base::storage::{StorageError, shown};

/// Why the repeated blots of an index cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RepeatedError {
    /// The index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A file or folder of our own.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The file is missing.
    #[error(
        "there is no file of repeated blots {}; if the index was updated since it was made, it has another name: make it again with \
         `dupi-tui segment tally blots`",
        shown(.0)
    )]
    Missing(PathBuf),
    /// The file is damaged.
    #[error(
        "the file of repeated blots {} is damaged ({detail}); remove it, and make it again with `dupi-tui segment tally blots`",
        shown(path)
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: &'static str,
    },
    /// The file has another format.
    #[error(
        "the file of repeated blots {} was made by another version of dupi-tui; make it again with `dupi-tui segment tally blots`",
        shown(.0)
    )]
    Version(PathBuf),
    /// The file is of another generation of the index.
    #[error(
        "the file of repeated blots {} is of another generation of the index, or of other files of it; make it again with \
         `dupi-tui segment tally blots` and the same options",
        shown(.0)
    )]
    OtherIndex(PathBuf),
}
