//! What is known of passages besides themselves: in which file of the index they are kept, which of them a taboo list hides, and
//! what is new in them since the screen of their corpus was left.
//!
//! A passage has news if a copy stands in a file that is new or has changed since, and if it has more copies than the
//! passage had then that had one of its texts. Both are asked for, because a search with other settings, or of a corpus with
//! other texts, may group the same copies in another way.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use crate::copy_texts::CopyTexts;
use crate::passages::Passage;
use dupi_index::taboo::TabooSet;

/// What a passage has that it did not have at the last visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The whole passage.
    New,
    /// This number of copies.
    MoreCopies(u32),
}

/// The files and passages of a corpus at a visit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visit {
    /// The fingerprints of path and content of all files, ascending.
    pub(super) files: Vec<u64>,
    /// The texts of the copies of passages, ascending, each with the most copies that one of its passages had.
    pub(super) texts: Vec<(u64, u32)>,
}

/// What is new in some passages since a visit, as far as that is known.
#[derive(Debug, Default)]
pub struct SinceVisit(OnceLock<Known>);

#[derive(Debug)]
struct Known {
    visit: Arc<Visit>,
    /// For each source, whether its file is new or has changed.
    is_new: Vec<bool>,
}

impl SinceVisit {
    /// Remembers the visit, and which sources are new since. The first visit counts.
    pub(super) fn remember(&self, visit: &Arc<Visit>, is_new: impl FnOnce() -> Vec<bool>) {
        self.0.get_or_init(|| Known { visit: Arc::clone(visit), is_new: is_new() });
    }

    /// Whether a visit is known.
    pub fn is_known(&self) -> bool {
        self.0.get().is_some()
    }

    /// What is new in one of the passages; nothing if no visit is known.
    pub fn news(&self, passage: &Passage, texts: &CopyTexts) -> Option<News> {
        let Known { visit, is_new } = self.0.get()?;
        if !passage.copies.iter().any(|copy| is_new[copy.source as usize]) {
            return None;
        }
        let copies = |text: &u64| {
            let at = visit.texts.binary_search_by_key(text, |(text, _)| *text).ok()?;
            Some(visit.texts[at].1)
        };
        let known = texts.others(passage.id).iter().chain([&passage.id.0]).filter_map(copies).max();
        match (passage.copies.len() as u32).checked_sub(known.unwrap_or(0))? {
            0 => None,
            more => Some(known.map_or(News::New, |_| News::MoreCopies(more))),
        }
    }
}

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
