//! The families of amended rows. Rows that were in a family stay in it. A new row is in the family that the search around
//! the changes named. The worthiest member stands for a family whose head is gone.
//!
//! Only rows are looked at that a change concerns: of a large corpus a change concerns few.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use dupi_base::parallel;

use crate::HashedMap;
use crate::amend::sources::AmendedRow;
use crate::hashed::HashedKey;
use crate::passages::PassageId;
use crate::texts::TextOf;

/// A set of rows.
type Ids = HashSet<PassageId, BuildHasherDefault<HashedKey>>;

/// Names the family of each row, counts the members, and forgets parents that are gone. `changed` are the earlier rows of
/// which copies are gone, each with its family. `same` has the rows of the search around the changes that joined an earlier
/// row, with this row.
pub(super) fn mend_families(
    rows: &mut [AmendedRow],
    changed: &[(PassageId, PassageId)],
    same: &HashMap<PassageId, PassageId>,
) {
    let joined = |id: PassageId| same.get(&id).copied().unwrap_or(id);
    let mut is_found = Vec::new();
    let mut concerned: Ids = changed.iter().map(|(id, _)| *id).collect();
    for (number, AmendedRow { passage, text }) in rows.iter().enumerate() {
        if matches!(text, TextOf::Found(_)) {
            is_found.push(number);
            concerned.extend([passage.id, joined(passage.family)]);
            concerned.extend(passage.parent.map(joined));
        }
    }
    let at = numbers_of(rows, &concerned);
    for &number in &is_found {
        let head = joined(rows[number].passage.family);
        let family = at.get(&head).map_or(head, |head| rows[*head].passage.family);
        let parent = rows[number].passage.parent.map(joined);
        rows[number].passage.parent = parent.filter(|parent| *parent != rows[number].passage.id);
        rows[number].passage.family = family;
        // Its head may be gone.
        concerned.insert(family);
    }
    let at = numbers_of(rows, &concerned);
    // For each family without a head its worthiest row.
    let mut heads: HashedMap<PassageId, usize> = HashedMap::default();
    let rank = |row: &AmendedRow| (row.passage.worth, row.passage.id);
    let is_without = |number: &usize| {
        let family = rows[*number].passage.family;
        let has_head = || at.get(&family).is_some_and(|&head| rows[head].passage.family == family);
        concerned.contains(&family) && !has_head()
    };
    let without: Vec<usize> = parallel::filter_numbers(rows.len(), |number| is_without(&number));
    for number in without {
        let row = &rows[number];
        let head = heads.entry(row.passage.family).or_insert(number);
        if rank(row) > rank(&rows[*head]) {
            *head = number;
        }
    }
    let heads: HashedMap<PassageId, PassageId> =
        heads.into_iter().map(|(family, head)| (family, rows[head].passage.id)).collect();
    let is_gone = |id: &PassageId| concerned.contains(id) && !at.contains_key(id);
    parallel::for_each_mut(rows, |_, AmendedRow { passage, .. }| {
        passage.parent = passage.parent.filter(|parent| !is_gone(parent));
        passage.family = heads.get(&passage.family).copied().unwrap_or(passage.family);
    });
    let mut counted: Ids = heads.values().copied().collect();
    counted.extend(changed.iter().map(|(_, family)| *family));
    counted.extend(is_found.iter().map(|&number| rows[number].passage.family));
    count_members(rows, &counted);
}

/// The numbers of those of some rows that are there.
fn numbers_of(rows: &[AmendedRow], ids: &Ids) -> HashedMap<PassageId, usize> {
    let there = parallel::filter_numbers(rows.len(), |number| ids.contains(&rows[number].passage.id));
    there.into_iter().map(|number| (rows[number].passage.id, number)).collect()
}

/// Counts the members of some families.
fn count_members(rows: &mut [AmendedRow], families: &Ids) {
    let family = |row: &AmendedRow| Some(row.passage.family).filter(|family| families.contains(family));
    let mut sizes: HashedMap<PassageId, u64> = HashedMap::default();
    for family in parallel::flat_map(rows, family) {
        *sizes.entry(family).or_default() += 1;
    }
    parallel::for_each_mut(rows, |_, AmendedRow { passage, .. }| {
        if families.contains(&passage.family) || families.contains(&passage.id) {
            passage.members = if passage.is_head() { sizes[&passage.id] - 1 } else { 0 };
        }
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::passages::Passage;
    use dupi_passage::unit::Unit;

    /// The same, by a look at all rows.
    fn mend_all(rows: &mut [AmendedRow], same: &HashMap<PassageId, PassageId>) {
        let at: HashedMap<PassageId, usize> =
            rows.iter().enumerate().map(|(number, row)| (row.passage.id, number)).collect();
        let joined = |id: PassageId| same.get(&id).copied().unwrap_or(id);
        for number in 0..rows.len() {
            if matches!(rows[number].text, TextOf::Found(_)) {
                let head = joined(rows[number].passage.family);
                let family = at.get(&head).map_or(head, |head| rows[*head].passage.family);
                let parent = rows[number].passage.parent.map(joined);
                rows[number].passage.parent = parent.filter(|parent| *parent != rows[number].passage.id);
                rows[number].passage.family = family;
            }
        }
        // For each family without a head its worthiest row.
        let mut heads: HashedMap<PassageId, usize> = HashedMap::default();
        let rank = |row: &AmendedRow| (row.passage.worth, row.passage.id);
        let is_without = |number: &usize| {
            let family = rows[*number].passage.family;
            at.get(&family).is_none_or(|&head| rows[head].passage.family != family)
        };
        let without: Vec<usize> = parallel::filter_numbers(rows.len(), |number| is_without(&number));
        for number in without {
            let row = &rows[number];
            let head = heads.entry(row.passage.family).or_insert(number);
            if rank(row) > rank(&rows[*head]) {
                *head = number;
            }
        }
        let heads: HashedMap<PassageId, PassageId> =
            heads.into_iter().map(|(family, head)| (family, rows[head].passage.id)).collect();
        parallel::for_each_mut(rows, |_, AmendedRow { passage, .. }| {
            passage.parent = passage.parent.filter(|parent| at.contains_key(parent));
            passage.family = heads.get(&passage.family).copied().unwrap_or(passage.family);
        });
        let mut sizes: HashedMap<PassageId, u64> = HashedMap::default();
        for AmendedRow { passage, .. } in rows.iter() {
            *sizes.entry(passage.family).or_default() += 1;
        }
        parallel::for_each_mut(rows, |_, AmendedRow { passage, .. }| {
            passage.members = if passage.is_head() { sizes[&passage.id] - 1 } else { 0 };
        });
    }

    fn row(id: u64, family: u64, parent: u64, worth: u64, is_found: bool) -> AmendedRow {
        let id = PassageId(id);
        let passage = Passage {
            id,
            copies: Vec::new(),
            representative: 0,
            documents: 2,
            parent: Some(PassageId(parent)).filter(|parent| *parent != id),
            unit: Unit::Passage,
            family: PassageId(family),
            members: 0,
            kind: None,
            worth,
            lines: 0,
        };
        let text = if is_found { TextOf::Found(0) } else { TextOf::Earlier(0) };
        AmendedRow { passage, text }
    }

    fn all_of(rows: &[AmendedRow]) -> Vec<Passage> {
        rows.iter().map(|row| row.passage.clone()).collect()
    }

    proptest! {
        #[test]
        fn rows_that_a_change_does_not_concern_need_no_look(
            earlier in prop::collection::vec((0..24_u64, 0..24_u64, 0..4_u64, 0..4_u8), 0..24),
            found in prop::collection::vec((0..36_u64, 0..36_u64, 0..36_u64, 0..4_u64), 0..6),
            joins in prop::collection::vec((24..36_u64, 0..24_u64), 0..4),
        ) {
            // Every third row is the head of its family, and each parent is there.
            let count = earlier.len() as u64;
            let rows = (0..count).zip(&earlier).map(|(id, &(family, parent, worth, _))| {
                let family = if id % 3 == 0 { id } else { family % count / 3 * 3 };
                row(id, family, parent % count, worth, false)
            });
            let mut rows: Vec<AmendedRow> = rows.collect();
            mend_all(&mut rows, &HashMap::new());
            // Some lose copies, and some of those are gone.
            let fate = |row: &AmendedRow| earlier[row.passage.id.0 as usize].3;
            let has_changed = rows.iter().filter(|row| fate(row) > 1);
            let changed: Vec<_> = has_changed.map(|row| (row.passage.id, row.passage.family)).collect();
            rows.retain(|row| fate(row) < 3);
            let there: HashSet<PassageId> = rows.iter().map(|row| row.passage.id).collect();
            let mut new: HashSet<PassageId> = HashSet::new();
            for (id, family, parent, worth) in found {
                if !there.contains(&PassageId(id)) && new.insert(PassageId(id)) {
                    rows.push(row(id, family, parent, worth, true));
                }
            }
            let joins = joins.into_iter().map(|(one, other)| (PassageId(one), PassageId(other)));
            let same: HashMap<PassageId, PassageId> =
                joins.filter(|(one, other)| !new.contains(one) && there.contains(other)).collect();
            let copy = |AmendedRow { passage, text }: &AmendedRow| AmendedRow { passage: passage.clone(), text: *text };
            let mut expected: Vec<AmendedRow> = rows.iter().map(copy).collect();
            mend_all(&mut expected, &same);
            mend_families(&mut rows, &changed, &same);
            prop_assert_eq!(all_of(&rows), all_of(&expected));
        }
    }
}
