//! Why a part of a search for similar documents failed.

use std::io;
use std::path::PathBuf;

use dupi_base::corpus::SkipReason;
use dupi_base::storage::sealed::SealedError;
use dupi_base::storage::{StorageError, in_words, shown};

/// Why a part of a search for similar documents failed.
#[derive(Debug, thiserror::Error)]
pub enum BlockError {
    /// A file of our own.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A document cannot be read. Another attempt, or another machine, may read it.
    #[error(
        "cannot read the document {}: {reason}; a task must see the corpus where the index was built; what is away \
         for good leaves the index when it is brought up to date",
        shown(path)
    )]
    Unread {
        /// The document.
        path: PathBuf,
        /// Why.
        reason: SkipReason,
    },
    /// Documents could not be read for a moment.
    #[error("{0}")]
    UnreadFiles(String),
    /// There is no such task.
    #[error("there is no task {task}; there are {tasks}, from 0")]
    NoTask {
        /// The task.
        task: u64,
        /// How many there are.
        tasks: u64,
    },
    /// Standard input or output.
    #[error("the stream of features or links is faulty: {}", in_words(.0))]
    Stream(io::Error),
    /// There is nothing to tally.
    #[error("there is nothing to tally: neither --idf-min nor --idf-max leaves out anything")]
    Unbounded,
    /// The file of a task is missing.
    #[error(
        "{} has no {what} of this generation of the index and of these options; run `dupi-tui {verb}` for it, with the \
         same options",
        shown(folder)
    )]
    Missing {
        /// The folder of the files.
        folder: PathBuf,
        /// What is missing.
        what: String,
        /// The verb that makes it.
        verb: &'static str,
    },
    /// A file of a task is damaged, or of another version of the program.
    #[error(transparent)]
    File(#[from] SealedError),
}
