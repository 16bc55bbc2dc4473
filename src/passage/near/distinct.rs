//! One row for one passage: groups of one text become one, and a group whose copies all lie in copies of a
//! larger one tells nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::super::group::{Group, Run};
use super::super::nested::LOOKED_AT;

/// Of its tokens a copy may have this part on either side beyond the one that holds it.
const SLACK: u32 = 8;

/// Leaves each passage once. Copies may stand out of those that hold them a little, by `gap` tokens at most.
pub fn distinct(groups: &mut Vec<Group>, gap: u32) {
    // Of equal texts the one with the most copies comes first.
    groups.par_sort_by_key(|group| (group.id, Reverse(group.runs.len()), group.runs[0].place));
    groups.dedup_by(|next, kept| {
        let is_same = next.id == kept.id;
        if is_same {
            unite(kept, next);
        }
        is_same
    });
    let holders = holders(groups, gap);
    let mut number = 0;
    groups.retain(|_| {
        number += 1;
        holders[number - 1].is_empty()
    });
}

/// Adds to a group the copies of another with the same text, unless it covers half of them already.
fn unite(group: &mut Group, other: &Group) {
    let representative = group.runs[group.representative as usize];
    let mut kept: BTreeMap<u32, Run> = group.runs.iter().map(|&run| (run.place, run)).collect();
    for &run in &other.runs {
        let before = kept.range(..=run.place).next_back().map_or(run.place, |(_, before)| before.end());
        let behind = kept.range(run.place..).next().map_or(run.end(), |(&behind, _)| behind);
        if behind.min(run.end()).saturating_sub(before.max(run.place)) * 2 > run.tokens {
            kept.insert(run.place, run);
        }
    }
    group.representative = kept.range(..representative.place).count() as u32;
    group.runs = kept.into_values().collect();
}

/// For each group the larger ones that hold all of its copies.
fn holders(groups: &[Group], gap: u32) -> Vec<Vec<u32>> {
    let mut standings: Vec<(Run, u32)> = (0..)
        .zip(groups)
        .flat_map(|(number, group)| group.runs.iter().map(move |&run| (run, number)))
        .collect();
    standings.par_sort_unstable_by_key(|(run, number)| (run.place, *number));
    let rank = |number: u32| {
        let group = &groups[number as usize];
        (group.runs.len(), group.tokens(), Reverse(group.id))
    };
    let mut holders: Vec<Option<Vec<u32>>> = vec![None; groups.len()];
    let mut open: Vec<(Run, u32)> = Vec::new();
    let mut next = 0;
    for (run, number) in &standings {
        while next < standings.len() && standings[next].0.place <= run.place + gap {
            while open.pop_if(|(top, _)| top.end() + gap <= run.place).is_some() {}
            open.push(standings[next]);
            next += 1;
        }
        let slack = gap.min(run.tokens / SLACK);
        let holds = |other: &Run| other.place <= run.place + slack && run.end() <= other.end() + slack;
        let mut near = open.iter().rev().take(LOOKED_AT);
        match &mut holders[*number as usize] {
            Some(known) => {
                known.retain(|&holder| near.clone().any(|(other, number)| *number == holder && holds(other)))
            }
            first => {
                let larger =
                    near.by_ref().filter(|(other, holder)| rank(*holder) > rank(*number) && holds(other));
                let mut larger: Vec<u32> = larger.map(|&(_, holder)| holder).collect();
                larger.sort_unstable();
                larger.dedup();
                *first = Some(larger);
            }
        }
    }
    holders.into_iter().map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::found::PassageId;
    use super::*;

    fn group(id: u64, runs: &[(u32, u32)]) -> Group {
        let run = |&(place, tokens): &(u32, u32)| Run { place, tokens, similarity: 1.0 };
        Group { id: PassageId(id), runs: runs.iter().map(run).collect(), representative: 0, parent: None }
    }

    fn left(mut groups: Vec<Group>) -> Vec<(u64, Vec<u32>)> {
        distinct(&mut groups, 8);
        let places = |group: &Group| group.runs.iter().map(|run| run.place).collect();
        groups.iter().map(|group| (group.id.0, places(group))).collect()
    }

    #[test]
    fn what_lies_in_a_larger_group_is_dropped() {
        let large = || group(1, &[(100, 50), (300, 50), (500, 50)]);
        let both = vec![(1, vec![100, 300, 500])];
        // Some of the copies, a token earlier; all of them, shorter.
        assert_eq!(left(vec![large(), group(2, &[(99, 51), (499, 51)])]), both);
        assert_eq!(left(vec![large(), group(2, &[(110, 30), (310, 30), (510, 30)])]), both);
    }

    #[test]
    fn what_is_longer_or_stands_elsewhere_too_is_kept() {
        let large = || group(1, &[(100, 50), (300, 50), (500, 50)]);
        let kept = |other: Group| left(vec![large(), other]).len();
        assert_eq!(kept(group(2, &[(80, 80), (280, 80)])), 2);
        assert_eq!(kept(group(2, &[(110, 30), (310, 30), (900, 30)])), 2);
        assert_eq!(kept(group(2, &[(110, 30), (310, 30), (510, 30), (900, 30)])), 2);
    }

    #[test]
    fn groups_of_one_text_become_one() {
        let two = vec![group(1, &[(100, 50), (300, 50)]), group(1, &[(97, 50), (500, 50), (700, 50)])];
        assert_eq!(left(two), [(1, vec![97, 300, 500, 700])]);
        let shifted = vec![group(1, &[(0, 50), (50, 50), (100, 50)]), group(1, &[(20, 50), (70, 50)])];
        assert_eq!(left(shifted), [(1, vec![0, 50, 100])], "nothing is counted twice");
    }
}
