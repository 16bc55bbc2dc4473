//! Which tokens only say again what an equal copy before them says: they add no context, and are not counted.
//!
//! A copy is left out only if it stands behind the one that it equals. So of every text the first one is counted,
//! whatever the passages are that it belongs to.

use super::super::group::RunGroup;
use super::super::token_run::TokenRun;

/// A bit for each gathered token.
pub(super) struct Again(Vec<u64>);

impl Again {
    /// What the copies of some groups say again, of so many tokens.
    pub(super) fn of(groups: &[RunGroup], tokens: u32) -> Self {
        let mut again = Self(vec![0; tokens as usize / 64 + 1]);
        for group in groups {
            let first = group.runs[group.representative as usize];
            let is_equal = |run: &&TokenRun| run.similarity >= 1.0 && run.tokens == first.tokens;
            for run in group.runs.iter().filter(|run| run.place > first.place).filter(is_equal) {
                // What stands before its first two pairs may be new.
                (run.place + 2..run.end())
                    .for_each(|place| again.0[place as usize / 64] |= 1 << (place % 64));
            }
        }
        again
    }

    /// Whether a token, and the two before it, stand in such a copy.
    #[inline]
    pub(super) fn has(&self, place: u32) -> bool {
        self.0[place as usize / 64] >> (place % 64) & 1 == 1
    }
}
