//! Budgets of steps that limit the time of comparisons.
//!
//! In ordinary text a place is compared with a few others, and most of them are copies. In a text that repeats itself
//! with small differences (a table of numbers, words from a tiny alphabet) all places are similar, and comparing all pairs
//! would take quadratic time. So each document has a budget of steps in proportion to its length, and each comparison is
//! charged to the document whose place is compared. When its budget is spent, no more places of the document are
//! compared. Steps are charged in the order of the text, so the result does not depend on the number of threads.

use super::super::gather::Gathered;

/// Steps for each gathered token.
const STEPS: i64 = 1 << 13;
/// Extra steps for each of the first tokens of a document.
const FIRST_STEPS: i64 = 4 * STEPS;
/// How many tokens get extra steps: ordinary source code has tables of that size, which may be compared row by row.
const FIRST: i64 = 1 << 14;
/// The least length in tokens that a document counts as having.
const SHORT: i64 = 256;

/// The steps left for each document.
pub struct StepBudgets(Vec<i64>);

impl StepBudgets {
    /// The full budgets.
    pub fn new(gathered: &Gathered) -> Self {
        let documents = gathered.stretches.iter().map(|stretch| stretch.document + 1).max();
        let mut tokens = vec![0; documents.unwrap_or(0) as usize];
        for stretch in &gathered.stretches {
            tokens[stretch.document as usize] += i64::from(stretch.len);
        }
        Self(tokens.into_iter().map(budget).collect())
    }

    /// Charges steps to a document.
    pub fn spend(&mut self, document: u32, steps: u64) {
        let left = &mut self.0[document as usize];
        *left = left.saturating_sub_unsigned(steps);
    }

    /// Whether a document has no steps left.
    pub fn is_spent(&self, document: u32) -> bool {
        self.0[document as usize] <= 0
    }
}

/// The budget of a document by its number of tokens.
fn budget(tokens: i64) -> i64 {
    let tokens = tokens.max(SHORT);
    tokens * STEPS + tokens.min(FIRST) * FIRST_STEPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_grow_with_the_document_and_are_charged_separately() {
        assert_eq!(budget(0), budget(SHORT));
        assert!((0..1 << 24).step_by(999).all(|tokens| budget(tokens) <= tokens.max(SHORT) * 5 * STEPS));
        assert!((1 << 20..1 << 24).step_by(999).all(|tokens| budget(tokens) <= tokens * (STEPS + STEPS / 8)));
        let mut budgets = StepBudgets(vec![budget(300), budget(300)]);
        budgets.spend(1, budget(300) as u64 - 1);
        assert!(!budgets.is_spent(0) && !budgets.is_spent(1));
        budgets.spend(1, u64::MAX);
        assert!(!budgets.is_spent(0) && budgets.is_spent(1));
    }
}
