//! Extends an agreement of two texts to both sides, across small differences.
//!
//! From the common tokens outwards, equal tokens are matched as far as they go. At a difference the nearest place is
//! searched at which some tokens agree again; where there is none, the next tokens are aligned; where that fails too, one
//! text may have a longer insertion (`Pair::insertion`). Each token that agrees adds its weight to the score, and each
//! that differs subtracts a part of it. The weight of a differing token is limited to one and
//! a half times the mean: a misread word or a new name is rare because it differs. The copy ends at the highest score (the X-drop
//! rule of Zhang, Schwartz, Wagner, Miller, “A greedy algorithm for aligning DNA sequences”, 2000) of the places at which
//! it may end ([`super::ends`]).

use std::collections::VecDeque;
use std::ops::Range;

use super::super::measure::{Measure, Shared};
use super::ahead::{Ahead, Matches};
use super::ends::Ends;
use super::resume::{AHEAD, resume};
use super::weights::{FULL, Weights};

/// Two texts to compare.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    /// The tokens of the first text.
    pub a: &'a [u64],
    /// The tokens of the second text.
    pub b: &'a [u64],
    /// The criteria for copies.
    pub measure: Measure,
    /// The weights of tokens.
    pub weights: &'a Weights,
}

/// The tokens of a difference count at most this many halves of the mean weight each.
const MOST_HALVES: u32 = 3;
/// The most tokens that are compared to decide, by their weight, whether two texts agree again.
const LONGEST_RUN: usize = 8;

/// Where two texts agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The range in the first text.
    pub a: Range<u32>,
    /// The range in the second text.
    pub b: Range<u32>,
    /// How many tokens agree.
    pub matches: u32,
    /// The weight of the tokens that agree.
    pub agreeing: u32,
    /// The weight of the tokens that differ: at each difference, the larger of the two sides.
    pub differing: u32,
    /// The weight of the tokens that differ, in the first and in the second text.
    pub lost: [u32; 2],
    /// The equal runs, ascending: start in the first text, start in the second text, and length.
    pub equal: Vec<(u32, u32, u32)>,
    /// The steps that the comparison took.
    pub steps: u64,
}

/// The cost of a search across a difference, in steps.
const BRIDGE: u64 = 32;
/// How much a side must agree before its next tokens are aligned, in mean weights. Most places have no copy.
const PROVEN: u32 = 4;
/// The cost of an alignment behind a difference, in such searches.
const RESUME: u64 = 8;

/// The agreement on one side: how far it extends in each text.
#[derive(Clone, Copy, Default)]
struct SideAgreement {
    a: usize,
    b: usize,
    matches: u32,
    agreeing: u32,
    differing: u32,
    lost: [u32; 2],
    /// What the differences count against the score.
    penalty: u32,
    steps: usize,
}

/// The highest cost of a token that differs, in units of one that agrees. With 1 a copy would end before a part of which
/// less than half agrees, although the whole is similar enough.
const MOST_COST: f64 = 0.8;
/// The same at the ends of a copy, where nothing is forgiven.
const MOST_COST_AT_ENDS: f64 = 1.0;
/// The number of gaps of rare tokens by which the score may fall below its highest value.
const FALLEN_GAPS: u32 = 3;
/// The share of the tokens since the highest value, by weight, that must agree where the score falls by more than one gap.
/// Unlike texts agree in less by chance.
const LEAST_SINCE: f64 = 1.0 / 6.0;
/// The most gaps of tokens that an insertion has.
const INSERTED_GAPS: usize = 6;
/// The weight of the tokens that must agree behind an insertion, in means.
const BEHIND_INSERTION: u32 = 5;

/// A difference: its start in both texts and its end in both texts.
type Bridge = ((u32, u32), (u32, u32));

impl SideAgreement {
    /// The weight that differences count against the score.
    fn counted(&self, measure: &Measure) -> u32 {
        measure.lost(self.differing, self.lost).min(self.penalty)
    }

    /// The score, if a token that differs counts `cost` times as much as one that agrees.
    fn score(&self, measure: &Measure, cost: f64) -> f64 {
        f64::from(self.agreeing) - cost * f64::from(self.counted(measure))
    }

    /// Whether the score has fallen since an earlier place by more than differences of a weight count. Weights are compared
    /// before they are multiplied by `cost`, so that no rounding decides.
    fn has_fallen(&self, since: &Self, measure: &Measure, cost: f64, weight: u32) -> bool {
        let counted = f64::from(self.counted(measure)) - f64::from(since.counted(measure));
        cost * (counted - f64::from(weight)) > f64::from(self.agreeing - since.agreeing)
    }

    /// Whether the tokens since an earlier place agree in more than chance explains.
    fn agrees_since(&self, before: &Self) -> bool {
        let agreeing = f64::from(self.agreeing - before.agreeing);
        agreeing >= LEAST_SINCE * (agreeing + f64::from(self.penalty - before.penalty))
    }
}

/// How much a token that differs counts against one that agrees. At the least similarity that is asked both must not
/// cancel each other, or else a copy would end where it is still similar enough. So an agreement never gets shorter with
/// a lower `overlap`, with a larger gap, or when one side suffices. It is at most `most`.
fn cost(measure: &Measure, most: f64) -> f64 {
    let overlap = f64::from(measure.overlap).clamp(0.0, 0.5);
    (overlap / (1.0 - overlap)).min(most)
}

impl Pair<'_> {
    /// Extends the agreement of `len` tokens at positions `a` and `b` to both sides. `len` is 0 for a guess.
    pub fn extend(&self, a: usize, b: usize, len: usize) -> Agreement {
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        let own = len as u32;
        let left_of = |proven, before: &mut _| self.side::<true>(&self.a[..a], &self.b[..b], proven, before);
        let (mut left, mut steps_left) = left_of(own, &mut before);
        let (right, steps_right) =
            self.side::<false>(&self.a[a + len..], &self.b[b + len..], own + left.matches, &mut behind);
        if right.matches > left.matches && own + right.matches > 2 * self.measure.gap {
            // Now more agrees, so that a longer insertion is possible on the left.
            before.clear();
            let steps = steps_left;
            (left, steps_left) = left_of(own + right.matches, &mut before);
            steps_left += steps;
        }
        let (start_a, start_b) = ((a - left.a) as u32, (b - left.b) as u32);
        let ends = ((a + len + right.a) as u32, (b + len + right.b) as u32);
        // On the left side, starts and ends of differences are swapped.
        let (a, b, behind_a, behind_b) = (a as u32, b as u32, (a + len) as u32, (b + len) as u32);
        let before = before.iter().rev().map(|&(from, to)| ((a - to.0, b - to.1), (a - from.0, b - from.1)));
        let behind = behind
            .iter()
            .map(|&(from, to)| ((behind_a + from.0, behind_b + from.1), (behind_a + to.0, behind_b + to.1)));
        let mut at = (start_a, start_b);
        let mut equal = Vec::with_capacity(before.len() + behind.len() + 1);
        for (from, to) in before.chain(behind).chain([(ends, ends)]) {
            if from.0 > at.0 {
                equal.push((at.0, at.1, from.0 - at.0));
            }
            at = to;
        }
        let common: u32 =
            self.a[a as usize..behind_a as usize].iter().map(|&token| self.weights.get(token)).sum();
        Agreement {
            a: start_a..ends.0,
            b: start_b..ends.1,
            matches: left.matches + right.matches + len as u32,
            agreeing: left.agreeing + right.agreeing + common,
            differing: left.differing + right.differing,
            lost: [left.lost[0] + right.lost[0], left.lost[1] + right.lost[1]],
            equal,
            steps: steps_left + steps_right + len as u64,
        }
    }

    /// Extends to one side. Returns the agreement and the steps it took, and adds its differences to `bridges`. `proven`
    /// tokens agree on the other side.
    fn side<const BACK: bool>(
        &self,
        a: &[u64],
        b: &[u64],
        proven: u32,
        bridges: &mut Vec<Bridge>,
    ) -> (SideAgreement, u64) {
        let token = |text: &[u64], at: usize| if BACK { text[text.len() - 1 - at] } else { text[at] };
        let (mut now, mut best) = (SideAgreement::default(), SideAgreement::default());
        // The next places at which the texts agree.
        let mut planned: VecDeque<(usize, usize)> = VecDeque::new();
        let mut resumed = 0_u64;
        let cost_at_ends = cost(&self.measure, MOST_COST_AT_ENDS);
        let cost = cost(&self.measure, MOST_COST);
        let score = |side: &SideAgreement| side.score(&self.measure, cost);
        let one_gap = self.measure.gap * u32::from(FULL);
        // What insertions since the best place count against the score.
        let mut inserted = 0;
        let mut ends = Ends::default();
        loop {
            while now.a < a.len() && now.b < b.len() && token(a, now.a) == token(b, now.b) {
                now.agreeing += self.weights.get(token(a, now.a));
                (now.a, now.b, now.matches) = (now.a + 1, now.b + 1, now.matches + 1);
            }
            let at_end = now.score(&self.measure, cost_at_ends);
            if ends.may_end(now.a + now.b, at_end) && score(&now) > score(&best) {
                best = now;
                inserted = 0;
            }
            let rest = (a.len() - now.a, b.len() - now.b);
            let agree = |skip_a: usize, skip_b: usize, least: u32| {
                let mut weight = 0;
                for at in
                    0..(rest.0.saturating_sub(skip_a)).min(rest.1.saturating_sub(skip_b)).min(LONGEST_RUN)
                {
                    let one = token(a, now.a + skip_a + at);
                    if one != token(b, now.b + skip_b + at) {
                        return false;
                    }
                    weight += self.weights.get(one);
                    if weight >= least {
                        return true;
                    }
                }
                false
            };
            planned.retain(|&(to_a, to_b)| to_a >= now.a && to_b >= now.b);
            let is_proven = now.agreeing >= self.weights.mean * PROVEN;
            if rest.0 == 0 || rest.1 == 0 {
                // Nothing can agree any more. The last search is charged all the same.
                resumed += u64::from(is_proven);
                break;
            }
            let mut is_insertion = false;
            let mut next = planned.pop_front();
            if next.is_none() {
                let ahead = Ahead::of::<BACK>((a, now.a), (b, now.b));
                let behind = |(skip_a, skip_b)| (now.a + skip_a, now.b + skip_b);
                next = self.bridge(&ahead, agree).map(behind);
                if next.is_none() && is_proven {
                    resumed += 1;
                    planned.extend(self.resume::<BACK>(a, b, &now));
                    next = planned.pop_front();
                }
                if next.is_none() {
                    is_insertion = true;
                    next = self.insertion(&ahead, proven + now.matches, agree).map(behind);
                }
            }
            let Some((to_a, to_b)) = next else { break };
            let (skip_a, skip_b) = (to_a - now.a, to_b - now.b);
            let weight = |text: &[u64], from: usize, count: usize| -> u32 {
                (from..from + count).map(|at| self.weights.get(token(text, at))).sum()
            };
            let lost = [weight(a, now.a, skip_a), weight(b, now.b, skip_b)];
            now.differing += lost[0].max(lost[1]);
            let penalty =
                lost[0].max(lost[1]).min(self.weights.mean * MOST_HALVES / 2 * skip_a.max(skip_b) as u32);
            now.penalty += penalty;
            now.lost = [now.lost[0] + lost[0], now.lost[1] + lost[1]];
            if is_insertion {
                inserted += penalty;
                ends.owe(at_end);
            }
            let falls_by = |gaps: u32| now.has_fallen(&best, &self.measure, cost, inserted + gaps * one_gap);
            if falls_by(FALLEN_GAPS) || falls_by(1) && !now.agrees_since(&best) {
                break;
            }
            let from = (now.a as u32, now.b as u32);
            now.a += skip_a;
            now.b += skip_b;
            bridges.push((from, (now.a as u32, now.b as u32)));
            now.steps = bridges.len();
        }
        let steps = now.a as u64 + (bridges.len() as u64 + resumed * RESUME + 1) * BRIDGE;
        bridges.truncate(best.steps);
        (best, steps)
    }

    /// The next pairs of equal tokens by which an agreement on one side goes on, where no single run tells it.
    fn resume<const BACK: bool>(&self, a: &[u64], b: &[u64], now: &SideAgreement) -> Vec<(usize, usize)> {
        let ahead = |text: &[u64], from: usize| -> ([u64; AHEAD], usize) {
            let mut tokens = [0; AHEAD];
            let count = (text.len() - from).min(AHEAD);
            for (at, token) in tokens[..count].iter_mut().enumerate() {
                *token = if BACK { text[text.len() - 1 - from - at] } else { text[from + at] };
            }
            (tokens, count)
        };
        let ((one, ones), (other, others)) = (ahead(a, now.a), ahead(b, now.b));
        let pairs = resume(&one[..ones], &other[..others], self.measure.gap as usize, self.weights);
        pairs.into_iter().flatten().map(|(x, y)| (now.a + x, now.b + y)).collect()
    }

    /// The fewest tokens to skip in each text so that some tokens agree again.
    fn bridge(
        &self,
        ahead: &Ahead,
        agree: impl Fn(usize, usize, u32) -> bool + Copy,
    ) -> Option<(usize, usize)> {
        for most in 1..=self.measure.gap as usize {
            // A chance agreement is more likely at a greater distance.
            let run = self.weights.mean * if most < 4 { 3 } else { 4 } / 3;
            let next = agreeing(ahead.skipping(most), most, (0..=most).rev(), |a, b| agree(a, b, run));
            if next.is_some() {
                return next;
            }
        }
        None
    }

    /// The fewest tokens to skip in each text so that several tokens agree again, if one of them has a longer insertion than
    /// a gap: a statement that was added to a method, or a clause to a prayer. It is at most half as long as what agrees, and
    /// in the other text at most a gap differs. A copy ends behind it only where more agrees again than it has
    /// ([`Ends::owe`]).
    fn insertion(
        &self,
        ahead: &Ahead,
        agree: u32,
        agrees: impl Fn(usize, usize, u32) -> bool,
    ) -> Option<(usize, usize)> {
        let gap = self.measure.gap as usize;
        let weight = self.weights.mean * BEHIND_INSERTION;
        let longest = (agree as usize / 2).min(gap * INSERTED_GAPS);
        (gap + 1..=longest)
            .find_map(|most| agreeing(ahead.skipping(most), most, 0..=gap, |a, b| agrees(a, b, weight)))
    }
}

/// The first of some pairs of skipped tokens at which two texts agree: `most` in one of them, and in the other as many as
/// `less` names one after another.
fn agreeing(
    matches: Matches,
    most: usize,
    less: impl Iterator<Item = usize> + Clone,
    agree: impl Fn(usize, usize) -> bool,
) -> Option<(usize, usize)> {
    if !matches.up_to(less.clone().max()?) {
        return None;
    }
    less.into_iter().find_map(|less| {
        let [in_other, in_one] = matches.at(less);
        let one = (in_other && agree(most, less)).then_some((most, less));
        one.or_else(|| (in_one && agree(less, most)).then_some((less, most)))
    })
}

impl Agreement {
    /// Whether two runs with this agreement are copies of each other.
    pub fn meets(&self, measure: &Measure, mean: u32) -> bool {
        let Self { matches, agreeing, differing, lost, .. } = *self;
        let lost = measure.lost(differing, lost);
        measure.is_met_by(&Shared { lengths: self.lengths(), matches, agreeing, lost, mean })
    }

    /// The number of tokens of each side.
    pub fn lengths(&self) -> [u32; 2] {
        [&self.a, &self.b].map(|range| range.len() as u32)
    }

    /// Moves its positions by a number of tokens in each text.
    pub fn shift(&mut self, a: u32, b: u32) {
        self.a = self.a.start + a..self.a.end + a;
        self.b = self.b.start + b..self.b.end + b;
        for run in &mut self.equal {
            *run = (run.0 + a, run.1 + b, run.2);
        }
    }

    /// The equal runs within a range of the first text, as ranges of that text.
    pub fn equal_within(&self, range: &Range<u32>) -> impl Iterator<Item = Range<u32>> {
        let (start, end) = (range.start, range.end);
        let first = self.equal.partition_point(|&(a, _, len)| a + len <= start);
        let within = self.equal[first..].iter().take_while(move |&&(a, ..)| a < end);
        within.map(move |&(a, _, len)| a.max(start)..(a + len).min(end))
    }

    /// The position in the second text that corresponds to token `at` of the first.
    pub fn place_of(&self, at: u32) -> u32 {
        let run = self.equal.partition_point(|&(a, ..)| a <= at).saturating_sub(1);
        let (a, b, _) = self.equal[run];
        let limit = self.equal.get(run + 1).map_or(self.b.end, |next| next.1);
        (b + at.saturating_sub(a)).min(limit)
    }

    /// The position in the first text that corresponds to token `at` of the second.
    pub fn place_from(&self, at: u32) -> u32 {
        let run = self.equal.partition_point(|&(_, b, _)| b <= at).saturating_sub(1);
        let (a, b, _) = self.equal[run];
        let limit = self.equal.get(run + 1).map_or(self.a.end, |next| next.0);
        (a + at.saturating_sub(b)).min(limit)
    }
}

#[cfg(test)]
#[path = "extend_tests.rs"]
mod tests;
