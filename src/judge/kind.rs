//! What a passage is: code, prose, a licence, a table of constants … A property of its text, of what stands right
//! before it and of the head of its file; of the path alone only where a file is named after rights (`COPYING`, `NOTICE`).
//!
//! The rules are data: `assets/kinds.toml`, whose head tells how they are written. Each line of the passage is given to
//! one kind by the first rule for lines that holds for it, else to code, comment or prose. What most letters and digits
//! belong to is the kind of the passage: first whether that is usually set aside, then which of these kinds, or which of
//! the others, has the most. Then the rules for passages may change it, by signs that no single line has: a file that
//! says that it is generated, a test. `written.rs` reads the rules and `table.rs` compiles them; a rule is a condition (`condition.rs`) made
//! of expressions (`pattern.rs`), comparisons of measures (`measure.rs`) and a few tests in Rust (`named.rs`).
//! For what is true of a file as a whole, the files of most copies decide (`majority.rs`).
//! What one document has and the others quote, in records or snapshots, is of the kind of the quotations (`read.rs`).
//! What a program made of a file beside it, or put together of many, is generated (`twins.rs`, `bundles.rs`). Code
//! that stands in files that are tables is a row of them (`tables.rs`).
//! The user's patterns and rules (`patterns.rs`) go before all others. `assets/phrases.txt` has the phrases of licences.

mod around;
mod bundles;
mod condition;
mod file;
mod judge;
mod lines;
mod majority;
mod measure;
mod named;
mod pattern;
pub mod patterns;
mod phrases;
pub mod read;
mod sample;
mod scan;
mod scene;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod twins;
mod written;

pub use file::{FileSigns, HeadSigns, SampleFile};
pub use judge::{classify, explain};
pub use sample::Sample;

pub use dupi_index::query::filter::{Kind, ParseKindError};
