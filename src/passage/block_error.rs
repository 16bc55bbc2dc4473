//! Why blocks of gathered text cannot be searched.

use std::path::PathBuf;

use dupi_base::storage::sealed::SealedError;
use dupi_base::storage::{StorageError, shown};
use dupi_index::index::search::SearchError;

/// Why blocks cannot be searched.
#[derive(Debug, thiserror::Error)]
pub enum BlockError {
    /// The search failed, or its caller stopped it.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A file or folder of our own.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Documents could not be read.
    #[error("{0}")]
    Unread(String),
    /// A document is not as it was indexed: other tasks may see another text.
    #[error(
        "cannot read the document {}: {what}; a task must see the corpus as it was indexed: after a change, bring the index \
         up to date and make all blocks again",
        shown(path)
    )]
    Changed {
        /// The document.
        path: PathBuf,
        /// What is known of it.
        what: String,
    },
    /// There are no blocks.
    #[error("there is no block in {}; make all with `dupi-tui segment query passages`", shown(.0))]
    None(PathBuf),
    /// The file of a block.
    #[error(transparent)]
    File(#[from] SealedError),
    /// A block is of another generation of the index.
    #[error(
        "the block {} is of another generation of the index, or of other files of it; make all blocks again",
        shown(.0)
    )]
    OtherIndex(PathBuf),
    /// A block was made for another search.
    #[error(
        "the block {} was made with other options; give the options of `dupi-tui segment query passages` here too",
        shown(.0)
    )]
    OtherSearch(PathBuf),
    /// The corpus was divided in several ways.
    #[error(
        "{} has blocks of a division into {one} and of one into {other}; remove those of one",
        shown(folder)
    )]
    Mixed {
        /// The folder.
        folder: PathBuf,
        /// How many blocks one division has.
        one: u32,
        /// How many another one has.
        other: u32,
    },
    /// A block is missing.
    #[error(
        "the block {number} of {of} is missing in {}; make it with `dupi-tui segment query passages`",
        shown(folder)
    )]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// Its number, from 0.
        number: u32,
        /// How many there must be.
        of: u32,
    },
}
