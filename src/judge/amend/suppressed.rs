//! What marks suppress in amended passages.
//!
//! A passage with suppressed copies that has lost none stays as it is: its documents are the same, and so are their
//! marks. One that has lost a copy is searched again, as an earlier row is.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::earlier::{AGAIN, Fates};
use super::join::FoundRows;
use super::sources::MergedSources;
use crate::passages::PassageId;
use crate::search::Passages;
use crate::suppressed::{SuppressedCopy, SuppressedPassage, SuppressingMark, Suppressions};
use dupi_index::index::snapshot::DocumentId;

/// What becomes of the earlier passages with suppressed copies.
pub(super) struct SuppressedFates {
    /// Those that stay, with the copies that are not gone.
    stay: Vec<SuppressedPassage>,
    /// The copies that are searched again: the number of the earlier source, and the bytes.
    pub(super) again: Vec<(u32, Range<u32>)>,
}

impl SuppressedFates {
    /// Looks at all of them, and lets the rows of those that have lost a suppressed copy be searched again.
    pub(super) fn of(known: &Passages, documents: &[Option<DocumentId>], fates: &mut Fates) -> Self {
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
                _ => of.stay.push(with_copies(passage, copies)),
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
    let united = with_copies(before, copies);
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
fn with_copies(before: &SuppressedPassage, copies: Vec<SuppressedCopy>) -> SuppressedPassage {
    let listed = copies.iter().filter(|copy| copy.mark.is_none()).count();
    SuppressedPassage { id: before.id, is_gone: listed < 2, copies }
}
