//! Makes the set by reading all postings, shard by shard.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{Repeated, filter, words_of_parts};
use crate::index::IndexError;
use crate::index::posting::{SHARDS, key_of};
use crate::index::ranking::Tally;
use crate::index::snapshot::{LiveSegment, Snapshot};
use crate::index::stream::{PostingLists, merge_shard};

impl Repeated {
    /// Scans all postings of a snapshot.
    pub fn scan(snapshot: &Snapshot) -> Result<Self, IndexError> {
        let parts = PartBits::new(snapshot);
        let filters = (0..SHARDS).into_par_iter().map(|shard| scan_shard(snapshot, shard, &parts));
        let filters = filters.collect::<Result<Vec<_>, IndexError>>()?;
        Ok(Self::joined(filters, parts.into_words()))
    }
}

/// The filter of the repeated blots of a shard. Their parts are added, also those of dead documents.
fn scan_shard(snapshot: &Snapshot, shard: usize, parts: &PartBits) -> Result<Vec<u64>, IndexError> {
    let segments = snapshot.segments();
    let mut keys = Vec::new();
    merge_shard(segments, shard, &|| false, |blot, lists| {
        if is_repeated(segments, &lists) {
            keys.push(key_of(blot));
            for (segment, places) in lists.iter() {
                places.iter().for_each(|place| parts.add_part(segment, place.part().0));
            }
        }
        Ok(())
    })?;
    Ok(filter(&keys))
}

fn is_repeated(segments: &[LiveSegment], lists: &PostingLists) -> bool {
    if lists.single().is_some_and(|(_, place)| !place.is_marked()) {
        return false;
    }
    let mut tally = Tally::default();
    for (segment, places) in lists.iter() {
        tally.add(&segments[segment], places);
    }
    tally.is_repeated()
}

/// For each segment, a bit per part.
struct PartBits(Vec<Vec<AtomicU64>>);

impl PartBits {
    fn new(snapshot: &Snapshot) -> Self {
        let empty = |words: usize| (0..words).map(|_| AtomicU64::new(0)).collect();
        Self(words_of_parts(snapshot).map(empty).collect())
    }

    fn add_part(&self, segment: usize, part: u32) {
        let word = &self.0[segment][part as usize / 64];
        let bit = 1 << (part % 64);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    fn into_words(self) -> Vec<Vec<u64>> {
        self.0.into_iter().map(|bits| bits.into_iter().map(AtomicU64::into_inner).collect()).collect()
    }
}
