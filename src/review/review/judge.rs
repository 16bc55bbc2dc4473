//! What was decided about the findings of a review: the state of each row, and what is left out and why.

use std::cmp::Reverse;

use super::find::{FoundReview, TouchedPassage};
use super::verdict::{LeftOut, ReviewDecisions, UNDECIDED, Verdict};
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::{AcceptedId, AcceptedSet, CorrectedKinds};
use dupi_judge::aside::AsideRule;
use dupi_judge::passages::Passage;
use dupi_judge::search::Passages;
use dupi_text::blot::Recipe;

/// What a review reports.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// What is new, the worthiest first.
    pub new: Vec<ReviewedPassage>,
    /// What has drifted, the longest first: each by its index, and what was decided about it.
    pub drifted: Vec<(usize, ReviewState)>,
    /// What is not reported.
    pub left_out: LeftOut,
}

/// A passage that is new with a change.
#[derive(Clone, Debug)]
pub struct ReviewedPassage {
    /// The passage.
    pub of: TouchedPassage,
    /// What it is.
    pub verdict: Verdict,
    /// What was decided about it.
    pub state: ReviewState,
}

impl FoundReview {
    /// What is reported of it, given the passages that it was found in. The decisions may be others than those that it was
    /// found with.
    pub fn judged(&self, passages: &Passages, recipe: &Recipe, decisions: &ReviewDecisions) -> Review {
        let hidden = passages.hidden(self.least, decisions.taboo, recipe);
        let accepted = passages.accepted(decisions.accepted);
        let mut left_out = self.left_out.clone();
        let mut found: Vec<ReviewedPassage> = Vec::new();
        for touched in &self.touched {
            let reviewed =
                reviewed(&passages.found[touched.number], touched, hidden[touched.number], &accepted);
            if decisions.reports(reviewed.state) {
                found.push(reviewed);
            } else {
                left_out.count(reviewed.state);
            }
        }
        let all = found.len();
        let corrected = passages.corrected(decisions.corrected);
        let listed = one_of_each_family(passages, &found, &corrected);
        found.retain(|reviewed| listed.contains(&(reviewed.of.number as u32)));
        left_out.members += (all - found.len()) as u64;
        found.sort_by_key(|reviewed| {
            let passage = &passages.found[reviewed.of.number];
            (Reverse(passage.worth), Reverse(passage.score()), passage.id)
        });
        let mut drifted = Vec::new();
        for (number, drift) in self.drifts.iter().enumerate() {
            let of = AcceptedId::Passage(drift.id);
            let copies = (drift.changed.len() + drift.others.len()) as u64;
            let is_taboo = drift.around.is_some_and(|number| hidden[number]);
            let state = ReviewState::judge(is_taboo, decisions.accepted.copies(of), copies);
            let state = state.or_fix(decisions.accepted.is_to_fix(of));
            if decisions.reports(state) {
                drifted.push((number, state));
            } else {
                left_out.count(state);
            }
        }
        Review { new: found, drifted, left_out }
    }
}

/// One passage of each family that has undecided ones, and of each that has decided ones: what is decided about one of
/// a family says nothing of the others.
fn one_of_each_family(
    passages: &Passages,
    found: &[ReviewedPassage],
    corrected: &CorrectedKinds,
) -> Vec<u32> {
    let rule = AsideRule { kinds: Vec::new(), members: false };
    let listed = |is_undecided: bool| {
        let some = found.iter().filter(|of| UNDECIDED.contains(&of.state) == is_undecided);
        rule.split(&passages.found, corrected, some.map(|reviewed| reviewed.of.number as u32)).listed
    };
    [listed(true), listed(false)].concat()
}

fn reviewed(
    passage: &Passage,
    of: &TouchedPassage,
    is_taboo: bool,
    accepted: &AcceptedSet,
) -> ReviewedPassage {
    let id = AcceptedId::Passage(passage.id.0);
    let of_longer = |longer: &u64| accepted.copies(AcceptedId::Passage(*longer));
    let then = accepted.copies(id).or_else(|| of.longer.iter().find_map(of_longer));
    // What is accepted with as many copies is what it would be without that.
    let verdict = of.counts.verdict(then).or(of.counts.verdict(None)).unwrap_or(Verdict::NewCopy);
    let state = ReviewState::judge(is_taboo, then, passage.copies.len() as u64);
    ReviewedPassage { of: of.clone(), verdict, state: state.or_fix(accepted.is_to_fix(id)) }
}
