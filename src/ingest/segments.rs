//! Segments that are built apart, by tasks of a cluster or by scripts, and become one index.
//!
//! A corpus is divided into tasks (`task_plan`). Each task reads its documents, from files or from records in a stream
//! (`frames`), and seals them as a segment (`build`): a small index of its own in a folder, which is written under a
//! temporary name and then renamed. The name is derived from the input, so a task that runs twice makes one segment.
//! `adopt` checks the segments and joins them into the index of the corpus. `shatter` writes blots for programs that shuffle them.

mod adopt;
mod build;
mod error;
mod folder_draft;
mod frames;
mod shatter;
mod task_plan;

pub use adopt::{Adopted, Adoption, may_replace};
pub use build::{Documents, Sealed, SegmentTask};
pub use error::SegmentError;
pub use frames::{Frame, FrameReader};
pub use task_plan::{TaskPlan, USUAL_TASK, check_outside};
