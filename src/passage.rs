//! Finds passages: maximal duplicated stretches of text with all their copies.

pub mod align;
pub mod approximate;
mod blot_run;
pub mod bounds;
pub mod choice;
pub mod copy;
pub mod edits;
pub mod enclosing;
mod error;
pub mod exact;
pub mod family;
pub mod filter;
mod fingerprint;
pub mod folders;
pub mod gather;
pub mod group;
pub mod headline;
pub mod hidden;
pub mod like;
pub mod location;
mod measure;
mod nested;
pub mod partners;
pub mod passages;
pub mod rows;
pub mod search;
pub mod shares;
pub mod sort;
pub mod texts;
mod token_run;
pub mod whole_lines;

pub use blot_run::BlotRun;
pub use error::{PassageError, Tick};
pub use measure::Measure;
pub use sort::PassageOrder;
pub use token_run::TokenRun;
