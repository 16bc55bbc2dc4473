//! The families of amended rows. Rows that were in a family stay in it. A new row is in the family that the search around
//! the changes named. The worthiest member stands for a family whose head is gone.

use std::collections::HashMap;

use crate::HashedMap;
use crate::passages::{Passage, PassageId};
use dupi_base::parallel;

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
