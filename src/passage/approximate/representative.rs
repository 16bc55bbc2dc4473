//! Chooses the representative of a group: the copy nearest to all others.
//!
//! A group grows around its first copy, and that one may be an outlier: a table under a file header, where hundreds of
//! equal tables have none. So the first copy gives way to the medoid:
//!
//! - The distance of two texts is the number of pairs of consecutive tokens that only one of them has. For a text A
//!   among texts C, each with w(C) equal copies, the sum Σ w(C)·(|A| + |C| − 2·|A ∩ C|) follows from the number of
//!   copies with each pair. So the time is linear in the tokens of the texts, however many they are.
//! - The nearest copy is compared with all others as in the search. It becomes the representative if they are more
//!   similar to it altogether than to the first copy.
//! - The copies that are not similar enough to it stay with the first copy, as a group of their own.

use std::cmp::Reverse;

use super::super::gather::Gathered;
use super::super::group::RunGroup;
use super::super::measure::{Measure, Shared};
use super::extend::{Agreement, Pair};
use super::pair_counts::PairCounts;
use super::weights::Weights;
use crate::measure::TokenRun;
use dupi_text::token::fingerprint;

/// The most different texts of a group that are candidates: the one half those with the most copies, the other half
/// taken evenly from the rest.
const CANDIDATES: usize = 64;

/// Chooses representatives.
pub struct Chooser<'a> {
    /// The texts.
    pub gathered: &'a Gathered,
    /// The weights of tokens.
    pub weights: &'a Weights,
    /// The criteria for copies.
    pub measure: Measure,
    /// The fewest tokens of a representative.
    pub least: u32,
}

/// The copies of a group with one text.
struct CopyText {
    /// The index of the first of them.
    first: usize,
    copies: u32,
}

impl Chooser<'_> {
    /// The group with the copy nearest to all others as its representative, and the group of the copies that are not
    /// similar enough to it, if there are any.
    pub fn chosen(&self, counts: &mut PairCounts, group: RunGroup) -> (RunGroup, Option<RunGroup>) {
        let first = group.representative as usize;
        let is_equal = |run: &TokenRun| run.similarity >= 1.0 && run.tokens == group.runs[first].tokens;
        // A text with half of the copies is a medoid; of two texts, both are.
        let equal = group.runs.iter().filter(|run| is_equal(run)).count();
        if group.runs.len() < 3 || equal * 2 >= group.runs.len() {
            return (group, None);
        }
        let (texts, of_run) = self.texts(&group, is_equal);
        let Some(nearest) = self.nearest(counts, &group, &texts, of_run[first]) else { return (group, None) };
        if of_run[first] == nearest {
            return (group, None);
        }
        let similarities = self.similarities(counts, &group, &texts, nearest);
        let of = |run: usize| similarities[of_run[run]];
        let sum = |similarity: &dyn Fn(usize) -> f32| -> f64 {
            (0..group.runs.len()).map(|run| f64::from(similarity(run))).sum()
        };
        if sum(&|run| of(run).unwrap_or(0.0)) <= sum(&|run| group.runs[run].similarity) {
            return (group, None);
        }
        let part = |representative: usize, run: &dyn Fn(usize) -> Option<TokenRun>| {
            let runs: Vec<TokenRun> = (0..group.runs.len()).filter_map(run).collect();
            let number = (0..representative).filter_map(run).count() as u32;
            RunGroup::new(self.gathered, runs, number)
        };
        let similar = |run: usize| of(run).map(|similarity| TokenRun { similarity, ..group.runs[run] });
        let other = |run: usize| (run == first || of(run).is_none()).then(|| group.runs[run]);
        let others = similarities.iter().any(Option::is_none).then(|| part(first, &other));
        if others.as_ref().is_some_and(|others| others.runs.len() == 1) {
            return (group, None);
        }
        (part(texts[nearest].first, &similar), others)
    }

    /// The groups of copies of which the representative is gone: one led by the nearest to all, and others of what is not
    /// similar enough to it.
    pub fn led_anew(&self, counts: &mut PairCounts, mut runs: Vec<TokenRun>) -> Vec<RunGroup> {
        let mut groups = Vec::new();
        while runs.len() > 1 {
            let group = RunGroup::new(self.gathered, runs, 0);
            let (texts, of_run) = self.texts(&group, |_| false);
            let Some(nearest) = self.nearest(counts, &group, &texts, 0) else { break };
            let similarities = self.similarities(counts, &group, &texts, nearest);
            let (mut own, mut rest) = (Vec::new(), Vec::new());
            for (run, text) in group.runs.iter().zip(of_run) {
                match similarities[text] {
                    Some(similarity) => own.push(TokenRun { similarity, ..*run }),
                    None => rest.push(*run),
                }
            }
            let shown = group.runs[texts[nearest].first].place;
            if own.len() > 1 {
                let number = own.iter().position(|run| run.place == shown).unwrap_or(0);
                groups.push(RunGroup::new(self.gathered, own, number as u32));
            }
            runs = rest;
        }
        groups
    }

    /// The different texts of a group in the order of their first copies, and for each copy the index of its text.
    fn texts(&self, group: &RunGroup, is_equal: impl Fn(&TokenRun) -> bool) -> (Vec<CopyText>, Vec<usize>) {
        let print =
            |run: &TokenRun| if is_equal(run) { 0 } else { fingerprint(self.gathered.tokens_of(run)) };
        let mut prints: Vec<(u128, usize)> =
            group.runs.iter().enumerate().map(|(number, run)| (print(run), number)).collect();
        prints.sort_unstable();
        let mut same: Vec<&[(u128, usize)]> = prints.chunk_by(|a, b| a.0 == b.0).collect();
        same.sort_unstable_by_key(|same| same[0].1);
        let mut of_run = vec![0; group.runs.len()];
        for (text, same) in same.iter().enumerate() {
            same.iter().for_each(|&(_, run)| of_run[run] = text);
        }
        let text = |same: &&[(u128, usize)]| CopyText { first: same[0].1, copies: same.len() as u32 };
        (same.iter().map(text).collect(), of_run)
    }

    fn tokens(&self, group: &RunGroup, text: &CopyText) -> &[u64] {
        self.gathered.tokens_of(&group.runs[text.first])
    }

    /// The index of the text nearest to all candidates; of equally near ones `usual`, or else the first.
    fn nearest(
        &self,
        counts: &mut PairCounts,
        group: &RunGroup,
        texts: &[CopyText],
        usual: usize,
    ) -> Option<usize> {
        let candidates = candidates(texts);
        let length = |text: usize| group.runs[texts[text].first].tokens;
        counts.clear(candidates.iter().map(|&text| length(text) as usize).sum());
        let (mut numbers, mut ends) = (Vec::new(), Vec::with_capacity(candidates.len()));
        for &text in &candidates {
            counts.add(self.tokens(group, &texts[text]), texts[text].copies, &mut numbers);
            ends.push(numbers.len());
        }
        let copies: i64 = candidates.iter().map(|&text| i64::from(texts[text].copies)).sum();
        // Without the sizes of the other texts, which are the same for all candidates.
        let distance = |number: usize| {
            let start = number.checked_sub(1).map_or(0, |before| ends[before]);
            let of = &numbers[start..ends[number]];
            let shared: i64 = of.iter().map(|&pair| i64::from(counts.weight(pair))).sum();
            copies * of.len() as i64 - 2 * shared
        };
        let long = (0..candidates.len()).filter(|&number| length(candidates[number]) >= self.least);
        let rank = |&number: &usize| (distance(number), candidates[number] != usual, candidates[number]);
        long.min_by_key(rank).map(|nearest| candidates[nearest])
    }

    /// The similarity of each text to one of them; `None` if it is not a copy of it.
    fn similarities(
        &self,
        counts: &mut PairCounts,
        group: &RunGroup,
        texts: &[CopyText],
        nearest: usize,
    ) -> Vec<Option<f32>> {
        let own = self.tokens(group, &texts[nearest]);
        counts.place(own);
        let weight = self.weights.sum(own);
        let similarity = |(text, of): (usize, &CopyText)| match text == nearest {
            true => Some(1.0),
            false => self.similarity(counts, (own, weight), self.tokens(group, of)),
        };
        texts.iter().enumerate().map(similarity).collect()
    }

    /// The similarity of a text to one with known places and weight, if they are copies of each other.
    fn similarity(&self, counts: &PairCounts, (own, weight): (&[u64], u32), other: &[u64]) -> Option<f32> {
        let pairs = other.windows(2).enumerate();
        let anchors: Vec<(usize, usize)> =
            pairs.filter_map(|(at, pair)| Some((counts.place_of(pair)? as usize, at))).collect();
        let pair = Pair { a: own, b: other, measure: self.measure, weights: self.weights };
        let shorter = own.len().min(other.len());
        let mut best = None;
        let mut most = 0;
        // An anchor may be a chance agreement, or lie where the agreement does not extend far.
        for number in [anchors.len() / 2, 0, anchors.len().wrapping_sub(1)] {
            let Some(&(a, b)) = anchors.get(number) else { break };
            let agreement = pair.extend(a, b, 2);
            if agreement.matches > most {
                most = agreement.matches;
                best = Some(agreement);
            }
            if most as usize * 10 >= shorter * 9 {
                break;
            }
        }
        let best = best?;
        let [a, b] = [weight, self.weights.sum(other)].map(|weight| weight.saturating_sub(best.agreeing));
        let lost = self.measure.lost(a.max(b), [a, b]);
        let lengths = [own, other].map(|text| text.len() as u32);
        let Agreement { matches, agreeing, .. } = best;
        let is_copy =
            self.measure.is_met_by(&Shared { lengths, matches, agreeing, lost, mean: self.weights.mean });
        is_copy.then(|| self.measure.similarity(matches, lengths))
    }
}

/// The indices of the texts among which the nearest is searched.
fn candidates(texts: &[CopyText]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    if order.len() > CANDIDATES {
        order.sort_by_key(|&text| Reverse(texts[text].copies));
        let rest = order.split_off(CANDIDATES / 2);
        let step = rest.len().div_ceil(CANDIDATES / 2);
        order.extend(rest.iter().step_by(step));
    }
    order
}

#[cfg(test)]
#[path = "representative_tests.rs"]
mod tests;
