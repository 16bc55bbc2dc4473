//! Makes rows for the view that is asked for: a file for each kind of row, and below them the passages that are
//! known, what these say about documents, and how filters are asked of rows.

pub mod blots;
mod documents;
mod file_filter;
mod files;
mod filtered;
pub mod known;
pub mod overview;
pub mod passages;
pub mod shares;
pub mod taboo;
pub mod texts;
