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
        let mut marks = Marks::default();
        let earlier = marks.add(&known.suppressed.marks, |source| merged.earlier_source(source));
        let of_found = marks.add(&around.suppressed.marks, |source| Some(merged.found_source(source)));
        let (marks, numbers) = marks.numbered();
        let number = |keys: &[Option<MarkKey>], mark: Option<u32>| {
            mark.and_then(|mark| numbers.get(&keys[mark as usize]?).copied())
        };
        let mut passages: BTreeMap<PassageId, SuppressedPassage> = BTreeMap::new();
        for passage in self.stay {
            let copy = |copy: &SuppressedCopy| {
                let source = merged.earlier_source(copy.source)?;
                Some(SuppressedCopy { source, mark: number(&earlier, copy.mark), ..*copy })
            };
            let copies = passage.copies.iter().filter_map(copy).collect();
            passages.insert(passage.id, SuppressedPassage { copies, ..passage });
        }
        for passage in &around.suppressed.passages {
            let copy = |copy: &SuppressedCopy| SuppressedCopy {
                source: merged.found_source(copy.source),
                mark: number(&of_found, copy.mark),
                ..*copy
            };
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

/// A mark by its source, and how many others of the source are before it.
type MarkKey = (u32, u32);

/// The marks of two searches, each once.
#[derive(Default)]
struct Marks(BTreeMap<MarkKey, SuppressingMark>);

impl Marks {
    /// Adds the marks of a search, of which `source` tells the numbers of the sources now. Returns the key of each.
    fn add(
        &mut self,
        marks: &[SuppressingMark],
        source: impl Fn(u32) -> Option<u32>,
    ) -> Vec<Option<MarkKey>> {
        let mut keys = Vec::with_capacity(marks.len());
        for of_source in marks.chunk_by(|a, b| a.source == b.source) {
            for (number, mark) in (0..).zip(of_source) {
                let key = source(mark.source).map(|source| (source, number));
                if let Some(key) = key {
                    self.0.insert(key, SuppressingMark { source: key.0, ..*mark });
                }
                keys.push(key);
            }
        }
        keys
    }

    /// The marks in order, and the number of each.
    fn numbered(self) -> (Vec<SuppressingMark>, BTreeMap<MarkKey, u32>) {
        let numbers = (0..).zip(self.0.keys()).map(|(number, key)| (*key, number)).collect();
        (self.0.into_values().collect(), numbers)
    }
}
