//! Keeps the last ranking of blots. It is amended when documents change, and computed again only when more of its entries
//! are needed.

use std::sync::{Arc, Mutex};

use dupi_base::parallel::lock;
use dupi_index::index::amend::LONG_SCAN;
use dupi_index::index::ranking::{HEAD, Ranking};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::index::{IndexError, IsStopped};

/// The last ranking, complete or only its first entries, with its generation.
pub(crate) struct RankingCache {
    last: Mutex<Option<(Snapshot, Arc<Ranking>)>>,
    /// The maximum number of entries of a ranking.
    pub most: usize,
}

impl RankingCache {
    /// An empty cache; `most` entries fit into memory.
    pub(crate) fn new(most: usize) -> Self {
        Self { last: Mutex::default(), most }
    }

    /// The last ranking, and its generation.
    pub(crate) fn last(&self) -> Option<(Snapshot, Arc<Ranking>)> {
        lock(&self.last).clone()
    }

    /// Keeps a ranking of a generation.
    pub(crate) fn keep(&self, snapshot: &Snapshot, ranking: Arc<Ranking>) {
        *lock(&self.last) = Some((snapshot.clone(), ranking));
    }

    /// Forgets the last ranking.
    pub(crate) fn forget(&self) {
        *lock(&self.last) = None;
    }

    /// An approximate ranking that is available at once, to show while the exact one is computed.
    pub(crate) fn soon(
        &self,
        snapshot: &Snapshot,
        is_stopped: IsStopped,
    ) -> Result<Option<Ranking>, IndexError> {
        match self.last() {
            Some((of, last)) if of.manifest().content != snapshot.manifest().content => {
                last.amended_by_what_came(&of, snapshot, LONG_SCAN, is_stopped)
            }
            _ => Ok(None),
        }
    }

    /// The ranking of a generation, or about its first `limit` entries: the last one, amended if needed, or a new one.
    ///
    /// # Errors
    /// When the index is damaged, or `is_stopped` ends it.
    pub(crate) fn of(
        &self,
        snapshot: &Snapshot,
        limit: usize,
        is_stopped: IsStopped,
    ) -> Result<Arc<Ranking>, IndexError> {
        let is_enough =
            |last: &Ranking| last.is_complete() || limit <= HEAD || last.entries.len() > limit / 2;
        let last = self.last().filter(|(_, last)| is_enough(last));
        if let Some((of, last)) = &last
            && of.manifest().content == snapshot.manifest().content
        {
            return Ok(Arc::clone(last));
        }
        let last = last.as_ref().map(|(of, last)| (of, &**last));
        let mut made = Ranking::renewed(last, snapshot, limit, is_stopped)?;
        // Amending may have added entries.
        made.entries.truncate(self.most);
        let made = Arc::new(made);
        self.keep(snapshot, Arc::clone(&made));
        Ok(made)
    }
}
