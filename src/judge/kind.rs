//! What a passage is: code, prose, a licence, a table of constants … A property of its text, of what stands right
//! before it and of the head of its file; never of the path alone.
//!
//! Each line of the passage is given to one kind by the first rule of `rules::LINES` that holds for it, else to
//! code, comment or prose. What most letters and digits belong to is the kind of the passage: first whether that is
//! usually set aside, then which of these kinds, or which of the others, has the most. Then the rules of
//! `rules::PASSAGES` may change it, by signs that no single line has: a file that says that it is generated, a test.
//! For what is true of a file as a whole, the files of most copies decide (`majority.rs`).
//! What one document has and the others quote, in records or snapshots, is of the kind of the quotations (`read.rs`).
//! What a program made of a file beside it, or put together of many, is generated (`twins.rs`, `bundles.rs`). Code
//! that stands in files that are tables is a row of them (`tables.rs`).
//! The user's patterns (`patterns.rs`) go before all rules. `words.rs` has the words that the rules look for, and
//! `assets/phrases.txt` the phrases of licences.

mod bundles;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod examples_of_passages;
mod file;
mod judge;
mod lines;
mod majority;
pub mod patterns;
mod phrases;
pub mod read;
mod rules;
mod sample;
mod scan;
mod signs;
mod signs_of_catalogues;
mod signs_of_compilers;
mod signs_of_data;
mod signs_of_files;
mod signs_of_generators;
mod signs_of_imports;
mod signs_of_links;
mod signs_of_typesetting;
mod tables;
#[cfg(test)]
mod tests;
mod twins;
mod words;

pub use file::{FileSigns, HeadSigns, SampleFile};
pub use judge::{classify, explain};
pub use sample::Sample;

pub use dupi_index::query::filter::{Kind, ParseKindError};
