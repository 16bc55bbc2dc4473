//! Finds the documents that have most tiles of a probe, by the index.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use dupi_index::index::IndexError;
use dupi_index::index::posting::PartId;
use dupi_index::index::snapshot::{DocumentId, LivePart, LiveSegment, Snapshot};
use dupi_text::blot::Blot;

/// A part that has some of the blots: its segment, its number there, and the weight of those blots.
type Vote = (u32, u32, u32);

/// The documents that have the most of the blots, those with the most first and equal ones by name, each with the parts
/// that have them. A blot is weighted by its inverse document frequency, in bits (Spärck Jones, “A statistical
/// interpretation of term specificity”, 1972).
pub fn voted(
    snapshot: &Snapshot,
    blots: &[Blot],
    limit: usize,
) -> Result<Vec<(DocumentId, Vec<PartId>)>, IndexError> {
    let segments = snapshot.segments();
    let all = parts(snapshot);
    let none = |segment: &LiveSegment| (0..segment.segment().parts()).map(|_| AtomicU32::new(0)).collect();
    let votes: Vec<Vec<AtomicU32>> = segments.iter().map(none).collect();
    blots.par_iter().try_for_each(|&blot| {
        let places = snapshot.find(blot)?;
        let bits = bits(all, places.len());
        for LivePart { segment, place } in places {
            votes[segment as usize][place.part().0 as usize].fetch_add(bits, Ordering::Relaxed);
        }
        Ok::<_, IndexError>(())
    })?;
    let of_segment = |(segment, votes): (u32, Vec<AtomicU32>)| {
        let of_parts = (0..).zip(votes).map(move |(part, bits)| (segment, part, bits.into_inner()));
        of_parts.filter(|(.., bits)| *bits > 0)
    };
    let votes: Vec<Vote> = (0..).zip(votes).flat_map(of_segment).collect();
    Ok(elected(snapshot, &votes, limit))
}

/// The same by the blots that at most `most` parts have, which should be few: nothing is done for the other parts.
pub fn voted_by_rare(
    snapshot: &Snapshot,
    blots: &[Blot],
    limit: usize,
    most: usize,
) -> Result<Vec<(DocumentId, Vec<PartId>)>, IndexError> {
    let all = parts(snapshot);
    let mut votes: Vec<Vote> = Vec::new();
    for &blot in blots {
        let places = snapshot.find(blot)?;
        if places.len() <= most {
            let bits = bits(all, places.len());
            let vote = |LivePart { segment, place }: &LivePart| (*segment, place.part().0, bits);
            votes.extend(places.iter().map(vote));
        }
    }
    votes.sort_unstable();
    votes.dedup_by(|next, first| {
        let is_same = (next.0, next.1) == (first.0, first.1);
        first.2 += if is_same { next.2 } else { 0 };
        is_same
    });
    Ok(elected(snapshot, &votes, limit))
}

/// How many parts a snapshot has.
fn parts(snapshot: &Snapshot) -> u32 {
    snapshot.segments().iter().map(|segment| segment.segment().parts()).sum()
}

/// The weight of a blot by the number of parts that have it.
fn bits(all: u32, places: usize) -> u32 {
    1 + (all / (places as u32).max(1)).checked_ilog2().unwrap_or(0)
}

/// The documents of the parts with the most votes, which are sorted by part.
fn elected(snapshot: &Snapshot, votes: &[Vote], limit: usize) -> Vec<(DocumentId, Vec<PartId>)> {
    let document = |&(segment, part, _): &Vote| {
        let table = snapshot.segments()[segment as usize].segment().table();
        DocumentId { segment, document: table.document_of(PartId(part)) }
    };
    let of_document = |votes: &'_ [Vote]| votes.iter().map(|(.., bits)| bits).sum::<u32>();
    let mut ranked: Vec<(DocumentId, u32, &[Vote])> = votes
        .chunk_by(|a, b| document(a) == document(b))
        .map(|votes| (document(&votes[0]), of_document(votes), votes))
        .collect();
    let name = |document: DocumentId| {
        (snapshot.path(snapshot.file_of(document)).as_os_str(), snapshot.document(document).record)
    };
    let order = |a: &(DocumentId, u32, &[Vote]), b: &(DocumentId, u32, &[Vote])| {
        Reverse(a.1).cmp(&Reverse(b.1)).then_with(|| name(a.0).cmp(&name(b.0)))
    };
    if limit < ranked.len() {
        ranked.select_nth_unstable_by(limit, order);
        ranked.truncate(limit);
    }
    ranked.par_sort_unstable_by(order);
    let with_parts = |(document, _, votes): (DocumentId, u32, &[Vote])| {
        (document, votes.iter().map(|(_, part, _)| PartId(*part)).collect())
    };
    ranked.into_iter().map(with_parts).collect()
}
