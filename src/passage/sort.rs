//! Sorts passages.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::passages::{Passage, SourceDocument};
use crate::index::snapshot::Snapshot;

/// The property that passages are sorted by, in descending order unless stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PassageOrder {
    /// The number of copies.
    #[default]
    Copies,
    /// The length in tokens.
    Tokens,
    /// The number of tokens that would be saved if only one copy were kept.
    Score,
    /// The number of documents with a copy.
    Documents,
    /// The path and position of the representative, ascending.
    Path,
    /// The time at which one of their documents last changed, the newest first.
    Recent,
}

/// Sorts passages. Ties are resolved by score and id, which depend on the texts alone.
pub fn sort(passages: &mut [Passage], sources: &[SourceDocument], snapshot: &Snapshot, order: PassageOrder) {
    let by_path = by_path(sources, snapshot, order);
    passages.sort_by_cached_key(|passage| key(passage, sources, &by_path, order));
}

/// The indices of passages in sorted order.
pub fn sorted(
    passages: &[Passage],
    sources: &[SourceDocument],
    snapshot: &Snapshot,
    order: PassageOrder,
) -> Vec<u32> {
    let by_path = by_path(sources, snapshot, order);
    let mut numbers: Vec<u32> = (0..passages.len() as u32).collect();
    numbers.sort_by_cached_key(|&number| key(&passages[number as usize], sources, &by_path, order));
    numbers
}

/// The rank of each source by path and record; empty unless the order is by path.
fn by_path(sources: &[SourceDocument], snapshot: &Snapshot, order: PassageOrder) -> Vec<u32> {
    if order != PassageOrder::Path {
        return Vec::new();
    }
    let name = |number: &u32| {
        let id = sources[*number as usize].id;
        (snapshot.path(snapshot.file_of(id)), snapshot.document(id).record)
    };
    let mut numbers: Vec<u32> = (0..sources.len() as u32).collect();
    numbers.par_sort_unstable_by_key(name);
    let mut ranks = vec![0; numbers.len()];
    for (rank, number) in (0..).zip(numbers) {
        ranks[number as usize] = rank;
    }
    ranks
}

/// The sort key of a passage, ascending.
fn key(
    passage: &Passage,
    sources: &[SourceDocument],
    by_path: &[u32],
    order: PassageOrder,
) -> impl Ord + use<> {
    let most = |number: u64| (Reverse(number as i64), (0, 0));
    let first = match order {
        PassageOrder::Copies => most(passage.copies.len() as u64),
        PassageOrder::Tokens => most(u64::from(passage.tokens())),
        PassageOrder::Score => most(passage.score()),
        PassageOrder::Documents => most(u64::from(passage.documents)),
        PassageOrder::Path => {
            let spot = passage.representative();
            (Reverse(0), (by_path[spot.source as usize], spot.start))
        }
        PassageOrder::Recent => {
            let changed = passage.copies.iter().map(|spot| sources[spot.source as usize].stamp.mtime);
            (Reverse(changed.max().unwrap_or(i64::MIN)), (0, 0))
        }
    };
    (first, Reverse(passage.score()), passage.id)
}
