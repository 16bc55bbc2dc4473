//! Completes a group with a new representative: adds the copies that are similar enough to it, but were not to the first
//! one.
//!
//! A group grows around its first copy. If that one has many differences of its own, some copies are not similar enough
//! to it, and they find no other partner, because all their partners are in the group. The copy nearest to all others is
//! more similar to them. It has not yet been compared with what lies outside of the group.

use std::collections::HashMap;

use super::super::group::RunGroup;
use super::common_ranges::CommonRange;
use super::compare::{Comparer, ComparisonDepth};
use super::grow::{Member, NEAR, SCANNED};
use super::seeds::{Seed, Seeds};
use super::trim::Trimmer;
use crate::measure::TokenRun;

/// A name is a frequent phrase, and not followed, if it has more seeds than this and [`OF_COPIES`] for each copy.
const FREQUENT: usize = 32;
const OF_COPIES: usize = 4;
/// The steps that a group may take for each token of its representative.
const STEPS: u64 = 1 << 9;
/// The least length in tokens that a representative counts as having.
const SHORT: u64 = 256;

/// Completes groups.
pub struct Completer<'a> {
    /// Compares the texts.
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
        let found = CommonRange { range, members: (0..members.len()).collect() };
        let (_, runs) = self.trim.runs(stretch as u32, &members, &found);
        for run in runs {
            add(&mut group.runs, run);
        }
        group.representative = group.runs.partition_point(|run| run.place < representative.place) as u32;
    }

    /// The agreements of the representative with places outside of the copies of a group.
    fn members(&self, group: &RunGroup, representative: &TokenRun) -> Vec<Member> {
        let Self { texts, seeds, .. } = self;
        let mut left = u64::from(representative.tokens).max(SHORT) * STEPS;
        let frequent = FREQUENT + group.runs.len() * OF_COPIES;
        // The copies of the group, and the places of the agreements.
        let mut taken = group.runs.clone();
        let mut members: Vec<Member> = Vec::new();
        // For each diagonal, where the representative was compared last.
        let mut compared: HashMap<u32, u32> = HashMap::new();
        for number in seeds.within(representative.place..representative.end()) {
            let seed = seeds.seeds[number];
            let named = seeds.all_named(seed.name);
            if named.len() > frequent {
                continue;
            }
            left = left.saturating_sub(named.len() as u64 / SCANNED);
            for &other in named {
                let mate = seeds.seeds[other as usize];
                let diagonal = mate.place.wrapping_sub(seed.place);
                let is_near = |last: &u32| seed.place - last <= NEAR;
                if compared.get(&diagonal).is_some_and(is_near)
                    || !is_free(&taken, &run_of(&mate))
                    || !seeds.are_chained(number as u32, other, texts.measure.gap)
                {
                    continue;
                }
                compared.insert(diagonal, seed.place);
                let (one, two) = (texts.at(&seed), texts.at(&mate));
                let found = texts.compare(one, two, seed.tokens, None, ComparisonDepth::Whole);
                left = left.saturating_sub(found.steps);
                let Some(agreement) = found.agreement else { continue };
                let member = Member { stretch: mate.stretch, agreement };
                if add(&mut taken, self.place(&member)) {
                    members.push(member);
                }
            }
            if left == 0 {
                break;
            }
        }
        members
    }

    /// Where a member is.
    fn place(&self, Member { stretch, agreement }: &Member) -> TokenRun {
        let base = self.texts.gathered.stretches[*stretch as usize].base;
        TokenRun { place: base + agreement.b.start, tokens: agreement.b.len() as u32, similarity: 1.0 }
    }
}

fn run_of(seed: &Seed) -> TokenRun {
    TokenRun { place: seed.place, tokens: seed.tokens, similarity: 1.0 }
}

/// Whether a run overlaps none of some runs, which are sorted by place and do not contain each other.
fn is_free(runs: &[TokenRun], run: &TokenRun) -> bool {
    let before = runs[..runs.partition_point(|other| other.place < run.end())].last();
    before.is_none_or(|before| before.end() <= run.place)
}

/// Adds a run to some runs that are sorted by place, unless it overlaps one of them.
fn add(runs: &mut Vec<TokenRun>, run: TokenRun) -> bool {
    let is_free = is_free(runs, &run);
    if is_free {
        runs.insert(runs.partition_point(|other| other.place < run.place), run);
    }
    is_free
}

#[cfg(test)]
mod tests {
    use super::super::super::gather::Gathered;
    use super::super::super::measure::Measure;
    use super::super::seeds::SeedLengths;
    use super::super::weights::Weights;
    use super::*;

    const MEASURE: Measure = Measure { least: 20, overlap: 0.6, one_sided: false, gap: 8 };

    /// The copies and the representative of a group of whole texts, of which the last `missing` are not in it, when it is
    /// completed.
    fn completed(texts: &[Vec<u64>], representative: u32, missing: usize) -> (Vec<(u32, u32)>, u32) {
        let gathered = Gathered::of_texts(texts, &[]);
        let weights = Weights::equal();
        let lengths = SeedLengths { least: 4, chained: 8 };
        let seeds = Seeds::find(&gathered, lengths, 1 << 20, &|_| Ok(())).unwrap();
        let texts = Comparer { gathered: &gathered, weights: &weights, measure: MEASURE };
        let trim = Trimmer { gathered: &gathered, weights: &weights, measure: MEASURE };
        let whole = gathered.stretches.iter().take(gathered.stretches.len() - missing);
        let run = |place, tokens| TokenRun { place, tokens, similarity: 1.0 };
        let runs = whole.map(|stretch| run(stretch.base, stretch.len)).collect();
        let mut group = RunGroup::new(&gathered, runs, representative);
        Completer { texts, trim, seeds: &seeds }.complete(&mut group);
        (group.runs.iter().map(|run| (run.place, run.tokens)).collect(), group.representative)
    }

    /// A text in which one of `every` tokens differs.
    fn text(of: u64, every: usize, shift: usize) -> Vec<u64> {
        let token = |at: usize| if at % every == shift { 1000 * of + at as u64 } else { at as u64 };
        (0..60).map(token).collect()
    }

    #[test]
    fn what_is_similar_to_the_representative_is_added() {
        let texts = [text(1, 5, 0), text(2, 9, 4), text(3, 5, 2)];
        let (runs, representative) = completed(&texts, 1, 1);
        assert_eq!((runs.len(), representative), (3, 1), "{runs:?}");
        let unlike = [text(1, 5, 0), text(2, 9, 4), (500..560).collect()];
        assert_eq!(completed(&unlike, 1, 1).0.len(), 2);
        assert_eq!(completed(&texts, 1, 0).0, [(0, 60), (60, 60), (120, 60)], "no copy is added twice");
    }
}
