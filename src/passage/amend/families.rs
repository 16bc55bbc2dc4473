//! The families of amended rows. Rows that were in a family stay in it. A new row is in the family that the search around
//! the changes named. The worthiest member stands for a family whose head is gone.

use std::collections::HashMap;

use rayon::prelude::*;

use super::row::AmendedRow;
use crate::passage::HashedMap;
use crate::passage::passages::PassageId;
use crate::passage::texts::TextOf;

/// Names the family of each row, counts the members, and forgets parents that are gone. `same` has the rows of the search
/// around the changes that joined an earlier row, with this row.
pub(super) fn mend_families(rows: &mut [AmendedRow], same: &HashMap<PassageId, PassageId>) {
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
    let without: Vec<usize> = (0..rows.len()).into_par_iter().filter(is_without).collect();
    for number in without {
        let row = &rows[number];
        let head = heads.entry(row.passage.family).or_insert(number);
        if rank(row) > rank(&rows[*head]) {
            *head = number;
        }
    }
    let heads: HashedMap<PassageId, PassageId> =
        heads.into_iter().map(|(family, head)| (family, rows[head].passage.id)).collect();
    rows.par_iter_mut().for_each(|AmendedRow { passage, .. }| {
        passage.parent = passage.parent.filter(|parent| at.contains_key(parent));
        passage.family = heads.get(&passage.family).copied().unwrap_or(passage.family);
    });
    let mut sizes: HashedMap<PassageId, u64> = HashedMap::default();
    for AmendedRow { passage, .. } in rows.iter() {
        *sizes.entry(passage.family).or_default() += 1;
    }
    rows.par_iter_mut().for_each(|AmendedRow { passage, .. }| {
        passage.members = if passage.is_head() { sizes[&passage.id] - 1 } else { 0 };
    });
}
