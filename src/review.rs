//! Reviews a change: which passages are new with it, and which copies did it change on one side only?
//!
//! - [`places`]: the changed files, with the lines of their bytes.
//! - [`former`]: the texts before the change, and how often a passage stood in them.
//! - [`verdict`]: what a passage is, by where its copies are and were.
//! - [`drift`]: copies of which the change changed only some.
//! - [`find`]: all of it together.
//! - [`baseline`]: decisions in a file of the repository.

pub mod baseline;
pub mod drift;
pub mod find;
pub mod former;
pub mod places;
pub mod verdict;

pub use find::{Review, ReviewCriteria, ReviewedPassage, review};
pub use verdict::Verdict;
