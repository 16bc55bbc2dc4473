//! Compares the texts around two places.

use std::ops::Range;

use super::super::gather::Gathered;
use super::super::measure::Measure;
use super::extend::{Agreement, Pair};
use super::seeds::Seed;
use super::weights::Weights;

/// An agreement with more equal runs is not kept until it is known to be a new copy; then it is computed again.
const KEPT_RUNS: usize = 256;
/// A probe compares at most this many tokens on either side.
const PROBED: u32 = 4096;

/// The result of comparing two places.
#[derive(Clone)]
pub struct PairComparison {
    /// The agreement of the texts around them, if they are copies of each other.
    pub agreement: Option<Agreement>,
    /// The steps that it took.
    pub steps: u64,
}

impl PairComparison {
    /// No copies, in no time.
    pub const NONE: Self = Self { agreement: None, steps: 0 };
}

/// How far two places are compared, and what is kept of the result.
#[derive(Clone, Copy, PartialEq)]
pub enum ComparisonDepth {
    /// Only near the places, for a probe.
    Near,
    /// As far as they agree, without the equal runs when there are many.
    Brief,
    /// As far as they agree, with all equal runs.
    Whole,
}

/// A token of a stretch.
#[derive(Clone, Copy)]
pub struct TokenPosition {
    /// The index of the stretch.
    pub stretch: u32,
    /// The position in it.
    pub token: u32,
}

/// Compares texts.
#[derive(Clone, Copy)]
pub struct Comparer<'a> {
    /// The texts.
    pub gathered: &'a Gathered,
    /// The weights of tokens.
    pub weights: &'a Weights,
    /// The criteria for copies.
    pub measure: Measure,
}

impl Comparer<'_> {
    /// Where a seed begins.
    pub fn at(&self, seed: &Seed) -> TokenPosition {
        let base = self.gathered.stretches[seed.stretch as usize].base;
        TokenPosition { stretch: seed.stretch, token: seed.place - base }
    }

    /// Compares the texts around two places. The first text does not extend beyond `bound`, and the texts around two
    /// places in one stretch do not overlap.
    pub fn compare(
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

    /// The agreement of the texts around two places within given ranges of their stretches.
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
        let pair = Pair { a: one, b: other, measure: self.measure, weights: self.weights };
        let (at_a, at_b) = (a.token - of_a.start, b.token - of_b.start);
        let found = pair.extend(at_a as usize, at_b as usize, len as usize);
        let (found, steps) = pair.met(found, at_a as usize);
        let Some(mut found) = found else {
            return PairComparison { agreement: None, steps };
        };
        if depth == ComparisonDepth::Brief && found.equal.len() > KEPT_RUNS {
            found.equal = Vec::new();
        }
        found.shift(of_a.start, of_b.start);
        PairComparison { agreement: Some(found), steps }
    }
}
