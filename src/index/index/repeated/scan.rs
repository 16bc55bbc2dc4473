//! Makes the set by reading all postings, shard by shard.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{Repeated, filter, words_of_parts};
use crate::index::IndexError;
use crate::index::posting::{SHARDS, key_of};
use crate::index::ranking::Tally;
use crate::index::snapshot::Snapshot;
use crate::index::stream::{PostingLists, merge_shard};
use dupi_text::blot::Blot;

impl Repeated {
    /// Scans all postings of a snapshot.
    pub fn scan(snapshot: &Snapshot) -> Result<Self, IndexError> {
        Self::scan_unless(snapshot, |_| None)
    }

    /// Scans the shards of which nothing is known. What is known of a shard has nothing of the others.
    pub(super) fn scan_unless(
        snapshot: &Snapshot,
        known: impl Fn(usize) -> Option<Self> + Sync,
    ) -> Result<Self, IndexError> {
        let parts = PartBits::new(snapshot);
        let known: Vec<Option<Self>> = (0..SHARDS).into_par_iter().map(&known).collect();
        let filters = known.par_iter().enumerate().map(|(shard, known)| {
            let Some(known) = known else { return scan_shard(snapshot, shard, &parts).map(Cow::Owned) };
            parts.add(known);
            let of = known.filters[shard];
            Ok(Cow::Borrowed(&known.words()[of.start..][..of.words()]))
        });
        let filters = filters.collect::<Result<Vec<_>, IndexError>>()?;
        Ok(Self::joined(filters, parts.into_words()))
    }

    /// Scans the postings of a shard.
    pub(super) fn scan_shard(snapshot: &Snapshot, shard: usize) -> Result<Self, IndexError> {
        let parts = PartBits::new(snapshot);
        let filter = scan_shard(snapshot, shard, &parts)?;
        Ok(Self::of_shard(shard, filter, parts))
    }

    /// Looks up the repeated blots of a shard, which are given by their keys, ascending; `None` if one is in no document.
    pub(super) fn of_keys(
        snapshot: &Snapshot,
        shard: usize,
        keys: &[u64],
    ) -> Result<Option<Self>, IndexError> {
        let parts = PartBits::new(snapshot);
        let mut rest = keys;
        let found = found_in(snapshot, shard, &parts, |blot, _| {
            let next = rest.split_first().filter(|(key, _)| **key == key_of(blot));
            next.inspect(|(_, others)| rest = others).is_some()
        })?;
        Ok(rest.is_empty().then(|| Self::of_shard(shard, filter(&found), parts)))
    }

    fn of_shard(shard: usize, filter: Vec<u64>, parts: PartBits) -> Self {
        let mut filters = vec![Vec::new(); SHARDS];
        filters[shard] = filter;
        Self::joined(filters, parts.into_words())
    }
}

/// The filter of the repeated blots of a shard. Their parts are added.
fn scan_shard(snapshot: &Snapshot, shard: usize, parts: &PartBits) -> Result<Vec<u64>, IndexError> {
    let segments = snapshot.segments();
    let found = found_in(snapshot, shard, parts, |_, lists| {
        if lists.single().is_some_and(|(_, place)| !place.is_marked()) {
            return false;
        }
        let mut tally = Tally::default();
        for (segment, places) in lists.iter() {
            tally.add(&segments[segment], places);
        }
        tally.is_repeated()
    })?;
    Ok(filter(&found))
}

/// The keys of the blots of a shard that are repeated. Their parts are added, also those of dead documents.
fn found_in(
    snapshot: &Snapshot,
    shard: usize,
    parts: &PartBits,
    mut is_repeated: impl FnMut(Blot, &PostingLists) -> bool,
) -> Result<Vec<u64>, IndexError> {
    let mut keys = Vec::new();
    merge_shard(snapshot.segments(), shard, &|| false, |blot, lists| {
        if is_repeated(blot, &lists) {
            keys.push(key_of(blot));
            for (segment, places) in lists.iter() {
                places.iter().for_each(|place| parts.add_part(segment, place.part().0));
            }
        }
        Ok(())
    })?;
    Ok(keys)
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

    /// Adds the parts of another set of the same snapshot.
    fn add(&self, other: &Repeated) {
        for (own, &start) in self.0.iter().zip(&other.parts) {
            for (word, &bits) in own.iter().zip(&other.words()[start..]) {
                word.fetch_or(bits, Ordering::Relaxed);
            }
        }
    }

    fn into_words(self) -> Vec<Vec<u64>> {
        self.0.into_iter().map(|bits| bits.into_iter().map(AtomicU64::into_inner).collect()).collect()
    }
}
