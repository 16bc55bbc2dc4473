//! Which rows a person asked to see: those whose text, or one of whose documents' paths, contains some words.

use std::collections::HashSet;

use super::Row;
use crate::blot::Blot;
use crate::index::IndexError;
use crate::index::snapshot::{FileId, Snapshot};

/// A filter, made ready for one snapshot.
pub struct Filter<'a> {
    snapshot: &'a Snapshot,
    needle: String,
    /// The live files whose path contains the needle.
    files: HashSet<FileId>,
}

impl<'a> Filter<'a> {
    /// A filter for some text. Case and the amount of white space do not matter; the empty text lets
    /// every row through.
    pub fn new(text: &str, snapshot: &'a Snapshot) -> Self {
        let needle = fold(text);
        let matches = |&file: &FileId| fold(&snapshot.path(file).to_string_lossy()).contains(&needle);
        let files =
            if needle.is_empty() { HashSet::new() } else { snapshot.files().filter(matches).collect() };
        Self { snapshot, needle, files }
    }

    /// Whether a row is asked for.
    pub fn matches(&self, row: &Row) -> Result<bool, IndexError> {
        Ok(self.needle.is_empty() || fold(&row.text).contains(&self.needle) || self.matches_path(row.id())?)
    }

    fn matches_path(&self, blot: Blot) -> Result<bool, IndexError> {
        if self.files.is_empty() {
            return Ok(false);
        }
        let places = self.snapshot.find(blot)?;
        let file = |place| self.snapshot.file_of(self.snapshot.document_at(place));
        Ok(places.into_iter().any(|place| self.files.contains(&file(place))))
    }
}

fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().flat_map(char::to_lowercase));
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_forgets_case_and_the_amount_of_white_space() {
        assert_eq!(fold("  Größe\n\tZWEI "), "größe zwei");
        assert_eq!(fold(""), "");
    }
}
