//! Finds the exact repeats that are in no approximate passage. They exist because seeds are tried within limits, and
//! because the pieces of a long passage may have been assigned to passages with more copies.

use rayon::prelude::*;

use super::super::group::RunGroup;
use super::super::token_run::TokenRun;

/// The ranges of runs, sorted by start: the start of each, and the greatest end of those up to it.
struct Coverage {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Coverage {
    fn of(groups: &[RunGroup]) -> Self {
        let runs = groups.par_iter().flat_map_iter(|group| &group.runs);
        let mut runs: Vec<(u32, u32)> = runs.map(|run| (run.place, run.end())).collect();
        runs.par_sort_unstable();
        let mut last = 0;
        let furthest = |&(_, end): &(u32, u32)| {
            last = last.max(end);
            last
        };
        Self {
            ends: runs.iter().map(furthest).collect(),
            starts: runs.into_iter().map(|(start, _)| start).collect(),
        }
    }

    /// Whether one of them contains a run, except for `slack` tokens at either end.
    fn holds(&self, run: &TokenRun, slack: u32) -> bool {
        let begun = self.starts.partition_point(|&start| start <= run.place + slack);
        begun > 0 && self.ends[begun - 1] + slack >= run.end()
    }
}

/// The groups of equal runs with a run that is outside of all copies by more than `gap` tokens.
pub fn remainder(groups: &[RunGroup], equal: Vec<RunGroup>, gap: u32) -> Vec<RunGroup> {
    let reach = Coverage::of(groups);
    equal.into_par_iter().filter(|group| !group.runs.iter().all(|run| reach.holds(run, gap))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::passages::PassageId;
    use super::super::super::unit::Unit;
    use super::*;

    #[test]
    fn what_no_single_copy_holds_is_missed() {
        let run = |(place, tokens): (u32, u32)| TokenRun { place, tokens, similarity: 1.0 };
        let group = |runs: &[(u32, u32)]| RunGroup {
            id: PassageId(0),
            runs: runs.iter().copied().map(run).collect(),
            representative: 0,
            parent: None,
            unit: Unit::Passage,
        };
        let told = [group(&[(100, 40), (140, 40), (300, 90)])];
        let is_missed = |runs: &[(u32, u32)]| !remainder(&told, vec![group(runs)], 8).is_empty();
        assert!(!is_missed(&[(100, 40), (310, 30)]));
        assert!(!is_missed(&[(93, 50), (295, 100)]), "slightly beyond the ends");
        assert!(is_missed(&[(100, 80), (310, 30)]), "two adjacent copies do not contain a longer one");
        assert!(is_missed(&[(150, 30), (400, 30)]));
    }
}
