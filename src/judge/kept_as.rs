//! What is known of passages that are kept in the index: in which file, and which of them a taboo list hides.

use std::sync::{Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use dupi_index::taboo::TabooSet;

/// What is known of the file that keeps some passages. Nothing is known of passages that are not kept.
#[derive(Debug, Default)]
pub struct KeptAs {
    /// The checksum of its sections.
    pub(super) file: OnceLock<u64>,
    /// What one taboo list hides: the last that was asked for.
    hidden: Mutex<Option<HiddenRows>>,
}

/// Which passages a taboo list hides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HiddenRows {
    /// The fingerprint of the list.
    pub(super) taboo: u128,
    /// The fewest tokens that must be left of a passage.
    pub(super) least: u32,
    /// For each passage, whether it is hidden.
    pub(super) hidden: Vec<bool>,
}

impl KeptAs {
    /// Which passages a taboo list hides, if that is known.
    pub(super) fn hidden(&self, taboo: &TabooSet, least: u32) -> Option<Vec<bool>> {
        let known = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |known: &&HiddenRows| known.least == least && known.taboo == fingerprint(taboo);
        known.as_ref().filter(is_it).map(|known| known.hidden.clone())
    }

    /// Remembers what a taboo list hides, in place of what another hides.
    pub(super) fn remember(&self, rows: HiddenRows) {
        *self.hidden.lock().unwrap_or_else(PoisonError::into_inner) = Some(rows);
    }
}

/// A fingerprint of what a list hides.
pub(super) fn fingerprint(taboo: &TabooSet) -> u128 {
    let blots = taboo.blots().map(|blot| hash(0, blot.get()));
    let texts = taboo.texts().map(|text| hash(1, text));
    // Sets have no order.
    blots.chain(texts).fold(0, u128::wrapping_add)
}

fn hash(of: u64, number: u64) -> u128 {
    xxhash_rust::xxh3::xxh3_128_with_seed(&number.to_le_bytes(), of)
}
