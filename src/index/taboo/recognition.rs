//! Finds the decisions about passages by the texts of their copies.
//!
//! The id of a passage is made from the text of the copy that represents it. With more copies another one may represent
//! it; then the passage is recognised by a text that one of its copies has now and one of them had when it was decided
//! about. A passage with the same id comes first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::accepted_id::AcceptedId;
use super::kept_texts::KeptTexts;

/// A passage that is to be recognised.
#[derive(Clone, Copy, Debug)]
pub struct TextRow<'a> {
    /// Its id.
    pub id: u64,
    /// How many copies it has.
    pub copies: u64,
    /// The fingerprints of the texts of its copies, besides its id.
    pub texts: &'a [u64],
    /// Whether its id is the fingerprint of a text too.
    pub is_text: bool,
}

/// The entry that counts for a passage, and what another decision about that passage may do with it.
///
/// An entry may count for several passages: for the one with its id, and for those that it recognises. What is decided
/// about one of the latter must not change what was decided about the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountingEntry {
    /// The id of the entry.
    pub id: AcceptedId,
    /// Whether a decision about the passage may take its place: the passage has its id, or the best claim to it when no
    /// passage has its id. Else the passage gets an entry of its own.
    pub is_replaceable: bool,
    /// Whether it may be removed with the passage: no other passage has its id.
    pub is_removable: bool,
}

impl CountingEntry {
    /// An entry that has the id of its passage.
    pub fn own(id: AcceptedId) -> Self {
        Self { id, is_replaceable: true, is_removable: true }
    }
}

/// What an entry of a list is about.
pub(super) struct Known<'a> {
    /// The id of a passage.
    pub(super) id: u64,
    pub(super) texts: &'a KeptTexts,
}

/// A passage without an entry of its own, and an entry that has a text of it. The best claim is the least one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    /// Whether the entry's id is a text of the passage.
    by_id: Reverse<bool>,
    /// How many texts both have.
    texts: Reverse<usize>,
    /// How many copies the passage has.
    pub(super) copies: Reverse<u64>,
    /// The id of the passage.
    pub(super) id: u64,
    /// The number of the entry.
    pub(super) entry: usize,
}

/// The claims of the passages that have no entry of their own, the best first.
pub(super) fn claims<'a>(entries: &[Known], rows: impl Iterator<Item = TextRow<'a>>) -> Vec<Claim> {
    let ids: HashMap<u64, usize> = entries.iter().enumerate().map(|(number, of)| (of.id, number)).collect();
    let mut having: HashMap<u64, Vec<usize>> = HashMap::new();
    for (number, entry) in entries.iter().enumerate() {
        for text in entry.texts.iter().chain([entry.id]) {
            having.entry(text).or_default().push(number);
        }
    }
    let mut claims = Vec::new();
    for row in rows.filter(|row| !ids.contains_key(&row.id)) {
        let mut shared: BTreeMap<usize, (bool, usize)> = BTreeMap::new();
        for text in row.texts.iter().chain(row.is_text.then_some(&row.id)) {
            for &entry in having.get(text).into_iter().flatten() {
                let (by_id, texts) = shared.entry(entry).or_default();
                *by_id |= entries[entry].id == *text;
                *texts += 1;
            }
        }
        claims.extend(shared.into_iter().map(|(entry, (by_id, texts))| Claim {
            by_id: Reverse(by_id),
            texts: Reverse(texts),
            copies: Reverse(row.copies),
            id: row.id,
            entry,
        }));
    }
    claims.sort_unstable();
    claims
}
