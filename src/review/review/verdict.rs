//! What a passage is in a change, by how many copies it has and had; what is reported of it, and what is not.
//!
//! Copies are counted, not followed: a copy that moved is one less where it was and one more where it is. So a moved, a
//! renamed and a re-indented copy are not new, wherever they come from.

use std::collections::BTreeMap;

use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::{AcceptedSet, CorrectedKinds, TabooSet};
use dupi_judge::kind::Kind;
use dupi_judge::passages::Passage;

/// What a passage is in a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// A copy of what was there before.
    NewCopy,
    /// All copies came with the change.
    WithinChange,
    /// It was accepted with fewer copies.
    OneMore,
    /// Copies of which only some were changed.
    Drifted,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::NewCopy, Self::WithinChange, Self::OneMore, Self::Drifted];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::NewCopy => "new-copy",
            Self::WithinChange => "within-change",
            Self::OneMore => "one-more",
            Self::Drifted => "drifted",
        }
    }

    /// Whether there is something that was not there before.
    pub fn is_new(self) -> bool {
        self != Self::Drifted
    }
}

/// The copies of a passage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyCounts {
    /// In files that the change leaves as they are.
    pub elsewhere: usize,
    /// In changed files now.
    pub now: usize,
    /// Of these, those with an added line.
    pub touched: usize,
    /// In changed files before the change.
    pub before: usize,
}

impl CopyCounts {
    /// How many copies there were before the change.
    pub fn former(&self) -> usize {
        self.elsewhere + self.before
    }

    /// What the passage is; `None` if it is not reported, because no copy has an added line, it had as many copies before
    /// (they were moved or edited), or it was accepted with as many copies.
    /// `accepted` is with how many copies it was accepted, if it was.
    pub fn verdict(&self, accepted: Option<u64>) -> Option<Verdict> {
        let Self { elsewhere, now, touched, before } = *self;
        if touched == 0 || now <= before {
            return None;
        }
        match accepted {
            Some(accepted) if (elsewhere + now) as u64 <= accepted => None,
            Some(_) => Some(Verdict::OneMore),
            None if elsewhere + before == 0 => Some(Verdict::WithinChange),
            None => Some(Verdict::NewCopy),
        }
    }
}

/// What was decided about passages, and which decisions are reported. It may change after a review is made.
#[derive(Clone, Copy)]
pub struct ReviewDecisions<'a> {
    /// The taboo list.
    pub taboo: &'a TabooSet,
    /// The accepted list.
    pub accepted: &'a AcceptedSet,
    /// The corrected kinds.
    pub corrected: &'a CorrectedKinds,
    /// Rows in these states are reported.
    pub states: &'a [ReviewState],
}

/// What a review looks for.
pub struct ReviewRules<'a> {
    /// The decisions.
    pub decisions: ReviewDecisions<'a>,
    /// Passages of these kinds are set aside.
    pub aside: &'a [Kind],
    /// The least information, in bits, that keeping one copy of a passage would save.
    pub min_worth: u64,
}

/// What is undecided: without an option, this is reported.
pub const UNDECIDED: [ReviewState; 2] = [ReviewState::Open, ReviewState::Fix];

/// How much is not reported, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Of kinds that are set aside.
    pub aside: BTreeMap<&'static str, u64>,
    /// In a state that is not reported, by its name.
    pub decided: BTreeMap<&'static str, u64>,
    /// Below the least worth.
    pub small: u64,
    /// Moved or edited: with as many copies as before.
    pub as_many: u64,
    /// In the families of others that are reported.
    pub members: u64,
    /// Suppressed by marks in the source.
    pub suppressed: u64,
    /// Tiles that stand in too many documents to read them.
    pub frequent: u64,
}

impl LeftOut {
    pub(super) fn count(&mut self, state: ReviewState) {
        *self.decided.entry(state.name()).or_default() += 1;
    }
}

impl ReviewDecisions<'_> {
    pub(super) fn reports(&self, state: ReviewState) -> bool {
        self.states.contains(&state)
    }
}

impl ReviewRules<'_> {
    /// Whether a passage is left out, whatever it is in the change: it is taboo, set aside, or not worth a row. Counts it.
    pub(super) fn leave_out(
        &self,
        (passage, is_taboo): (&Passage, bool),
        corrected: &CorrectedKinds,
        left_out: &mut LeftOut,
    ) -> bool {
        let aside = passage.kind_by(corrected).filter(|kind| self.aside.contains(kind));
        if is_taboo && !self.decisions.reports(ReviewState::Taboo) {
            left_out.count(ReviewState::Taboo);
        } else if let Some(kind) = aside {
            *left_out.aside.entry(kind.name()).or_default() += 1;
        } else if passage.worth < self.min_worth {
            left_out.small += 1;
        } else {
            return false;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A copy: whether its file is changed, whether it was there before, whether it is there now, and whether it has an
    /// added line.
    type Copy = (bool, bool, bool, bool);

    /// What a person would say who looks at each copy.
    fn said(copies: &[Copy], accepted: Option<u64>) -> Option<Verdict> {
        let before = copies.iter().filter(|copy| copy.1).count();
        let now = copies.iter().filter(|copy| copy.2).count();
        if now <= before || !copies.iter().any(|copy| copy.2 && copy.3) {
            return None;
        }
        if let Some(accepted) = accepted {
            return (now as u64 > accepted).then_some(Verdict::OneMore);
        }
        Some(if before == 0 { Verdict::WithinChange } else { Verdict::NewCopy })
    }

    proptest! {
        #[test]
        fn counts_say_what_the_copies_say(
            copies in prop::collection::vec((any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()), 0..7),
            accepted in prop::option::of(0..7_u64),
        ) {
            // What is in an unchanged file was there and is there, without an added line.
            let copy = |(changed, before, now, added): Copy| if changed { (changed, before, now, added) } else { (false, true, true, false) };
            let copies: Vec<Copy> = copies.into_iter().map(copy).collect();
            let count = |is: &dyn Fn(&Copy) -> bool| copies.iter().filter(|copy| is(copy)).count();
            let counts = CopyCounts {
                elsewhere: count(&|copy| !copy.0),
                now: count(&|copy| copy.0 && copy.2),
                touched: count(&|copy| copy.0 && copy.2 && copy.3),
                before: count(&|copy| copy.0 && copy.1),
            };
            prop_assert_eq!(counts.verdict(accepted), said(&copies, accepted));
        }
    }
}
