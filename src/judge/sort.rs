//! Sorts passages.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use super::passages::{Passage, SourceDocument};
use dupi_base::parallel;
use dupi_index::index::snapshot::Snapshot;

/// The property that passages are sorted by, in descending order unless stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PassageOrder {
    /// The information, in bits, that keeping one copy would save.
    #[default]
    Worth,
    /// The number of copies.
    Copies,
    /// The length in tokens.
    Tokens,
    /// The number of tokens that would be saved if only one copy were kept.
    Score,
    /// The number of whole lines that could be deleted if only one copy were kept.
    Lines,
    /// The number of documents with a copy.
    Documents,
    /// The number of folders with a copy.
    Spread,
    /// The path and position of the representative, ascending.
    Path,
    /// The time at which one of their documents last changed, the newest first.
    Recent,
}

/// Sorts passages. Ties are resolved by score and id, which depend on the texts alone.
pub fn sort(passages: &mut [Passage], sources: &[SourceDocument], snapshot: &Snapshot, order: PassageOrder) {
    let numbers = numbers_of(sources, snapshot, order);
    parallel::sort_by_cached_key(passages, |passage| key(passage, sources, &numbers, order));
}

/// The indices of passages in sorted order.
pub fn sorted(
    passages: &[Passage],
    sources: &[SourceDocument],
    snapshot: &Snapshot,
    order: PassageOrder,
) -> Vec<u32> {
    let numbers = numbers_of(sources, snapshot, order);
    let keys: Vec<_> = parallel::map(passages, |passage| key(passage, sources, &numbers, order));
    let mut sorted: Vec<u32> = (0..passages.len() as u32).collect();
    // Amended passages are almost sorted already, which a stable sort makes use of.
    sorted.sort_by_key(|&number| &keys[number as usize]);
    sorted
}

/// What an order must know of each source; empty for most orders.
fn numbers_of(sources: &[SourceDocument], snapshot: &Snapshot, order: PassageOrder) -> Vec<u32> {
    match order {
        PassageOrder::Path => by_path(sources, snapshot),
        PassageOrder::Spread => folders(sources, snapshot),
        _ => Vec::new(),
    }
}

/// The rank of each source by path and record.
fn by_path(sources: &[SourceDocument], snapshot: &Snapshot) -> Vec<u32> {
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

/// The number of the folder of each source.
fn folders(sources: &[SourceDocument], snapshot: &Snapshot) -> Vec<u32> {
    let mut known: HashMap<Option<&Path>, u32> = HashMap::new();
    let number = |source: &SourceDocument| {
        let next = known.len() as u32;
        *known.entry(snapshot.path(snapshot.file_of(source.id)).parent()).or_insert(next)
    };
    sources.iter().map(number).collect()
}

/// The sort key of a passage, ascending.
fn key(
    passage: &Passage,
    sources: &[SourceDocument],
    numbers: &[u32],
    order: PassageOrder,
) -> impl Ord + use<> {
    let most = |number: u64| (Reverse(number as i64), (0, 0));
    let first = match order {
        PassageOrder::Worth => most(passage.worth),
        PassageOrder::Copies => most(passage.copies.len() as u64),
        PassageOrder::Tokens => most(u64::from(passage.tokens())),
        PassageOrder::Score => most(passage.score()),
        PassageOrder::Lines => most(passage.lines),
        PassageOrder::Documents => most(u64::from(passage.documents)),
        PassageOrder::Spread => {
            let mut folders: Vec<u32> =
                passage.copies.iter().map(|copy| numbers[copy.source as usize]).collect();
            folders.sort_unstable();
            folders.dedup();
            most(folders.len() as u64)
        }
        PassageOrder::Path => {
            let spot = passage.representative();
            (Reverse(0), (numbers[spot.source as usize], spot.start))
        }
        PassageOrder::Recent => {
            let changed = passage.copies.iter().map(|spot| sources[spot.source as usize].stamp.mtime);
            (Reverse(changed.max().unwrap_or(i64::MIN)), (0, 0))
        }
    };
    (first, Reverse(passage.score()), passage.id)
}
