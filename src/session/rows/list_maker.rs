//! Making the lists of a subject: the trait of list makers, and the request with all that a list is made from.

use std::sync::Arc;

use crate::known::Found;
use crate::known::decisions::Decisions;
use crate::known::passages::{KnownPassages, Shares};
use crate::known::rankings::RankingCache;
use crate::protocol::{Item, Listing, View};
use dupi_base::config::SavedFilters;
use dupi_index::index::{IndexError, IsStopped};
use dupi_index::query::filter::Problem;

/// Makes the lists of one subject, and keeps what the next list can use again.
pub(crate) trait ListMaker {
    /// Sends the list that is asked for, at least once unless a newer request overtakes it.
    fn list(&mut self, request: &ListRequest) -> Result<(), IndexError>;

    /// Frees what was made from passages, as these are replaced.
    fn forget_passages(&mut self) {}
}

/// A request for a list, with all that it is made from. All of an answer is about this one state.
pub(crate) struct ListRequest<'a> {
    /// Which rows are asked for.
    pub view: &'a View,
    /// What was decided.
    pub decisions: &'a Decisions,
    /// The newest generation, and what was found last.
    pub found: &'a Found,
    /// The rankings of blots.
    pub rankings: &'a RankingCache,
    /// Whether there is a newer request or a newer state, so that the list is of no use.
    pub is_overtaken: &'a (dyn Fn() -> bool + Sync),
    /// Whether the session ends.
    pub is_stopped: IsStopped<'a>,
    /// Sends a list, which may be partial.
    pub send: &'a dyn Fn(Listing),
    /// Sends a notice: a sentence.
    pub notice: &'a dyn Fn(String),
}

impl ListRequest<'_> {
    /// Sends a list unless it is overtaken. Returns whether it was sent.
    pub(crate) fn send_newest(&self, list: Listing) -> bool {
        let is_newest = !(self.is_overtaken)();
        if is_newest {
            (self.send)(list);
        }
        is_newest
    }

    /// Sends an empty list, as what it is made from was not found yet.
    pub(crate) fn send_provisional(&self) {
        let generation = self.found.snapshot.manifest().generation;
        (self.send)(Listing {
            view: self.view.clone(),
            generation,
            is_provisional: true,
            ..Listing::default()
        });
    }

    /// The passages with the shares of documents. While there are none, sends an empty provisional list and returns `None`.
    pub(crate) fn shares_or_wait(&self) -> Option<(Arc<KnownPassages>, Arc<Shares>)> {
        let Some(known) = &self.found.known else {
            self.send_provisional();
            return None;
        };
        let shown = if self.view.show_taboo { Arc::default() } else { Arc::clone(&self.decisions.set) };
        Some((Arc::clone(known), known.shares(&shown)))
    }
}

/// The text of a filter, and the saved filters that it can refer to.
pub(crate) type FilterKey = (String, Arc<SavedFilters>);

/// What a list was made of the last time.
pub(crate) struct Chosen<K, T> {
    /// What it depends on.
    pub by: K,
    /// The invalid terms of the filter.
    pub problems: Vec<Problem>,
    /// What was chosen.
    pub of: T,
}

/// A list of all rows that a view has, of which as many as it wants are made, in its direction.
pub(crate) fn page<T: Clone>(
    view: &View,
    generation: u64,
    problems: Vec<Problem>,
    all: &[T],
    row: impl FnMut(T) -> Item,
) -> Listing {
    let at = |at: usize| all[if view.is_reversed { all.len() - 1 - at } else { at }].clone();
    Listing {
        view: view.clone(),
        generation,
        rows: (0..all.len().min(view.wanted)).map(at).map(row).collect(),
        problems,
        complete: all.len() <= view.wanted,
        total: Some(all.len() as u64),
        searched: 1.0,
        ..Listing::default()
    }
}
