//! Families: passages whose copies lie within, over or directly beside each other in mostly the same documents. A list
//! shows a family as one row, its head, so that no row repeats what stands above it.
//!
//! Passages are taken in a given order, the most important first. A passage joins a family if more than half of the
//! bytes of its copies are covered by copies of passages before it: the family with the largest part of these bytes.
//! Otherwise it joins the family of a passage before it if most copies of either overlap a copy of the other, or stand
//! at most [`GAP`] bytes from one. A passage that does neither is the head of a new family. So at least half of the
//! bytes of each head stand in no family before it.
//!
//! Identical folders are the head of a family: of the documents and passages that stand only in them, at the same place
//! of each tree. Identical documents are the head of the passages that stand only in them, whatever these are worth. A
//! passage does not join documents that are usually set aside, unless it is set aside itself. Documents come before
//! what is worth at most twice as much, and so before any passage of which they cover more than half.

mod cover;
mod sums;

use std::cmp::Reverse;
use std::collections::HashMap;

use rayon::prelude::*;

use self::cover::Cover;
use self::sums::Sums;
use super::identical::folders::TreePlaces;
use super::kind::Kind;
use super::passages::{Passage, PassageCopy, PassageId};
use super::unit::Unit;

/// The most bytes between two copies that count as adjacent: two or three lines.
const GAP: u32 = 160;

/// Names the family of each passage, and counts its members. The heads are the passages with the highest worth. Those
/// of kinds that are usually set aside come last, so that no code is in the family of a licence. `sources` is the
/// number of documents that they stand in; `places` tells which of them lie in identical folders.
pub(super) fn name_families(passages: &mut [Passage], sources: usize, places: &TreePlaces) {
    let mut order: Vec<u32> = (0..passages.len() as u32).collect();
    order.par_sort_unstable_by_key(|&number| {
        let passage = &passages[number as usize];
        let doubled = u64::from(passage.unit == Unit::Document);
        (
            is_aside(passage),
            Reverse(passage.worth << doubled),
            Reverse(doubled),
            Reverse(passage.score()),
            passage.id,
        )
    });
    for (number, head) in families(passages, &order, sources, places).into_iter().enumerate() {
        let head = head as usize;
        passages[number].family = passages[head].id;
        passages[head].members += u64::from(number != head);
    }
}

/// Returns for each passage the number of the head of its family, its own number if it is a head. `order` holds the
/// numbers of all passages, the most important first; `sources` is the number of documents that they stand in.
pub(super) fn families(passages: &[Passage], order: &[u32], sources: usize, places: &TreePlaces) -> Vec<u32> {
    let mut heads: Vec<u32> = (0..passages.len() as u32).collect();
    let mut ranks: Vec<u32> = vec![0; passages.len()];
    for (rank, &number) in (0..).zip(order) {
        ranks[number as usize] = rank;
    }
    let holders = holders(passages, sources, places);
    let mut cover = Cover::new(sources);
    let (mut covered, mut beside) = (Sums::new(passages.len()), Sums::new(passages.len()));
    for &number in order {
        let passage = &passages[number as usize];
        // A row of folders shows nothing of the texts in them.
        if holders[number as usize].is_some() || matches!(passage.unit, Unit::Folder(_)) {
            continue;
        }
        let head = covering(&cover, passage, &heads, &ranks, &mut covered).or_else(|| {
            adjacent(&cover, passage, passages, &mut beside).map(|neighbour| heads[neighbour as usize])
        });
        heads[number as usize] = head.unwrap_or(number);
        for spot in &passage.copies {
            cover.add(spot.source, spot.start..spot.end, number);
        }
    }
    for (number, &holder) in holders.iter().enumerate() {
        if let Some(mut holder) = holder {
            while let Some(outer) = holders[holder as usize] {
                holder = outer;
            }
            heads[number] = heads[holder as usize];
        }
    }
    heads
}

/// For each passage the identical documents, or for these and others the folders, in whose family it is because it
/// stands nowhere else.
fn holders(passages: &[Passage], sources: usize, places: &TreePlaces) -> Vec<Option<u32>> {
    let mut documents: Vec<Option<u32>> = vec![None; sources];
    for (number, passage) in (0..).zip(passages).filter(|(_, passage)| passage.unit == Unit::Document) {
        passage.copies.iter().for_each(|copy| documents[copy.source as usize] = Some(number));
    }
    let folders: HashMap<PassageId, u32> = (0..)
        .zip(passages)
        .filter(|(_, passage)| matches!(passage.unit, Unit::Folder(_)))
        .map(|(number, passage)| (passage.id, number))
        .collect();
    let would_hide =
        |holder: &u32, passage: &Passage| is_aside(&passages[*holder as usize]) && !is_aside(passage);
    let of_documents = |passage: &Passage| {
        let holder = documents[passage.copies[0].source as usize]?;
        let stands_within = passage.copies.iter().all(|copy| documents[copy.source as usize] == Some(holder));
        (passage.unit == Unit::Passage && stands_within && !would_hide(&holder, passage)).then_some(holder)
    };
    let of_folders = |passage: &Passage| {
        let place = |copy: &PassageCopy| places.get(&copy.source);
        let stands_within = |at: &&(PassageId, u32)| {
            passage.copies.iter().all(|copy| place(copy).is_some_and(|places| places.contains(at)))
        };
        let holders = place(&passage.copies[0])?.iter().filter(stands_within);
        holders.map(|(folder, _)| folders[folder]).find(|holder| !would_hide(holder, passage))
    };
    let holder = |passage: &Passage| match passage.unit {
        Unit::Passage => of_documents(passage).or_else(|| of_folders(passage)),
        Unit::Document => of_folders(passage),
        Unit::Folder(_) => None,
    };
    passages.iter().map(holder).collect()
}

/// Whether a passage is usually set aside.
fn is_aside(passage: &Passage) -> bool {
    passage.kind.is_some_and(Kind::is_aside)
}

/// The head of the family that covers the largest part of a passage, if more than half of it is covered. `covered` is
/// empty before and afterwards.
fn covering(
    cover: &Cover,
    passage: &Passage,
    heads: &[u32],
    ranks: &[u32],
    covered: &mut Sums,
) -> Option<u32> {
    let (mut total, mut sum) = (0, 0);
    for own in distinct(&passage.copies) {
        total += u64::from(own.end - own.start);
        for (part, by) in cover.within(own.source, own.start..own.end) {
            let bytes = u64::from(part.end - part.start);
            sum += bytes;
            covered.add(heads[by as usize], bytes);
        }
    }
    let largest = covered.take().max_by_key(|&(head, bytes)| (bytes, u32::MAX - ranks[head as usize]));
    largest.filter(|_| sum * 2 > total).map(|(head, _)| head)
}

/// The passage before this one whose copies overlap or adjoin most copies of this one, if these are most of its own
/// too. `beside` is empty before and afterwards.
fn adjacent(cover: &Cover, passage: &Passage, passages: &[Passage], beside: &mut Sums) -> Option<u32> {
    let mut neighbours: Vec<u32> = Vec::new();
    for spot in &passage.copies {
        let around = spot.start.saturating_sub(GAP)..spot.end.saturating_add(GAP);
        neighbours.clear();
        neighbours.extend(cover.within(spot.source, around).map(|(_, by)| by));
        neighbours.sort_unstable();
        neighbours.dedup();
        neighbours.iter().for_each(|&neighbour| beside.add(neighbour, 1));
    }
    let copies = |number: u32| passages[number as usize].copies.len() as u64;
    let is_mostly = |&(neighbour, count): &(u32, u64)| {
        count * 2 > passage.copies.len() as u64 && count * 2 > copies(neighbour)
    };
    let most = beside.take().filter(is_mostly);
    most.max_by_key(|&(neighbour, count)| (count, passages[neighbour as usize].id, neighbour))
        .map(|(neighbour, _)| neighbour)
}

/// The copies without the bytes that an earlier copy of the same passage has too. `copies` are sorted by document and
/// first byte.
fn distinct(copies: &[PassageCopy]) -> impl Iterator<Item = PassageCopy> {
    let mut reached = (u32::MAX, 0);
    copies.iter().filter_map(move |spot| {
        let start = if reached.0 == spot.source { spot.start.max(reached.1) } else { spot.start };
        reached = (spot.source, spot.end.max(start));
        (start < spot.end).then_some(PassageCopy { start, ..*spot })
    })
}

#[cfg(test)]
mod tests;
