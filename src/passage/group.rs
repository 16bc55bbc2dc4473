//! Passages while they are looked for: groups of runs of the gathered tokens.

use rayon::prelude::*;

use super::found::{Passage, PassageId, Spot};
use super::gather::Gathered;
use super::print::print;
use super::run::Run;
use crate::corpus::portions;

/// Copies of one passage.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name.
    pub id: PassageId,
    /// The copies, in the order of places.
    pub runs: Vec<Run>,
    /// Which of them the others were compared with.
    pub representative: u32,
    /// A longer passage that holds this one.
    pub parent: Option<PassageId>,
}

impl Group {
    /// A group of some copies in the order of places.
    pub fn new(gathered: &Gathered, runs: Vec<Run>, representative: u32) -> Self {
        let id = PassageId(print(gathered.tokens_of(&runs[representative as usize])) as u64);
        Self { id, runs, representative, parent: None }
    }

    /// Leaves of copies that overlap as few as still cover the same tokens, and the representative.
    pub fn thin(&mut self) {
        let mut kept: Vec<Run> = Vec::with_capacity(self.runs.len());
        let mut representative = 0;
        for (number, run) in (0..).zip(&self.runs) {
            let end = kept.last().map_or(0, Run::end);
            let joins = |next: &Run| next.place <= end && run.end() <= next.end();
            let is_covered = run.place < end && self.runs.get(number + 1).is_some_and(joins);
            let is_representative = number == self.representative as usize;
            if is_representative {
                representative = kept.len() as u32;
            }
            if is_representative || !is_covered {
                kept.push(*run);
            }
        }
        (self.runs, self.representative) = (kept, representative);
    }

    /// The tokens of the representative.
    pub fn tokens(&self) -> u32 {
        self.runs[self.representative as usize].tokens
    }

    /// In how many documents the copies stand.
    pub fn documents(&self, gathered: &Gathered) -> u32 {
        let document = |run: &Run| gathered.stretches[gathered.stretch_at(run.place)].document;
        self.runs.chunk_by(|a, b| document(a) == document(b)).count() as u32
    }
}

/// So many copies are looked up at once.
const AT_ONCE: u64 = 1 << 20;

/// Groups as passages, whose copies are bytes of files.
pub fn passages_of(gathered: &Gathered, groups: Vec<Group>, worths: Vec<u64>) -> Vec<Passage> {
    let mut passages = Vec::with_capacity(groups.len());
    let mut worths = worths.into_iter();
    for some in portions(&groups, AT_ONCE, |group| group.runs.len() as u64) {
        let runs: Vec<Run> = some.iter().flat_map(|group| &group.runs).copied().collect();
        let mut spots = spots_of(gathered, &runs).into_iter();
        passages.extend(some.iter().zip(worths.by_ref()).map(|(group, worth)| {
            let copies: Vec<Spot> = spots.by_ref().take(group.runs.len()).collect();
            Passage {
                id: group.id,
                representative: group.representative,
                documents: copies.chunk_by(|a, b| a.source == b.source).count() as u32,
                copies,
                parent: group.parent,
                worth,
            }
        }));
    }
    passages
}

/// Where some runs stand in their files, in the order of the runs.
fn spots_of(gathered: &Gathered, runs: &[Run]) -> Vec<Spot> {
    let mut order: Vec<(usize, usize)> =
        runs.iter().enumerate().map(|(number, run)| (gathered.stretch_at(run.place), number)).collect();
    order.par_sort_unstable();
    let groups: Vec<&[(usize, usize)]> = order.chunk_by(|a, b| a.0 == b.0).collect();
    let found: Vec<(usize, Spot)> = groups
        .par_iter()
        .flat_map_iter(|group| {
            let stretch = &gathered.stretches[group[0].0];
            let last = group.iter().map(|&(_, number)| runs[number].end()).max().unwrap_or(stretch.base);
            let spans: Vec<_> = gathered.spans(stretch).take((last - stretch.base) as usize).collect();
            group.iter().map(move |&(_, number)| {
                let run = runs[number];
                let at = run.place - stretch.base;
                let last = (at + run.tokens) as usize - 1;
                let spot = Spot {
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
        vec![Spot { source: 0, start: 0, end: 0, first: 0, tokens: 0, similarity: 0.0 }; runs.len()];
    for (number, spot) in found {
        spots[number] = spot;
    }
    spots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thinned(runs: &[(u32, u32)], representative: u32) -> (Vec<u32>, u32) {
        let run = |&(place, tokens): &(u32, u32)| Run { place, tokens, similarity: 1.0 };
        let runs = runs.iter().map(run).collect();
        let mut group = Group { id: PassageId(0), runs, representative, parent: None };
        group.thin();
        (group.runs.iter().map(|run| run.place).collect(), group.runs[group.representative as usize].place)
    }

    #[test]
    fn of_overlapping_copies_as_few_are_kept_as_cover_the_same() {
        let of_four = |places: &[u32]| {
            let runs: Vec<(u32, u32)> = places.iter().map(|&place| (place, 4)).collect();
            thinned(&runs, 0).0
        };
        assert_eq!(of_four(&[0, 1, 2, 3, 4, 5, 6, 7]), [0, 4, 7]);
        assert_eq!(of_four(&[0, 10, 20]), [0, 10, 20]);
        assert_eq!(of_four(&[0, 3, 10, 12]), [0, 3, 10, 12]);
        assert_eq!(thinned(&[(0, 30), (1, 30)], 0).0, [0, 1]);
    }

    #[test]
    fn the_representative_and_what_reaches_farther_are_kept() {
        assert_eq!(thinned(&[(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)], 2), (vec![0, 2, 4], 2));
        assert_eq!(thinned(&[(0, 25), (10, 50), (20, 25)], 0), (vec![0, 10, 20], 0));
    }
}
