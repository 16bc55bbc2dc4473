//! What counts as a passage, as far as a user has said it.

use serde::{Deserialize, Serialize};

/// What counts as a passage. What is `None` is as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PassageCriteria {
    /// The fewest tokens.
    pub min_tokens: Option<u32>,
    /// The most consecutive tokens that may differ between tokens that agree; 0 for equal copies only.
    pub gap: Option<u32>,
    /// The least similarity of copies, in percent.
    pub min_overlap: Option<u32>,
    /// Whether only passages with copies in two documents or more count.
    pub across: Option<bool>,
}

impl PassageCriteria {
    /// The greatest fewest tokens: every window of that length is hashed.
    pub const MOST_TOKENS: u32 = 10_000;
    /// The greatest gap: the search at each difference takes time quadratic in it.
    pub const MOST_GAP: u32 = 64;

    /// These, and what they do not say as others say it.
    pub fn or(self, others: Self) -> Self {
        Self {
            min_tokens: self.min_tokens.or(others.min_tokens),
            gap: self.gap.or(others.gap),
            min_overlap: self.min_overlap.or(others.min_overlap),
            across: self.across.or(others.across),
        }
    }

    /// The same without numbers that no search takes.
    pub fn possible(self) -> Self {
        Self {
            min_tokens: self.min_tokens.filter(|tokens| (1..=Self::MOST_TOKENS).contains(tokens)),
            gap: self.gap.filter(|gap| *gap <= Self::MOST_GAP),
            min_overlap: self.min_overlap.filter(|percent| *percent <= 100),
            across: self.across,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_as_others_say_it() {
        let own = PassageCriteria { min_tokens: Some(12), ..PassageCriteria::default() };
        let others = PassageCriteria { min_tokens: Some(30), gap: Some(0), ..PassageCriteria::default() };
        let both = PassageCriteria { min_tokens: Some(12), gap: Some(0), ..PassageCriteria::default() };
        assert_eq!(own.or(others), both);
        let odd =
            PassageCriteria { min_tokens: Some(0), gap: Some(65), min_overlap: Some(101), across: None };
        assert_eq!(odd.possible(), PassageCriteria::default());
        assert_eq!(both.possible(), both);
    }
}
