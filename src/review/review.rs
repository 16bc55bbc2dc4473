//! Reviews a change: which passages are new with it, and which copies did it change on one side only?
//!
//! - [`source`]: what is reviewed, and where the change comes from.
//! - [`places`]: the changed files, with the lines of their bytes.
//! - [`former`]: the texts before the change, and how often a passage stood in them.
//! - [`verdict`]: what a passage is, by where its copies are and were, and what is reported of it.
//! - [`drift`]: copies of which the change changed only some.
//! - [`mod@find`]: all of it together.
//! - [`judge`]: what was decided about it, and what is reported.
//! - [`baseline`]: decisions in a file of the repository.

pub mod baseline;
pub mod drift;
pub mod find;
pub mod former;
pub mod judge;
pub mod places;
pub mod source;
pub mod verdict;

pub use find::{FoundReview, find};
pub use judge::{Review, ReviewedPassage};
pub use source::{ReviewPlan, ReviewedChange, Source};
pub use verdict::{ReviewDecisions, ReviewRules, Verdict};
