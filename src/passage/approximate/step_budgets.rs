//! How much comparing each document is worth.
//!
//! In ordinary text a place is compared with a few others, and most of them are copies. In a text that repeats itself
//! with small differences (a table of numbers, words from a tiny alphabet) every place is like every other, and to
//! compare them all takes a time that grows with the square of the text. So each document has a fund of steps that is
//! in proportion to its length, and each comparison is paid by the document whose place is compared. When a fund is
//! spent, the places of that document are compared no more; those of others are. All is paid in the order of the
//! text, so that it does not depend on the number of threads.

use super::super::gather::Gathered;

/// Steps for each gathered token.
const STEPS: i64 = 4096;
/// Steps that each of the first tokens of a document has more.
const FIRST_STEPS: i64 = 4 * STEPS;
/// How many those are: tables of that size stand in ordinary source code, and may be compared row by row.
const FIRST: i64 = 1 << 14;
/// A document has as much as one of so many tokens at least.
const SHORT: i64 = 256;

/// What is left to each document.
pub struct StepBudgets(Vec<i64>);

impl StepBudgets {
    /// Nothing is spent.
    pub fn new(gathered: &Gathered) -> Self {
        let mut tokens = vec![0; gathered.sources.len()];
        for stretch in &gathered.stretches {
            tokens[stretch.document as usize] += i64::from(stretch.len);
        }
        Self(tokens.into_iter().map(budget).collect())
    }

    /// Takes what was spent on a document.
    pub fn spend(&mut self, document: u32, steps: u64) {
        let left = &mut self.0[document as usize];
        *left = left.saturating_sub_unsigned(steps);
    }

    /// Whether a document has nothing left.
    pub fn is_spent(&self, document: u32) -> bool {
        self.0[document as usize] <= 0
    }
}

/// The steps for a document of so many tokens.
fn budget(tokens: i64) -> i64 {
    let tokens = tokens.max(SHORT);
    tokens * STEPS + tokens.min(FIRST) * FIRST_STEPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn funds_grow_with_the_document_and_only_its_own_is_spent() {
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
