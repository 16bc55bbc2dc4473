//! Completes a group with a new representative: adds the copies that are similar enough to it, but were not to the first
//! one.
//!
//! A group grows around its first copy. If that one has many differences of its own, some copies are not similar enough
//! to it, and they find no other partner, because all their partners are in the group. The copy nearest to all others is
//! more similar to them. It has not yet been compared with what lies outside of the group.

use std::collections::HashMap;

use super::super::group::RunGroup;
use super::super::token_run::TokenRun;
use super::common_ranges::CommonRange;
use super::compare::{Comparer, ComparisonDepth, PairComparison};
use super::grow::Member;
use super::seeds::Seeds;
use super::trim::Trimmer;

/// A place is not compared when one so many tokens away on its diagonal was.
const NEAR: u32 = 32;
/// A name with more seeds than this and a multiple of the number of copies is a frequent phrase.
const FREQUENT: usize = 32;
/// How many steps a group may take for each token of its representative.
const STEPS: u64 = 1 << 9;
/// A shorter representative counts as one with so many tokens.
const SHORT: u64 = 256;

/// Completes groups.
pub struct Completer<'a> {
    /// The texts.
    pub texts: Comparer<'a>,
    /// Trims agreements to copies.
    pub trim: Trimmer<'a>,
    /// The places at which copies are searched.
    pub seeds: &'a Seeds,
}

impl Completer<'_> {
    /// Adds the copies of the representative that overlap no copy of a group.
    pub fn complete(&self, group: &mut RunGroup) {
        let representative = group.runs[group.representative as usize];
        let members = self.members(group, &representative);
        if members.is_empty() {
            return;
        }
        let stretch = self.texts.gathered.stretch_at(representative.place);
        let base = self.texts.gathered.stretches[stretch].base;
        let range = representative.place - base..representative.end() - base;
        let all = CommonRange { range, members: (0..members.len()).collect() };
        let (_, runs) = self.trim.runs(stretch as u32, &members, &all);
        for run in runs {
            if is_free(&group.runs, &run) {
                let at = group.runs.partition_point(|other| other.place < run.place);
                group.runs.insert(at, run);
            }
        }
        group.representative = group.runs.partition_point(|run| run.place < representative.place) as u32;
    }

    /// The agreements of the representative with places outside of the copies of a group.
    fn members(&self, group: &RunGroup, representative: &TokenRun) -> Vec<Member> {
        let Self { texts, seeds, .. } = self;
        let limit = u64::from(representative.tokens).max(SHORT) * STEPS;
        let frequent = FREQUENT + group.runs.len() * 4;
        let mut steps = 0;
        let mut members: Vec<Member> = Vec::new();
        // For each diagonal, where the representative was compared last.
        let mut compared: HashMap<u32, u32> = HashMap::new();
        for number in seeds.within(representative.place..representative.end()) {
            let seed = seeds.seeds[number];
            let named = seeds.all_named(seed.name);
            if named.len() > frequent {
                continue;
            }
            for &other in named {
                let mate = seeds.seeds[other as usize];
                let own = TokenRun { place: mate.place, tokens: mate.tokens, similarity: 1.0 };
                let diagonal = mate.place.wrapping_sub(seed.place);
                let is_near = |compared: &HashMap<u32, u32>, diagonal: u32| {
                    compared.get(&diagonal).is_some_and(|&last| seed.place - last <= NEAR)
                };
                if !is_free(&group.runs, &own)
                    || is_near(&compared, diagonal)
                    || !seeds.are_chained(number as u32, other, texts.measure.gap)
                {
                    continue;
                }
                compared.insert(diagonal, seed.place);
                let found: PairComparison = texts.compare(
                    texts.at(&seed),
                    texts.at(&mate),
                    seed.tokens,
                    None,
                    ComparisonDepth::Whole,
                );
                steps += found.steps;
                let place = |member: &Member| {
                    let base = texts.gathered.stretches[member.stretch as usize].base;
                    base + member.agreement.b.start..base + member.agreement.b.end
                };
                if let Some(agreement) = found.agreement {
                    let member = Member { stretch: mate.stretch, agreement };
                    let own = place(&member);
                    let is_known = members.iter().any(|known| {
                        let known = place(known);
                        known.start < own.end && own.start < known.end
                    });
                    if !is_known {
                        members.push(member);
                    }
                }
            }
            if steps > limit {
                break;
            }
        }
        members
    }
}

/// Whether a run overlaps none of some runs, which are sorted by place and do not overlap much.
fn is_free(runs: &[TokenRun], run: &TokenRun) -> bool {
    let behind = runs.partition_point(|other| other.place < run.end());
    behind == 0 || runs[behind - 1].end() <= run.place
}
