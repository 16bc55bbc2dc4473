//! Divides passages in which all names are one into those in which names differ consistently: between two copies each name
//! stands for one other, and that one for it.
//!
//! Two copies differ so if their names, numbered in the order in which they first occur, have the same numbers. Copies with
//! other numbers are compared in pairs: stretches without a contradiction, one behind the other, are passages too.

use std::collections::HashMap;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::gather::Gathered;
use super::group::{RunGroup, united};
use super::unit::Unit;
use crate::group::PassageId;
use crate::measure::TokenRun;

/// The most forms of names of a passage that are compared in pairs; the others only with the first.
const COMPARED: usize = 8;

/// Divides groups of equal runs.
pub(super) fn divided(gathered: &Gathered, groups: Vec<RunGroup>, least: u32) -> Vec<RunGroup> {
    let of = |group: RunGroup| divided_group(gathered, group, least);
    // A stretch of one pair may be the whole of another group.
    united(groups.into_par_iter().flat_map_iter(of).collect())
}

/// A group of runs whose names have the same numbers. Its id tells it from groups of the same tokens with other numbers.
fn group_of(gathered: &Gathered, runs: Vec<TokenRun>, unit: Unit) -> RunGroup {
    let form = numbered(gathered.names_of(&runs[0]));
    let bytes: Vec<u8> = form.iter().flat_map(|number| number.to_le_bytes()).collect();
    let group = RunGroup::new(gathered, runs, 0);
    RunGroup { id: PassageId(group.id.0 ^ xxh3_64(&bytes)), unit, ..group }
}

fn divided_group(gathered: &Gathered, group: RunGroup, least: u32) -> Vec<RunGroup> {
    let mut forms: Vec<(Vec<u32>, Vec<TokenRun>)> = Vec::new();
    let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
    for run in &group.runs {
        let form = numbered(gathered.names_of(run));
        let number = *known.entry(form).or_insert_with_key(|form| {
            forms.push((form.clone(), Vec::new()));
            forms.len() - 1
        });
        forms[number].1.push(*run);
    }
    if forms.len() == 1 {
        return vec![group_of(gathered, group.runs, group.unit)];
    }
    let mut found = Vec::new();
    for (number, (_, runs)) in forms.iter().enumerate() {
        let compared = if number < COMPARED { 0..number } else { 0..1 };
        for (_, others) in &forms[compared] {
            found.extend(stretches(gathered, [&others[0], &runs[0]], least));
        }
    }
    let whole = forms.into_iter().map(|(_, runs)| runs).filter(|runs| runs.len() > 1);
    found.extend(whole.map(|runs| group_of(gathered, runs, group.unit)));
    found
}

/// How many of the first pairs of names differ consistently; 0 stands for no name.
pub fn consistent_len<'n>(names: impl Iterator<Item = (&'n u32, &'n u32)>) -> usize {
    let (mut there, mut back) = (HashMap::new(), HashMap::new());
    let agree = |(a, b): &(&u32, &u32)| {
        (**a == 0) == (**b == 0)
            && (**a == 0
                || (*there.entry(**a).or_insert(**b) == **b && *back.entry(**b).or_insert(**a) == **a))
    };
    names.take_while(agree).count()
}

/// The names of a run by the order in which they first occur; 0 where there is none.
fn numbered(names: &[u32]) -> Vec<u32> {
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let number = |name: &u32| match *name {
        0 => 0,
        name => {
            let next = numbers.len() as u32 + 1;
            *numbers.entry(name).or_insert(next)
        }
    };
    names.iter().map(number).collect()
}

/// The stretches of two equal runs in which names differ consistently, one behind the other, each as long as it can be.
fn stretches(gathered: &Gathered, [a, b]: [&TokenRun; 2], least: u32) -> Vec<RunGroup> {
    let (of_a, of_b) = (gathered.names_of(a), gathered.names_of(b));
    let mut found = Vec::new();
    let (mut start, length) = (0, of_a.len().min(of_b.len()));
    while start < length {
        let count = consistent_len(of_a[start..].iter().zip(&of_b[start..]));
        if count as u32 >= least {
            let part =
                |run: &TokenRun| TokenRun { place: run.place + start as u32, tokens: count as u32, ..*run };
            let mut runs = vec![part(a), part(b)];
            runs.sort_by_key(|run| run.place);
            found.push(group_of(gathered, runs, Unit::Passage));
        }
        // Behind the name that contradicts, unless that begins the stretch.
        start += count.max(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_as_they_first_occur() {
        assert_eq!(numbered(&[7, 0, 9, 7, 3, 9]), [1, 0, 2, 1, 3, 2]);
        assert_eq!(numbered(&[3, 0, 1, 3, 4, 1]), [1, 0, 2, 1, 3, 2]);
        assert_ne!(numbered(&[3, 0, 3, 3, 4, 1]), [1, 0, 2, 1, 3, 2]);
    }
}
