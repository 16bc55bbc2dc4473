//! Postings on disk: which blot occurs in which documents.
//!
//! Each file of this room answers one question:
//!
//! - [`posting`]: what is a posting, and to which shard does it belong?
//! - `bits`: how is a number coded in few bits?
//! - [`block`]: how are some hundred posting lists stored?
//! - [`run`]: how is one shard of one segment stored, and how is a blot found in it?
//! - [`table`]: which files, documents and parts does a segment hold?
//! - [`segment`]: how do the runs and the table form one sealed file?
//! - [`sketches`]: how are the sketches of its documents kept beside it?
//! - [`home`]: does a folder belong to an index, and which names in it are ours?
//! - [`manifest`]: which segments and tombstones form a generation?
//! - [`stream`]: how are all posting lists read in order?
//! - [`snapshot`]: what does a reader of one generation see?
//! - [`ranking`]: which blots are repeated, and in which order?
//! - `scan`: how is a ranking computed?
//! - [`repeated`]: which blots may be repeated, for millions of look-ups?
//! - [`amend`]: how is a ranking updated after a change?
//! - [`changes`]: which files of a generation are in a later one too?
//! - [`merge`]: how do many segments become one?
//! - [`join`]: how do segments that were sealed elsewhere become an index?
//! - [`writer`]: how does a generation follow another?
//!
//! A sealed file never changes. A generation consists of the files that one manifest names; a commit replaces the
//! manifest by a rename. A reader keeps the files of its generation mapped, so a writer may unlink them at any
//! time.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use dupi_base::storage::{StorageError, shown};

pub mod amend;
mod bits;
pub mod block;
pub mod changes;
pub mod home;
pub mod join;
pub mod manifest;
pub mod merge;
pub mod posting;
pub mod ranking;
pub mod repeated;
pub mod run;
pub mod scan;
pub mod search;
pub mod segment;
pub mod sketches;
pub mod snapshot;
pub mod stream;
pub mod table;
pub mod writer;

/// The version of all file formats in this room, except that the manifest may have a later one. A file of another version
/// is refused with its name.
///
/// 1: varints. 2: blocks of bits.
pub const FORMAT_VERSION: u32 = 2;

/// Why an index cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The system refused an operation on a file of the index.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A file does not agree with the manifest or its own checksum.
    #[error("{} is damaged ({detail}); run `dupi-tui index --rebuild` to rebuild the index", shown(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: &'static str,
    },
    /// A file was written by a newer or an older program.
    #[error("{} has format version {found}, this program reads {reads}; {}`dupi-tui index --rebuild` rebuilds the index", shown(path), if found > reads { "use a newer dupi-tui, or " } else { "" })]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The newest version of such a file that this program reads.
        reads: u32,
    },
    /// The folder is not empty and does not belong to an index.
    #[error(
        "{} holds {name}, which is not a file of dupi-tui, so it is left unchanged; name a new or empty folder with --index",
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
    /// The folder, or files in it, were removed while this process was writing the index.
    #[error("the index in {} was removed while it was in use; run `dupi-tui index` to rebuild it", shown(.0))]
    Lost(PathBuf),
    /// The caller cancelled the operation.
    #[error("stopped before the end")]
    Stopped,
    /// A segment would have too many parts.
    #[error("one segment cannot hold more than {0} parts; lower --memory")]
    Full(u32),
}

/// Called from time to time by long operations, from any thread: whether to end with [`IndexError::Stopped`].
pub type IsStopped<'a> = &'a (dyn Fn() -> bool + Sync);

impl IndexError {
    /// A text that is equal for repeated failures with the same cause, so that they are reported once. It has no
    /// file name, because a file has a new name each time it is written.
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

/// Refuses a file of a version that is not read.
fn check_version(path: &Path, found: u32, read: RangeInclusive<u32>) -> Result<(), IndexError> {
    if read.contains(&found) {
        return Ok(());
    }
    Err(IndexError::Version { path: path.to_owned(), found, reads: *read.end() })
}
