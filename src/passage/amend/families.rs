//! The families of amended rows. Rows that were in a family stay in it. A new row is in the family that the search around
//! the changes named. The worthiest member stands for a family whose head is gone.

use std::collections::HashMap;

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
    let mut heads: HashMap<PassageId, usize> = HashMap::new();
    let rank = |row: &AmendedRow| (row.passage.worth, row.passage.id);
    for (number, row) in rows.iter().enumerate() {
        let family = row.passage.family;
        if at.get(&family).is_none_or(|&head| rows[head].passage.family != family) {
            let head = heads.entry(family).or_insert(number);
            if rank(row) > rank(&rows[*head]) {
                *head = number;
            }
        }
    }
    let heads: HashMap<PassageId, PassageId> =
        heads.into_iter().map(|(family, head)| (family, rows[head].passage.id)).collect();
    let mut sizes: HashedMap<PassageId, u64> = HashedMap::default();
    for AmendedRow { passage, .. } in rows.iter_mut() {
        passage.parent = passage.parent.filter(|parent| at.contains_key(parent));
        passage.family = heads.get(&passage.family).copied().unwrap_or(passage.family);
        *sizes.entry(passage.family).or_default() += 1;
    }
    for AmendedRow { passage, .. } in rows {
        passage.members = if passage.is_head() { sizes[&passage.id] - 1 } else { 0 };
    }
}
