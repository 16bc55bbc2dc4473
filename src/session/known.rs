//! What a session knows: what was found last in a generation, with what is derived from it, and the decisions about it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::clusters::KnownClusters;
use self::passages::KnownPassages;
use self::review::ReviewStand;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::{AcceptedId, KeptTexts};
use dupi_judge::passages::PassageId;

pub(super) mod clusters;
pub(super) mod decisions;
pub(super) mod passages;
pub(super) mod rankings;
pub(super) mod review;
pub(super) mod taboo_counts;

/// Locks a mutex, even if a thread panicked while it held it.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A generation, and what was found in it or in an earlier one. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Found {
    /// The newest generation.
    pub snapshot: Snapshot,
    /// The passages that were found last.
    pub known: Option<Arc<KnownPassages>>,
    /// Whether these are only some of the passages, until a first search has found all.
    pub is_first_look: bool,
    /// The clusters that were found last.
    pub clusters: Option<Arc<KnownClusters>>,
    /// What is known of the review of a change.
    pub review: ReviewStand,
}

impl Found {
    /// The same for rows of a review, whose passages are those of the review.
    #[must_use]
    pub(crate) fn of_review(&self) -> Self {
        let known = self.review.found().map(|review| Arc::clone(&review.known));
        Self { known: known.or_else(|| self.known.clone()), ..self.clone() }
    }

    /// What a decision keeps of the texts of a passage's copies; nothing for a blot.
    pub(crate) fn kept_texts(&self, of: AcceptedId) -> KeptTexts {
        let passage = self.known.as_ref().zip(of.passage());
        passage.map(|(known, id)| known.passages.copy_texts.kept(PassageId(id))).unwrap_or_default()
    }
}
