//! Which rows a person asked to see: those whose text, or one of whose documents' paths, contains some words.
//!
//! The documents are searched, not the rows: a row costs several documents to make, a document that does
//! not contain the words costs one reading. Only rows of blots that stand in a file with the words are
//! made and looked at.

use std::collections::HashSet;

use rayon::prelude::*;
use regex::{Regex, RegexBuilder};

use super::Row;
use super::rows::{TEXT_LIMIT, stretch_of};
use crate::blot::{Blot, kept_tiles_of};
use crate::index::IndexError;
use crate::index::snapshot::{FileId, Snapshot};
use crate::query::page::Reader;

/// A filter, made ready for one snapshot.
pub struct Filter<'a> {
    snapshot: &'a Snapshot,
    words: Option<Regex>,
    /// The live files whose path contains the words.
    files: HashSet<FileId>,
    /// The blots of files in whose text the words stand.
    blots: HashSet<Blot>,
}

impl<'a> Filter<'a> {
    /// A filter for some text. Case and the amount of white space do not matter; the empty text lets
    /// every row through. Reads all documents; `is_cancelled` ends that early.
    pub fn new(text: &str, snapshot: &'a Snapshot, is_cancelled: &(dyn Fn() -> bool + Sync)) -> Self {
        let Some(words) = pattern(text) else {
            return Self { snapshot, words: None, files: HashSet::new(), blots: HashSet::new() };
        };
        let all: Vec<FileId> = snapshot.files().collect();
        let matches = |file: &&FileId| words.is_match(&snapshot.path(**file).to_string_lossy());
        let files = all.iter().filter(matches).copied().collect();
        let blots = all
            .par_iter()
            .map_init(
                || Reader::new(snapshot),
                |reader, &file| {
                    if is_cancelled() { Vec::new() } else { blots_of(snapshot, reader, file, &words) }
                },
            )
            .flatten_iter()
            .collect();
        Self { snapshot, words: Some(words), files, blots }
    }

    /// Whether the row that a blot belongs to may be asked for.
    pub fn may_match(&self, blot: Blot) -> Result<bool, IndexError> {
        Ok(self.words.is_none() || self.blots.contains(&blot) || self.matches_path(blot)?)
    }

    /// Whether a row is asked for. Of a long row only the beginning is at hand: then its text is read again.
    pub fn matches(&self, row: &Row, reader: &mut Reader) -> Result<bool, IndexError> {
        let Some(words) = &self.words else { return Ok(true) };
        if words.is_match(&row.text) || self.matches_path(row.id())? {
            return Ok(true);
        }
        let is_cut = row.text.len() + char::MAX_LEN_UTF8 > TEXT_LIMIT;
        let whole = if is_cut { stretch_of(self.snapshot, reader, row)? } else { None };
        Ok(whole.is_some_and(|(_, text)| words.is_match(&text)))
    }

    fn matches_path(&self, blot: Blot) -> Result<bool, IndexError> {
        if self.files.is_empty() {
            return Ok(false);
        }
        let file = |place| self.snapshot.file_of(self.snapshot.document_at(place));
        Ok(self.snapshot.find(blot)?.into_iter().any(|place| self.files.contains(&file(place))))
    }
}

/// The words, whatever their case and the white space between them; `None` when there are none.
pub fn pattern(text: &str) -> Option<Regex> {
    let words: Vec<String> = text.split_whitespace().map(regex::escape).collect();
    if words.is_empty() {
        return None;
    }
    // Escaped words are a pattern, but for a size that nobody types; then nothing matches.
    RegexBuilder::new(&words.join(r"\s+"))
        .case_insensitive(true)
        .build()
        .or_else(|_| Regex::new(r"[^\s\S]"))
        .ok()
}

/// The blots that a file keeps, when the words stand in it.
fn blots_of(snapshot: &Snapshot, reader: &mut Reader, id: FileId, words: &Regex) -> Vec<Blot> {
    let mut blots = Vec::new();
    if reader.file(snapshot.path(id)).is_ok_and(|file| words.is_match(&file.text)) {
        for page in reader.pages_of_file(snapshot, id) {
            kept_tiles_of(page.tokens.iter().copied(), &snapshot.manifest().recipe, |tile| {
                blots.push(tile.blot)
            });
        }
    }
    blots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_match_whatever_their_case_and_the_white_space() {
        let words = pattern("  Größe\n ZWEI. ").unwrap();
        assert!(words.is_match("die größe\t\n zwei."));
        assert!(!words.is_match("größe zweiX"));
        assert!(pattern(" \n").is_none());
    }
}
