//! Compares the copies of a passage with a given one instead of its representative.

use std::cmp::Reverse;
use std::path::Path;

use rayon::prelude::*;

use super::align::{TABLE, matched_within};
use super::copy::OpenCopy;
use super::passages::{Passage, PassageCopy, SourceDocument};
use crate::index::snapshot::Snapshot;
use crate::query::page::DocumentReader;

/// The passage with the copy in a document whose path satisfies `is_base` as its representative, and the similarities
/// of the others to it. Of several such copies it is the one most similar to the representative. `None` if there is
/// none, or if its file has changed.
///
/// What the search said of the passage stays: its id, so that decisions about it hold, its kind, worth, deletable
/// lines and family.
pub fn with_base(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    passage: &Passage,
    is_base: &(dyn Fn(&Path) -> bool + Sync),
) -> Option<Passage> {
    let path = |spot: &PassageCopy| snapshot.path(snapshot.file_of(sources[spot.source as usize].id));
    let copies = passage.copies.iter().enumerate().filter(|(_, spot)| is_base(path(spot)));
    // The representative is most similar to itself, but others can be equal to it.
    let rank = |(number, spot): &(usize, &PassageCopy)| {
        let is_representative = *number == passage.representative as usize;
        (is_representative, (f64::from(spot.similarity) * 1e9) as u64, Reverse(*number))
    };
    let (representative, _) = copies.max_by_key(rank)?;
    with_representative(snapshot, sources, passage, representative)
}

/// The passage with the copy of this number as its representative. `None` if there is none, or if its file has changed.
/// Otherwise as [`with_base`].
pub fn with_representative(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    passage: &Passage,
    representative: usize,
) -> Option<Passage> {
    if representative == passage.representative as usize {
        return Some(passage.clone());
    }
    let read = |reader: &mut DocumentReader, number: usize| {
        OpenCopy::read(snapshot, reader, sources, passage.copies.get(number)?).map(|copy| copy.hashes())
    };
    let own = read(&mut DocumentReader::new(snapshot), representative)?;
    let similarity = |reader: &mut DocumentReader, number: usize| {
        let spot = passage.copies[number];
        let Some(other) = read(reader, number) else { return spot };
        let matches = if own == other { own.len() } else { matched_within(&own, &other, TABLE).len() };
        PassageCopy { similarity: matches as f32 / own.len().max(other.len()) as f32, ..spot }
    };
    let numbers = (0..passage.copies.len()).into_par_iter();
    let copies = numbers.map_init(|| DocumentReader::new(snapshot), similarity).collect();
    Some(Passage { copies, representative: representative as u32, ..passage.clone() })
}
