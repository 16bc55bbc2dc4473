//! The gathered stretches without those that only repeat another one. A search goes over them once, whatever the number
//! of copies, and its results are then multiplied to all.
//!
//! Two stretches are equal if they share their tokens in memory, as those of identical documents do, or if their tokens
//! have the same fingerprint of 128 bits.

use rayon::prelude::*;

use super::gather::{Gathered, PlaceIndex, TokenStretch};
use crate::measure::TokenRun;
use dupi_base::parallel;
use dupi_text::token::fingerprint;

/// One stretch of each set of equal ones, the first. Their places are numbered anew, without gaps.
pub struct DistinctTexts<'g> {
    gathered: &'g Gathered,
    /// The stretches. The base of each is its place among these texts, and not among all that was gathered.
    pub stretches: Vec<TokenStretch>,
    /// The indices of the stretches that are equal to each of them and of itself, ascending, one after another.
    equal: Vec<u32>,
    /// For each stretch, where its equals begin, and the end of the last.
    starts: Vec<u32>,
    index: PlaceIndex,
}

impl<'g> DistinctTexts<'g> {
    /// The texts of all that was gathered.
    pub fn find(gathered: &'g Gathered) -> Self {
        let mut order: Vec<u32> = (0..gathered.stretches.len() as u32).collect();
        let held = |number: u32| gathered.stretches[number as usize].held_at();
        order.par_sort_unstable_by_key(|&number| (held(number), number));
        let shared: Vec<&[u32]> = order.chunk_by(|&a, &b| held(a) == held(b)).collect();
        let print = |same: &&[u32]| {
            let print = fingerprint(gathered.tokens(&gathered.stretches[same[0] as usize]));
            same.iter().map(move |&number| (print, number)).collect::<Vec<_>>()
        };
        let mut prints: Vec<(u128, u32)> = parallel::flat_map(&shared, print);
        drop(shared);
        drop(order);
        prints.par_sort_unstable();
        Self::of_prints(gathered, &prints)
    }

    /// The texts of all that was gathered, also of equal stretches.
    #[cfg(test)]
    pub fn with_copies(gathered: &'g Gathered) -> Self {
        let prints: Vec<(u128, u32)> =
            (0..gathered.stretches.len() as u32).map(|number| (number.into(), number)).collect();
        Self::of_prints(gathered, &prints)
    }

    /// The texts of stretches with these fingerprints and numbers, which are sorted.
    fn of_prints(gathered: &'g Gathered, prints: &[(u128, u32)]) -> Self {
        let mut sets: Vec<&[(u128, u32)]> = prints.chunk_by(|a, b| a.0 == b.0).collect();
        sets.par_sort_unstable_by_key(|same| same[0].1);
        let (mut base, mut stretches, mut equal) = (0, Vec::with_capacity(sets.len()), Vec::new());
        let mut starts = Vec::with_capacity(sets.len() + 1);
        for same in sets {
            let mut stretch = gathered.stretches[same[0].1 as usize];
            stretch.base = base;
            base += stretch.len;
            stretches.push(stretch);
            starts.push(equal.len() as u32);
            equal.extend(same.iter().map(|&(_, number)| number));
        }
        starts.push(equal.len() as u32);
        let index = PlaceIndex::new(&stretches);
        Self { gathered, stretches, equal, starts, index }
    }

    /// The number of their tokens.
    pub fn len(&self) -> u32 {
        self.stretches.last().map_or(0, |last| last.base + last.len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// Whether no stretch is equal to another.
    pub fn are_all(&self) -> bool {
        self.equal.len() == self.stretches.len()
    }

    /// The hashes of a stretch's tokens.
    pub fn tokens(&self, stretch: &TokenStretch) -> &'g [u64] {
        self.gathered.tokens(stretch)
    }

    /// The index of the stretch that contains a place.
    pub fn stretch_at(&self, place: u32) -> usize {
        self.index.stretch_at(&self.stretches, place)
    }

    /// How many gathered stretches are equal to one of these, with itself.
    pub fn copies(&self, number: usize) -> u32 {
        self.starts[number + 1] - self.starts[number]
    }

    /// The indices of these stretches among all, ascending.
    pub fn equal(&self, number: usize) -> &[u32] {
        &self.equal[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// For each gathered stretch, the number of the one of these that it is equal to.
    pub fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.equal.len()];
        for number in 0..self.stretches.len() {
            self.equal(number).iter().for_each(|&equal| numbers[equal as usize] = number as u32);
        }
        numbers
    }

    /// How often some runs of these texts were gathered.
    pub fn count(&self, runs: &[TokenRun]) -> usize {
        if self.are_all() {
            return runs.len();
        }
        runs.iter().map(|run| self.copies(self.stretch_at(run.place)) as usize).sum()
    }

    /// Some runs of these texts wherever they were gathered, sorted by place.
    pub fn everywhere(&self, runs: Vec<TokenRun>) -> Vec<TokenRun> {
        if self.are_all() {
            return runs;
        }
        let mut all = Vec::with_capacity(self.count(&runs));
        for run in runs {
            let number = self.stretch_at(run.place);
            let at = run.place - self.stretches[number].base;
            let base = |&equal: &u32| self.gathered.stretches[equal as usize].base;
            all.extend(self.equal(number).iter().map(|equal| TokenRun { place: base(equal) + at, ..run }));
        }
        // The copies of each run are in order already.
        all.sort_by_key(|run| run.place);
        all
    }
}
