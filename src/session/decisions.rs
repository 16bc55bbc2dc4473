//! Decisions about a corpus: the lists of taboo and of accepted texts, of kinds and
//! of files that are left out, the steps that change them, and
//! counts of what the taboo list hides or would hide.

mod accepted;
pub(super) mod decision_outcome;
mod excluded;
mod kinds;
pub(super) mod lists;
mod states;
pub(super) mod steps;
mod taboo;
pub(super) mod taboo_counts;
pub(super) mod taboo_preview;
mod undo;
