//! Segments that are built apart, by tasks of a cluster or by scripts, and become one index.
//!
//! A corpus is divided into tasks (`task_plan`). Each task reads its documents, from files or from records in a stream
//! (`frames`), and seals them as a segment (`build`): a small index of its own in a folder, which is written under a
//! temporary name and then renamed. The name is derived from the input, so a task that runs twice makes one segment.
//! `adopt` checks the segments and joins them into the index of the corpus. `shatter` writes blots for programs that shuffle them.

mod adopt;
mod build;
mod folder_draft;
mod frames;
mod shatter;
mod task_plan;

use std::path::{Path, PathBuf};

use crate::update::UpdateError;

use dupi_base::corpus::{CorpusError, SkipReason};
use dupi_base::storage::{StorageError, in_words, shown};
use dupi_index::index::IndexError;
use dupi_index::index::search::SearchError;

pub use adopt::{Adopted, Adoption, may_replace};
pub use build::{Documents, Sealed, SegmentTask};
pub use frames::{Frame, FrameReader};
pub use task_plan::{TaskPlan, USUAL_TASK, check_outside};

// Why segments cannot be built or adopted.

/// Why segments could not be built or adopted.
#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    /// The index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The corpus.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A file or folder of our own.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Threads.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// Tallying blots.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A document of a task cannot be read.
    #[error(
        "cannot read the document {}: {reason}; a task must see the corpus where the plan was made; \
         what cannot be read anywhere is left out of the plan with --glob",
        shown(path)
    )]
    Unread {
        /// The document.
        path: PathBuf,
        /// Why.
        reason: SkipReason,
    },
    /// A stream for output.
    #[error("cannot write to standard output: {}", in_words(.0))]
    Output(std::io::Error),
    /// A folder for output lies in the corpus.
    #[error("{} lies in the corpus; name a folder elsewhere", shown(.0))]
    Inside(PathBuf),
    /// Segments, a plan or a stream cannot be used: a sentence that says why.
    #[error("{0}")]
    Wrong(String),
}

impl SegmentError {
    /// A segment is damaged.
    fn damaged(path: &Path, detail: &str) -> Self {
        Self::Wrong(format!("the segment {} is damaged ({detail}); build it again", shown(path)))
    }

    /// A segment has tokens of another version of the program.
    fn other_tokens(folder: &Path) -> Self {
        Self::Wrong(format!(
            "the segment {} was built by another version of dupi-tui; build it again with this one",
            shown(folder)
        ))
    }

    /// There is an index where a new one was to be made.
    fn exists(home: &Path) -> Self {
        Self::Wrong(format!(
            "there is an index in {} already; add --rebuild to replace it, or name another folder with --index",
            shown(home)
        ))
    }

    /// There are no segments.
    fn none(folder: &Path) -> Self {
        Self::Wrong(format!("there is no segment in {}", shown(folder)))
    }

    fn of_segment(error: IndexError, folder: &Path) -> Self {
        match error {
            IndexError::Damaged { path, detail } => Self::damaged(&path, detail),
            IndexError::Absent(path) => Self::damaged(&path, "its manifest is missing"),
            IndexError::Version { .. } => Self::other_tokens(folder),
            other => other.into(),
        }
    }
}
