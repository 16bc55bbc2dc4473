//! Making the lists of a subject: the trait of list makers, and the request with all that a list is made from.

use std::sync::Arc;

use super::known_clusters::KnownClusters;
use super::known_passages::KnownPassages;
use super::ranking_cache::RankingCache;
use super::review_stand::ReviewStand;
use super::shares::Shares;
use crate::decisions::lists::Decisions;
use crate::protocol::{RowList, View};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::index::{IndexError, IsStopped};

/// Makes the lists of one subject, and keeps what the next list can use again. `I` is the type that rows of all kinds
/// have in common.
pub(crate) trait ListMaker<I> {
    /// Sends the list that is asked for, at least once unless a newer request overtakes it.
    fn list(&mut self, request: &ListRequest<I>) -> Result<(), IndexError>;

    /// Frees what was made from passages, as these are replaced.
    fn forget_passages(&mut self) {}
}

/// A request for a list, with all that it is made from. All of an answer is about this one state.
pub(crate) struct ListRequest<'a, I> {
    /// Which rows are asked for.
    pub view: &'a View,
    /// What was decided.
    pub decisions: &'a Decisions,
    /// The newest generation.
    pub snapshot: &'a Snapshot,
    /// The passages that were found last.
    pub known: Option<&'a Arc<KnownPassages>>,
    /// The clusters that were found last.
    pub clusters: Option<&'a Arc<KnownClusters>>,
    /// What is known of the review of a change.
    pub review: &'a ReviewStand,
    /// The rankings of blots.
    pub rankings: &'a RankingCache,
    /// Whether there is a newer request or a newer state, so that the list is of no use.
    pub is_overtaken: &'a (dyn Fn() -> bool + Sync),
    /// Whether the session ends.
    pub is_stopped: IsStopped<'a>,
    /// Sends a list, which may be partial.
    pub send: &'a dyn Fn(RowList<I>),
    /// Sends a notice: a sentence.
    pub notice: &'a dyn Fn(String),
}

impl<I> ListRequest<'_, I> {
    /// Sends a list unless it is overtaken. Returns whether it was sent.
    pub(crate) fn send_newest(&self, list: RowList<I>) -> bool {
        let is_newest = !(self.is_overtaken)();
        if is_newest {
            (self.send)(list);
        }
        is_newest
    }

    /// Sends an empty list, as what it is made from was not found yet.
    pub(crate) fn send_provisional(&self) {
        (self.send)(RowList {
            view: self.view.clone(),
            generation: self.snapshot.manifest().generation,
            is_provisional: true,
            ..RowList::default()
        });
    }

    /// The passages with the shares of documents. While there are none, sends an empty provisional list and returns `None`.
    pub(crate) fn shares_or_wait(&self) -> Option<(Arc<KnownPassages>, Arc<Shares>)> {
        let Some(known) = self.known else {
            self.send_provisional();
            return None;
        };
        let shown = if self.view.show_taboo { Arc::default() } else { Arc::clone(self.decisions.set()) };
        Some((Arc::clone(known), known.shares(&shown)))
    }
}
