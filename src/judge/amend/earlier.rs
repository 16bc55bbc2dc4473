//! What becomes of the earlier rows.

use std::ops::Range;

use super::documents::DocumentChanges;
use super::sources::MergedSources;
use super::sources::with_copies;
use crate::passages::{Passage, PassageCopy};
use crate::search::Passages;
use dupi_base::parallel;
use dupi_index::index::snapshot::DocumentId;
use dupi_passage::unit::Unit;

/// A row, or a passage with suppressed copies, of which at most so many copies remain is searched again. One with more
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
    pub(super) fn of(
        known: &Passages,
        documents: &[Option<DocumentId>],
        changes: &DocumentChanges,
        across: bool,
    ) -> Self {
        let stays = |copy: &PassageCopy| documents[copy.source as usize].is_some();
        let fate = |number: usize| {
            let passage = &known.found[number];
            if let Unit::Folder(tree) = passage.unit {
                let is_same = known.trees.of(number as u32).is_some_and(|of| {
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
