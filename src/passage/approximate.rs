//! Finds approximate passages: copies with small differences, each verified against its group.
//!
//! - [`seeds`]: which short runs of tokens are repeated, and where?
//! - [`chain`]: which seeds are together more than chance?
//! - [`extend`]: how far do two texts agree around a seed?
//! - `ahead`: where can they not agree again?
//! - [`mod@resume`]: where do they agree again behind a difference?
//! - [`ends`]: where may a copy end?
//! - [`compare`]: are the texts around two places copies of each other?
//! - [`grow`]: which copies does a passage have?
//! - [`step_budgets`]: how many steps of comparison does each document get?
//! - [`mod@common_ranges`]: which ranges of the representative do groups of copies share?
//! - [`trim`]: which run of a member is its copy of such a range, and is it still similar enough?
//! - [`representative`]: which copy are the others compared with?
//! - [`complete`]: which further copies does a passage have, now that another copy represents it?
//! - [`part`]: which part of an agreement is similar enough?
//! - [`apart`]: which copies of a group overlap?
//! - [`remainder`]: which exact repeats are not together in one of the passages?
//! - [`mod@distinct`] and [`mod@containing`]: which groups are contained in others?
//!
//! # The rules of the search
//!
//! 1. **Seeds.** A comparison begins at a run of 4 or 5 equal tokens ([`seeds::SeedLengths`]), as in BLAST (Altschul and
//!    others, “Basic local alignment search tool”, 1990). Seeds are tried in the order of the text; a seed within a copy
//!    is done. Outside of noisy text a seed counts only in a chain of several near one diagonal ([`chain`]). Where only the
//!    surroundings of repeated tiles were read, a seed has up to 8 tokens and needs no chain.
//! 2. **Extension.** From a seed both texts are followed to both sides. At a difference, the nearest place is taken at
//!    which they agree again, with at most `gap` tokens between; where no single run tells it, the next tokens are aligned
//!    ([`mod@resume`]). One of the texts may have a longer insertion: up to six gaps, at most half as long as what agrees
//!    before it, with at most `gap` tokens opposite. Unlike text in both is not crossed.
//!    - **Score.** A token that agrees adds its weight. One that differs subtracts four fifths of it, or less if the
//!      similarity that is asked is below .44; but the tokens of one difference count at most one and a half times the mean
//!      weight each, since a misread word or a new name is rare because it differs. Equal runs end at their highest score
//!      (X-drop, Zhang and others 2000). So with a lower overlap, a larger gap, or when one side suffices, they extend as
//!      far or farther.
//!    - **Poor parts.** The score may fall by three gaps of rare tokens below its highest value. Where it falls by more
//!      than one, a sixth of the tokens since then must agree, by their weight: words that two unlike texts have in common
//!      by chance do not make them one copy with what follows.
//!    - **Ends.** Of the last tokens of a copy more than half agree, and behind an insertion more agrees than it has
//!      ([`ends`]). There a token that differs counts in full: an end pays for itself, as the ends of a maximal scoring
//!      segment do (Ruzzo and Tompa, “A linear time algorithm for finding all maximal scoring subsequences”, 1999).
//! 3. **What is measured.** Two texts are copies if the similarity that is asked is reached twice: by the tokens that agree
//!    as a share of the longer text (of the shorter one if one side suffices), and by their weights, by which rare tokens
//!    count more; those that differ weigh at most three quarters of the mean. If a whole chain does not reach it, its
//!    longest part around the seed that does is the copy ([`part`]). The first of the two numbers is the one that is shown;
//!    no copy of a row is below what was asked.
//! 4. **Groups.** Every copy is compared with the representative of its group, the copy nearest to all others. A copy may
//!    lead to further candidates, but only the comparison with the representative decides: a group is not a chain of
//!    similar pairs. A group grows around its first copy; where another one is nearer to all others, its representative is
//!    compared with what lies outside of the group too ([`mod@complete`]).
//! 5. **What is shown.** The copies of a row have no token in common ([`apart`]). Copies of an exact repeat that do not
//!    overlap each other are together in one row, except for `gap` tokens at either end of each: what no single row has
//!    is a row of its own ([`remainder`]).
//! 6. **What a row depends on.** On the texts that it touches, and on the weights of their tokens. These count in steps,
//!    so that other files hardly ever change them ([`weights`]).
//! 7. **One document.** `like` runs this search for a text and one document at a time ([`super::like`]). So it says of two
//!    texts what the search for all passages says of them.
//!
//! So in two texts that have one passage in common, whatever is found with stricter options is found with looser ones. With
//! many texts this holds for exact repeats only: a copy that a stricter search compares with one representative may be
//! compared with another one in a looser search, and all pairs cannot be compared in linear time.

mod ahead;
pub mod apart;
pub mod chain;
pub mod common_ranges;
pub mod compare;
pub mod complete;
pub mod containing;
pub mod distinct;
pub mod ends;
pub mod extend;
pub mod grow;
pub mod pair_counts;
pub mod part;
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
use super::exact;
use super::gather::Gathered;
use super::group::RunGroup;
use super::measure::Measure;
use apart::set_apart;
use common_ranges::common_ranges;
use compare::Comparer;
use complete::Completer;
use containing::remainder;
use distinct::{add, drop_held, unite_equal};
use dupi_base::parallel;
use dupi_base::storage::memory;
use dupi_index::index::search::{SearchError, Tick};
use grow::{Grower, ProbeResult};
use pair_counts::PairCounts;
use representative::Chooser;
use seeds::{SeedLengths, Seeds};
use step_budgets::StepBudgets;
use trim::Trimmer;
use weights::Weights;

/// How many seeds are probed in parallel. The seeds of one copy are all probed before it is known, so many at once are
/// much work in vain.
const AT_ONCE: usize = 1 << 8;

/// The approximate passages around seeds, in no order. Every exact repeat is in one of them. `weights` are those of the
/// tokens, usually in the gathered texts.
pub fn passages(
    gathered: &Gathered,
    measure: Measure,
    seed: SeedLengths,
    weights: &Weights,
    bounds: &Bounds,
    tick: &Tick,
) -> Result<Vec<RunGroup>, SearchError> {
    let shared = SharedProgress { tick, share: AtomicU32::new(0) };
    let equal = |searches| exact::passages(gathered, measure.least, bounds, searches, &|_| shared.still());
    let first = if bounds.is_tight() { Some(equal(1)?) } else { None };
    // Not beside the exact search: both use all cores, and much memory.
    let seeds = Seeds::find(gathered, seed, bounds.windows(2), &|share| shared.at(share * 0.2))?;
    if gathered.is_large() {
        memory::trim();
    }
    // Growing leaves a core idle most of the time; the exact search uses it if there is memory for both.
    let (equal, grown) = rayon::join(
        || first.map_or_else(|| equal(2), Ok),
        || grown(gathered, measure, seeds, weights, bounds, &|share| shared.at(0.2 + share * 0.8)),
    );
    let (mut groups, mut equal) = (grown?, equal?);
    unite_equal(&mut groups);
    let measure = measure.roughly();
    all_apart(&mut groups, &measure);
    all_apart(&mut equal, &measure);
    let add_remainder = |groups: &mut Vec<RunGroup>| {
        let remainder = remainder(groups, &equal, measure.gap);
        add(groups, remainder, measure.gap);
        all_apart(groups, &measure);
    };
    add_remainder(&mut groups);
    drop_held(&mut groups, measure.gap);
    // A dropped group may have been the only one with all of some exact repeat.
    add_remainder(&mut groups);
    Ok(groups)
}

/// Sets the copies of each group apart, and drops the groups of which one copy is left.
fn all_apart(groups: &mut Vec<RunGroup>, measure: &Measure) {
    parallel::for_each_mut(groups, |_, group| set_apart(group, measure));
    groups.retain(|group| group.runs.len() > 1);
}

/// Progress of two concurrent searches: that of the longer one is reported.
struct SharedProgress<'a> {
    tick: &'a Tick<'a>,
    share: AtomicU32,
}

impl SharedProgress<'_> {
    fn at(&self, share: f64) -> Result<(), SearchError> {
        self.share.store((share as f32).to_bits(), Ordering::Relaxed);
        self.still()
    }

    fn still(&self) -> Result<(), SearchError> {
        (self.tick)(f64::from(f32::from_bits(self.share.load(Ordering::Relaxed))))
    }
}

/// The passages that grow from seeds.
fn grown(
    gathered: &Gathered,
    measure: Measure,
    mut seeds: Seeds,
    weights: &Weights,
    bounds: &Bounds,
    tick: &Tick,
) -> Result<Vec<RunGroup>, SearchError> {
    let roughly = measure.roughly();
    let trim = Trimmer { gathered, weights, measure: roughly };
    let count = seeds.seeds.len();
    let apart = measure.least;
    let texts = Comparer { gathered, weights, measure: roughly };
    let mut grower = Grower { texts, seeds: &mut seeds, apart, bounds, budgets: StepBudgets::new(gathered) };
    let mut groups = Vec::new();
    let mut copies = 0;
    for start in (0..count).step_by(AT_ONCE) {
        tick(start as f64 / count as f64)?;
        let some = start as u32..(start + AT_ONCE).min(count) as u32;
        let is_open = |&seed: &u32| !grower.seeds.is_done(seed) && !grower.is_spent(seed);
        let probe = |seed| (seed, grower.seeds.open_of(seed), grower.probe(seed));
        let probed: Vec<(u32, usize, ProbeResult)> =
            some.clone().into_par_iter().filter(is_open).map(probe).collect();
        for (seed, _, found) in &probed {
            grower.spend(*seed, found.steps);
        }
        for (seed, open, ProbeResult { other, .. }) in probed {
            if grower.seeds.is_done(seed) || grower.is_spent(seed) {
                continue;
            }
            // What was found before in this batch may change the answer, so that it does not depend on the batches.
            let is_stale = match other {
                Some(other) => grower.seeds.is_done(other),
                None => grower.seeds.open_of(seed) != open,
            };
            let other = if is_stale {
                let found = grower.probe(seed);
                grower.spend(seed, found.steps);
                found.other
            } else {
                other
            };
            let Some(other) = other else { continue };
            let first = grower.seeds.seeds[seed as usize].stretch;
            let members = grower.grow(seed, other);
            for found in common_ranges(&members) {
                let (mut representative, mut runs) = trim.runs(first, &members, &found);
                for run in &runs {
                    grower.seeds.set_done_within(run.place..run.end());
                }
                if let [a, b] = &mut runs[..]
                    && representative.tokens < measure.least
                {
                    // Of two copies either one can be the representative.
                    std::mem::swap(&mut a.similarity, &mut b.similarity);
                    representative = if a.place == representative.place { *b } else { *a };
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
    use super::super::unit::Unit;
    use super::*;
    use crate::group::PassageId;
    use crate::measure::TokenRun;

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
