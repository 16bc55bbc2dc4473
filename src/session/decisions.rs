//! Decisions about a corpus: the steps that change the lists of decisions, and counts of what a taboo decision would hide.

mod marks;
pub(super) mod steps;
pub(super) mod taboo;
pub(super) mod taboo_preview;
