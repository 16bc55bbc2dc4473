//! From two places that agree to all copies of their passage.
//!
//! The first place is the representative. Each copy that is found shows where more may be: at the seeds
//! that stand in it. Whatever is found so is compared with the representative.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;

use super::super::gather::Gathered;
use super::extend::{Agreement, Pair};
use super::seeds::{Seed, Seeds};
use super::weights::Weights;

/// So many seeds of a name are tried. When fewer than a quarter of them stand in copies, the others are not.
const TRIED: usize = 8;
/// A name with no more seeds is looked through whole.
const FEW: usize = 16;
/// After so many names tried in vain a passage is taken to have no more copies; large ones get more.
const TRIALS: usize = 6;

/// What makes two runs copies of each other.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The fewest tokens of either.
    pub least: u32,
    /// The least share of their weight that agrees.
    pub overlap: f32,
    /// The most tokens that differ between tokens that agree.
    pub gap: u32,
}

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
}

/// A place in a stretch.
#[derive(Clone, Copy)]
struct At {
    stretch: u32,
    token: u32,
}

/// The members of a passage while it grows.
struct Growing {
    first: At,
    members: Vec<Member>,
    /// For each stretch what of it is taken.
    taken: HashMap<u32, Vec<Range<u32>>>,
    seen: HashSet<u32>,
    /// Names to look through: the rarest first, each with its place in the representative.
    names: BinaryHeap<Reverse<(usize, u32, u32)>>,
}

impl Grower<'_> {
    /// A place behind a seed where a copy of the text around it stands, among the next few of its name.
    pub fn probe(&self, number: u32) -> Option<u32> {
        let seed = self.seeds.seeds[number as usize];
        let named = self.seeds.named(seed.name);
        let from = named.partition_point(|&other| other <= number);
        let open = named[from..].iter().take(FEW).filter(|&&other| !self.seeds.is_done(other)).take(TRIED);
        open.copied().find(|&other| {
            let other = self.seeds.seeds[other as usize];
            self.compare(self.at(&seed), self.at(&other), seed.tokens).is_some()
        })
    }

    /// All copies of the passage that stands around two seeds of one name, compared with the first.
    pub fn grow(&mut self, first: u32, second: u32) -> Vec<Member> {
        let (first, second) = (self.seeds.seeds[first as usize], self.seeds.seeds[second as usize]);
        let Some(agreement) = self.compare(self.at(&first), self.at(&second), first.tokens) else {
            return Vec::new();
        };
        self.seeds.begin();
        let mut growing = Growing {
            first: self.at(&first),
            members: Vec::new(),
            taken: HashMap::new(),
            seen: HashSet::new(),
            names: BinaryHeap::new(),
        };
        self.add(&mut growing, Member { stretch: second.stretch, agreement });
        let mut trials = 0;
        while let Some(Reverse((_, name, token))) = growing.names.pop() {
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
    fn try_all(&mut self, growing: &mut Growing, seeds: &[u32], token: u32) {
        const MANY: usize = 256;
        let first = At { token, ..growing.first };
        let try_one = |number: &u32| {
            let seed = self.seeds.seeds[*number as usize];
            let at = self.at(&seed);
            let agreement = self.compare(first, at, 0)?;
            Some(Member { stretch: at.stretch, agreement })
        };
        let found: Vec<Member> = if seeds.len() > MANY {
            seeds.par_iter().filter_map(try_one).collect()
        } else {
            seeds.iter().filter_map(try_one).collect()
        };
        for member in found {
            self.add(growing, member);
        }
    }

    /// Adds a member, unless another has most of it, and all names that stand in it.
    fn add(&mut self, growing: &mut Growing, member: Member) {
        let Agreement { a, b, .. } = &member.agreement;
        let base = |stretch: u32| self.gathered.stretches[stretch as usize].base;
        if growing.members.is_empty() {
            growing.taken.insert(growing.first.stretch, vec![a.clone()]);
        }
        let taken = growing.taken.entry(member.stretch).or_default();
        let shared = |other: &Range<u32>| other.end.min(b.end).saturating_sub(other.start.max(b.start));
        if taken.iter().any(|other| shared(other) * 5 > b.len() as u32) {
            return;
        }
        taken.push(b.clone());
        let (own, first) = (base(member.stretch), base(growing.first.stretch));
        let places = [
            (own + b.start..own + b.end, Some((&member.agreement, own))),
            (first + a.start..first + a.end, None),
        ];
        for (range, from) in places {
            for number in self.seeds.within(range) {
                self.seeds.take(number as u32);
                let seed = self.seeds.seeds[number];
                if growing.seen.insert(seed.name) {
                    let token = match from {
                        Some((agreement, own)) => agreement.place_from(seed.place - own),
                        None => seed.place - first,
                    };
                    growing.names.push(Reverse((self.seeds.open_count(seed.name), seed.name, token)));
                }
            }
        }
        growing.members.push(member);
    }

    fn at(&self, seed: &Seed) -> At {
        let base = self.gathered.stretches[seed.stretch as usize].base;
        At { stretch: seed.stretch, token: seed.place - base }
    }

    /// How the texts around two places agree; `None` when they are no copies of each other. Two places in one
    /// stretch do not reach over each other.
    fn compare(&self, a: At, b: At, len: u32) -> Option<Agreement> {
        let tokens = |at: At| self.gathered.tokens(&self.gathered.stretches[at.stretch as usize]);
        let (mut one, mut other) = (tokens(a), tokens(b));
        let (mut skip_a, mut skip_b) = (0, 0);
        if a.stretch == b.stretch {
            if a.token.abs_diff(b.token) < len.max(1) {
                return None;
            }
            if a.token < b.token {
                one = &one[..b.token as usize];
                skip_b = b.token;
                other = &other[skip_b as usize..];
            } else {
                other = &other[..a.token as usize];
                skip_a = a.token;
                one = &one[skip_a as usize..];
            }
        }
        let (at_a, at_b) = ((a.token - skip_a) as usize, (b.token - skip_b) as usize);
        let pair = Pair { a: one, b: other, gap: self.measure.gap, weights: self.weights };
        let mut found = pair.extend(at_a, at_b, len as usize);
        let shortest = found.a.len().min(found.b.len()) as u32;
        if shortest < self.measure.least || found.overlap() < self.measure.overlap {
            return None;
        }
        found.shift(skip_a, skip_b);
        Some(found)
    }
}
