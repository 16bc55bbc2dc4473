//! Finds the passages that lie within longer ones.

use std::cmp::Reverse;
use std::collections::HashMap;

use rayon::prelude::*;

use super::group::RunGroup;
use crate::group::PassageId;

/// The range of a copy among the gathered tokens.
#[derive(Clone, Copy)]
struct CopyRange {
    start: u32,
    end: u32,
    passage: u32,
}

/// How many open copies are checked for one that contains another.
pub const LOOKED_AT: usize = 64;

/// Sets the parent of each passage that lies within a longer one. For each copy the innermost longer copy around it is a
/// candidate; the parent is the candidate passage with the most copies.
pub fn name_parents(found: &mut [RunGroup]) {
    let mut standings: Vec<CopyRange> = (0..)
        .zip(found.iter())
        .flat_map(|(passage, of)| {
            of.runs.iter().map(move |run| CopyRange { start: run.place, end: run.end(), passage })
        })
        .collect();
    standings.par_sort_unstable_by_key(|at| (at.start, Reverse(at.end), at.passage));
    let mut parents: HashMap<u32, u32> = HashMap::new();
    let rank = |passage: u32| {
        let of = &found[passage as usize];
        (Reverse(of.runs.len()), of.tokens(), of.id)
    };
    let mut open: Vec<CopyRange> = Vec::new();
    for at in standings {
        while open.pop_if(|top| top.end <= at.start).is_some() {}
        let holds = |other: &&CopyRange| {
            other.end >= at.end
                && (other.start, other.end) != (at.start, at.end)
                && found[other.passage as usize].tokens() > found[at.passage as usize].tokens()
        };
        if let Some(holder) = open.iter().rev().take(LOOKED_AT).find(holds) {
            parents
                .entry(at.passage)
                .and_modify(|known| {
                    if rank(holder.passage) < rank(*known) {
                        *known = holder.passage;
                    }
                })
                .or_insert(holder.passage);
        }
        open.push(at);
    }
    let ids: Vec<PassageId> = found.iter().map(|passage| passage.id).collect();
    for (passage, parent) in parents {
        found[passage as usize].parent = Some(ids[parent as usize]);
    }
}
