//! The ranking: the repeated blots, the most frequent first.
//!
//! A blot is repeated if it occurs in two documents or more, or more than once in one. The order is: document
//! frequency, descending; then a hash of the set of documents, so that blots of one piece of text are adjacent;
//! then the blot. All three depend only on the content of the documents, so the order does not depend on how the
//! index was built.
//!
//! A ranking is computed by one pass over the postings of all live segments (`scan`) and amended after small
//! changes (`amend`). Its first entries are saved with the generation, so that the first screen needs no scan.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::IndexError;
use super::home::SegmentName;
use super::posting::PartRef;
use super::snapshot::{LiveSegment, Snapshot};
use dupi_base::storage::Folder;
use dupi_base::storage::sealed::{from_bytes, to_bytes};
use dupi_text::blot::Blot;

/// The number of classes of document frequencies: 1, 2 to 3, 4 to 7, and so on.
pub const SPREAD: usize = 24;

/// How many entries of a ranking are saved.
pub const HEAD: usize = 1 << 16;

const MAGIC: &[u8; 8] = b"dupi rk3";

/// The sort key of a ranking.
pub(super) type RankKey = (Reverse<u32>, u32, u64);

/// A repeated blot and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankedBlot {
    blot_and_mark: u64,
    documents: u32,
    set: u32,
}

impl RankedBlot {
    /// The blot.
    pub fn blot(self) -> Blot {
        Blot::from_hash(self.blot_and_mark << (u64::BITS - dupi_text::blot::BLOT_BITS - 1))
    }

    /// Its document frequency.
    pub fn documents(self) -> u32 {
        self.documents
    }

    /// A hash of the content of its documents. Equal for blots of the same documents.
    pub fn set(self) -> u32 {
        self.set
    }

    /// Whether it occurs more than once in one of them.
    pub fn is_marked(self) -> bool {
        self.blot_and_mark & 1 == 1
    }

    /// What the ranking is sorted by.
    pub(super) fn rank_key(&self) -> RankKey {
        (Reverse(self.documents), self.set, self.blot_and_mark)
    }
}

/// The class of a document frequency; `None` for 0.
pub fn class_of(documents: u32) -> Option<usize> {
    documents.checked_ilog2().map(|class| (class as usize).min(SPREAD - 1))
}

/// Statistics of the document frequency over all blots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DfStats {
    /// Distinct live blots.
    pub blots: u64,
    /// The sum of their document frequencies.
    pub sum: u64,
    /// The sum of their squares.
    pub squares: u64,
    /// How many blots occur in 1 document, in 2 to 3, in 4 to 7, and so on; the last class is unbounded.
    pub spread: [u64; SPREAD],
}

impl DfStats {
    /// Adds a blot with this document frequency; 0 adds nothing.
    pub(super) fn add(&mut self, documents: u32) {
        self.blots += u64::from(documents > 0);
        self.sum += u64::from(documents);
        self.squares += u64::from(documents) * u64::from(documents);
        if let Some(class) = class_of(documents) {
            self.spread[class] += 1;
        }
    }

    /// Reverts [`Self::add`].
    pub(super) fn remove(&mut self, documents: u32) {
        self.blots -= u64::from(documents > 0);
        self.sum -= u64::from(documents);
        self.squares -= u64::from(documents) * u64::from(documents);
        if let Some(class) = class_of(documents) {
            self.spread[class] -= 1;
        }
    }

    /// The sum of both statistics.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            blots: self.blots + other.blots,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
            spread: std::array::from_fn(|class| self.spread[class] + other.spread[class]),
        }
    }

    /// The mean document frequency; 0 without blots.
    pub fn mean(&self) -> f64 {
        if self.blots == 0 { 0.0 } else { self.sum as f64 / self.blots as f64 }
    }

    /// The standard deviation of the document frequency; 0 without blots.
    pub fn deviation(&self) -> f64 {
        if self.blots == 0 {
            return 0.0;
        }
        (self.squares as f64 / self.blots as f64 - self.mean().powi(2)).max(0.0).sqrt()
    }

    /// The smallest document frequency at or above mean + σ · standard deviation.
    pub fn cut(&self, sigma: f64) -> u32 {
        (self.mean() + sigma * self.deviation()).ceil().clamp(0.0, f64::from(u32::MAX)) as u32
    }
}

/// The repeated blots of an index, in order, or the first of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// The `content` of the manifest that it was computed for.
    pub content: u64,
    /// The entries, or the first of them.
    pub entries: Vec<RankedBlot>,
    /// The number of repeated blots in all.
    pub repeated: u64,
    /// Statistics of all blots, repeated or not.
    pub stats: DfStats,
}

impl Ranking {
    /// Whether `entries` has all repeated blots.
    pub fn is_complete(&self) -> bool {
        self.entries.len() as u64 == self.repeated
    }

    /// Its entries in groups of the same documents.
    pub fn groups(&self) -> impl Iterator<Item = &[RankedBlot]> {
        self.entries.chunk_by(|a, b| (a.documents, a.set) == (b.documents, b.set))
    }

    /// Saves the first entries of the ranking as the file `name`.
    pub(super) fn write(&self, folder: &Folder, name: &str) -> Result<SegmentName, IndexError> {
        let entries = self.entries[..self.entries.len().min(HEAD)].to_vec();
        let bytes = [&MAGIC[..], &to_bytes(&Self { entries, ..*self })].concat();
        folder.replace(name, &bytes)?;
        Ok(SegmentName { name: name.to_owned(), length: bytes.len() as u64, checksum: xxh3_64(&bytes) })
    }

    /// Reads the saved ranking that the snapshot's manifest names. `None` if it names none, if files are left out, or if the file is damaged:
    /// then a scan is needed.
    pub fn read(folder: &Folder, snapshot: &Snapshot) -> Option<Self> {
        let named = snapshot.manifest().ranking.as_ref().filter(|_| !snapshot.is_part())?;
        let bytes = folder.read(&named.name).ok()??;
        let is_whole = bytes.len() as u64 == named.length && xxh3_64(&bytes) == named.checksum;
        let read = if is_whole { Self::decode(&bytes) } else { None };
        let read = read.filter(|ranking| ranking.content == snapshot.manifest().content);
        if read.is_none() {
            tracing::warn!(
                file = named.name,
                "the ranking is damaged or of another version; it is computed again"
            );
        }
        read
    }

    /// Decodes a saved ranking; `None` if the bytes are invalid.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        from_bytes(bytes.strip_prefix(MAGIC)?)
    }
}

/// Counts the live documents of one blot.
#[derive(Default)]
pub(super) struct Tally {
    /// How many so far.
    pub documents: u32,
    set: u64,
    marked: bool,
}

impl Tally {
    /// Starts with another blot.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a segment's places. Several parts of one document count once and set the mark.
    pub(super) fn add(&mut self, live: &LiveSegment, places: &[PartRef]) {
        let table = live.segment().table();
        let all_alive = live.is_whole();
        let mut before = None;
        for place in places {
            let document = table.document_of(place.part());
            if !all_alive && !live.is_live_file(table.file_of(document)) {
                continue;
            }
            self.marked |= place.is_marked() || before == Some(document);
            if before != Some(document) {
                self.documents += 1;
                self.set = self.set.wrapping_add(table.document_key(document));
            }
            before = Some(document);
        }
    }

    /// How many documents there are, and one more with the mark. Of a blot that is repeated the sum of these counts over shares
    /// of the index, which have no document in common, is greater than one.
    pub(super) fn count(&self) -> u32 {
        self.documents + u32::from(self.marked)
    }

    /// Whether the blot is repeated.
    pub(super) fn is_repeated(&self) -> bool {
        self.count() > 1
    }

    /// The entry of the blot, if it is repeated.
    pub(super) fn ranked(&self, blot: Blot) -> Option<RankedBlot> {
        self.is_repeated().then(|| RankedBlot {
            blot_and_mark: blot.get() << 1 | u64::from(self.marked),
            documents: self.documents,
            set: (self.set >> 32) as u32,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranked_blot_keeps_all_its_bits() {
        for hash in [0, 1 << 20, u64::MAX] {
            let blot = Blot::from_hash(hash);
            let tally = Tally { documents: 3, set: 7 << 32, marked: true };
            let ranked = tally.ranked(blot).unwrap();
            assert_eq!(
                (ranked.blot(), ranked.documents(), ranked.set(), ranked.is_marked()),
                (blot, 3, 7, true)
            );
        }
    }

    #[test]
    fn the_cut_is_the_smallest_df_at_or_above_sigma() {
        let mut stats = DfStats::default();
        for documents in [1, 1, 1, 5] {
            stats.add(documents);
        }
        assert_eq!((stats.mean(), stats.deviation()), (2.0, 3.0_f64.sqrt()));
        assert_eq!(stats.spread.iter().sum::<u64>(), stats.blots);
        assert_eq!([1, 2, 3, 4, u32::MAX].map(class_of), [0, 1, 1, 2, SPREAD - 1].map(Some));
        assert_eq!((stats.cut(0.0), stats.cut(1.0), stats.cut(-9.0)), (2, 4, 0));
        assert_eq!(DfStats::default().cut(2.0), 0);
    }
}
