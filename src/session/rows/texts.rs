//! The whole texts of rows, and their blots, as the documents have them now.

use super::known::Known;
use crate::blot::{Blot, tiles_of};
use crate::index::snapshot::Snapshot;
use crate::passage::copy::OpenCopy;
use crate::passage::rows::{TEXT_LIMIT, anchored_text_of};
use crate::query::page::DocumentReader;
use crate::session::protocol::Item;
use crate::token::Token;

/// Where the texts of rows are found.
pub struct Texts<'a> {
    /// The newest generation.
    pub snapshot: &'a Snapshot,
    /// The passages that are known.
    pub known: Option<&'a Known>,
}

/// Readers for the newest generation, and for the one in which the passages were found.
struct Readers {
    newest: DocumentReader,
    known: DocumentReader,
}

impl Texts<'_> {
    /// The whole texts of rows, read in the order of the documents, so that each is read once. `None` for a
    /// document or folder, which has none of its own, and when the text has changed since the row was made and
    /// only its beginning is at hand.
    pub fn of(&self, rows: &[&Item]) -> Vec<Option<String>> {
        let mut readers = Readers {
            newest: DocumentReader::new(self.snapshot),
            known: DocumentReader::new(self.known.map_or(self.snapshot, |known| &known.snapshot)),
        };
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_cached_key(|&number| self.source(rows[number]));
        let mut texts = vec![None; rows.len()];
        for number in order {
            texts[number] = self.read(&mut readers, rows[number]);
        }
        texts
    }

    /// Under which number the document is known that a passage's text is read from.
    fn source(&self, item: &Item) -> Option<u32> {
        let Item::Passage(row) = item else { return None };
        Some(self.known?.get(row.id)?.representative().source)
    }

    fn read(&self, readers: &mut Readers, item: &Item) -> Option<String> {
        let is_whole = item.text().len() + char::MAX.len_utf8() <= TEXT_LIMIT;
        match item {
            Item::Row(row) => {
                let found = anchored_text_of(self.snapshot, &mut readers.newest, row).ok().flatten();
                found.map(|(_, text)| text).or_else(|| is_whole.then(|| row.text.clone()))
            }
            Item::Passage(passage) => {
                let found = self.known.and_then(|known| {
                    let sources = &known.passages.sources;
                    OpenCopy::of(&known.snapshot, &mut readers.known, sources, known.get(passage.id)?)
                });
                let found = found.map(|standing| standing.text().to_owned());
                found.or_else(|| is_whole.then(|| passage.text.clone()))
            }
            Item::Taboo(row) => Some(row.entry.text.clone()),
            // A path is no text.
            Item::Document(_) | Item::Folder(_) => None,
        }
    }

    /// The blots by which the taboo list hides a row.
    pub fn blots(&self, item: &Item) -> Vec<Blot> {
        let Item::Passage(passage) = item else {
            return if let Item::Row(row) = item { row.blots.clone() } else { Vec::new() };
        };
        let mut blots = Vec::new();
        if let Some(known) = self.known
            && let Some(number) = known.number(passage.id)
        {
            let tokens = known.passages.texts.of(number as usize).iter();
            let tokens = tokens.map(|&hash| Token { hash, start: 0, end: 0 });
            tiles_of(tokens, &self.snapshot.manifest().recipe, |tile| blots.push(tile.blot));
        }
        blots
    }
}
