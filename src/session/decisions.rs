//! Decisions about a corpus: the lists of taboo and of accepted texts, the steps that change them, and counts of what the
//! taboo list hides or would hide.

mod accepted;
pub mod decision_outcome;
pub mod lists;
pub mod steps;
mod taboo;
pub mod taboo_counts;
pub mod taboo_preview;
mod undo;
