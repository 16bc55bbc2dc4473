//! Falls back to a part: when two texts agree in too small a share of a longer range, the longest part of it around the
//! seed that is similar enough is their copy. Without it a larger gap would lose what a smaller one finds, because the
//! range that it reaches is judged as a whole.

use super::super::measure::{Measure, Shared};
use super::extend::{Agreement, Pair};

/// How many equal runs on either side of the seed are considered. The time is quadratic in it.
const RUNS: usize = 64;
/// The cost of judging one part, in steps of a comparison.
const JUDGED: u64 = 4;

/// Sums up to some equal run: the tokens of both texts, those that agree, and the weights.
#[derive(Clone, Copy, Default)]
struct Sums {
    lengths: [u32; 2],
    matches: u32,
    agreeing: u32,
    differing: u32,
    lost: [u32; 2],
}

impl Sums {
    fn add(self, other: &Self) -> Self {
        let both = |a: [u32; 2], b: [u32; 2]| [a[0] + b[0], a[1] + b[1]];
        Self {
            lengths: both(self.lengths, other.lengths),
            matches: self.matches + other.matches,
            agreeing: self.agreeing + other.agreeing,
            differing: self.differing + other.differing,
            lost: both(self.lost, other.lost),
        }
    }

    fn meets(&self, measure: &Measure, mean: u32) -> bool {
        let Self { lengths, matches, agreeing, differing, lost } = *self;
        measure.is_met_by(&Shared { lengths, matches, agreeing, lost: measure.lost(differing, lost), mean })
    }
}

impl Pair<'_> {
    /// An agreement if it meets the measure, or else the longest part of it that contains token `at` of the first text
    /// and does. Also returns the steps that the comparison took with this search.
    pub fn met(&self, found: Agreement, at: usize) -> (Option<Agreement>, u64) {
        let mut steps = found.steps;
        if found.meets(&self.measure, self.weights.mean) {
            return (Some(found), steps);
        }
        (self.part(found, at as u32, &mut steps), steps)
    }

    /// The longest part. Adds the steps of the search to `steps`.
    fn part(&self, found: Agreement, at: u32, steps: &mut u64) -> Option<Agreement> {
        let equal = &found.equal;
        let seed = equal.partition_point(|&(a, ..)| a <= at).checked_sub(1)?;
        let first = seed.saturating_sub(RUNS);
        let last = (seed + RUNS).min(equal.len() - 1);
        let own = self.run(&found, seed);
        // From the seed outwards, each run with the difference before it.
        let further = |from: usize, to: usize| self.difference(&found, from).add(&self.run(&found, to));
        let behind: Vec<Sums> = running(Sums::default(), (seed..last).map(|run| further(run, run + 1)));
        let before: Vec<Sums> = running(own, (first..seed).rev().map(|run| further(run, run)));
        *steps += (behind.len() + before.len()) as u64 * JUDGED;
        let mut best: Option<(u32, usize, usize, Sums)> = None;
        for (left, before) in before.iter().enumerate() {
            for (right, behind) in behind.iter().enumerate().rev() {
                *steps += JUDGED;
                let sums = before.add(behind);
                let length = sums.lengths[0].min(sums.lengths[1]);
                if length < self.measure.least || best.is_some_and(|(longest, ..)| length <= longest) {
                    break;
                }
                if sums.meets(&self.measure, self.weights.mean) {
                    best = Some((length, seed - left, seed + right, sums));
                    break;
                }
            }
        }
        let (_, from, to, Sums { matches, agreeing, differing, lost, .. }) = best?;
        let ((a, b, _), (end_a, end_b, len)) = (equal[from], equal[to]);
        Some(Agreement {
            a: a..end_a + len,
            b: b..end_b + len,
            matches,
            agreeing,
            differing,
            lost,
            equal: equal[from..=to].to_vec(),
            steps: *steps,
        })
    }

    /// An equal run.
    fn run(&self, found: &Agreement, number: usize) -> Sums {
        let (a, _, len) = found.equal[number];
        let agreeing = self.weights.sum(&self.a[a as usize..(a + len) as usize]);
        Sums { lengths: [len; 2], matches: len, agreeing, ..Sums::default() }
    }

    /// The difference behind an equal run.
    fn difference(&self, found: &Agreement, number: usize) -> Sums {
        let ((a, b, len), (next_a, next_b, _)) = (found.equal[number], found.equal[number + 1]);
        let lost = [
            self.weights.sum(&self.a[(a + len) as usize..next_a as usize]),
            self.weights.sum(&self.b[(b + len) as usize..next_b as usize]),
        ];
        let lengths = [next_a - a - len, next_b - b - len];
        Sums { lengths, lost, differing: lost[0].max(lost[1]), ..Sums::default() }
    }
}

/// The running sums, beginning with the first.
fn running(first: Sums, steps: impl Iterator<Item = Sums>) -> Vec<Sums> {
    let mut sums = vec![first];
    for step in steps {
        sums.push(sums[sums.len() - 1].add(&step));
    }
    sums
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::weights::Weights;
    use super::*;

    type EqualRuns = Vec<(u32, u32, u32)>;

    /// Equal runs, each given by its length and by the numbers of differing tokens behind it in both texts.
    fn texts(runs: &[(usize, usize, usize)]) -> (Vec<u64>, Vec<u64>, EqualRuns) {
        let (mut a, mut b, mut equal) = (Vec::new(), Vec::new(), Vec::new());
        for (number, &(len, of_a, of_b)) in (1..).zip(runs) {
            equal.push((a.len() as u32, b.len() as u32, len as u32));
            let run = (0..len as u64).map(|at| number << 20 | at << 40);
            a.extend(run.clone());
            b.extend(run);
            if number < runs.len() as u64 {
                a.extend((0..of_a as u64).map(|at| 1 << 60 | number << 20 | at));
                b.extend((0..of_b as u64).map(|at| 1 << 61 | number << 20 | at));
            }
        }
        (a, b, equal)
    }

    fn met(runs: &[(usize, usize, usize)], seed: usize, measure: Measure) -> Option<Agreement> {
        met_in(runs, seed, measure).0
    }

    /// The same with the steps of the search.
    fn met_in(runs: &[(usize, usize, usize)], seed: usize, measure: Measure) -> (Option<Agreement>, u64) {
        let (a, b, equal) = texts(runs);
        let weights = Weights::equal();
        let pair = Pair { a: &a, b: &b, measure, weights: &weights };
        let mut all = Sums::default();
        let at = equal[seed].0 as usize;
        let found = Agreement {
            a: 0..a.len() as u32,
            b: 0..b.len() as u32,
            matches: 0,
            agreeing: 0,
            differing: 0,
            lost: [0; 2],
            equal,
            steps: 0,
        };
        for number in 0..runs.len() {
            all = all.add(&pair.run(&found, number));
            if number + 1 < runs.len() {
                all = all.add(&pair.difference(&found, number));
            }
        }
        let Sums { matches, agreeing, differing, lost, .. } = all;
        pair.met(Agreement { matches, agreeing, differing, lost, ..found }, at)
    }

    const MEASURE: Measure = Measure { least: 20, overlap: 0.6, one_sided: false, gap: 8 };

    #[test]
    fn the_longest_part_that_is_similar_enough_is_the_copy() {
        let found = met(&[(4, 8, 8), (15, 1, 1), (10, 8, 8), (4, 8, 8), (3, 0, 0)], 1, MEASURE).unwrap();
        assert_eq!((found.a, found.b, found.matches), (0..50, 0..50, 33));
        assert_eq!(found.equal, [(0, 0, 4), (12, 12, 15), (28, 28, 10), (46, 46, 4)]);
        assert_eq!(met(&[(9, 8, 8), (9, 8, 8), (1, 0, 0)], 0, Measure { least: 30, ..MEASURE }), None);
    }

    #[test]
    fn the_search_is_charged_and_bounded() {
        let whole = [(20, 1, 1), (20, 0, 0)];
        assert_eq!(met_in(&whole, 0, MEASURE).1, 0, "nothing is searched");
        // No part is similar enough, so all are judged.
        let of = |count: usize| met_in(&vec![(1, 8, 8); count], count / 2, MEASURE);
        for count in [40, 80, 128] {
            let (found, steps) = of(count);
            let pairs = (count / 2 + 1) * (count - count / 2) - 10;
            assert!(found.is_none() && steps >= pairs as u64 * JUDGED, "{count}: {steps}");
        }
        assert_eq!(of(200).1, of(4000).1, "far runs are not considered");
        let cut = met_in(&[(4, 8, 8), (15, 1, 1), (10, 8, 8), (4, 8, 8), (3, 0, 0)], 1, MEASURE);
        assert_eq!(cut.0.map(|found| found.steps), Some(cut.1));
    }

    proptest! {
        #[test]
        fn a_part_is_found_exactly_when_one_holds_to_the_measure(
            runs in prop::collection::vec((1..12_usize, 0..9_usize, 0..9_usize), 1..12),
            seed: prop::sample::Index,
            overlap in 0.1..0.95_f32,
            one_sided: bool,
        ) {
            let seed = seed.index(runs.len());
            let measure = Measure { overlap, one_sided, ..MEASURE };
            let meets = |from: usize, to: usize| {
                let inner = &runs[from..=to];
                let matches: usize = inner.iter().map(|run| run.0).sum();
                let between = &runs[from..to];
                let [a, b] = [|run: &(usize, usize, usize)| run.1, |run: &(usize, usize, usize)| run.2]
                    .map(|of| between.iter().map(of).sum::<usize>());
                let lost = if one_sided { a.min(b) } else { a.max(b) };
                let least = matches + a.min(b);
                (least >= 20 && matches as f32 / (matches + lost) as f32 >= overlap).then_some(least as u32)
            };
            let longest = (0..=seed).flat_map(|from| (seed..runs.len()).map(move |to| (from, to)));
            let longest = longest.filter_map(|(from, to)| meets(from, to)).max();
            let found = met(&runs, seed, measure).map(|found| found.a.len().min(found.b.len()) as u32);
            // What is similar enough as a whole is not cut.
            prop_assert_eq!(found, longest.filter(|_| meets(0, runs.len() - 1).is_none()).or(meets(0, runs.len() - 1)));
        }
    }
}
