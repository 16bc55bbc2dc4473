//! What was decided about a corpus: the lists as the session has them, the steps that change them, and what the
//! taboo list hides or would hide.

mod accepted;
pub mod decision_outcome;
pub mod lists;
pub mod steps;
mod taboo;
pub mod taboo_counts;
pub mod taboo_preview;
mod undo;
