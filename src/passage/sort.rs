//! The orders of passages.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use super::found::{Passage, Source};
use crate::index::snapshot::Snapshot;

/// By what passages are sorted, the greatest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The information, in bits, that keeping one copy would save.
    #[default]
    Worth,
    /// How many copies there are.
    Copies,
    /// How many tokens long they are.
    Tokens,
    /// How many tokens would be saved if one copy were kept.
    Score,
    /// In how many documents they stand.
    Documents,
    /// Over how many folders their copies stand.
    Spread,
    /// Where the representative stands, from a to z.
    Path,
    /// When the last of their documents changed, the newest first.
    Recent,
}

/// Sorts passages; those that are equal by `order` in an order that depends on the texts alone.
pub fn sort(passages: &mut [Passage], sources: &[Source], snapshot: &Snapshot, order: Order) {
    let numbers = numbers_of(sources, snapshot, order);
    passages.sort_by_cached_key(|passage| key(passage, sources, &numbers, order));
}

/// The numbers of passages as they would be sorted.
pub fn sorted(passages: &[Passage], sources: &[Source], snapshot: &Snapshot, order: Order) -> Vec<u32> {
    let numbers = numbers_of(sources, snapshot, order);
    let mut sorted: Vec<u32> = (0..passages.len() as u32).collect();
    sorted.sort_by_cached_key(|&number| key(&passages[number as usize], sources, &numbers, order));
    sorted
}

/// What an order must know of each source; empty for most.
fn numbers_of(sources: &[Source], snapshot: &Snapshot, order: Order) -> Vec<u32> {
    match order {
        Order::Path => by_path(sources, snapshot),
        Order::Spread => folders(sources, snapshot),
        _ => Vec::new(),
    }
}

/// Of each source, how many come before it from a to z, by path and record.
fn by_path(sources: &[Source], snapshot: &Snapshot) -> Vec<u32> {
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

/// Of each source, the number of the folder that it lies in.
fn folders(sources: &[Source], snapshot: &Snapshot) -> Vec<u32> {
    let mut known: HashMap<Option<&Path>, u32> = HashMap::new();
    let number = |source: &Source| {
        let next = known.len() as u32;
        *known.entry(snapshot.path(snapshot.file_of(source.id)).parent()).or_insert(next)
    };
    sources.iter().map(number).collect()
}

/// By what a passage is sorted; the least comes first.
fn key(passage: &Passage, sources: &[Source], numbers: &[u32], order: Order) -> impl Ord + use<> {
    let most = |number: u64| (Reverse(number as i64), (0, 0));
    let first = match order {
        Order::Worth => most(passage.worth),
        Order::Copies => most(passage.copies.len() as u64),
        Order::Tokens => most(u64::from(passage.tokens())),
        Order::Score => most(passage.score()),
        Order::Documents => most(u64::from(passage.documents)),
        Order::Spread => {
            let mut folders: Vec<u32> =
                passage.copies.iter().map(|spot| numbers[spot.source as usize]).collect();
            folders.sort_unstable();
            folders.dedup();
            most(folders.len() as u64)
        }
        Order::Path => {
            let spot = passage.representative();
            (Reverse(0), (numbers[spot.source as usize], spot.start))
        }
        Order::Recent => {
            let changed = passage.copies.iter().map(|spot| sources[spot.source as usize].stamp.mtime);
            (Reverse(changed.max().unwrap_or(i64::MIN)), (0, 0))
        }
    };
    (first, Reverse(passage.score()), passage.id)
}
