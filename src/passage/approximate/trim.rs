//! Trims members to copies: the text of a member beyond its passage is cut off, and the rest is checked again.

use std::ops::Range;

use super::super::gather::Gathered;
use super::super::measure::{Measure, Shared};
use super::common_ranges::CommonRange;
use super::extend::Agreement;
use super::grow::Member;
use super::weights::Weights;
use crate::measure::TokenRun;

/// Trims members to copies.
pub struct Trimmer<'a> {
    /// The texts.
    pub gathered: &'a Gathered,
    /// The weights of tokens.
    pub weights: &'a Weights,
    /// The criteria for copies.
    pub measure: Measure,
}

impl Trimmer<'_> {
    /// The representative of a passage, which is in the stretch `first`, and all copies including the representative,
    /// sorted by place.
    pub fn runs(&self, first: u32, members: &[Member], found: &CommonRange) -> (TokenRun, Vec<TokenRun>) {
        let representative = self.run(first, found.range.clone(), 1.0);
        let copies =
            found.members.iter().filter_map(|&number| self.copy(&representative, &members[number], found));
        let mut runs: Vec<TokenRun> = copies.chain([representative]).collect();
        runs.sort_by_key(|run| (run.place, run.tokens));
        (representative, runs)
    }

    fn run(&self, stretch: u32, range: Range<u32>, similarity: f32) -> TokenRun {
        let place = self.gathered.stretches[stretch as usize].base + range.start;
        TokenRun { place, tokens: range.len() as u32, similarity }
    }

    /// The run of a member that belongs to the passage. Ends near those of the passage are kept as they are.
    fn copy(&self, representative: &TokenRun, member: &Member, found: &CommonRange) -> Option<TokenRun> {
        let Member { stretch, agreement } = member;
        let gap = self.measure.gap;
        let is_longer =
            (agreement.a.start + gap < found.range.start, found.range.end + gap < agreement.a.end);
        let start = if is_longer.0 { agreement.place_of(found.range.start) } else { agreement.b.start };
        let end = if is_longer.1 { agreement.place_of(found.range.end) } else { agreement.b.end };
        if start >= end {
            return None;
        }
        let matches: u32 = agreement.equal_within(&found.range).map(|run| run.len() as u32).sum();
        let similarity = self.measure.similarity(matches, [representative.tokens, end - start]);
        let run = self.run(*stretch, start..end, similarity);
        self.is_copy(representative, &run, matches, agreement, &found.range).then_some(run)
    }

    /// Whether the run of a member is a copy of the representative, whose ends are not quite those of the member.
    fn is_copy(
        &self,
        representative: &TokenRun,
        run: &TokenRun,
        matches: u32,
        agreement: &Agreement,
        range: &Range<u32>,
    ) -> bool {
        let (one, other) = (self.gathered.tokens_of(representative), self.gathered.tokens_of(run));
        let of_first = |run: Range<u32>| {
            self.weights.sum(&one[(run.start - range.start) as usize..(run.end - range.start) as usize])
        };
        let agreeing = agreement.equal_within(range).map(of_first).sum();
        let [a, b] = [self.weights.sum(one) - agreeing, self.weights.sum(other).saturating_sub(agreeing)];
        let lost = self.measure.lost(a.max(b), [a, b]);
        let lengths = [representative.tokens, run.tokens];
        self.measure.is_met_by(&Shared { lengths, matches, agreeing, lost, mean: self.weights.mean })
    }
}
