//! What becomes of the earlier rows, and of the earlier passages with copies that marks suppress. One that has lost no suppressed
//! copy stays as it is: its documents are the same, and so are their marks. One that has lost a copy is searched again, as an
//! earlier row is.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use crate::amend::documents::{DocumentChanges, MergedSources, with_copies};
use crate::amend::join::FoundRows;
use crate::passages::{Passage, PassageCopy, PassageId};
use crate::search::Passages;
use crate::suppressed::{SuppressedCopy, SuppressedPassage, SuppressingMark, Suppressions};
use dupi_base::parallel;
use dupi_index::index::snapshot::DocumentId;
use dupi_passage::unit::Unit;

/// A row, or a passage with suppressed copies, is searched again if at most this number of its copies remain. One with more
/// only loses copies.
pub(super) const AGAIN: usize = 32;

/// What becomes of an earlier row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// All its copies are the same.
    Same,
    /// It has lost copies.
    Fewer,
    /// It has lost copies, and what remains may be more alike.
    Again,
    /// Fewer than two copies remain.
    Gone,
}

/// What becomes of all earlier rows.
pub(super) struct Fates {
    fates: Vec<Fate>,
    /// The copies that remain of rows that are searched again: the number of the earlier source, and the bytes.
    pub(super) again: Vec<(u32, Range<u32>)>,
}

impl Fates {
    /// Looks at all rows. `documents` are the numbers of their sources now; with `across` a row has copies in two
    /// documents.
    pub(super) fn decide(
        known: &Passages,
        documents: &[Option<DocumentId>],
        changes: &DocumentChanges,
        across: bool,
    ) -> Self {
        let stays = |copy: &PassageCopy| documents[copy.source as usize].is_some();
        let fate = |number: usize| {
            let passage = &known.found[number];
            if let Unit::Folder(tree) = passage.unit {
                let is_same = known.trees.get(number as u32).is_some_and(|of| {
                    let all = of.documents.iter().chain(&of.others);
                    all.copied().all(|id| changes.document(id).is_some())
                });
                let has_new = |copy: &PassageCopy| {
                    documents[copy.source as usize].is_none_or(|document| {
                        let path = changes.now.path(changes.now.file_of(document));
                        changes.has_new_in(tree.folder(path))
                    })
                };
                return if is_same && !passage.copies.iter().any(has_new) { Fate::Same } else { Fate::Gone };
            }
            if passage.copies.iter().all(stays) {
                return Fate::Same;
            }
            let remain = passage.copies.iter().filter(|copy| stays(copy));
            let (first, last) = (remain.clone().next(), remain.clone().next_back());
            let sources = first.zip(last).map(|(first, last)| (first.source, last.source));
            match remain.count() {
                0 | 1 => Fate::Gone,
                _ if across && sources.is_some_and(|(first, last)| first == last) => Fate::Gone,
                _ if passage.unit == Unit::Document => Fate::Fewer,
                count if count <= AGAIN => Fate::Again,
                _ => Fate::Fewer,
            }
        };
        let fates: Vec<Fate> = parallel::map_numbers(known.found.len(), fate);
        let searched_again = fates.iter().zip(&known.found).filter(|(fate, _)| **fate == Fate::Again);
        let copies = searched_again.flat_map(|(_, passage)| &passage.copies).filter(|copy| stays(copy));
        let again = copies.map(|copy| (copy.source, copy.start..copy.end)).collect();
        Self { fates, again }
    }

    /// Searches an earlier row again that has all its copies: what is not listed of it has changed.
    pub(super) fn search_again(&mut self, known: &Passages, number: usize) {
        let passage = &known.found[number];
        let is_for_again = passage.unit == Unit::Passage && passage.copies.len() <= AGAIN;
        if self.fates[number] == Fate::Same && is_for_again {
            self.fates[number] = Fate::Again;
            self.again.extend(passage.copies.iter().map(|copy| (copy.source, copy.start..copy.end)));
        }
    }

    /// The rows that stay, in their order, without the copies that are gone.
    pub(super) fn rows(&self, known: &Passages, merged: &MergedSources) -> Vec<Passage> {
        let row = |number: usize| {
            let (fate, passage) = (&self.fates[number], &known.found[number]);
            if matches!(fate, Fate::Again | Fate::Gone) {
                return None;
            }
            // Most rows keep all copies, and none has to grow.
            let mut copies = Vec::with_capacity(passage.copies.len());
            copies.extend(passage.copies.iter().filter_map(|copy| merged.earlier(copy)));
            if *fate == Fate::Same {
                return Some(Passage { copies, ..*passage });
            }
            let representative = match merged.earlier(passage.representative()) {
                Some(shown) => copies.iter().position(|copy| *copy == shown)?,
                None => nearest(&copies)?,
            };
            Some(with_copies(passage, copies, representative as u32))
        };
        parallel::map_numbers(known.found.len(), row).into_iter().flatten().collect()
    }
}

/// The index of the copy that is most similar to a representative that is gone.
fn nearest(copies: &[PassageCopy]) -> Option<usize> {
    let similarity = |number: &usize| copies[*number].similarity;
    (0..copies.len()).rev().max_by(|a, b| similarity(a).total_cmp(&similarity(b)))
}

/// What becomes of the earlier passages with suppressed copies.
pub(super) struct SuppressedFates {
    /// Those that stay, with the copies that are not gone.
    stay: Vec<SuppressedPassage>,
    /// The copies that are searched again: the number of the earlier source, and the bytes.
    pub(super) again: Vec<(u32, Range<u32>)>,
}

impl SuppressedFates {
    /// Looks at all of them, and lets the rows of those that have lost a suppressed copy be searched again.
    pub(super) fn find(known: &Passages, documents: &[Option<DocumentId>], fates: &mut Fates) -> Self {
        let stays = |copy: &SuppressedCopy| documents[copy.source as usize].is_some();
        let (stay, fewer): (Vec<&SuppressedPassage>, Vec<_>) =
            known.suppressed.passages.iter().partition(|passage| passage.copies.iter().all(stays));
        let mut of = Self { stay: stay.into_iter().cloned().collect(), again: Vec::new() };
        let ids: HashSet<PassageId> = fewer.iter().map(|passage| passage.id).collect();
        (0..).zip(&known.found).filter(|(_, row)| ids.contains(&row.id)).for_each(|(number, _)| {
            fates.search_again(known, number);
        });
        for passage in fewer {
            let copies: Vec<SuppressedCopy> =
                passage.copies.iter().filter(|copy| stays(copy)).copied().collect();
            match copies.len() {
                0 | 1 => {}
                2..=AGAIN => of.again.extend(copies.iter().map(|copy| (copy.source, copy.start..copy.end))),
                _ => of.stay.push(suppressed_with(passage, copies)),
            }
        }
        of
    }

    /// What marks suppress now, given what was found around the changes. `None` if too little was read there to tell.
    pub(super) fn with_found(
        self,
        known: &Passages,
        around: &Passages,
        merged: &MergedSources,
        found: &FoundRows,
    ) -> Option<Suppressions> {
        // A document has its marks in both searches, or was read by one of them.
        let at = |mark: &SuppressingMark, source: u32| SuppressingMark { source, ..*mark };
        let earlier = known.suppressed.marks.iter();
        let earlier = earlier.filter_map(|mark| Some(at(mark, merged.earlier_source(mark.source)?)));
        let found_marks = around.suppressed.marks.iter();
        let found_marks = found_marks.map(|mark| at(mark, merged.found_source(mark.source)));
        let is_read: HashSet<u32> = found_marks.clone().map(|mark| mark.source).collect();
        let mut marks: Vec<SuppressingMark> =
            earlier.filter(|mark| !is_read.contains(&mark.source)).chain(found_marks).collect();
        marks.sort_by_key(|mark| mark.source);
        let mut passages: BTreeMap<PassageId, SuppressedPassage> = BTreeMap::new();
        for passage in self.stay {
            let copy = |copy: &SuppressedCopy| {
                let source = merged.earlier_source(copy.source)?;
                Some(SuppressedCopy { source, ..*copy })
            };
            let copies = passage.copies.iter().filter_map(copy).collect();
            passages.insert(passage.id, SuppressedPassage { copies, ..passage });
        }
        for passage in &around.suppressed.passages {
            let copy =
                |copy: &SuppressedCopy| SuppressedCopy { source: merged.found_source(copy.source), ..*copy };
            let copies: Vec<SuppressedCopy> = passage.copies.iter().map(copy).collect();
            let is_concerned = |copy: &SuppressedCopy| found.is_concerned(copy.source, copy.start..copy.end);
            if !copies.iter().any(is_concerned) {
                continue;
            }
            let passage = SuppressedPassage { copies, ..*passage };
            let passage = match passages.remove(&passage.id) {
                Some(before) => united(&before, &passage)?,
                None => passage,
            };
            passages.insert(passage.id, passage);
        }
        // A copy may have been lost with its mark.
        let passages = passages.into_values().filter(|passage| passage.suppressed() > 0).collect();
        Some(Suppressions { marks, passages })
    }
}

/// A passage that stays, with the copies that were found of it. `None` if it has a row to which neither search knows all
/// copies.
fn united(before: &SuppressedPassage, found: &SuppressedPassage) -> Option<SuppressedPassage> {
    let mut copies: Vec<SuppressedCopy> = before.copies.iter().chain(&found.copies).copied().collect();
    copies.sort_by_key(|copy| (copy.source, copy.start, copy.end));
    copies.dedup_by_key(|copy| (copy.source, copy.start, copy.end));
    let united = suppressed_with(before, copies);
    let is_listed = |copy: &&SuppressedCopy| copy.mark.is_none();
    let listed = |passage: &SuppressedPassage| passage.copies.iter().filter(is_listed).count();
    // Copies that were found join an earlier row. The copies of one that is new are all found.
    let is_known = match before.is_gone {
        true => united.is_gone || listed(found) == listed(&united),
        false => !found.is_gone || listed(before) == listed(&united),
    };
    is_known.then_some(united)
}

/// A passage with other copies than it had.
fn suppressed_with(before: &SuppressedPassage, copies: Vec<SuppressedCopy>) -> SuppressedPassage {
    let listed = copies.iter().filter(|copy| copy.mark.is_none()).count();
    SuppressedPassage { id: before.id, is_gone: listed < 2, copies }
}
