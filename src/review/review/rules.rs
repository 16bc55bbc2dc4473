//! What is reported of a review, and what is not.

use std::collections::BTreeMap;

use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::{AcceptedSet, CorrectedKinds, TabooSet};
use dupi_judge::kind::Kind;
use dupi_judge::passages::Passage;

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
