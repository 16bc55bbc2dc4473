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
/// A document has as much as one of so many tokens at least.
const SHORT: i64 = 256;

/// What is left to each document.
pub struct Funds(Vec<i64>);

impl Funds {
    /// Nothing is spent.
    pub fn new(gathered: &Gathered) -> Self {
        let mut tokens = vec![0; gathered.sources.len()];
        for stretch in &gathered.stretches {
            tokens[stretch.document as usize] += i64::from(stretch.len);
        }
        Self(tokens.into_iter().map(|tokens| tokens.max(SHORT) * STEPS).collect())
    }

    /// Takes what was spent on a document.
    pub fn pay(&mut self, document: u32, steps: u64) {
        let left = &mut self.0[document as usize];
        *left = left.saturating_sub_unsigned(steps);
    }

    /// Whether a document has nothing left.
    pub fn is_spent(&self, document: u32) -> bool {
        self.0[document as usize] <= 0
    }
}
