//! Grows passages from all seeds, in batches in the order of the text. While the passages of one batch grow, the seeds of the
//! next one are probed by other threads. A probe looks at what was done before the batch in which it runs, so its result does
//! not depend on the threads.

use std::cmp::Reverse;
use std::ops::Range;

use rayon::prelude::*;

use super::super::bounds::Bounds;
use super::super::gather::Gathered;
use super::super::group::RunGroup;
use super::super::measure::Measure;
use super::super::{PassageError, Tick};
use super::common_ranges::common_ranges;
use super::compare::Comparer;
use super::complete::Completer;
use super::grow::{Grower, ProbeResult, Prober};
use super::pair_counts::PairCounts;
use super::representative::Chooser;
use super::seed_marks::SeedMarks;
use super::seeds::Seeds;
use super::step_budgets::StepBudgets;
use super::trim::Trimmer;
use super::weights::Weights;

/// How many seeds are in a batch. The seeds of one copy are all probed before it is known, so with many at once much work is in
/// vain.
#[cfg(not(test))]
const AT_ONCE: u32 = 1 << 7;
#[cfg(test)]
const AT_ONCE: u32 = 1 << 2;
/// After all batches.
const LAST: u32 = u32::MAX;

/// A seed that was probed.
struct Probed {
    seed: u32,
    /// How many seeds of its name were left.
    left: u32,
    found: ProbeResult,
}

/// How passages grow.
struct Growth<'a> {
    prober: Prober<'a>,
    trim: &'a Trimmer<'a>,
    bounds: &'a Bounds,
    budgets: &'a StepBudgets,
}

/// The passages that grew so far.
#[derive(Default)]
struct Grown {
    groups: Vec<RunGroup>,
    /// How many copies they have together.
    copies: usize,
}

/// The passages that grow from seeds.
pub fn grown(
    gathered: &Gathered,
    measure: Measure,
    mut seeds: Seeds,
    weights: &Weights,
    bounds: &Bounds,
    tick: &Tick,
) -> Result<Vec<RunGroup>, PassageError> {
    let roughly = measure.roughly();
    let trim = Trimmer { gathered, weights, measure: roughly };
    let texts = Comparer { gathered, weights, measure: roughly };
    let budgets = StepBudgets::new(gathered);
    let mut marks = SeedMarks::of(&seeds);
    let count = seeds.seeds.len() as u32;
    let batches = count.div_ceil(AT_ONCE);
    let (mut grown, mut probed) = (Grown::default(), Vec::new());
    // Nothing grows before the first batch is probed, and nothing is probed while the last one grows.
    for number in 0..=batches {
        tick(f64::from(number) / f64::from(batches + 1))?;
        let batch =
            |number: u32| number.saturating_mul(AT_ONCE)..count.min((number + 1).saturating_mul(AT_ONCE));
        marks.batch = number;
        let prober = Prober { texts, seeds: &seeds, apart: measure.least };
        let growth = Growth { prober, trim: &trim, bounds, budgets: &budgets };
        let (_, next) = rayon::join(
            || number.checked_sub(1).map(|last| growth.grow(batch(last), probed, &mut marks, &mut grown)),
            || growth.probed(batch(number), number),
        );
        probed = next;
        marks.end_batch(&mut seeds);
    }
    let Grown { mut groups, .. } = grown;
    keep_longest(&mut groups, bounds);
    seeds.sort_named();
    let chooser = Chooser { gathered, weights, measure: roughly, least: measure.least };
    let completer = Completer { texts, trim, seeds: &seeds };
    let chosen = |counts: &mut PairCounts, group: RunGroup| {
        let first = group.id;
        let (mut similar, others) = chooser.chosen(counts, group);
        if similar.id != first {
            completer.complete(&mut similar);
        }
        [Some(similar), others].into_iter().flatten()
    };
    let groups = groups.into_par_iter().map_init(PairCounts::default, chosen);
    Ok(groups.flatten_iter().collect())
}

impl Growth<'_> {
    /// Probes the seeds of a batch that were not done before another one.
    fn probed(&self, batch: Range<u32>, before: u32) -> Vec<Probed> {
        let Prober { texts, seeds, .. } = self.prober;
        let is_open = |&seed: &u32| {
            !seeds.was_done_before(seed, before)
                && !self.budgets.is_spent(texts.document(&seeds.seeds[seed as usize]))
        };
        let name = |seed: u32| seeds.seeds[seed as usize].name as usize;
        let probe =
            |seed| Probed { seed, left: seeds.left[name(seed)], found: self.prober.probe(seed, before) };
        batch.into_par_iter().filter(is_open).map(probe).collect()
    }

    /// Grows the passages of a batch.
    fn grow(&self, batch: Range<u32>, probed: Vec<Probed>, marks: &mut SeedMarks, grown: &mut Grown) {
        let &Self { prober, trim, bounds, budgets } = self;
        let Prober { texts, seeds, apart: least } = prober;
        let done_in = marks.batch;
        let mut grower = Grower { texts, seeds, marks, bounds, budgets };
        for Probed { seed, found, .. } in &probed {
            grower.spend(*seed, found.steps);
        }
        for Probed { seed, left, found: ProbeResult { other, .. } } in probed {
            if seeds.is_done(seed) || grower.is_spent(seed) {
                continue;
            }
            // What was found since the probe may change the answer, so that it does not depend on the batches.
            let is_stale = match other {
                Some(other) => seeds.is_done(other),
                None => grower.marks.left(seeds.seeds[seed as usize].name) != left,
            };
            let other = if is_stale {
                let found = prober.probe(seed, LAST);
                grower.spend(seed, found.steps);
                found.other
            } else {
                other
            };
            let Some(other) = other else { continue };
            let first = seeds.seeds[seed as usize].stretch;
            let members = grower.grow(seed, other);
            for found in common_ranges(&members) {
                let (mut representative, mut runs) = trim.runs(first, &members, &found);
                for run in &runs {
                    seeds.set_done_within(run.place..run.end(), done_in);
                }
                if let [a, b] = &mut runs[..]
                    && representative.tokens < least
                {
                    // Of two copies either one can be the representative.
                    std::mem::swap(&mut a.similarity, &mut b.similarity);
                    representative = if a.place == representative.place { *b } else { *a };
                }
                if runs.len() > 1 && representative.tokens >= least {
                    let number = runs.iter().position(|run| *run == representative).unwrap_or(0);
                    grown.copies += runs.len();
                    grown.groups.push(RunGroup::new(texts.gathered, runs, number as u32));
                }
            }
            if grown.copies > bounds.copies() * 2 {
                keep_longest(&mut grown.groups, bounds);
                grown.copies = grown.groups.iter().map(|group| group.runs.len()).sum();
            }
        }
        let is_left_out = |&seed: &u32| !seeds.is_done(seed) && grower.is_spent(seed);
        bounds.omit_places(batch.clone().filter(is_left_out).count());
        // A seed without a copy will not get one from later seeds.
        batch.for_each(|seed| seeds.set_done(seed, done_in));
    }
}

/// Omits passages above the limit of copies. The longest are kept.
fn keep_longest(groups: &mut Vec<RunGroup>, bounds: &Bounds) {
    let copies: usize = groups.iter().map(|group| group.runs.len()).sum();
    if copies <= bounds.copies() {
        return;
    }
    let before = groups.len();
    groups.par_sort_by_key(|group| (Reverse(group.tokens()), group.id, group.runs[0].place));
    let mut left = bounds.copies();
    groups.retain(|group| {
        let stays = group.runs.len() <= left;
        left -= if stays { group.runs.len() } else { 0 };
        stays
    });
    bounds.omit_near(before - groups.len());
}

#[cfg(test)]
mod tests {
    use super::super::super::bounds::Omissions;
    use super::super::super::passages::PassageId;
    use super::super::super::token_run::TokenRun;
    use super::super::super::unit::Unit;
    use super::*;

    #[test]
    fn the_longest_stay_and_the_others_are_counted_as_near() {
        let run = |place, tokens| TokenRun { place, tokens, similarity: 1.0 };
        let group = |(id, tokens)| RunGroup {
            id: PassageId(id),
            runs: vec![run(0, tokens), run(100, tokens)],
            representative: 0,
            parent: None,
            unit: Unit::Passage,
        };
        let mut groups: Vec<RunGroup> = [(1, 20), (2, 40), (3, 30)].map(group).into();
        let bounds = Bounds::of_copies(3);
        keep_longest(&mut groups, &bounds);
        assert_eq!(groups.iter().map(RunGroup::tokens).collect::<Vec<_>>(), [40]);
        assert_eq!(bounds.omissions(), Omissions { near: 2, ..Omissions::default() });
    }
}
