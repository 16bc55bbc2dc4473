//! Passages during the search: groups of runs of gathered tokens, and which of them lie within longer ones.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::gather::Gathered;
use crate::measure::TokenRun;
use crate::unit::Unit;
use dupi_text::token::fingerprint;

/// Identifies a passage by the tokens of its representative. Rows of identical documents and folders have ids that are
/// made of the texts of the documents, and of their names in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PassageId(pub u64);

impl fmt::Display for PassageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A copy of a passage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PassageCopy {
    /// The index of its document in the sources.
    pub source: u32,
    /// Its first byte in the file's text.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The index of its first token in its document.
    pub first: u32,
    /// How many tokens it has.
    pub tokens: u32,
    /// Its similarity to the representative, 0 to 1.
    pub similarity: f32,
}

impl PassageCopy {
    /// The index in its document of the token after its last one.
    pub fn end_token(&self) -> u32 {
        self.first + self.tokens
    }
}

/// The copies of one passage.
#[derive(Clone, Debug, PartialEq)]
pub struct RunGroup {
    /// The id of the passage.
    pub id: PassageId,
    /// The copies, sorted by place.
    pub runs: Vec<TokenRun>,
    /// The index of the copy that the others were compared with.
    pub representative: u32,
    /// A longer passage that contains this one.
    pub parent: Option<PassageId>,
    /// What its copies are.
    pub unit: Unit,
}

impl RunGroup {
    /// A group of some copies, which must be sorted by place.
    pub fn new(gathered: &Gathered, runs: Vec<TokenRun>, representative: u32) -> Self {
        let id = PassageId(fingerprint(gathered.tokens_of(&runs[representative as usize])) as u64);
        Self { id, runs, representative, parent: None, unit: Unit::Passage }
    }

    /// How many tokens the representative has.
    pub fn tokens(&self) -> u32 {
        self.runs[self.representative as usize].tokens
    }

    /// How many whole lines could be deleted if only the representative were kept. Lines in overlapping copies count
    /// once.
    pub fn deletable_lines(&self, gathered: &Gathered) -> u64 {
        let lines = |places: Range<u32>| u64::from(gathered.whole_lines(places));
        let (mut sum, mut open) = (0, 0..0);
        for run in &self.runs {
            if run.place < open.end {
                open.end = open.end.max(run.end());
            } else {
                let last = std::mem::replace(&mut open, run.place..run.end());
                sum += if last.is_empty() { 0 } else { lines(last) };
            }
        }
        let representative = self.runs[self.representative as usize];
        (sum + lines(open)).saturating_sub(lines(representative.place..representative.end()))
    }

    /// How many documents contain a copy.
    pub fn documents(&self, gathered: &Gathered) -> u32 {
        let document = |run: &TokenRun| gathered.stretches[gathered.stretch_at(run.place)].document;
        self.runs.chunk_by(|a, b| document(a) == document(b)).count() as u32
    }
}

/// Some copies of one passage without overlapping ones that are not needed to cover the same tokens, and the number of the
/// `representative` among these. It is kept.
pub fn thinned(runs: Vec<TokenRun>, representative: u32) -> (Vec<TokenRun>, u32) {
    let mut kept: Vec<TokenRun> = Vec::with_capacity(runs.len());
    let mut kept_representative = 0;
    for (number, run) in (0..).zip(&runs) {
        let end = kept.last().map_or(0, TokenRun::end);
        let joins = |next: &TokenRun| next.place <= end && run.end() <= next.end();
        let is_covered = run.place < end && runs.get(number + 1).is_some_and(joins);
        let is_representative = number == representative as usize;
        if is_representative {
            kept_representative = kept.len() as u32;
        }
        if is_representative || !is_covered {
            kept.push(*run);
        }
    }
    (kept, kept_representative)
}

/// Unites groups with equal ids; the longest of them says which copy represents all.
pub fn united(mut groups: Vec<RunGroup>) -> Vec<RunGroup> {
    groups.sort_by(|a, b| a.id.cmp(&b.id).then_with(|| b.runs.len().cmp(&a.runs.len())));
    let mut united: Vec<RunGroup> = Vec::with_capacity(groups.len());
    for group in groups {
        match united.last_mut() {
            Some(last) if last.id == group.id => {
                let shown = last.runs[last.representative as usize].place;
                last.runs.extend(group.runs);
                last.runs.sort_by_key(|run| run.place);
                last.runs.dedup_by_key(|run| run.place);
                last.representative = last.runs.iter().position(|run| run.place == shown).unwrap_or(0) as u32;
            }
            _ => united.push(group),
        }
    }
    united
}

/// The positions of some runs in their files, in the order of the runs.
pub fn spots_of(gathered: &Gathered, runs: &[TokenRun]) -> Vec<PassageCopy> {
    let mut order: Vec<(usize, usize)> =
        runs.iter().enumerate().map(|(number, run)| (gathered.stretch_at(run.place), number)).collect();
    order.par_sort_unstable();
    let groups: Vec<&[(usize, usize)]> = order.chunk_by(|a, b| a.0 == b.0).collect();
    let found: Vec<(usize, PassageCopy)> = groups
        .par_iter()
        .flat_map_iter(|group| {
            let stretch = &gathered.stretches[group[0].0];
            let last = group.iter().map(|&(_, number)| runs[number].end()).max().unwrap_or(stretch.base);
            let spans: Vec<_> = gathered.spans(stretch).take((last - stretch.base) as usize).collect();
            group.iter().map(move |&(_, number)| {
                let run = runs[number];
                let at = run.place - stretch.base;
                let last = (at + run.tokens) as usize - 1;
                let spot = PassageCopy {
                    source: stretch.document,
                    start: spans[at as usize].start as u32,
                    end: spans[last].end as u32,
                    first: stretch.first + at,
                    tokens: run.tokens,
                    similarity: run.similarity,
                };
                (number, spot)
            })
        })
        .collect();
    let mut spots =
        vec![PassageCopy { source: 0, start: 0, end: 0, first: 0, tokens: 0, similarity: 0.0 }; runs.len()];
    for (number, spot) in found {
        spots[number] = spot;
    }
    spots
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn kept_of(runs: &[(u32, u32)], representative: u32) -> (Vec<u32>, u32) {
        let run = |&(place, tokens): &(u32, u32)| TokenRun { place, tokens, similarity: 1.0 };
        let (kept, representative) = thinned(runs.iter().map(run).collect(), representative);
        (kept.iter().map(|run| run.place).collect(), kept[representative as usize].place)
    }

    #[test]
    fn of_overlapping_copies_as_few_are_kept_as_cover_the_same() {
        let of_four = |places: &[u32]| {
            let runs: Vec<(u32, u32)> = places.iter().map(|&place| (place, 4)).collect();
            kept_of(&runs, 0).0
        };
        assert_eq!(of_four(&[0, 1, 2, 3, 4, 5, 6, 7]), [0, 4, 7]);
        assert_eq!(of_four(&[0, 10, 20]), [0, 10, 20]);
        assert_eq!(of_four(&[0, 3, 10, 12]), [0, 3, 10, 12]);
        assert_eq!(kept_of(&[(0, 30), (1, 30)], 0).0, [0, 1]);
    }

    #[test]
    fn the_representative_and_what_reaches_farther_are_kept() {
        assert_eq!(kept_of(&[(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)], 2), (vec![0, 2, 4], 2));
        assert_eq!(kept_of(&[(0, 25), (10, 50), (20, 25)], 0), (vec![0, 10, 20], 0));
    }
}
