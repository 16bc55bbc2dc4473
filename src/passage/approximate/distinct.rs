//! Removes redundant groups: groups with equal texts are merged, and a group whose copies all lie within copies of a
//! larger group is dropped.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::super::group::RunGroup;
use super::containing::containing;
use crate::group::PassageId;
use crate::measure::TokenRun;

/// A copy may extend beyond the copy that contains it by 1 / this of its tokens on either side.
const SLACK: u32 = 8;

/// Merges the groups with equal texts. Strongly overlapping copies are dropped, because very repetitive text would have
/// too many.
pub fn unite_equal(groups: &mut Vec<RunGroup>) {
    // Among equal texts the group with the most copies comes first.
    groups.par_sort_by_key(|group| (group.id, Reverse(group.runs.len()), group.runs[0].place));
    groups.dedup_by(|next, kept| {
        let is_same = next.id == kept.id;
        if is_same {
            unite(kept, next, |run| run.tokens / 2);
        }
        is_same
    });
}

/// Adds groups with different texts to `groups`. A group is merged with the one of equal text, if there is one; then at
/// most `gap` tokens of a copy are lost.
pub fn add(groups: &mut Vec<RunGroup>, more: Vec<RunGroup>, gap: u32) {
    let known: HashMap<PassageId, usize> =
        groups.iter().enumerate().map(|(number, group)| (group.id, number)).collect();
    for group in more {
        match known.get(&group.id) {
            Some(&number) => unite(&mut groups[number], &group, |_| gap),
            None => groups.push(group),
        }
    }
}

/// Drops the groups whose copies all lie within copies of larger groups that are kept, except for at most `gap` tokens.
pub fn drop_held(groups: &mut Vec<RunGroup>, gap: u32) {
    let holders = holders(groups, gap);
    let mut largest_first: Vec<usize> = (0..groups.len()).collect();
    largest_first.par_sort_unstable_by_key(|&number| Reverse(rank(&groups[number])));
    let mut stays = vec![true; groups.len()];
    for number in largest_first {
        stays[number] = !holders[number].iter().any(|&holder| stays[holder as usize]);
    }
    let mut stays = stays.into_iter();
    groups.retain(|_| stays.next() == Some(true));
}

/// Of two groups that contain each other, the one with the higher rank is kept.
fn rank(group: &RunGroup) -> (usize, u32, Reverse<PassageId>) {
    (group.runs.len(), group.tokens(), Reverse(group.id))
}

/// Merges the copies of `other`, a group with equal text, into `group`. A copy is added only when more than `lost` of
/// its tokens lie in no copy that is there.
fn unite(group: &mut RunGroup, other: &RunGroup, lost: impl Fn(&TokenRun) -> u32) {
    let representative = group.runs[group.representative as usize];
    let mut kept: BTreeMap<u32, TokenRun> = group.runs.iter().map(|&run| (run.place, run)).collect();
    for &run in &other.runs {
        let before = kept.range(..=run.place).next_back().map_or(run.place, |(_, before)| before.end());
        let behind = kept.range(run.place..).next().map_or(run.end(), |(&behind, _)| behind);
        if behind.min(run.end()).saturating_sub(before.max(run.place)) > lost(&run) {
            kept.insert(run.place, run);
        }
    }
    group.representative = kept.range(..representative.place).count() as u32;
    group.runs = kept.into_values().collect();
}

/// For each group, the larger groups that contain all of its copies.
fn holders(groups: &[RunGroup], gap: u32) -> Vec<Vec<u32>> {
    let rank = |number: u32| rank(&groups[number as usize]);
    let slack = |run: &TokenRun| gap.min(run.tokens / SLACK);
    containing(groups, groups, gap, slack, |holder, number| rank(holder) > rank(number))
}

#[cfg(test)]
mod tests {
    use super::super::super::unit::Unit;
    use super::*;

    fn group(id: u64, runs: &[(u32, u32)]) -> RunGroup {
        let run = |&(place, tokens): &(u32, u32)| TokenRun { place, tokens, similarity: 1.0 };
        RunGroup {
            id: PassageId(id),
            runs: runs.iter().map(run).collect(),
            representative: 0,
            parent: None,
            unit: Unit::Passage,
        }
    }

    fn left(mut groups: Vec<RunGroup>) -> Vec<(u64, Vec<u32>)> {
        unite_equal(&mut groups);
        drop_held(&mut groups, 8);
        let places = |group: &RunGroup| group.runs.iter().map(|run| run.place).collect();
        groups.iter().map(|group| (group.id.0, places(group))).collect()
    }

    #[test]
    fn what_lies_in_a_larger_group_is_dropped() {
        let large = || group(1, &[(100, 50), (300, 50), (500, 50)]);
        let both = vec![(1, vec![100, 300, 500])];
        // Some of the copies, one token earlier; all of them, shorter.
        assert_eq!(left(vec![large(), group(2, &[(99, 51), (499, 51)])]), both);
        assert_eq!(left(vec![large(), group(2, &[(110, 30), (310, 30), (510, 30)])]), both);
    }

    #[test]
    fn what_is_longer_or_stands_elsewhere_too_is_kept() {
        let large = || group(1, &[(100, 50), (300, 50), (500, 50)]);
        let kept = |other: RunGroup| left(vec![large(), other]).len();
        assert_eq!(kept(group(2, &[(80, 80), (280, 80)])), 2);
        assert_eq!(kept(group(2, &[(110, 30), (310, 30), (900, 30)])), 2);
        assert_eq!(kept(group(2, &[(110, 30), (310, 30), (510, 30), (900, 30)])), 2);
    }

    #[test]
    fn what_is_dropped_holds_nothing() {
        let step = |id: u64, by: u32| group(id, &[(100 + by, 60), (300 + by, 60), (500 + by, 60)]);
        // The second lies in the first except for 7 tokens, the third in the second, but not in the first.
        assert_eq!(left(vec![step(1, 0), step(2, 7), step(3, 14)]).len(), 2);
    }

    #[test]
    fn groups_of_one_text_become_one() {
        let two = vec![group(1, &[(100, 50), (300, 50)]), group(1, &[(97, 50), (500, 50), (700, 50)])];
        assert_eq!(left(two), [(1, vec![97, 300, 500, 700])]);
        let shifted = vec![group(1, &[(0, 50), (50, 50), (100, 50)]), group(1, &[(20, 50), (70, 50)])];
        assert_eq!(left(shifted), [(1, vec![0, 50, 100])], "nothing is counted twice");
    }

    #[test]
    fn of_what_is_added_little_is_lost() {
        let mut groups = vec![group(1, &[(0, 50), (300, 50)])];
        add(&mut groups, vec![group(1, &[(8, 50), (309, 50)]), group(2, &[(8, 60), (500, 60)])], 8);
        let places = |group: &RunGroup| group.runs.iter().map(|run| run.place).collect::<Vec<u32>>();
        assert_eq!(groups.iter().map(places).collect::<Vec<_>>(), [vec![0, 300, 309], vec![8, 500]]);
    }
}
