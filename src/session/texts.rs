//! The whole texts of rows, and their blots, as the documents have them now.

use super::item::Item;
use super::passages::Known;
use crate::blot::{Blot, tiles_of};
use crate::index::snapshot::Snapshot;
use crate::passage::copy::Standing;
use crate::passage::rows::{TEXT_LIMIT, stretch_of};
use crate::query::page::Reader;
use crate::token::Token;

/// Where the texts of rows are found.
pub struct Texts<'a> {
    /// The newest generation.
    pub snapshot: &'a Snapshot,
    /// The passages that are known.
    pub known: Option<&'a Known>,
}

impl Texts<'_> {
    /// A row's whole text. `None` for a document or folder, which has none of its own, and when the text has
    /// changed since the row was made and only its beginning is at hand.
    pub fn of(&self, item: &Item) -> Option<String> {
        let is_whole = item.text().len() + char::MAX.len_utf8() <= TEXT_LIMIT;
        match item {
            Item::Row(row) => {
                let found = stretch_of(self.snapshot, &mut Reader::new(self.snapshot), row).ok().flatten();
                found.map(|(_, text)| text).or_else(|| is_whole.then(|| row.text.clone()))
            }
            Item::Passage(passage) => {
                let found = self.known.and_then(|known| {
                    let mut reader = Reader::new(&known.snapshot);
                    let sources = &known.passages.sources;
                    Standing::of(&known.snapshot, &mut reader, sources, known.get(passage.id)?)
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
