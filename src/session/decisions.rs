//! What was decided about a corpus: the lists as the session has them, the steps that change them, and what the
//! taboo list hides or would hide.

pub mod lists;
pub mod steps;
pub mod taboo_counts;
pub mod taboo_preview;
