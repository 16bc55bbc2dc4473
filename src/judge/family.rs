//! Families: passages whose copies lie within, over or directly beside each other in mostly the same documents. A list
//! shows a family as one row, its head, so that no row repeats what stands above it.
//!
//! Identical folders hold what lies in them with more than half of its bytes, and so do identical documents: this is in
//! their family, whatever it is worth. A passage does not join documents that are usually set aside, unless it is set
//! aside itself.
//!
//! All others are taken in the order of the list. One joins a family if more than half of the bytes of its copies are
//! covered by others before it: the family with the largest part of these bytes. So more than half of the bytes of no
//! head are in rows above it. Otherwise a passage joins the family of one before it if most copies of either overlap a
//! copy of the other, or stand at most [`GAP`] bytes from one; or if both tell the same of whole documents: that they
//! lie in one, or that one repeats itself (`documents.rs`). What does nothing of this is the head of a new family.
//!
//! As the bytes of folders count those of all documents in them that are long enough for a passage.
//!
//! The kinds are those that the rules say. So a family is a property of the texts, and a decision about one of them does
//! not rearrange the others; which passage stands for a family follows the corrected kinds (`aside.rs`).

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use self::documents::{DocumentRelation, document_relations};

use crate::identical::folders::TreePlaces;
use crate::kind::Kind;
use crate::passages::{Passage, PassageCopy, PassageId};
use dupi_base::parallel;
use dupi_passage::unit::Unit;

mod documents;
#[cfg(test)]
mod tests;

/// The most bytes between two copies that count as adjacent: two or three lines.
const GAP: u32 = 160;

/// Names the family of each passage, and counts its members. The heads are the passages with the highest worth. Those
/// of kinds that are usually set aside come last, so that no code is in the family of a licence. `tokens` has the number
/// of tokens of each document that they stand in; `places` tells which of these lie in identical folders.
pub(super) fn name_families(passages: &mut [Passage], tokens: &[u32], places: &TreePlaces) {
    let mut order: Vec<u32> = (0..passages.len() as u32).collect();
    parallel::sort_by_cached_key(&mut order, |&number| {
        let passage = &passages[number as usize];
        (is_aside(passage), Reverse(passage.worth), Reverse(passage.score()), passage.id)
    });
    for (number, head) in families(passages, &order, tokens, places).into_iter().enumerate() {
        let head = head as usize;
        passages[number].family = passages[head].id;
        passages[head].members += u64::from(number != head);
    }
}

/// Returns for each passage the number of the head of its family, its own number if it is a head. `order` holds the
/// numbers of all passages, the most important first; `tokens` those of the tokens of each document that they stand in.
pub(super) fn families(passages: &[Passage], order: &[u32], tokens: &[u32], places: &TreePlaces) -> Vec<u32> {
    let mut heads: Vec<u32> = (0..passages.len() as u32).collect();
    let mut ranks: Vec<u32> = vec![0; passages.len()];
    for (rank, &number) in (0..).zip(order) {
        ranks[number as usize] = rank;
    }
    let rows = Rows::new(passages, tokens.len(), places);
    let holders = rows.holders();
    let mut cover = Cover::new(tokens.len());
    let relations = document_relations(passages, tokens);
    // The first passage that tells something of whole documents.
    let mut first: HashMap<DocumentRelation, u32> = HashMap::new();
    let (mut covered, mut beside) = (Sums::new(passages.len()), Sums::new(passages.len()));
    for &number in order {
        if holders[number as usize].is_some() {
            continue;
        }
        let (passage, copies) = (&passages[number as usize], rows.copies(number));
        let is_passage = passage.unit == Unit::Passage;
        let head = covering(&cover, copies, &heads, &ranks, &mut covered).or_else(|| {
            let neighbour = if is_passage { adjacent(&cover, passage, passages, &mut beside) } else { None };
            neighbour.map(|neighbour| heads[neighbour as usize])
        });
        let head = head.or_else(|| {
            let relation = relations[number as usize]?;
            let first = *first.entry(relation).or_insert(number);
            (first != number).then_some(first)
        });
        heads[number as usize] = head.unwrap_or(number);
        for spot in copies {
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

/// The passages, and where identical documents and folders stand.
struct Rows<'a> {
    passages: &'a [Passage],
    places: &'a TreePlaces,
    /// For each source, the row of identical documents to which it belongs.
    documents: Vec<Option<u32>>,
    /// The rows of folders by their ids.
    folders: HashMap<PassageId, u32>,
    /// The copies of documents in each of these rows.
    in_folders: HashMap<u32, Vec<PassageCopy>>,
}

impl<'a> Rows<'a> {
    fn new(passages: &'a [Passage], sources: usize, places: &'a TreePlaces) -> Self {
        let of_unit = |is_it: fn(&Unit) -> bool| (0..).zip(passages).filter(move |(_, of)| is_it(&of.unit));
        let folders: HashMap<PassageId, u32> = of_unit(|unit| matches!(unit, Unit::Folder(_)))
            .map(|(number, passage)| (passage.id, number))
            .collect();
        let mut documents: Vec<Option<u32>> = vec![None; sources];
        let mut in_folders: HashMap<u32, Vec<PassageCopy>> = HashMap::new();
        for (number, passage) in of_unit(|unit| *unit == Unit::Document) {
            for copy in &passage.copies {
                documents[copy.source as usize] = Some(number);
                for folder in places.get(&copy.source).into_iter().flatten() {
                    in_folders.entry(folders[folder]).or_default().push(*copy);
                }
            }
        }
        in_folders
            .values_mut()
            .for_each(|copies| copies.sort_unstable_by_key(|copy| (copy.source, copy.start)));
        Self { passages, places, documents, folders, in_folders }
    }

    /// The copies of a passage; of folders, those of the documents in them.
    fn copies(&self, number: u32) -> &[PassageCopy] {
        let passage = &self.passages[number as usize];
        match passage.unit {
            Unit::Folder(_) => self.in_folders.get(&number).map_or(&[], Vec::as_slice),
            _ => &passage.copies,
        }
    }

    /// For each passage the identical documents, or else the folders, that hold it.
    fn holders(&self) -> Vec<Option<u32>> {
        parallel::map_numbers(self.passages.len(), |number| self.holder(number as u32))
    }

    fn holder(&self, number: u32) -> Option<u32> {
        let passage = &self.passages[number as usize];
        // Folders hold folders with fewer documents, so they never hold each other.
        let size = |number: u32| match self.passages[number as usize].unit {
            Unit::Folder(tree) => tree.documents,
            _ => 0,
        };
        let mut total = 0;
        let mut parts: BTreeMap<u32, u64> = BTreeMap::new();
        for copy in distinct(self.copies(number)) {
            let bytes = u64::from(copy.end - copy.start);
            total += bytes;
            let documents = self.documents[copy.source as usize];
            let folders = self.places.get(&copy.source).into_iter().flatten();
            let folders = folders.map(|id| self.folders[id]).filter(|&folder| size(folder) > size(number));
            for holder in documents.filter(|_| passage.unit == Unit::Passage).into_iter().chain(folders) {
                *parts.entry(holder).or_default() += bytes;
            }
        }
        let would_hide = |holder: u32| is_aside(&self.passages[holder as usize]) && !is_aside(passage);
        let holding = parts.into_iter().filter(|&(holder, bytes)| bytes * 2 > total && !would_hide(holder));
        // Documents first, then the largest folders.
        holding.map(|(holder, _)| holder).min_by_key(|&holder| {
            (size(holder) > 0, Reverse(size(holder)), self.passages[holder as usize].id)
        })
    }
}

/// Whether a passage is usually set aside.
fn is_aside(passage: &Passage) -> bool {
    passage.kind.is_some_and(Kind::is_aside)
}

/// The head of the family that covers the largest part of a passage, if more than half of it is covered. `covered` is
/// empty before and afterwards.
fn covering(
    cover: &Cover,
    copies: &[PassageCopy],
    heads: &[u32],
    ranks: &[u32],
    covered: &mut Sums,
) -> Option<u32> {
    let (mut total, mut sum) = (0, 0);
    for own in distinct(copies) {
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

/// Disjoint stretches of documents, each with the number of the passage that covers it.
pub(super) struct Cover {
    /// For each document, stretches by their first bytes: one past the last byte, and the passage.
    documents: Vec<BTreeMap<u32, (u32, u32)>>,
}

impl Cover {
    /// Nothing is covered in this number of documents.
    pub(super) fn new(documents: usize) -> Self {
        Self { documents: vec![BTreeMap::new(); documents] }
    }

    /// Covers those bytes of a stretch that are not covered yet.
    pub(super) fn add(&mut self, document: u32, bytes: Range<u32>, passage: u32) {
        let mut gaps = Vec::new();
        let mut start = bytes.start;
        for (part, _) in self.within(document, bytes.clone()) {
            if start < part.start {
                gaps.push(start..part.start);
            }
            start = part.end;
        }
        if start < bytes.end {
            gaps.push(start..bytes.end);
        }
        let covered = &mut self.documents[document as usize];
        covered.extend(gaps.into_iter().map(|gap| (gap.start, (gap.end, passage))));
    }

    /// The covered parts of a stretch with their passages, in the order of the text.
    pub(super) fn within(&self, document: u32, bytes: Range<u32>) -> impl Iterator<Item = (Range<u32>, u32)> {
        let covered = &self.documents[document as usize];
        let before = covered.range(..bytes.start).next_back();
        before
            .into_iter()
            .chain(covered.range(bytes.clone()))
            .map(move |(&start, &(end, passage))| (start.max(bytes.start)..end.min(bytes.end), passage))
            .filter(|(part, _)| part.start < part.end)
    }
}

/// A sum for each number below a limit.
pub(super) struct Sums {
    of: Vec<u64>,
    /// The numbers that have one.
    numbers: Vec<u32>,
}

impl Sums {
    /// Zero for each number below `limit`.
    pub(super) fn new(limit: usize) -> Self {
        Self { of: vec![0; limit], numbers: Vec::new() }
    }

    /// Adds to the sum of a number; `more` is not 0.
    pub(super) fn add(&mut self, number: u32, more: u64) {
        let sum = &mut self.of[number as usize];
        if *sum == 0 {
            self.numbers.push(number);
        }
        *sum += more;
    }

    /// The numbers with their sums, in no order. None has one afterwards.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (u32, u64)> {
        let of = &mut self.of;
        self.numbers.drain(..).map(|number| (number, std::mem::take(&mut of[number as usize])))
    }
}
