//! From two places that agree to all copies of their passage.
//!
//! The first place is the representative. Each copy that is found shows where more may be: at the seeds
//! that stand in it. Whatever is found so is compared with the representative.
//!
//! Places are compared some at a time, and of what is no copy nothing is kept; what the copies may take in memory is
//! bounded by [`Bounds`], and what the comparisons may take in time by [`StepBudgets`].

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use rayon::prelude::*;

use super::super::bounds::Bounds;
use super::super::gather::Gathered;
use super::super::measure::Measure;
use super::extend::{Agreement, Pair};
use super::seeds::{Seed, Seeds};
use super::step_budgets::StepBudgets;
use super::weights::Weights;

/// So many seeds of a name are tried. When fewer than a quarter of them stand in copies, the others are not.
const TRIED: usize = 8;
/// A name with no more seeds is looked through whole.
const FEW: usize = 16;
/// After so many names tried in vain a passage is taken to have no more copies; large ones get more.
const TRIALS: usize = 6;

/// So many places are compared at once.
const AT_ONCE: usize = 512;
/// It takes long to compare places when it takes so many steps for each.
const LONG: u64 = 1024;
/// An agreement of more equal runs is not kept before it is known to be a copy's, but found once more.
const KEPT_RUNS: usize = 256;
/// To see whether a place is worth looking at, the texts are compared so far on either side.
const PROBED: u32 = 4096;
/// Of the seeds of a name, so many are looked through in one step.
const SCANNED: u64 = 16;

/// A copy, compared with the representative.
#[derive(Clone, Debug)]
pub struct Member {
    /// The stretch that it stands in.
    pub stretch: u32,
    /// How it agrees with the representative: `a` is the representative's stretch, `b` its own.
    pub agreement: Agreement,
}

/// Finds copies.
pub struct Grower<'a> {
    /// The texts.
    pub gathered: &'a Gathered,
    /// Where copies may be.
    pub seeds: &'a mut Seeds,
    /// What tokens weigh.
    pub weights: &'a Weights,
    /// What copies are.
    pub measure: Measure,
    /// How far apart, in tokens, two copies in one stretch begin at least.
    pub apart: u32,
    /// What copies may take.
    pub bounds: &'a Bounds,
    /// What comparing may take.
    pub budgets: StepBudgets,
}

/// Whether a copy of the text around a seed was found.
#[derive(Clone, Copy, Default)]
pub struct ProbeResult {
    /// The seed that stands in it.
    pub other: Option<u32>,
    /// How many steps it took.
    pub steps: u64,
}

/// Two places that were compared.
struct PairComparison {
    /// How the texts around them agree, if they are copies of each other.
    agreement: Option<Agreement>,
    steps: u64,
}

impl PairComparison {
    const NONE: Self = Self { agreement: None, steps: 0 };
}

/// How far two places are compared, and what is kept of it.
#[derive(Clone, Copy, PartialEq)]
enum ComparisonDepth {
    /// Only near the places.
    Near,
    /// All, but without the equal runs when there are very many.
    Brief,
    /// All.
    Whole,
}

/// A place in a stretch.
#[derive(Clone, Copy)]
struct TokenPosition {
    stretch: u32,
    token: u32,
}

/// The members of a passage while it grows.
struct GrowingPassage {
    first: TokenPosition,
    /// The representative ends here at the latest: where the next copy of a text that repeats itself begins.
    bound: Option<u32>,
    members: Vec<Member>,
    /// How many equal runs the members have.
    equal_runs: usize,
    /// The places that are taken: from where to where.
    taken: BTreeMap<u32, u32>,
    /// Names to look through: the rarest first, each with its place in the representative.
    names: BinaryHeap<Reverse<(usize, u32, u32)>>,
}

impl Grower<'_> {
    /// A place behind a seed where a copy of the text around it stands, among the next few of its name.
    pub fn probe(&self, number: u32) -> ProbeResult {
        let seed = self.seeds.seeds[number as usize];
        let named = self.seeds.named(seed.name);
        let named = &named[named.partition_point(|&other| other <= number)..];
        let is_too_near = |&other: &u32| {
            let other = &self.seeds.seeds[other as usize];
            other.stretch == seed.stretch && other.place < seed.place + self.apart
        };
        let named = &named[named.partition_point(is_too_near)..];
        let open = named.iter().take(FEW).filter(|&&other| !self.seeds.is_done(other)).take(TRIED);
        let mut steps = 0;
        let other = open.copied().find(|&other| {
            let other = self.seeds.seeds[other as usize];
            let found =
                self.compare(self.at(&seed), self.at(&other), seed.tokens, None, ComparisonDepth::Near);
            steps += found.steps;
            found.agreement.is_some()
        });
        ProbeResult { other, steps }
    }

    /// The document pays for steps that were taken around a seed.
    pub fn spend(&mut self, number: u32, steps: u64) {
        let document = self.document(number);
        self.budgets.spend(document, steps);
    }

    /// Whether nothing more around a seed can be paid for.
    pub fn is_spent(&self, number: u32) -> bool {
        self.budgets.is_spent(self.document(number))
    }

    fn document(&self, number: u32) -> u32 {
        let stretch = self.seeds.seeds[number as usize].stretch;
        self.gathered.stretches[stretch as usize].document
    }

    /// All copies of the passage that stands around two seeds of one name, compared with the first.
    pub fn grow(&mut self, first: u32, second: u32) -> Vec<Member> {
        let number = first;
        let (first, second) = (self.seeds.seeds[first as usize], self.seeds.seeds[second as usize]);
        let (at, other) = (self.at(&first), self.at(&second));
        let bound = (at.stretch == other.stretch && at.token < other.token).then_some(other.token);
        let PairComparison { agreement, steps } =
            self.compare(at, other, first.tokens, bound, ComparisonDepth::Whole);
        self.spend(number, steps);
        let Some(agreement) = agreement else { return Vec::new() };
        self.seeds.begin();
        let base = self.gathered.stretches[at.stretch as usize].base;
        let mut growing = GrowingPassage {
            first: at,
            bound,
            members: Vec::new(),
            equal_runs: 0,
            taken: BTreeMap::from([(base + agreement.a.start, base + agreement.a.end)]),
            names: BinaryHeap::new(),
        };
        if !self.is_taken(&growing, second.stretch, &agreement) {
            self.add(&mut growing, Member { stretch: second.stretch, agreement });
        }
        let mut trials = 0;
        while let Some(Reverse((_, name, token))) = growing.names.pop() {
            self.spend(number, self.seeds.open_count(name) as u64 / SCANNED);
            if self.is_spent(number) {
                self.bounds.omit_places(1);
                break;
            }
            let open = self.seeds.open(name);
            if open.len() > FEW {
                let some: Vec<u32> = open.iter().copied().step_by(open.len().div_ceil(TRIED)).collect();
                let before = growing.members.len();
                self.try_all(&mut growing, &some, token);
                if (growing.members.len() - before) * 4 < some.len() {
                    trials += 1;
                    if trials >= TRIALS + growing.members.len() / TRIED {
                        break;
                    }
                    continue;
                }
            }
            self.try_all(&mut growing, &open, token);
        }
        growing.members
    }

    /// Adds those of some seeds that stand in copies; `token` is where they would stand in the representative.
    fn try_all(&mut self, growing: &mut GrowingPassage, seeds: &[u32], token: u32) {
        const MANY: usize = 256;
        let first = TokenPosition { token, ..growing.first };
        let (mut rest, mut is_long) = (seeds, false);
        while !rest.is_empty() {
            let (some, after) = rest.split_at(rest.len().min(if is_long { FEW } else { AT_ONCE }));
            rest = after;
            // Where it takes long to compare, what another copy has is not compared once more.
            let is_wanted = |&&number: &&u32| !(is_long && self.seeds.is_taken(number));
            let some: Vec<u32> = some.iter().filter(is_wanted).copied().collect();
            let try_one = |&number: &u32| {
                let at = self.at(&self.seeds.seeds[number as usize]);
                let is_spent = self.is_spent(number);
                let compare = || self.compare(first, at, 0, growing.bound, ComparisonDepth::Brief);
                (number, at, is_spent, if is_spent { PairComparison::NONE } else { compare() })
            };
            let compared: Vec<_> = if some.len() > MANY {
                some.par_iter().map(try_one).collect()
            } else {
                some.iter().map(try_one).collect()
            };
            let mut all_steps = 0;
            for (number, at, is_spent, PairComparison { agreement, steps }) in compared {
                all_steps += steps;
                self.spend(number, steps);
                self.bounds.omit_places(usize::from(is_spent));
                let Some(agreement) = agreement else { continue };
                if self.is_taken(growing, at.stretch, &agreement) {
                    continue;
                }
                let agreement = if agreement.equal.is_empty() {
                    let PairComparison { agreement, steps } =
                        self.compare(first, at, 0, growing.bound, ComparisonDepth::Whole);
                    self.spend(number, steps);
                    agreement
                } else {
                    Some(agreement)
                };
                if let Some(agreement) = agreement {
                    self.add(growing, Member { stretch: at.stretch, agreement });
                }
            }
            is_long |= all_steps > some.len() as u64 * LONG;
        }
    }

    /// Whether another member has most of what agrees in a stretch.
    fn is_taken(&self, growing: &GrowingPassage, stretch: u32, Agreement { b, .. }: &Agreement) -> bool {
        let own = self.gathered.stretches[stretch as usize].base;
        let (start, end) = (own + b.start, own + b.end);
        // What is taken overlaps little, so that only the one before reaches in.
        let before = growing.taken.range(..start).next_back();
        let mut near = before.into_iter().chain(growing.taken.range(start..end));
        let shared = |(&from, &to): (&u32, &u32)| to.min(end).saturating_sub(from.max(start));
        near.any(|other| shared(other) * 5 > b.len() as u32)
    }

    /// Adds a member that no other has most of, and all names that stand in it.
    fn add(&mut self, growing: &mut GrowingPassage, member: Member) {
        let Agreement { a, b, equal, .. } = &member.agreement;
        growing.equal_runs += equal.len();
        if growing.equal_runs > self.bounds.equal_runs() {
            growing.equal_runs -= equal.len();
            return self.bounds.omit_places(1);
        }
        let base = |stretch: u32| self.gathered.stretches[stretch as usize].base;
        let (own, first) = (base(member.stretch), base(growing.first.stretch));
        let (start, end) = (own + b.start, own + b.end);
        growing.taken.insert(start, end);
        self.take(growing, start..end, |place| member.agreement.place_from(place - own));
        self.take(growing, first + a.start..first + a.end, |place| place - first);
        growing.members.push(member);
    }

    /// Takes the seeds that begin in a run of places, and looks through their names. `token` says where in the
    /// representative a place would be.
    fn take(&mut self, growing: &mut GrowingPassage, places: Range<u32>, token: impl Fn(u32) -> u32) {
        for number in self.seeds.within(places) {
            self.seeds.take(number as u32);
            let Seed { place, name, .. } = self.seeds.seeds[number];
            if self.seeds.is_new(name) {
                growing.names.push(Reverse((self.seeds.open_count(name), name, token(place))));
            }
        }
    }

    fn at(&self, seed: &Seed) -> TokenPosition {
        let base = self.gathered.stretches[seed.stretch as usize].base;
        TokenPosition { stretch: seed.stretch, token: seed.place - base }
    }

    /// Compares the texts around two places. The first does not reach over `bound`, and two places in one stretch do
    /// not reach over each other.
    fn compare(
        &self,
        a: TokenPosition,
        b: TokenPosition,
        len: u32,
        bound: Option<u32>,
        depth: ComparisonDepth,
    ) -> PairComparison {
        let size = |at: TokenPosition| self.gathered.stretches[at.stretch as usize].len;
        let end_a = bound.filter(|&bound| a.token < bound).unwrap_or(size(a));
        if a.stretch != b.stretch {
            return self.agreement(a, 0..end_a, b, 0..size(b), len, depth);
        }
        let apart = len.max(1);
        if a.token.abs_diff(b.token) < apart {
            return PairComparison::NONE;
        }
        let (one, other) = if a.token < b.token {
            (0..end_a.min(b.token), a.token + apart..size(b))
        } else {
            (b.token + apart..end_a, 0..a.token)
        };
        let first = self.agreement(a, one.clone(), b, other.clone(), len, depth);
        let PairComparison { agreement: Some(found), steps } = first else { return first };
        if found.a.end <= found.b.start || found.b.end <= found.a.start {
            return PairComparison { agreement: Some(found), steps };
        }
        let again = if a.token < b.token {
            self.agreement(a, one, b, b.token..other.end, len, depth)
        } else {
            self.agreement(a, a.token..one.end, b, other, len, depth)
        };
        PairComparison { steps: steps + again.steps, ..again }
    }

    /// How the texts around two places agree within some ranges of their stretches.
    fn agreement(
        &self,
        a: TokenPosition,
        of_a: Range<u32>,
        b: TokenPosition,
        of_b: Range<u32>,
        len: u32,
        depth: ComparisonDepth,
    ) -> PairComparison {
        let near = |at: TokenPosition, of: Range<u32>| match depth {
            ComparisonDepth::Near => {
                let end = at.token.saturating_add(len).saturating_add(PROBED);
                of.start.max(at.token.saturating_sub(PROBED))..of.end.min(end)
            }
            ComparisonDepth::Brief | ComparisonDepth::Whole => of,
        };
        let (of_a, of_b) = (near(a, of_a), near(b, of_b));
        let tokens = |at: TokenPosition, of: &Range<u32>| {
            let tokens = self.gathered.tokens(&self.gathered.stretches[at.stretch as usize]);
            &tokens[of.start as usize..of.end as usize]
        };
        let (one, other) = (tokens(a, &of_a), tokens(b, &of_b));
        let pair = Pair { a: one, b: other, gap: self.measure.gap, weights: self.weights };
        let (at_a, at_b) = (a.token - of_a.start, b.token - of_b.start);
        let mut found = pair.extend(at_a as usize, at_b as usize, len as usize);
        let steps = found.steps;
        if !found.meets(&self.measure) {
            return PairComparison { agreement: None, steps };
        }
        if depth == ComparisonDepth::Brief && found.equal.len() > KEPT_RUNS {
            found.equal = Vec::new();
        }
        found.shift(of_a.start, of_b.start);
        PairComparison { agreement: Some(found), steps }
    }
}
