//! Applies a filter to the passages or the blots of one snapshot.
//!
//! Cheap tests decide first: numbers, then the paths of documents. Documents are read only for rows that are still
//! undecided, and each document only once.

mod blots;
mod documents;
mod passages;

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

pub use blots::{BlotSieve, BlotsOf};
pub use passages::PassageSieve;

use dupi_index::query::blot_rows::TEXT_LIMIT;
use dupi_index::query::filter::{Filter, WordPattern};
use dupi_index::query::page::DocumentReader;

/// The file tests that hold for a file, as bits by their indices.
fn file_bits(filter: &Filter, path: &Path, text: &mut dyn FnMut() -> String) -> u64 {
    bits(filter.files().iter().map(|test| test.holds(path, text)))
}

/// The text of a file; empty when it cannot be read.
fn text_of<'r>(reader: &'r mut DocumentReader, path: &Path) -> Cow<'r, str> {
    reader.text(path).unwrap_or_default()
}

/// Whether words match a text exactly, or fuzzily its beginning, which is the part shown to users.
fn matches_row_text(words: &WordPattern, text: &str) -> bool {
    words.matches(&text[..text.floor_char_boundary(TEXT_LIMIT)]) || words.matches_exactly(text)
}

fn bits(holds: impl Iterator<Item = bool>) -> u64 {
    holds.enumerate().fold(0, |bits, (number, holds)| bits | u64::from(holds) << number)
}

fn is_set(bits: u64, number: usize) -> bool {
    bits >> number & 1 == 1
}

/// Sorts ranges, and merges those that touch.
fn merged_ranges(mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    places.sort_unstable_by_key(|place| place.start);
    places.dedup_by(|next, kept| {
        let is_one = next.start <= kept.end;
        if is_one {
            kept.end = kept.end.max(next.end);
        }
        is_one
    });
    places
}
