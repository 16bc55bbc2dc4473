//! Postings on disk: which blot stands in which documents.
//!
//! Each file of this room answers one question:
//!
//! - [`posting`]: what is a posting, and to which shard does it belong?
//! - `bits`: how does a number lie in few bits?
//! - [`block`]: how do some hundred posting lists lie on disk?
//! - [`run`]: how does one shard of one segment lie on disk, and how is a blot found in it?
//! - [`table`]: which files, documents and parts does a segment hold?
//! - [`segment`]: how do the runs and the table make one sealed file?
//! - [`home`]: whose is a folder, and which names in it are ours?
//! - [`manifest`]: which segments and tombstones make a generation?
//! - [`map`]: how is a file of our own read without copying?
//! - [`stream`]: how are all posting lists read, one after the other?
//! - [`snapshot`]: what does a reader of one generation see?
//! - [`ranking`]: which blots are repeated, in which order?
//! - `scan`: how is a ranking made?
//! - [`repeated`]: which blots may be repeated, for those who ask about millions?
//! - [`amend`]: how does a ranking follow a change without being made anew?
//! - [`merge`]: how do many segments become one?
//! - [`writer`]: how does a generation follow another?
//!
//! A sealed file never changes. A generation is what one manifest names; replacing the manifest by a
//! rename is the commit. A reader keeps the files of its generation mapped, so that a writer may
//! unlink them at any time.

use std::path::{Path, PathBuf};

use crate::storage::{StorageError, shown};

pub mod amend;
mod bits;
pub mod block;
pub mod home;
pub mod manifest;
pub mod map;
pub mod merge;
pub mod posting;
pub mod ranking;
pub mod repeated;
pub mod run;
mod scan;
pub mod segment;
pub mod snapshot;
pub mod stream;
pub mod table;
pub mod writer;

/// The version of every format in this room. A file of another version is refused by name, never guessed at.
///
/// 1: varints. 2: blocks of bits.
pub const FORMAT_VERSION: u32 = 2;

/// What can go wrong with an index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The system refused an operation on a file of the index.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A file is not what the manifest or its own checksum says.
    #[error("{} is damaged ({detail}); run `dupi-tui index --rebuild` to build the index anew", shown(path))]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// How it shows.
        detail: &'static str,
    },
    /// A file was written by a newer or an older program.
    #[error("{} has format version {found}, this program reads {FORMAT_VERSION}; {}`dupi-tui index --rebuild` builds the index anew", shown(path), if *found > FORMAT_VERSION { "use a newer dupi-tui, or " } else { "" })]
    Version {
        /// Which file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The folder is neither empty nor ours.
    #[error(
        "{} holds {name}, which no index of dupi-tui has, so it is left alone; name a new or an empty folder with --index",
        shown(path)
    )]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// A file in it that is not ours.
        name: String,
    },
    /// There is no index in the folder.
    #[error("there is no index in {}; run `dupi-tui index` first", shown(.0))]
    Absent(PathBuf),
    /// Another process writes the index.
    #[error(
        "the index in {} is being written by {holder}; it can be read meanwhile with --no-update",
        shown(path)
    )]
    Locked {
        /// The index's folder.
        path: PathBuf,
        /// Process id and host.
        holder: String,
    },
    /// The folder, or files of it, were removed while this process wrote the index in it.
    #[error("the index in {} was removed while it was in use; run `dupi-tui index` to build it anew", shown(.0))]
    Lost(PathBuf),
    /// A fault of this program ended a merge. The index is as it was before.
    #[error("merging ended by a fault of dupi-tui, which is in its log; please report it")]
    MergePanicked,
    /// Whoever asked wants the answer no more.
    #[error("stopped before the end")]
    Stopped,
    /// A segment would hold more than its numbers can name.
    #[error("one segment cannot hold more than {0} parts; lower --memory")]
    Full(u32),
}

/// Asked from time to time by what takes long, from any thread: whether to end with [`IndexError::Stopped`].
pub type IsStopped<'a> = &'a (dyn Fn() -> bool + Sync);

impl IndexError {
    /// What makes this failure the same as another one, so that it need not be said twice: a file that is written
    /// again has another name each time.
    pub fn cause(&self) -> String {
        match self {
            Self::Storage(StorageError { action, source, .. }) => format!("{action}: {source}"),
            other => other.to_string(),
        }
    }

    pub(crate) fn damaged(path: impl Into<PathBuf>, detail: &'static str) -> Self {
        Self::Damaged { path: path.into(), detail }
    }
}

/// Refuses a file of another version.
fn check_version(path: &Path, found: u32) -> Result<(), IndexError> {
    match found {
        FORMAT_VERSION => Ok(()),
        _ => Err(IndexError::Version { path: path.to_owned(), found }),
    }
}
