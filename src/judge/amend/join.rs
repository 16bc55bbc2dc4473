//! Joins what was found around the changes with the earlier rows, and mends the families.
//!
//! A row that was found there is incomplete: it lacks copies in documents that were not read. It is the same as an earlier
//! one that has its text, or in which most of its copies in unchanged documents stand at nearly the same places.
//!
//! Rows that were in a family stay in it. A new row is in the family that the search around the changes named. The worthiest
//! member stands for a family whose head is gone.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;

use crate::HashedMap;
use crate::amend::documents::{BySource, DocumentChanges, MergedSources, with_copies};
use crate::copies::similar_to;
use crate::copy_texts::CopyTexts;
use crate::passages::{Passage, PassageCopy, PassageId, SourceDocument};
use crate::search::Passages;
use dupi_base::parallel;
use dupi_index::index::snapshot::Snapshot;
use dupi_passage::Measure;
use dupi_passage::unit::Unit;

/// The rows that were found around the changes and that these concern.
pub(super) struct FoundRows<'a> {
    around: &'a Passages,
    /// The rows, with the sources of the amended passages.
    rows: Vec<Passage>,
    /// For each of these sources, whether it is new.
    is_new: Vec<bool>,
    /// The places that were searched again.
    again: BySource<(u32, u32)>,
}

impl<'a> FoundRows<'a> {
    /// The rows with a copy in a new file, or at a place that was searched again.
    pub(super) fn choose(
        around: &'a Passages,
        merged: &MergedSources,
        changes: &DocumentChanges,
        again_places: &[(u32, Range<u32>)],
    ) -> Self {
        let is_new: Vec<bool> = merged.sources.iter().map(|source| changes.is_new(source.id)).collect();
        let mut again: BySource<(u32, u32)> = BySource::default();
        for (source, span) in again_places {
            let source = merged.earlier_source(*source);
            source
                .into_iter()
                .for_each(|source| again.entry(source).or_default().push((span.start, span.end)));
        }
        let mut found = Self { around, rows: Vec::new(), is_new, again };
        let row = |passage: &Passage| {
            let copies: Vec<PassageCopy> = passage.copies.iter().map(|copy| merged.found(copy)).collect();
            let is_folder = matches!(passage.unit, Unit::Folder(_));
            let is_concerned = |copy: &PassageCopy| found.is_concerned(copy.source, copy.start..copy.end);
            let is_wanted = !is_folder && copies.iter().any(is_concerned);
            is_wanted.then_some(Passage { copies, ..*passage })
        };
        found.rows = around.found.iter().filter_map(row).collect();
        found
    }

    /// Whether a copy is in a new file, or at a place that was searched again.
    pub(super) fn is_concerned(&self, source: u32, span: Range<u32>) -> bool {
        let overlaps = |&(start, end): &(u32, u32)| {
            let common = span.end.min(end).saturating_sub(span.start.max(start));
            common * 2 >= (span.end - span.start).min(end - start)
        };
        let again = || self.again.get(&source).is_some_and(|spans| spans.iter().any(overlaps));
        self.is_new[source as usize] || again()
    }
}

/// Adds the rows that were found: their copies in new files to the earlier rows that are the same, the others as new rows.
/// Returns the ids of the former, with those of the earlier rows.
pub(super) fn join(
    rows: &mut Vec<Passage>,
    found: FoundRows,
    now: &Snapshot,
    (sources, measure): (&[SourceDocument], &Measure),
    texts: &mut CopyTexts,
) -> HashMap<PassageId, PassageId> {
    let earlier = EarlierCopies::find(rows, &found);
    let FoundRows { around, rows: found, is_new, .. } = found;
    let mut gained: BTreeMap<usize, Vec<PassageCopy>> = BTreeMap::new();
    let mut same = HashMap::new();
    for passage in found {
        let others = around.copy_texts.others(passage.id);
        match earlier.same(&passage, &is_new, measure.gap > 0) {
            Some(row) => {
                let mut new = passage.copies.iter().filter(|copy| is_new[copy.source as usize]).peekable();
                if new.peek().is_some() {
                    gained.entry(row).or_default().extend(new);
                }
                let id = rows[row].id;
                same.insert(passage.id, id);
                texts.add(id, others.iter().copied().chain([passage.id.0]).filter(|text| *text != id.0));
            }
            None => {
                texts.add(passage.id, others.iter().copied());
                rows.push(passage);
            }
        }
    }
    for (row, copies) in gained {
        let before = &rows[row];
        let shown = *before.representative();
        let copies = without_overlaps(copies);
        let copies = similar_to(now, sources, &shown, &copies, measure).unwrap_or(copies);
        let mut all: Vec<PassageCopy> = before.copies.iter().copied().chain(copies).collect();
        all.sort_by_key(|copy| (copy.source, copy.start, copy.end));
        let at = all.iter().position(|copy| *copy == shown).unwrap_or(0);
        rows[row] = with_copies(before, all, at as u32);
    }
    same
}

/// Copies in order, without those that overlap one before.
fn without_overlaps(mut copies: Vec<PassageCopy>) -> Vec<PassageCopy> {
    copies.sort_by_key(|copy| (copy.source, copy.start, Reverse(copy.end)));
    let mut end = (u32::MAX, 0);
    copies.retain(|copy| {
        let is_apart = end.0 != copy.source || copy.start >= end.1;
        if is_apart {
            end = (copy.source, copy.end);
        }
        is_apart
    });
    copies
}

/// Where the earlier rows have copies, in the documents that the found ones stand in.
struct EarlierCopies {
    by_id: HashMap<PassageId, usize>,
    by_source: BySource<EarlierCopy>,
}

#[derive(Clone, Copy)]
struct EarlierCopy {
    start: u32,
    end: u32,
    row: usize,
    unit: Unit,
}

impl EarlierCopies {
    fn find(rows: &[Passage], found: &FoundRows) -> Self {
        let mut is_read = vec![false; found.is_new.len()];
        found.rows.iter().flat_map(|row| &row.copies).for_each(|copy| is_read[copy.source as usize] = true);
        let ids: HashSet<PassageId> = found.rows.iter().map(|row| row.id).collect();
        let (mut by_id, mut by_source) = (HashMap::new(), BySource::default());
        let is_in_read = |row: &Passage| row.copies.iter().any(|copy| is_read[copy.source as usize]);
        let is_concerned = |(_, row): &(usize, &Passage)| ids.contains(&row.id) || is_in_read(row);
        let concerned: Vec<_> = rows.par_iter().enumerate().filter(is_concerned).collect();
        for (row, passage) in concerned {
            if ids.contains(&passage.id) {
                by_id.insert(passage.id, row);
            }
            if matches!(passage.unit, Unit::Folder(_)) {
                continue;
            }
            for copy in passage.copies.iter().filter(|copy| is_read[copy.source as usize]) {
                let copy =
                    (copy.source, EarlierCopy { start: copy.start, end: copy.end, row, unit: passage.unit });
                by_source.entry(copy.0).or_insert_with(Vec::new).push(copy.1);
            }
        }
        Self { by_id, by_source }
    }

    /// The earlier row that a found one is. Exact passages have one text, which their id tells.
    fn same(&self, found: &Passage, is_new: &[bool], is_approximate: bool) -> Option<usize> {
        let with_id = self.by_id.get(&found.id).copied();
        if with_id.is_some() || !is_approximate {
            return with_id;
        }
        // A row without copies in new files may only be what another row is with fewer copies.
        let has_new = found.copies.iter().any(|copy| is_new[copy.source as usize]);
        let least = if has_new { 9 } else { 5 };
        let (mut votes, mut voters) = (BTreeMap::<usize, usize>::new(), 0);
        for copy in found.copies.iter().filter(|copy| !is_new[copy.source as usize]) {
            voters += 1;
            for other in self.by_source.get(&copy.source).into_iter().flatten() {
                let common = copy.end.min(other.end).saturating_sub(copy.start.max(other.start));
                let both = copy.end.max(other.end) - copy.start.min(other.start);
                if other.unit == found.unit && u64::from(common) * 10 >= u64::from(both) * least {
                    *votes.entry(other.row).or_default() += 1;
                }
            }
        }
        let most = votes.into_iter().rev().max_by_key(|(_, count)| *count);
        most.filter(|(_, count)| count * 2 > voters).map(|(row, _)| row)
    }
}

/// Names the family of each row, counts the members, and forgets parents that are gone. The rows behind `earlier` ones are new.
/// `same` has the rows of the search around the changes that joined an earlier row, with this row.
pub(super) fn mend_families(rows: &mut [Passage], earlier: usize, same: &HashMap<PassageId, PassageId>) {
    let at: HashedMap<PassageId, usize> =
        rows.iter().enumerate().map(|(number, row)| (row.id, number)).collect();
    let joined = |id: PassageId| same.get(&id).copied().unwrap_or(id);
    for number in earlier..rows.len() {
        let Passage { id, family, parent, .. } = rows[number];
        let head = joined(family);
        rows[number].family = at.get(&head).map_or(head, |&head| rows[head].family);
        rows[number].parent = parent.map(joined).filter(|parent| *parent != id);
    }
    // For each family without a head its worthiest row.
    let mut heads: HashedMap<PassageId, usize> = HashedMap::default();
    let rank = |number: usize| (rows[number].worth, rows[number].id);
    let has_head = |family: &PassageId| at.get(family).is_some_and(|&head| rows[head].family == *family);
    for number in parallel::filter_numbers(rows.len(), |number| !has_head(&rows[number].family)) {
        let head = heads.entry(rows[number].family).or_insert(number);
        if rank(number) > rank(*head) {
            *head = number;
        }
    }
    let heads: HashedMap<PassageId, PassageId> =
        heads.into_iter().map(|(family, head)| (family, rows[head].id)).collect();
    let mut sizes: HashedMap<PassageId, u64> = HashedMap::default();
    for passage in rows.iter_mut() {
        passage.parent = passage.parent.filter(|parent| at.contains_key(parent));
        passage.family = heads.get(&passage.family).copied().unwrap_or(passage.family);
        *sizes.entry(passage.family).or_default() += 1;
    }
    for passage in rows {
        passage.members = if passage.is_head() { sizes[&passage.id] - 1 } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_passage::unit::Unit;

    fn row([id, family, parent, worth]: [u64; 4]) -> Passage {
        Passage {
            id: PassageId(id),
            copies: Vec::new(),
            representative: 0,
            documents: 2,
            parent: Some(PassageId(parent)).filter(|parent| parent.0 != id),
            unit: Unit::Passage,
            family: PassageId(family),
            members: 9,
            kind: None,
            worth,
            lines: 0,
        }
    }

    #[test]
    fn a_family_keeps_its_rows_and_has_the_worthiest_as_head_when_its_own_is_gone() {
        // Of the family of 1 the head is gone, and 5 is the parent of a row; what was found as 8 joined 4.
        let rows = [[2, 1, 5, 7], [3, 1, 1, 9], [4, 4, 4, 1], [6, 8, 8, 3], [7, 7, 8, 3], [9, 2, 9, 5]];
        let mut rows = rows.map(row);
        mend_families(&mut rows, 3, &HashMap::from([(PassageId(8), PassageId(4))]));
        let mended = rows.map(|row| (row.id.0, row.family.0, row.parent.map(|parent| parent.0), row.members));
        let expected = [
            (2, 3, None, 0),
            (3, 3, None, 2),
            (4, 4, None, 1),
            (6, 4, Some(4), 0),
            (7, 7, Some(4), 0),
            (9, 3, None, 0),
        ];
        assert_eq!(mended, expected);
    }
}
