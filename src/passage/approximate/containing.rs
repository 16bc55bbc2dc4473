//! Finds groups that contain others: each copy of the one lies in a copy of its own of the other.

use rayon::prelude::*;

use crate::group::{LOOKED_AT, RunGroup};
use crate::measure::TokenRun;

/// A group that may contain another, with the last of its copies in which one of the other lies.
struct Holder {
    group: u32,
    last: u32,
}

/// For each of the `inner` groups, the `outer` ones that contain all of its copies, each in a copy of its own, except for
/// `slack` tokens at either end, which is at most `reach`. Only those are considered that `may_hold` it. Copies of one
/// group must not overlap.
pub fn containing(
    inner: &[RunGroup],
    outer: &[RunGroup],
    reach: u32,
    slack: impl Fn(&TokenRun) -> u32,
    may_hold: impl Fn(u32, u32) -> bool,
) -> Vec<Vec<u32>> {
    let (inner_runs, outer_runs) = (standings(inner), standings(outer));
    let mut holders: Vec<Option<Vec<Holder>>> = Vec::with_capacity(inner.len());
    holders.resize_with(inner.len(), || None);
    let mut open: Vec<(TokenRun, u32)> = Vec::new();
    let mut next = 0;
    for (run, number) in &inner_runs {
        while next < outer_runs.len() && outer_runs[next].0.place <= run.place + reach {
            while open.pop_if(|(top, _)| top.end() + reach <= run.place).is_some() {}
            open.push(outer_runs[next]);
            next += 1;
        }
        let slack = slack(run);
        let holds = |other: &TokenRun| other.place <= run.place + slack && run.end() <= other.end() + slack;
        let near = open.iter().rev().take(LOOKED_AT).filter(|(other, _)| holds(other));
        match &mut holders[*number as usize] {
            Some(known) => known.retain_mut(|holder| {
                let next =
                    |(other, group): &&(TokenRun, u32)| *group == holder.group && other.place > holder.last;
                let found = near.clone().filter(next).map(|(other, _)| other.place).min();
                holder.last = found.unwrap_or(holder.last);
                found.is_some()
            }),
            first => {
                let larger = near.filter(|(_, group)| may_hold(*group, *number));
                let mut larger: Vec<(u32, u32)> =
                    larger.map(|&(other, group)| (group, other.place)).collect();
                larger.sort_unstable();
                larger.dedup_by_key(|(group, _)| *group);
                *first = Some(larger.into_iter().map(|(group, last)| Holder { group, last }).collect());
            }
        }
    }
    let groups =
        |known: Option<Vec<Holder>>| known.unwrap_or_default().into_iter().map(|holder| holder.group);
    holders.into_iter().map(|known| groups(known).collect()).collect()
}

/// The copies of all groups, each with the number of its group, sorted by place.
fn standings(groups: &[RunGroup]) -> Vec<(TokenRun, u32)> {
    let mut runs: Vec<(TokenRun, u32)> = (0..)
        .zip(groups)
        .flat_map(|(number, group)| group.runs.iter().map(move |&run| (run, number)))
        .collect();
    runs.par_sort_unstable_by_key(|(run, number)| (run.place, *number));
    runs
}

/// Those of the `equal` groups that are not whole in one of the others: no other group has, for each of its runs, a copy
/// of its own that contains the run except for `gap` tokens at either end.
pub fn remainder(groups: &[RunGroup], equal: &[RunGroup], gap: u32) -> Vec<RunGroup> {
    let holders = containing(equal, groups, gap, |_| gap, |_, _| true);
    equal
        .iter()
        .zip(holders)
        .filter(|(_, holders)| holders.is_empty())
        .map(|(group, _)| group.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::unit::Unit;
    use super::*;
    use crate::group::PassageId;
    use crate::measure::TokenRun;

    #[test]
    fn what_no_group_holds_in_copies_of_its_own_is_missed() {
        let run = |(place, tokens): (u32, u32)| TokenRun { place, tokens, similarity: 1.0 };
        let group = |runs: &[(u32, u32)]| RunGroup {
            id: PassageId(0),
            runs: runs.iter().copied().map(run).collect(),
            representative: 0,
            parent: None,
            unit: Unit::Passage,
        };
        let told = [group(&[(100, 40), (140, 40), (300, 90)]), group(&[(300, 90), (400, 90)])];
        let is_missed = |runs: &[(u32, u32)]| !remainder(&told, &[group(runs)], 8).is_empty();
        assert!(!is_missed(&[(100, 40), (310, 30)]));
        assert!(!is_missed(&[(93, 50), (295, 100)]), "slightly beyond the ends");
        assert!(is_missed(&[(100, 80), (310, 30)]), "two adjacent copies do not contain a longer one");
        assert!(is_missed(&[(150, 30), (600, 30)]));
        assert!(is_missed(&[(110, 25), (420, 25)]), "in copies of two groups");
        assert!(is_missed(&[(300, 30), (350, 30)]), "in one copy");
    }
}
