//! A row of amended passages.

use crate::passage::passages::{Passage, PassageCopy};
use crate::passage::texts::TextOf;

/// A row, with the search that knows its text.
pub(super) struct AmendedRow {
    pub(super) passage: Passage,
    pub(super) text: TextOf,
    /// Whether it has other copies than it had.
    pub(super) is_changed: bool,
}

impl AmendedRow {
    /// Sets the copies. What depends on their number is estimated from what it was `before`.
    pub(super) fn set_copies(&mut self, before: &Passage, copies: Vec<PassageCopy>) {
        self.passage.copies = copies;
        if self.is_changed {
            let passage = &mut self.passage;
            passage.documents = passage.copies.chunk_by(|a, b| a.source == b.source).count() as u32;
            let saved = |of: &Passage| of.similarity() * of.copies.len() as f64 - 1.0;
            passage.worth = scaled(before.worth, saved(passage), saved(before));
            let others = |of: &Passage| of.copies.len() as f64 - 1.0;
            passage.lines = scaled(before.lines, others(passage), others(before));
        }
    }
}

/// A number times one value by another; the number itself if they have no quotient.
fn scaled(number: u64, by: f64, of: f64) -> u64 {
    if of > 0.0 { (number as f64 * by.max(0.0) / of).round() as u64 } else { number }
}
