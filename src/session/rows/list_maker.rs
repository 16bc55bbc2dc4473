//! How the lists of a subject are made: what a list is made from, and to whom it is told.

use std::sync::Arc;

use super::known_passages::KnownPassages;
use super::ranking_cache::RankingCache;
use super::shares::Shares;
use crate::index::snapshot::Snapshot;
use crate::index::{IndexError, IsStopped};
use crate::session::decisions::lists::Decisions;
use crate::session::protocol::{RowList, View};

/// Makes the lists of one subject, and keeps what the next list can use again. `I` is the type that rows of all kinds
/// have in common.
pub trait ListMaker<I> {
    /// Tells the list that is asked for: at least once, unless it is overtaken.
    fn list(&mut self, request: &ListRequest<I>) -> Result<(), IndexError>;

    /// Does what can wait until the list is shown and decisions are confirmed.
    fn finish(&mut self, _: &ListRequest<I>) -> Result<(), IndexError> {
        Ok(())
    }

    /// Frees what was made from passages: others are known now, or none.
    fn forget_passages(&mut self) {}
}

/// A request for a list, with all that it is made from. All of an answer is about this one state.
pub struct ListRequest<'a, I> {
    /// Which rows are asked for.
    pub view: &'a View,
    /// What was decided.
    pub decisions: &'a Decisions,
    /// The newest generation.
    pub snapshot: &'a Snapshot,
    /// The passages that were found last.
    pub known: Option<&'a Arc<KnownPassages>>,
    /// The rankings of blots.
    pub rankings: &'a RankingCache,
    /// Whether something newer was asked for, or came: then the list is of no use.
    pub is_overtaken: &'a (dyn Fn() -> bool + Sync),
    /// Whether the session ends.
    pub is_stopped: IsStopped<'a>,
    /// Shows a list, which may be a part of it.
    pub tell: &'a dyn Fn(RowList<I>),
    /// Shows a sentence.
    pub notice: &'a dyn Fn(String),
}

impl<I> ListRequest<'_, I> {
    /// Shows a list unless it is overtaken; whether it was shown.
    pub fn tell_newest(&self, list: RowList<I>) -> bool {
        let is_newest = !(self.is_overtaken)();
        if is_newest {
            (self.tell)(list);
        }
        is_newest
    }

    /// The passages with what they say about documents; while there are none, an empty list is shown, which waits for
    /// them.
    pub fn shares_or_wait(&self) -> Option<(Arc<KnownPassages>, Arc<Shares>)> {
        let Some(known) = self.known else {
            (self.tell)(RowList {
                view: self.view.clone(),
                generation: self.snapshot.manifest().generation,
                is_provisional: true,
                ..RowList::default()
            });
            return None;
        };
        let shown = if self.view.show_taboo { Arc::default() } else { Arc::clone(self.decisions.set()) };
        Some((Arc::clone(known), known.shares(&shown)))
    }
}
