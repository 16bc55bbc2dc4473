//! Finds the documents that have most tiles of a probe, by the index.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use crate::blot::Blot;
use crate::index::IndexError;
use crate::index::posting::PartId;
use crate::index::snapshot::{DocumentId, LivePart, LiveSegment, Snapshot};

/// The documents that have the most of the blots, those with the most first and equal ones by name, each with the parts
/// that have them. A blot is weighted by its inverse document frequency, in bits (Spärck Jones, “A statistical
/// interpretation of term specificity”, 1972).
pub fn voted(
    snapshot: &Snapshot,
    blots: &[Blot],
    limit: usize,
) -> Result<Vec<(DocumentId, Vec<PartId>)>, IndexError> {
    voted_by_rare(snapshot, blots, limit, usize::MAX)
}

/// The same by the blots that at most so many parts have.
pub fn voted_by_rare(
    snapshot: &Snapshot,
    blots: &[Blot],
    limit: usize,
    most: usize,
) -> Result<Vec<(DocumentId, Vec<PartId>)>, IndexError> {
    let segments = snapshot.segments();
    let all: u32 = segments.iter().map(|segment| segment.segment().parts()).sum();
    let none = |segment: &LiveSegment| (0..segment.segment().parts()).map(|_| AtomicU32::new(0)).collect();
    let votes: Vec<Vec<AtomicU32>> = segments.iter().map(none).collect();
    blots.par_iter().try_for_each(|&blot| {
        let places = snapshot.find(blot)?;
        if places.len() > most {
            return Ok(());
        }
        let bits = 1 + (all / (places.len() as u32).max(1)).checked_ilog2().unwrap_or(0);
        for LivePart { segment, place } in places {
            votes[segment as usize][place.part().0 as usize].fetch_add(bits, Ordering::Relaxed);
        }
        Ok::<_, IndexError>(())
    })?;
    let of = |segment: u32, part: u32| votes[segment as usize][part as usize].load(Ordering::Relaxed);
    let table = |segment: u32| segments[segment as usize].segment().table();
    let mut ranked: Vec<(DocumentId, u32)> = Vec::new();
    for segment in 0..segments.len() as u32 {
        let table = table(segment);
        for part in (0..segments[segment as usize].segment().parts()).filter(|&part| of(segment, part) > 0) {
            let document = DocumentId { segment, document: table.document_of(PartId(part)) };
            match ranked.last_mut() {
                Some((last, count)) if *last == document => *count += of(segment, part),
                _ => ranked.push((document, of(segment, part))),
            }
        }
    }
    let name = |document: DocumentId| {
        (snapshot.path(snapshot.file_of(document)).as_os_str(), snapshot.document(document).record)
    };
    let order = |a: &(DocumentId, u32), b: &(DocumentId, u32)| {
        Reverse(a.1).cmp(&Reverse(b.1)).then_with(|| name(a.0).cmp(&name(b.0)))
    };
    if limit < ranked.len() {
        ranked.select_nth_unstable_by(limit, order);
        ranked.truncate(limit);
    }
    ranked.par_sort_unstable_by(order);
    let with_parts = |(document, _): (DocumentId, u32)| {
        let parts = table(document.segment).parts_of(document.document);
        (document, parts.filter(|&part| of(document.segment, part) > 0).map(PartId).collect())
    };
    Ok(ranked.into_iter().map(with_parts).collect())
}
