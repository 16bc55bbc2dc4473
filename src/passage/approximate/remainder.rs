//! Finds the exact repeats whose copies are not together in one approximate passage. They exist because seeds are tried
//! within limits, because the pieces of a long passage may have been assigned to passages with other copies, and because
//! every copy is compared with one representative only.

use super::super::group::RunGroup;
use super::containing::containing;

/// Those of the `equal` groups that are not whole in one of the others: no other group has, for each of its runs, a copy
/// of its own that contains the run except for `gap` tokens at either end.
pub fn remainder(groups: &[RunGroup], equal: &[RunGroup], gap: u32) -> Vec<RunGroup> {
    let holders = containing(equal, groups, gap, |_| gap, |_, _| true);
    equal
        .iter()
        .zip(holders)
        .filter(|(_, holders)| holders.is_empty())
        .map(|(group, _)| group.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::token_run::TokenRun;
    use super::super::super::unit::Unit;
    use super::*;
    use crate::group::PassageId;

    #[test]
    fn what_no_group_holds_in_copies_of_its_own_is_missed() {
        let run = |(place, tokens): (u32, u32)| TokenRun { place, tokens, similarity: 1.0 };
        let group = |runs: &[(u32, u32)]| RunGroup {
            id: PassageId(0),
            runs: runs.iter().copied().map(run).collect(),
            representative: 0,
            parent: None,
            unit: Unit::Passage,
        };
        let told = [group(&[(100, 40), (140, 40), (300, 90)]), group(&[(300, 90), (400, 90)])];
        let is_missed = |runs: &[(u32, u32)]| !remainder(&told, &[group(runs)], 8).is_empty();
        assert!(!is_missed(&[(100, 40), (310, 30)]));
        assert!(!is_missed(&[(93, 50), (295, 100)]), "slightly beyond the ends");
        assert!(is_missed(&[(100, 80), (310, 30)]), "two adjacent copies do not contain a longer one");
        assert!(is_missed(&[(150, 30), (600, 30)]));
        assert!(is_missed(&[(110, 25), (420, 25)]), "in copies of two groups");
        assert!(is_missed(&[(300, 30), (350, 30)]), "in one copy");
    }
}
