//! How far the review of a change is.

use std::sync::Arc;

use super::known_review::KnownReview;
use super::review_rows::ReviewRows;

/// What is known of the review of a change.
#[derive(Clone, Default)]
pub(crate) enum ReviewStand {
    /// It was not made yet.
    #[default]
    Unknown,
    /// What it found last.
    Found(Arc<ReviewRows>),
    /// Why it cannot be made: a sentence.
    Failed(String),
}

impl ReviewStand {
    /// What it found last.
    pub(crate) fn found(&self) -> Option<&Arc<KnownReview>> {
        if let Self::Found(rows) = self { Some(&rows.review) } else { None }
    }
}
