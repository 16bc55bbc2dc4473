//! Grows a passage: finds all its copies from two places that agree.
//!
//! The text around the first place is the representative. The seeds in each copy lead to more candidates, and each
//! candidate is compared with the representative.
//!
//! Places are compared in batches, and nothing is kept of a place that is not a copy. [`Bounds`] limits the memory of the
//! copies, and [`StepBudgets`] limits the time of the comparisons.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::ops::Range;

use dupi_base::parallel;

use super::super::bounds::Bounds;
use super::compare::{Comparer, ComparisonDepth, PairComparison, TokenPosition};
use super::extend::Agreement;
use super::seeds::{Seed, Seeds};
use super::step_budgets::StepBudgets;

/// How many seeds of a name are tried first. The others are tried when at least a quarter of these are in copies.
const TRIED: usize = 8;
/// All seeds of a name are tried when there are at most this many.
const FEW: usize = 16;
/// The distance in tokens from a place on the same diagonal that was compared and is no copy, within which no other is compared.
pub const NEAR: u32 = 32;
/// A probe looks at this many seeds of a name, and compares the first [`TRIED`] that are in a chain.
const LOOKED_AT: usize = 32;
/// The number of names without enough copies after which a passage is complete; one with many copies gets more attempts.
const TRIALS: usize = 6;

/// How many places are compared in one batch.
const AT_ONCE: usize = 512;
/// The number of steps for each place from which on comparisons count as slow.
const LONG: u64 = 1024;
/// How many seeds of a name are scanned for the cost of one step.
pub const SCANNED: u64 = 16;

/// A copy, compared with the representative.
#[derive(Clone, Debug)]
pub struct Member {
    /// The index of its stretch.
    pub stretch: u32,
    /// Its agreement with the representative: `a` is the representative's stretch, `b` its own.
    pub agreement: Agreement,
}

/// Finds the copies of passages.
pub struct Grower<'a> {
    /// The texts.
    pub texts: Comparer<'a>,
    /// The places at which copies are searched.
    pub seeds: &'a mut Seeds,
    /// The least distance, in tokens, between the starts of two copies in one stretch.
    pub apart: u32,
    /// The limits of the search.
    pub bounds: &'a Bounds,
    /// The steps left for comparisons.
    pub budgets: StepBudgets,
}

/// The result of probing a seed.
#[derive(Clone, Copy, Default)]
pub struct ProbeResult {
    /// A seed in a copy of the text around the probed seed, if there is one.
    pub other: Option<u32>,
    /// The steps that it took.
    pub steps: u64,
}

/// A passage while it grows.
struct GrowingPassage {
    first: TokenPosition,
    /// The limit for the end of the representative: in text that repeats itself, the start of the next copy.
    bound: Option<u32>,
    members: Vec<Member>,
    /// The number of equal runs of all members.
    equal_runs: usize,
    /// The ranges of places in copies, from start to end.
    taken: BTreeMap<u32, u32>,
    /// The diagonals on which no copy was found: for each the last position in the representative.
    failed: HashMap<u32, u32>,
    /// The names to try, the rarest first: number of seeds, name, position in the representative, and a seed of that name
    /// in a copy.
    names: BinaryHeap<Reverse<(usize, u32, u32, u32)>>,
}

impl Grower<'_> {
    /// Searches a copy of the text around a seed among the next few seeds of its name.
    pub fn probe(&self, number: u32) -> ProbeResult {
        let seed = self.seeds.seeds[number as usize];
        let named = self.seeds.named(seed.name);
        let named = &named[named.partition_point(|&other| other <= number)..];
        let is_too_near = |&other: &u32| {
            let other = &self.seeds.seeds[other as usize];
            other.stretch == seed.stretch && other.place < seed.place + self.apart
        };
        let named = &named[named.partition_point(is_too_near)..];
        let is_chained = |&&other: &&u32| {
            !self.seeds.is_done(other) && self.seeds.are_chained(number, other, self.texts.measure.gap)
        };
        let open = named.iter().take(LOOKED_AT).filter(is_chained).take(TRIED);
        let mut steps = 0;
        let other = open.copied().find(|&other| {
            let other = self.seeds.seeds[other as usize];
            let found = self.texts.compare(
                self.texts.at(&seed),
                self.texts.at(&other),
                seed.tokens,
                None,
                ComparisonDepth::Near,
            );
            steps += found.steps;
            found.agreement.is_some()
        });
        ProbeResult { other, steps }
    }

    /// Charges steps to the document of a seed.
    pub fn spend(&mut self, number: u32, steps: u64) {
        let document = self.document(number);
        self.budgets.spend(document, steps);
    }

    /// Whether the budget of a seed's document is spent.
    pub fn is_spent(&self, number: u32) -> bool {
        self.budgets.is_spent(self.document(number))
    }

    fn document(&self, number: u32) -> u32 {
        let stretch = self.seeds.seeds[number as usize].stretch;
        self.texts.gathered.stretches[stretch as usize].document
    }

    /// All copies of the passage around two seeds of one name. The text around the first is the representative.
    pub fn grow(&mut self, first: u32, second: u32) -> Vec<Member> {
        let number = first;
        let (first, second) = (self.seeds.seeds[first as usize], self.seeds.seeds[second as usize]);
        let (at, other) = (self.texts.at(&first), self.texts.at(&second));
        let bound = (at.stretch == other.stretch && at.token < other.token).then_some(other.token);
        let PairComparison { agreement, steps } =
            self.texts.compare(at, other, first.tokens, bound, ComparisonDepth::Whole);
        self.spend(number, steps);
        let Some(agreement) = agreement else { return Vec::new() };
        self.seeds.begin();
        let base = self.texts.gathered.stretches[at.stretch as usize].base;
        let mut growing = GrowingPassage {
            first: at,
            bound,
            members: Vec::new(),
            equal_runs: 0,
            taken: BTreeMap::from([(base + agreement.a.start, base + agreement.a.end)]),
            failed: HashMap::new(),
            names: BinaryHeap::new(),
        };
        if !self.is_taken(&growing, second.stretch, &agreement) {
            self.add(&mut growing, Member { stretch: second.stretch, agreement });
        }
        let (mut trials, mut open) = (0, Vec::new());
        while let Some(Reverse((_, name, token, known))) = growing.names.pop() {
            self.spend(number, self.seeds.open_count(name) as u64 / SCANNED);
            if self.is_spent(number) {
                self.bounds.omit_places(1);
                break;
            }
            self.seeds.open(name, &mut open);
            let is_chained = |&other: &u32| self.seeds.are_chained(known, other, self.texts.measure.gap);
            if open.len() > FEW {
                let some = open.iter().copied().step_by(open.len().div_ceil(LOOKED_AT));
                let some: Vec<u32> = some.filter(is_chained).take(TRIED).collect();
                let before = growing.members.len();
                self.try_all(&mut growing, &some, token);
                if some.is_empty() || (growing.members.len() - before) * 4 < some.len() {
                    trials += 1;
                    if trials >= TRIALS + growing.members.len() / TRIED {
                        break;
                    }
                    continue;
                }
            }
            let is_chained = |&other: &u32| self.seeds.are_chained(known, other, self.texts.measure.gap);
            open.retain(is_chained);
            self.try_all(&mut growing, &open, token);
        }
        growing.members
    }

    /// Adds the copies at some seeds; `token` is the corresponding position in the representative.
    fn try_all(&mut self, growing: &mut GrowingPassage, seeds: &[u32], token: u32) {
        const MANY: usize = 256;
        let first = TokenPosition { token, ..growing.first };
        let (mut rest, mut is_long) = (seeds, false);
        while !rest.is_empty() {
            let (some, after) = rest.split_at(rest.len().min(if is_long { FEW } else { AT_ONCE }));
            rest = after;
            let diagonal = |number: u32| self.seeds.seeds[number as usize].place.wrapping_sub(token);
            let has_failed = |number: u32| {
                growing.failed.get(&diagonal(number)).is_some_and(|&last| last.abs_diff(token) <= NEAR)
            };
            // When comparisons are slow, a seed in a known copy is skipped.
            let is_known = |number: u32| is_long && self.seeds.is_taken(number);
            let is_wanted = |&&number: &&u32| !(is_known(number) || has_failed(number));
            let some: Vec<u32> = some.iter().filter(is_wanted).copied().collect();
            let tried: Vec<(u32, TokenPosition, bool)> = some
                .iter()
                .map(|&number| {
                    (number, self.texts.at(&self.seeds.seeds[number as usize]), self.is_spent(number))
                })
                .collect();
            let (different, of_tried) = self.different(first, &tried);
            let compare =
                |&at: &TokenPosition| self.texts.compare(first, at, 0, growing.bound, ComparisonDepth::Brief);
            let compared: Vec<PairComparison> = if different.len() > MANY {
                parallel::map(&different, compare)
            } else {
                different.iter().map(compare).collect()
            };
            let mut all_steps = 0;
            for ((number, at, is_spent), of) in tried.into_iter().zip(of_tried) {
                let PairComparison { agreement, steps } = match of {
                    Some(of) => compared[of].clone(),
                    None => PairComparison::NONE,
                };
                all_steps += steps;
                self.spend(number, steps);
                self.bounds.omit_places(usize::from(is_spent));
                let Some(agreement) = agreement else {
                    let diagonal = self.seeds.seeds[number as usize].place.wrapping_sub(token);
                    growing.failed.insert(diagonal, token);
                    continue;
                };
                if self.is_taken(growing, at.stretch, &agreement) {
                    continue;
                }
                let agreement = if agreement.equal.is_empty() {
                    let PairComparison { agreement, steps } =
                        self.texts.compare(first, at, 0, growing.bound, ComparisonDepth::Whole);
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

    /// The positions to compare with the first one, and for each that is tried which of them tells its result; `None` if
    /// its budget is spent. Positions in equal texts have equal results, except in the stretch of the first one itself.
    fn different(
        &self,
        first: TokenPosition,
        tried: &[(u32, TokenPosition, bool)],
    ) -> (Vec<TokenPosition>, Vec<Option<usize>>) {
        let mut different: Vec<TokenPosition> = Vec::with_capacity(tried.len());
        let mut known: HashMap<(u32, u32), usize> = HashMap::new();
        let mut number = |at: TokenPosition| {
            let of = match self.seeds.texts().filter(|_| at.stretch != first.stretch) {
                Some(texts) => {
                    *known.entry((texts[at.stretch as usize], at.token)).or_insert(different.len())
                }
                None => different.len(),
            };
            if of == different.len() {
                different.push(at);
            }
            of
        };
        let of_tried = tried.iter().map(|&(_, at, is_spent)| (!is_spent).then(|| number(at))).collect();
        (different, of_tried)
    }

    /// Whether a known copy overlaps more than a fifth of an agreement.
    fn is_taken(&self, growing: &GrowingPassage, stretch: u32, Agreement { b, .. }: &Agreement) -> bool {
        let own = self.texts.gathered.stretches[stretch as usize].base;
        let (start, end) = (own + b.start, own + b.end);
        // Taken ranges overlap little, so of the earlier ones only the last can overlap.
        let before = growing.taken.range(..start).next_back();
        let mut near = before.into_iter().chain(growing.taken.range(start..end));
        let shared = |(&from, &to): (&u32, &u32)| to.min(end).saturating_sub(from.max(start));
        near.any(|other| shared(other) * 5 > b.len() as u32)
    }

    /// Adds a new member, and the names of the seeds in it.
    fn add(&mut self, growing: &mut GrowingPassage, member: Member) {
        let Agreement { a, b, equal, .. } = &member.agreement;
        growing.equal_runs += equal.len();
        if growing.equal_runs > self.bounds.equal_runs() {
            growing.equal_runs -= equal.len();
            return self.bounds.omit_places(1);
        }
        let base = |stretch: u32| self.texts.gathered.stretches[stretch as usize].base;
        let (own, first) = (base(member.stretch), base(growing.first.stretch));
        let (start, end) = (own + b.start, own + b.end);
        growing.taken.insert(start, end);
        self.take(growing, start..end, |place| member.agreement.place_from(place - own));
        self.take(growing, first + a.start..first + a.end, |place| place - first);
        growing.members.push(member);
    }

    /// Takes the seeds that begin in a range of places, and queues their names. `token` converts a place to the
    /// corresponding position in the representative.
    fn take(&mut self, growing: &mut GrowingPassage, places: Range<u32>, token: impl Fn(u32) -> u32) {
        for number in self.seeds.within(places) {
            self.seeds.take(number as u32);
            let Seed { place, name, .. } = self.seeds.seeds[number];
            if self.seeds.is_new(name) {
                let of_name = (self.seeds.open_count(name), name, token(place), number as u32);
                growing.names.push(Reverse(of_name));
            }
        }
    }
}
