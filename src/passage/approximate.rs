//! Finds approximate passages: copies with small differences, each verified against its group.
//!
//! - [`seeds`]: which short runs of tokens are repeated, and where?
//! - [`chain`]: which seeds are together more than chance?
//! - [`extend`]: how far do two texts agree around a seed?
//! - [`mod@resume`]: where do they agree again behind a difference?
//! - [`grow`]: which copies does a passage have?
//! - [`step_budgets`]: how many steps of comparison does each document get?
//! - [`mod@common_ranges`]: which ranges of the representative do groups of copies share?
//! - [`trim`]: which run of a member is its copy of such a range, and is it still similar enough?
//! - [`representative`]: which copy are the others compared with?
//! - [`mod@remainder`]: which exact repeats are in none of the passages?
//! - [`mod@distinct`]: which groups are contained in others?
//!
//! Every copy is compared with the representative of its group. A copy may lead to further candidates, but only the
//! comparison with the representative decides: a group is not a chain of similar pairs.

pub mod chain;
pub mod common_ranges;
pub mod distinct;
pub mod extend;
pub mod grow;
pub mod pair_counts;
pub mod remainder;
pub mod representative;
pub mod resume;
pub mod seeds;
pub mod step_budgets;
pub mod trim;
pub mod weights;

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::bounds::Bounds;
use super::gather::Gathered;
use super::group::RunGroup;
use super::measure::Measure;
use super::{PassageError, Tick, exact};
use common_ranges::common_ranges;
use distinct::{add, drop_held, unite_equal};
use grow::{Grower, ProbeResult};
use pair_counts::PairCounts;
use remainder::remainder;
use representative::Chooser;
use seeds::{SeedLengths, Seeds};
use step_budgets::StepBudgets;
use trim::Trimmer;
use weights::Weights;

/// How many seeds are probed in parallel. The seeds of one copy are all probed before it is known, so many at once are
/// much work in vain.
const AT_ONCE: usize = 1 << 8;

/// The approximate passages around seeds, in no order. Every exact repeat is in one of them.
pub fn passages(
    gathered: &Gathered,
    measure: Measure,
    seed: SeedLengths,
    bounds: &Bounds,
    tick: &Tick,
) -> Result<Vec<RunGroup>, PassageError> {
    let shared = SharedProgress { tick, share: AtomicU32::new(0) };
    // Growing leaves a core idle most of the time; the exact search uses it.
    let (equal, grown) = rayon::join(
        || exact::passages(gathered, measure.least, bounds, 2, &|_| shared.still()),
        || {
            let seeds = Seeds::find(gathered, seed, bounds.windows(2), &|share| shared.at(share * 0.2))?;
            grown(gathered, measure, seeds, bounds, &|share| shared.at(0.2 + share * 0.8))
        },
    );
    let mut groups = grown?;
    unite_equal(&mut groups);
    let remainder = remainder(&groups, equal?, measure.gap);
    add(&mut groups, remainder, measure.gap);
    drop_held(&mut groups, measure.gap);
    groups.par_iter_mut().for_each(RunGroup::thin);
    Ok(groups)
}

/// Progress of two concurrent searches: that of the longer one is reported.
struct SharedProgress<'a> {
    tick: &'a Tick<'a>,
    share: AtomicU32,
}

impl SharedProgress<'_> {
    fn at(&self, share: f64) -> Result<(), PassageError> {
        self.share.store((share as f32).to_bits(), Ordering::Relaxed);
        self.still()
    }

    fn still(&self) -> Result<(), PassageError> {
        (self.tick)(f64::from(f32::from_bits(self.share.load(Ordering::Relaxed))))
    }
}

/// The passages that grow from seeds.
fn grown(
    gathered: &Gathered,
    measure: Measure,
    mut seeds: Seeds,
    bounds: &Bounds,
    tick: &Tick,
) -> Result<Vec<RunGroup>, PassageError> {
    // The ends of a copy may be lost to differences.
    let roughly = Measure { least: measure.least - measure.least / 5, ..measure };
    let stretches = gathered.stretches.par_iter().with_min_len(1 << 14);
    let weights = Weights::of(stretches.map(|stretch| gathered.tokens(stretch)));
    let trim = Trimmer { gathered, weights: &weights, measure: roughly };
    let count = seeds.seeds.len();
    let apart = measure.least;
    let mut grower = Grower {
        gathered,
        seeds: &mut seeds,
        weights: &weights,
        measure: roughly,
        apart,
        bounds,
        budgets: StepBudgets::new(gathered),
    };
    let mut groups = Vec::new();
    let mut copies = 0;
    for start in (0..count).step_by(AT_ONCE) {
        tick(start as f64 / count as f64)?;
        let some = start as u32..(start + AT_ONCE).min(count) as u32;
        let is_open = |&seed: &u32| !grower.seeds.is_done(seed) && !grower.is_spent(seed);
        let probed: Vec<(u32, ProbeResult)> =
            some.clone().into_par_iter().filter(is_open).map(|seed| (seed, grower.probe(seed))).collect();
        for (seed, found) in &probed {
            grower.spend(*seed, found.steps);
        }
        for (seed, ProbeResult { other, .. }) in probed {
            let Some(mut other) = other else { continue };
            if grower.seeds.is_done(seed) || grower.is_spent(seed) {
                continue;
            }
            if grower.seeds.is_done(other) {
                let found = grower.probe(seed);
                grower.spend(seed, found.steps);
                let Some(next) = found.other else { continue };
                other = next;
            }
            let first = grower.seeds.seeds[seed as usize].stretch;
            let members = grower.grow(seed, other);
            for found in common_ranges(&members) {
                let (representative, runs) = trim.runs(first, &members, &found);
                for run in &runs {
                    grower.seeds.set_done_within(run.place..run.end());
                }
                if runs.len() > 1 && representative.tokens >= measure.least {
                    let number = runs.iter().position(|run| *run == representative).unwrap_or(0);
                    copies += runs.len();
                    groups.push(RunGroup::new(gathered, runs, number as u32));
                }
            }
            if copies > bounds.copies() * 2 {
                keep_longest(&mut groups, bounds);
                copies = groups.iter().map(|group| group.runs.len()).sum();
            }
        }
        let is_left_out = |&seed: &u32| !grower.seeds.is_done(seed) && grower.is_spent(seed);
        bounds.omit_places(some.clone().filter(is_left_out).count());
        // A seed without a copy will not get one from later seeds.
        some.for_each(|seed| grower.seeds.set_done(seed));
    }
    keep_longest(&mut groups, bounds);
    let chooser = Chooser { gathered, weights: &weights, measure: roughly, least: measure.least };
    let chosen = |counts: &mut PairCounts, group: RunGroup| {
        let (similar, others) = chooser.chosen(counts, group);
        [Some(similar), others].into_iter().flatten()
    };
    let groups = groups.into_par_iter().map_init(PairCounts::default, chosen);
    Ok(groups.flatten_iter().collect())
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
    use super::super::bounds::Omissions;
    use super::super::passages::PassageId;
    use super::super::token_run::TokenRun;
    use super::super::unit::Unit;
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
