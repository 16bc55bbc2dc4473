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

/// What a user chose to count as a passage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChosenCriteria {
    /// The criteria that were chosen.
    pub criteria: PassageCriteria,
    /// Those that are as usual, whatever the settings say.
    pub usual: UsualCriteria,
}

/// Which criteria are as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UsualCriteria {
    min_tokens: bool,
    gap: bool,
    min_overlap: bool,
    across: bool,
}

impl ChosenCriteria {
    /// These, and what was not chosen as the settings say it.
    pub fn or(self, settings: PassageCriteria) -> PassageCriteria {
        let usual = self.usual;
        self.criteria.or(PassageCriteria {
            min_tokens: settings.min_tokens.filter(|_| !usual.min_tokens),
            gap: settings.gap.filter(|_| !usual.gap),
            min_overlap: settings.min_overlap.filter(|_| !usual.min_overlap),
            across: settings.across.filter(|_| !usual.across),
        })
    }

    /// The same when criteria that were something else are others now.
    pub fn changed(self, was: PassageCriteria, now: PassageCriteria) -> Self {
        fn either<T: PartialEq>(
            same: (Option<T>, bool),
            was: Option<T>,
            now: Option<T>,
        ) -> (Option<T>, bool) {
            let is_usual = now.is_none();
            if now == was { same } else { (now, is_usual) }
        }
        let Self { criteria, usual } = self;
        let (min_tokens, of_tokens) =
            either((criteria.min_tokens, usual.min_tokens), was.min_tokens, now.min_tokens);
        let (gap, of_gap) = either((criteria.gap, usual.gap), was.gap, now.gap);
        let (min_overlap, of_overlap) =
            either((criteria.min_overlap, usual.min_overlap), was.min_overlap, now.min_overlap);
        let (across, of_across) = either((criteria.across, usual.across), was.across, now.across);
        Self {
            criteria: PassageCriteria { min_tokens, gap, min_overlap, across },
            usual: UsualCriteria {
                min_tokens: of_tokens,
                gap: of_gap,
                min_overlap: of_overlap,
                across: of_across,
            },
        }
    }
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
