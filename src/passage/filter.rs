//! Which rows a person asked to see: a filter, made ready for the passages or the blots of one snapshot.
//!
//! What costs nothing decides first: numbers, then the paths of the documents. Only what is open then is
//! read, each document once; a row costs several documents to make, a document one reading.

mod blots;
mod documents;
mod passages;

use std::borrow::Cow;
use std::path::Path;

pub use blots::{BlotSieve, BlotsOf};
pub use passages::PassageSieve;

use super::rows::TEXT_LIMIT;
use crate::query::filter::{Filter, WordPattern};
use crate::query::page::DocumentReader;

/// The tests of files that hold for one, as bits by their numbers.
fn file_bits(filter: &Filter, path: &Path, text: &mut dyn FnMut() -> String) -> u64 {
    bits(filter.files().iter().map(|test| test.holds(path, text)))
}

/// The text of a file; none when it cannot be read.
fn text_of<'r>(reader: &'r mut DocumentReader, path: &Path) -> Cow<'r, str> {
    reader.text(path).unwrap_or_default()
}

/// Whether some words stand in a text, or are like those of its beginning, which is what people see of it.
fn are_in(words: &WordPattern, text: &str) -> bool {
    words.matches(&text[..text.floor_char_boundary(TEXT_LIMIT)]) || words.matches_exactly(text)
}

fn bits(holds: impl Iterator<Item = bool>) -> u64 {
    holds.enumerate().fold(0, |bits, (number, holds)| bits | u64::from(holds) << number)
}

fn is_set(bits: u64, number: usize) -> bool {
    bits >> number & 1 == 1
}
