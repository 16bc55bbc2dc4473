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
use dupi_index::index::repeated::RepeatedError;

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
    Repeated(#[from] RepeatedError),
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
    /// A document does not lie below the root.
    #[error(
        "{} does not lie below {}; name the folder of all documents with --root",
        shown(path),
        shown(root)
    )]
    Outside {
        /// The document.
        path: PathBuf,
        /// The root.
        root: PathBuf,
    },
    /// A stream of records is wrong.
    #[error("standard input is not a sequence of documents: {0}")]
    Frame(String),
    /// A stream for output.
    #[error("cannot write to standard output: {}", in_words(.0))]
    Output(std::io::Error),
    /// A folder for output has files in it.
    #[error("{} is not empty; name a new folder", shown(.0))]
    Occupied(PathBuf),
    /// A folder for output lies in the corpus.
    #[error("{} lies in the corpus; name a folder elsewhere", shown(.0))]
    Inside(PathBuf),
    /// A plan has no such task.
    #[error("the plan in {} has no task {task}; it has {tasks}", shown(plan))]
    NoTask {
        /// The folder of the plan.
        plan: PathBuf,
        /// The task.
        task: usize,
        /// How many there are.
        tasks: usize,
    },
    /// There is no plan, or a part of it is missing.
    #[error(
        "{} is not a whole plan ({detail}); run `dupi-tui segment plan` again, with a new folder",
        shown(path)
    )]
    Plan {
        /// The folder, or a file in it.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// There are no segments.
    #[error("there is no segment in {}", shown(.0))]
    None(PathBuf),
    /// A segment is damaged.
    #[error("the segment {} is damaged ({detail}); build it again", shown(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: &'static str,
    },
    /// Segments were built in different ways.
    #[error(
        "the segments in {} and {} were built with different {what}; build all in one way",
        shown(one),
        shown(other)
    )]
    Mixed {
        /// A segment's folder.
        one: PathBuf,
        /// The folder of one that differs.
        other: PathBuf,
        /// In what.
        what: &'static str,
    },
    /// A segment has tokens of another version of the program.
    #[error("the segment {} was built by another version of dupi-tui; build it again with this one", shown(.0))]
    OtherTokens(PathBuf),
    /// Two segments have the same document.
    #[error(
        "the document {} is in two segments, {} and {}; adopt only one of them",
        shown(path),
        shown(one),
        shown(other)
    )]
    Twice {
        /// The document's file.
        path: PathBuf,
        /// One segment's folder.
        one: PathBuf,
        /// The other segment's folder.
        other: PathBuf,
    },
    /// A document of the plan is in no segment.
    #[error("no segment has the document {}{}; build the segments of all tasks", shown(path), and_more(*.more))]
    Missing {
        /// The first one.
        path: PathBuf,
        /// How many others are missing.
        more: u64,
    },
    /// The segments say different roots, and none was given.
    #[error(
        "the segments in {} and {} have different roots; name the root with --root",
        shown(one),
        shown(other)
    )]
    Roots {
        /// A segment's folder.
        one: PathBuf,
        /// The other segment's folder.
        other: PathBuf,
    },
    /// There is an index where a new one was to be made.
    #[error("there is an index in {} already; add --rebuild to replace it, or name another folder with --index", shown(.0))]
    Exists(PathBuf),
}

fn and_more(count: u64) -> String {
    match count {
        0 => String::new(),
        count => format!(" and {count} more"),
    }
}

impl SegmentError {
    /// The error of a file in a segment's folder.
    pub(super) fn of_segment(error: IndexError, folder: &Path) -> Self {
        match error {
            IndexError::Damaged { path, detail } => Self::Damaged { path, detail },
            IndexError::Absent(path) => Self::Damaged { path, detail: "its manifest is missing" },
            IndexError::Version { .. } => Self::OtherTokens(folder.to_owned()),
            other => other.into(),
        }
    }
}
