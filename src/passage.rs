//! From single blots to the stretches people want to see.

pub mod align;
pub mod approximate;
pub mod bounds;
pub mod choice;
pub mod copy;
pub mod edits;
mod error;
pub mod exact;
pub mod filter;
pub mod folders;
pub mod found;
pub mod gather;
pub mod group;
pub mod hidden;
pub mod like;
pub mod located;
mod measure;
mod nested;
mod numbers;
pub mod partners;
mod print;
mod row;
pub mod rows;
mod run;
pub mod search;
pub mod shares;
pub mod sort;
pub mod texts;
mod worth;

pub use error::{PassageError, Tick};
pub use measure::Measure;
pub use row::Row;
pub use run::Run;
pub use sort::Order;
