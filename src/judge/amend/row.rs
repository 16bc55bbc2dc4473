//! A row of amended passages.

use crate::passages::{Passage, PassageCopy};
use crate::texts::TextOf;

/// A row, with the search that knows its text.
pub(super) struct AmendedRow {
    pub(super) passage: Passage,
    pub(super) text: TextOf,
}

/// A passage with other copies than it had. What depends on their number is estimated from what it was `before`.
pub(super) fn with_copies(before: &Passage, copies: Vec<PassageCopy>, representative: u32) -> Passage {
    let documents = copies.chunk_by(|a, b| a.source == b.source).count() as u32;
    let passage = Passage { copies, representative, documents, ..*before };
    let saved = |of: &Passage| of.similarity() * of.copies.len() as f64 - 1.0;
    let others = |of: &Passage| of.copies.len() as f64 - 1.0;
    Passage {
        worth: scaled(before.worth, saved(&passage), saved(before)),
        lines: scaled(before.lines, others(&passage), others(before)),
        ..passage
    }
}

/// A number times one value by another; the number itself if they have no quotient.
fn scaled(number: u64, by: f64, of: f64) -> u64 {
    if of > 0.0 { (number as f64 * by.max(0.0) / of).round() as u64 } else { number }
}
