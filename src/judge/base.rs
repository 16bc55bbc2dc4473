//! Compares the copies of a passage with a given one instead of its representative.

use std::cmp::Reverse;
use std::path::Path;

use super::copy::hashes_in;
use super::passages::{Passage, PassageCopy, SourceDocument};
use dupi_base::parallel;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::page::DocumentReader;
use dupi_passage::Measure;
use dupi_passage::align::{TABLE, matched_within};

/// The passage with the copy in a document whose path satisfies `is_base` as its representative, and the similarities
/// of the others to it, by the measure of the search. Of several such copies it is the one most similar to the
/// representative. `None` if there is none, or if its file has changed.
///
/// What the search said of the passage stays: its id, so that decisions about it hold, its kind, worth, deletable
/// lines and family.
pub fn with_base(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    passage: &Passage,
    measure: &Measure,
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
    with_representative(snapshot, sources, passage, measure, representative)
}

/// Copies with their similarity to a representative, by the measure of the search. Those keep theirs of which the file, or
/// that of the representative, has changed.
pub(super) fn similar_to(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    representative: &PassageCopy,
    copies: &[PassageCopy],
    measure: &Measure,
) -> Vec<PassageCopy> {
    let mut reader = DocumentReader::new(snapshot);
    let mut read = |copy: &PassageCopy| hashes_in(snapshot, &mut reader, sources, &[*copy]).pop().flatten();
    let Some(own) = read(representative) else { return copies.to_vec() };
    let similar = |copy: &PassageCopy| match read(copy) {
        Some(text) => PassageCopy { similarity: similarity(&own, &text, measure), ..*copy },
        None => *copy,
    };
    copies.iter().map(similar).collect()
}

/// The similarity of two texts by their tokens.
fn similarity(a: &[u64], b: &[u64], measure: &Measure) -> f32 {
    let matches = if a == b { a.len() } else { matched_within(a, b, TABLE).len() };
    measure.similarity(matches as u32, [a.len() as u32, b.len() as u32])
}

/// The passage with the copy of this number as its representative. `None` if there is none, or if its file has changed.
/// Otherwise as [`with_base`].
pub fn with_representative(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    passage: &Passage,
    measure: &Measure,
    representative: usize,
) -> Option<Passage> {
    if representative == passage.representative as usize {
        return Some(passage.clone());
    }
    let base = *passage.copies.get(representative)?;
    let mut numbers: Vec<u32> = (0..passage.copies.len() as u32).collect();
    numbers.sort_by_key(|number| passage.copies[*number as usize].source);
    let is_same = |a: &u32, b: &u32| passage.copies[*a as usize].source == passage.copies[*b as usize].source;
    // Each document is read once, for all copies in it.
    let documents: Vec<&[u32]> = numbers.chunk_by(is_same).collect();
    let read = |reader: &mut DocumentReader, numbers: &[u32]| {
        let spots: Vec<PassageCopy> = numbers.iter().map(|number| passage.copies[*number as usize]).collect();
        hashes_in(snapshot, reader, sources, &spots)
    };
    let (with_base, others): (Vec<&[u32]>, Vec<&[u32]>) =
        documents.into_iter().partition(|numbers| passage.copies[numbers[0] as usize].source == base.source);
    let near = with_base[0];
    let texts = read(&mut DocumentReader::new(snapshot), near);
    let own = texts[near.iter().position(|number| *number as usize == representative)?].clone()?;
    let similar = |number: u32, text: Option<Vec<u64>>| {
        let spot = passage.copies[number as usize];
        // What the search said of the two holds for both.
        if number == passage.representative {
            return PassageCopy { similarity: base.similarity, ..spot };
        }
        let Some(text) = text else { return spot };
        PassageCopy { similarity: similarity(&own, &text, measure), ..spot }
    };
    let compare = |numbers: &[u32], texts: Vec<Option<Vec<u64>>>| -> Vec<(u32, PassageCopy)> {
        numbers.iter().zip(texts).map(|(&number, text)| (number, similar(number, text))).collect()
    };
    let mut copies = passage.copies.clone();
    let reader = || DocumentReader::new(snapshot);
    let compared: Vec<Vec<(u32, PassageCopy)>> =
        parallel::map_init(&others, reader, |reader, _, numbers| compare(numbers, read(reader, numbers)));
    for (number, copy) in compared.into_iter().flatten().chain(compare(near, texts)) {
        copies[number as usize] = copy;
    }
    Some(Passage { copies, representative: representative as u32, ..passage.clone() })
}
