//! Computes from passages how much of each document is duplicated, and which other document has the most of it.
//!
//! Tokens are counted exactly: a token in several nested or overlapping copies counts once. When two documents share a
//! passage, all tokens of a document's own copies of that passage count as shared.
//!
//! Comparing all pairs of copies would take quadratic time. So the passages of a document are counted from the rarest
//! on, within a budget of pairs. If the budget suffices for all, the partner is the best one. If not, candidates are
//! counted in full, and the best of them is the partner: the documents that share the most of the rarer passages, and
//! neighbours that have the first passage beyond the budget. The tokens shared with a partner are exact in any case.

use std::cmp::Reverse;
use std::ops::Range;

use rayon::prelude::*;

use super::passages::{Passage, PassageCopy};

/// The budget of pairs for each copy in a document; it also includes this number of extra copies.
const PAIRS: usize = 64;
/// How many candidates are counted in full.
const CANDIDATES: usize = 12;

/// How much of a document is duplicated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many of its tokens are in passages.
    pub duplicated: u32,
    /// How many copies of passages it has, without those within longer ones.
    pub copies: u32,
    /// The other document that has the most of these tokens.
    pub partner: Option<Partner>,
}

/// A document that shares passages with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partner {
    /// The index of the document in the sources.
    pub source: u32,
    /// How many tokens of the other document it has too.
    pub tokens: u32,
}

/// A copy in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedCopy {
    /// The index of its document in the sources.
    pub source: u32,
    /// The first of its tokens.
    pub first: u32,
    /// The token after its last.
    pub end: u32,
    /// The index of its passage.
    pub passage: u32,
    /// Its index in the copies of the passage.
    pub copy: u32,
}

/// The copies of all documents, sorted by document and position. Of copies with one start the longest comes first.
pub struct PlacedCopies {
    placed: Vec<PlacedCopy>,
    /// For each source, the end of its copies in `placed`.
    ends: Vec<usize>,
}

impl PlacedCopies {
    /// The copies of all passages that are not `hidden`, by their sources.
    pub fn new(found: &[Passage], hidden: &[bool], sources: usize) -> Self {
        let placed = placed_copies(found, hidden, 0..sources as u32);
        let mut ends = Vec::with_capacity(sources);
        let mut end = 0;
        for source in 0..sources as u32 {
            end += placed[end..].iter().take_while(|at| at.source == source).count();
            ends.push(end);
        }
        Self { placed, ends }
    }

    /// The copies in a source.
    pub fn within(&self, source: u32) -> &[PlacedCopy] {
        let start = source.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.placed[start..self.ends[source as usize]]
    }

    /// The share of each source.
    pub fn shares(&self, found: &[Passage]) -> Vec<Share> {
        self.shares_by(found, PAIRS)
    }

    fn shares_by(&self, found: &[Passage], pairs: usize) -> Vec<Share> {
        let sources = self.ends.len();
        let numbers = (0..sources as u32).into_par_iter().with_min_len(16);
        numbers
            .map_init(
                || Counter::new(sources, found.len()),
                |counter, source| {
                    let own = self.within(source);
                    let tokens: u32 = outermost(own).map(|(_, new)| new.len() as u32).sum();
                    let copies = outermost(own).count() as u32;
                    let budget = pairs * (own.len() + pairs);
                    Share {
                        duplicated: tokens,
                        copies,
                        partner: counter.partner(self, found, source, budget),
                    }
                },
            )
            .collect()
    }
}

/// The copies, in some sources, of all passages that are not `hidden`, sorted by document and position. Of copies with
/// one start the longest comes first.
pub fn placed_copies(found: &[Passage], hidden: &[bool], sources: Range<u32>) -> Vec<PlacedCopy> {
    let shown = (0..).zip(found).filter(|(number, _)| !hidden[*number as usize]);
    let mut placed: Vec<PlacedCopy> = shown
        .flat_map(|(passage, of)| {
            let start = of.copies.partition_point(|spot| spot.source < sources.start);
            let end = of.copies.partition_point(|spot| spot.source < sources.end);
            let placed = move |(copy, spot): (u32, &PassageCopy)| PlacedCopy {
                source: spot.source,
                first: spot.first,
                end: spot.end_token(),
                passage,
                copy,
            };
            (start as u32..).zip(&of.copies[start..end]).map(placed)
        })
        .collect();
    placed.par_sort_unstable_by_key(|at| (at.source, at.first, Reverse(at.end), at.passage, at.copy));
    placed
}

/// The copies in a document that lie in no other one, each with its tokens that are in no earlier copy.
pub fn outermost(placed: &[PlacedCopy]) -> impl Iterator<Item = (&PlacedCopy, Range<u32>)> {
    let mut covered = 0;
    placed.iter().filter_map(move |at| {
        let new = at.first.max(covered)..at.end;
        covered = covered.max(at.end);
        (!new.is_empty()).then_some((at, new))
    })
}

/// Counts what one document shares with others.
struct Counter {
    /// For each other document, the token up to which its share is counted.
    covered: Vec<u32>,
    tokens: Vec<u32>,
    touched: Vec<u32>,
    /// For each passage, the last round that marked it.
    marks: Vec<u32>,
    round: u32,
}

impl Counter {
    fn new(sources: usize, passages: usize) -> Self {
        Self {
            covered: vec![0; sources],
            tokens: vec![0; sources],
            touched: Vec::new(),
            marks: vec![0; passages],
            round: 0,
        }
    }

    fn partner(
        &mut self,
        standings: &PlacedCopies,
        found: &[Passage],
        source: u32,
        budget: usize,
    ) -> Option<Partner> {
        let own = standings.within(source);
        let copies = |at: &PlacedCopy| found[at.passage as usize].copies.len();
        let stands_elsewhere = |at: &&PlacedCopy| found[at.passage as usize].documents > 1;
        let mut by_rarity: Vec<(usize, u32)> =
            own.iter().filter(stands_elsewhere).map(|at| (copies(at), at.passage)).collect();
        by_rarity.sort_unstable();
        let mut left = budget;
        let beyond = by_rarity.iter().position(|&(copies, _)| {
            let fits = copies <= left;
            left = left.saturating_sub(copies);
            !fits
        });
        let rarest = beyond.map(|at| by_rarity[at]);
        let is_counted = |at: &&PlacedCopy| rarest.is_none_or(|rarest| (copies(at), at.passage) < rarest);
        for at in own.iter().filter(is_counted) {
            for spot in found[at.passage as usize].copies.iter().filter(|spot| spot.source != source) {
                self.add(spot.source, at);
            }
        }
        let mut best: Vec<Partner> = self
            .touched
            .iter()
            .map(|&other| Partner { source: other, tokens: self.tokens[other as usize] })
            .collect();
        for &other in &self.touched {
            (self.covered[other as usize], self.tokens[other as usize]) = (0, 0);
        }
        self.touched.clear();
        let order = |partner: &Partner| (Reverse(partner.tokens), partner.source);
        let Some((_, rarest)) = rarest else { return best.into_iter().min_by_key(order) };
        if best.len() > CANDIDATES {
            best.select_nth_unstable_by_key(CANDIDATES, order);
            best.truncate(CANDIDATES);
        }
        let mut candidates: Vec<u32> = best.iter().map(|partner| partner.source).collect();
        candidates.extend(neighbours(&found[rarest as usize].copies, source));
        let counted = candidates.into_iter().map(|other| self.shared(standings, source, other));
        counted.min_by_key(order)
    }

    fn add(&mut self, other: u32, at: &PlacedCopy) {
        let (covered, tokens) = (&mut self.covered[other as usize], &mut self.tokens[other as usize]);
        if *tokens == 0 {
            self.touched.push(other);
        }
        *tokens += at.end.saturating_sub(at.first.max(*covered));
        *covered = at.end.max(*covered);
    }

    /// Counts the tokens of a document in passages that another document has too.
    fn shared(&mut self, standings: &PlacedCopies, source: u32, other: u32) -> Partner {
        self.round += 1;
        for at in standings.within(other) {
            self.marks[at.passage as usize] = self.round;
        }
        let has = |at: &&PlacedCopy| self.marks[at.passage as usize] == self.round;
        let mut covered = 0;
        let tokens = standings.within(source).iter().filter(has).map(|at| {
            let new = at.end.saturating_sub(at.first.max(covered));
            covered = at.end.max(covered);
            new
        });
        Partner { source: other, tokens: tokens.sum() }
    }
}

/// The documents with copies of a passage that come next before and after a document.
fn neighbours(copies: &[PassageCopy], source: u32) -> impl Iterator<Item = u32> {
    let start = copies.partition_point(|spot| spot.source < source);
    let end = copies.partition_point(|spot| spot.source <= source);
    let (before, behind) = (copies[..start].iter().rev(), copies[end..].iter());
    before.take(CANDIDATES / 2).chain(behind.take(CANDIDATES / 2)).map(|spot| spot.source)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::passages::PassageId;
    use super::*;
    use dupi_passage::unit::Unit;

    const SOURCES: u32 = 9;

    /// Passages with copies at any position, nested and overlapping.
    fn passages() -> impl Strategy<Value = Vec<Passage>> {
        let copy = (0..SOURCES, 0..60_u32, 1..20_u32);
        let copies = prop::collection::btree_set(copy, 2..12);
        let passage = |(number, copies): (usize, BTreeSet<(u32, u32, u32)>)| {
            let spot = |(source, first, tokens)| PassageCopy {
                source,
                start: 0,
                end: 0,
                first,
                tokens,
                similarity: 1.0,
            };
            let documents = copies.iter().map(|copy| copy.0).collect::<BTreeSet<_>>().len() as u32;
            let copies: Vec<PassageCopy> = copies.into_iter().map(spot).collect();
            Passage {
                id: PassageId(number as u64),
                copies,
                representative: 0,
                documents,
                parent: None,
                unit: Unit::Passage,
                family: PassageId(number as u64),
                members: 0,
                kind: None,
                worth: 0,
                lines: 0,
            }
        };
        prop::collection::vec(copies, 0..12)
            .prop_map(move |all| all.into_iter().enumerate().map(passage).collect())
    }

    /// The tokens of a document that are in passages, or in passages that `other` has too.
    fn tokens(found: &[Passage], hidden: &[bool], source: u32, other: Option<u32>) -> BTreeSet<u32> {
        let is_meant =
            |of: &Passage| other.is_none_or(|other| of.copies.iter().any(|spot| spot.source == other));
        let shown = found.iter().zip(hidden).filter(|(of, hidden)| !**hidden && is_meant(of));
        let copies = shown.flat_map(|(of, _)| of.copies.iter().filter(|spot| spot.source == source));
        copies.flat_map(|spot| spot.first..spot.end_token()).collect()
    }

    proptest! {
        #[test]
        fn shares_are_what_marking_every_token_gives(found in passages(), hidden: [bool; 12], pairs in 0..3_usize) {
            let hidden = &hidden[..found.len()];
            let standings = PlacedCopies::new(&found, hidden, SOURCES as usize);
            let (all, some) = (standings.shares(&found), standings.shares_by(&found, pairs));
            for source in 0..SOURCES {
                let (share, cheap) = (all[source as usize], some[source as usize]);
                assert_eq!(share.duplicated as usize, tokens(&found, hidden, source, None).len());
                assert_eq!((share.duplicated, share.copies), (cheap.duplicated, cheap.copies));
                let shared = |other: u32| tokens(&found, hidden, source, Some(other)).len() as u32;
                let others = (0..SOURCES).filter(|&other| other != source && shared(other) > 0);
                let best = others.min_by_key(|&other| (Reverse(shared(other)), other));
                assert_eq!(share.partner, best.map(|other| Partner { source: other, tokens: shared(other) }));
                // With fewer pairs the partner may differ, but its tokens are exact.
                assert!(cheap.partner.is_none_or(|of| of.tokens == shared(of.source) && of.tokens > 0));
                assert!(cheap.partner.is_some() || best.is_none());
            }
        }

        #[test]
        fn the_outermost_copies_are_those_that_lie_in_no_other(found in passages()) {
            let hidden = vec![false; found.len()];
            let standings = PlacedCopies::new(&found, &hidden, SOURCES as usize);
            for source in 0..SOURCES {
                let own = standings.within(source);
                let spans: BTreeSet<(u32, u32)> = own.iter().map(|at| (at.first, at.end)).collect();
                let holds = |of: &(u32, u32), at: &(u32, u32)| of != at && of.0 <= at.0 && at.1 <= of.1;
                let expected: Vec<(u32, u32)> =
                    spans.iter().filter(|at| !spans.iter().any(|of| holds(of, at))).copied().collect();
                let told: Vec<(u32, u32)> = outermost(own).map(|(at, _)| (at.first, at.end)).collect();
                assert_eq!(told, expected);
                assert_eq!(placed_copies(&found, &hidden, source..source + 1), own);
            }
        }
    }
}
