//! Near passages: copies that differ a little, each a verified member of its group.
//!
//! - [`seeds`]: where do some tokens in line stand that stand elsewhere too?
//! - [`extend`]: how far do two texts agree around such a place?
//! - [`grow`]: which copies does a passage have?
//! - [`ends`]: from where to where do the copies of a group go together?
//! - [`distinct`]: which groups say what others say as well?
//!
//! Every copy is compared with one representative of its group. What leads to a copy may be another
//! copy, but only the representative decides whether it is one: groups are no chains of pairs.

pub mod distinct;
pub mod ends;
pub mod extend;
pub mod grow;
pub mod seeds;
pub mod weights;

use std::ops::Range;

use rayon::prelude::*;

use super::gather::Gathered;
use super::group::{Group, Run};
use super::{PassageError, Tick};
use distinct::distinct;
use ends::{Common, common};
use grow::{Grower, Measure, Member};
use seeds::Seeds;
use weights::Weights;

/// Seeds that are probed at once.
const AT_ONCE: usize = 1 << 13;

/// The near passages, in no order: around runs of `seed` equal tokens. `memory` is what the search for
/// these may take, in bytes.
pub fn passages(
    gathered: &Gathered,
    measure: Measure,
    seed: u32,
    memory: u64,
    tick: &Tick,
) -> Result<Vec<Group>, PassageError> {
    let mut seeds = Seeds::find(gathered, seed, memory, &|share| tick(share * 0.2))?;
    // Ends may be lost to differences.
    let roughly = Measure { least: measure.least - measure.least / 5, ..measure };
    let stretches = gathered.stretches.par_iter().with_min_len(1 << 14);
    let weights = Weights::of(stretches.map(|stretch| gathered.tokens(stretch)));
    let mut grower = Grower { gathered, seeds: &mut seeds, weights: &weights, measure: roughly };
    let mut groups = Vec::new();
    let count = grower.seeds.seeds.len();
    for start in (0..count).step_by(AT_ONCE) {
        tick(0.2 + start as f64 / count as f64 * 0.8)?;
        let some = start as u32..(start + AT_ONCE).min(count) as u32;
        let probed: Vec<(u32, u32)> = some
            .clone()
            .into_par_iter()
            .filter(|&seed| !grower.seeds.is_done(seed))
            .filter_map(|seed| Some((seed, grower.probe(seed)?)))
            .collect();
        for (seed, other) in probed {
            if grower.seeds.is_done(seed) {
                continue;
            }
            let other = if grower.seeds.is_done(other) { grower.probe(seed) } else { Some(other) };
            let Some(other) = other else { continue };
            let first = grower.seeds.seeds[seed as usize].stretch;
            let members = grower.grow(seed, other);
            for found in common(&members) {
                let group = group_of(gathered, measure, first, &members, &found);
                for run in group.iter().flat_map(|group| &group.runs) {
                    grower.seeds.set_done_within(run.place..run.end());
                }
                groups.extend(group);
            }
        }
        // What found nothing now is not found by what comes later.
        some.for_each(|seed| grower.seeds.set_done(seed));
    }
    distinct(&mut groups, measure.gap);
    Ok(groups)
}

/// The group of a passage, if it is long enough and has two copies.
fn group_of(
    gathered: &Gathered,
    measure: Measure,
    first: u32,
    members: &[Member],
    found: &Common,
) -> Option<Group> {
    let run = |stretch: u32, range: Range<u32>, similarity: f32| Run {
        place: gathered.stretches[stretch as usize].base + range.start,
        tokens: range.len() as u32,
        similarity,
    };
    let representative = run(first, found.range.clone(), 1.0);
    let copy = |&number: &usize| {
        let Member { stretch, agreement } = &members[number];
        let is_longer = |own: u32, common: u32| own.abs_diff(common) > measure.gap;
        let start =
            if agreement.a.start < found.range.start && is_longer(agreement.a.start, found.range.start) {
                agreement.place_of(found.range.start)
            } else {
                agreement.b.start
            };
        let end = if agreement.a.end > found.range.end && is_longer(agreement.a.end, found.range.end) {
            agreement.place_of(found.range.end)
        } else {
            agreement.b.end
        };
        let similarity = agreement.similarity();
        (start < end).then(|| run(*stretch, start..end, similarity))
    };
    let mut runs: Vec<Run> = found.members.iter().filter_map(copy).collect();
    runs.push(representative);
    runs.sort_by_key(|run| (run.place, run.tokens));
    if runs.len() < 2 || representative.tokens < measure.least {
        return None;
    }
    let number = runs.iter().position(|run| *run == representative)?;
    Some(Group::new(gathered, runs, number as u32))
}
