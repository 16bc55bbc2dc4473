//! The state that the threads of a session share: the newest generation, the last requests, and the way to send
//! updates.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::activity_log::ActivityLog;
use super::signal::ChangeSignal;
use crate::decisions::lists::Decisions;
use crate::protocol::{ActivityKind, Request, Subject, Update, View};
use crate::rows::Item;
use crate::rows::known_clusters::KnownClusters;
use crate::rows::known_passages::KnownPassages;
use crate::rows::ranking_cache::RankingCache;
use crate::rows::review_stand::ReviewStand;
use dupi_base::config::PassageCriteria;
use dupi_index::index::ranking::{HEAD, RankedBlot};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::Occurrence;
use dupi_index::taboo::{ExcludedList, TabooSet};
use dupi_passage::passages::PassageId;
use dupi_review::review::ReviewPlan;

/// The part of the memory limit for a ranking: 1 / this.
const RANKING_SHARE: u64 = 8;

/// Shared by the threads of one session.
pub(crate) struct SharedSession {
    state: Mutex<SharedState>,
    /// Raised when rows may have changed, by another view, generation or decision.
    pub rows: ChangeSignal,
    /// Raised when the preview may have changed.
    pub preview: ChangeSignal,
    /// Raised when passages may have to be searched.
    pub search: ChangeSignal,
    /// Raised when documents may have to be compared.
    pub clusters: ChangeSignal,
    /// Raised when a change may have to be reviewed.
    pub review: ChangeSignal,
    /// Raised when it is asked where lines come from.
    pub blame: ChangeSignal,
    /// Raised when other files may be left out.
    pub excluded: ChangeSignal,
    /// Raised when the activity changed.
    pub activity: ChangeSignal,
    /// Closed once the session stops.
    pub end: ChangeSignal,
    /// The rankings of blots.
    pub rankings: RankingCache,
    log: Mutex<ActivityLog>,
    /// Held while decisions are read or changed.
    deciding: Mutex<()>,
    /// Held while pins are applied.
    pinning: Mutex<()>,
    stopped: AtomicBool,
    updates: Box<dyn Fn(Update) + Send + Sync>,
}

/// The last requests and results of all threads.
#[derive(Default)]
pub(crate) struct SharedState {
    /// The newest generation, once there is one.
    pub snapshot: Option<Snapshot>,
    /// How often the documents of the newest generation changed.
    pub texts: u64,
    /// How often `rows` was raised for a generation, and not for a request or a result.
    pub publications: u64,
    /// Whether the indexer has nothing to do.
    pub is_quiet: bool,
    /// What counts as a passage.
    pub criteria: PassageCriteria,
    /// Criteria that are tried before they are applied.
    pub trial: Option<PassageCriteria>,
    /// The passages that the search found last.
    pub passages: Option<Arc<KnownPassages>>,
    /// Some passages of a first search, until all are found.
    pub first_look: Option<Arc<KnownPassages>>,
    /// The clusters that were found last.
    pub clusters: Option<Arc<KnownClusters>>,
    /// What is reviewed, and how often that changed.
    pub plan: (ReviewPlan, u64),
    /// What the review found last.
    pub review: ReviewStand,
    /// The copy of which it is asked where its lines come from.
    pub blame: Option<Occurrence>,
    /// The copies that the user pinned, by their passages.
    pub pins: HashMap<PassageId, Occurrence>,
    /// The view that was asked for last.
    pub view: Option<View>,
    /// Whether the front end shows the activity.
    pub shows_activity: bool,
    /// The row, and the number of the occurrence, of the last request for a preview.
    pub preview: Option<(Item, usize)>,
    /// Whether nothing of that row could be read because the corpus could not.
    pub waits_for_folder: bool,
    /// Requests for decisions that are not carried out yet.
    pub pending: Vec<Request>,
    /// The decisions, once they are read.
    pub decisions: Option<Decisions>,
    /// The list of files that are left out that the indexer knows: what it has read, or will read after a change that
    /// it was told of.
    pub indexed_without: Option<Arc<ExcludedList>>,
}

impl SharedState {
    /// The passages that were found last, or else some of them.
    pub(crate) fn listed_passages(&self) -> Option<Arc<KnownPassages>> {
        self.passages.as_ref().or(self.first_look.as_ref()).cloned()
    }

    /// The blots of the taboo list.
    pub(crate) fn taboo(&self) -> Arc<TabooSet> {
        self.decisions.as_ref().map_or_else(Arc::default, |decisions| Arc::clone(decisions.set()))
    }

    /// The generation whose passages may be kept in the index, with its number of changes. `asked` is the number of
    /// changes of the generation for which that was asked last.
    pub(crate) fn loadable(&self, asked: Option<u64>) -> Option<(Snapshot, u64)> {
        let is_wanted = self.view.as_ref().is_some_and(|view| view.of.needs_passages());
        // Passages that are shown are not replaced while the indexer makes one generation after another.
        let is_due = is_wanted && asked != Some(self.texts) && (self.is_quiet || self.passages.is_none());
        Some((self.snapshot.clone().filter(|_| is_due)?, self.texts))
    }

    /// The generation to search for passages, with its number of changes, if a search is due. `done` is the number of
    /// changes of the last search.
    pub(crate) fn due(&self, done: Option<u64>) -> Option<(Snapshot, u64)> {
        let is_wanted = self.view.as_ref().is_some_and(|view| view.of.needs_passages());
        let is_due = is_wanted && self.is_quiet && done != Some(self.texts);
        Some((self.snapshot.clone().filter(|_| is_due)?, self.texts))
    }
}

/// Whether two generations have the same documents in the same files; false in case of doubt.
fn is_same(a: &Snapshot, b: &Snapshot) -> bool {
    fn moved(snapshot: &Snapshot) -> impl Iterator<Item: PartialEq> {
        let segments = snapshot.manifest().segments.iter();
        segments.map(|segment| &segment.moved).filter(|moved| !moved.is_empty())
    }
    a.manifest().content == b.manifest().content && moved(a).eq(moved(b))
}

impl SharedSession {
    /// The state of a new session; `memory` is its limit in bytes.
    pub(crate) fn new(memory: u64, updates: impl Fn(Update) + Send + Sync + 'static) -> Self {
        Self {
            state: Mutex::default(),
            rows: ChangeSignal::default(),
            preview: ChangeSignal::default(),
            search: ChangeSignal::default(),
            clusters: ChangeSignal::default(),
            review: ChangeSignal::default(),
            blame: ChangeSignal::default(),
            excluded: ChangeSignal::default(),
            activity: ChangeSignal::default(),
            end: ChangeSignal::default(),
            rankings: RankingCache::new(
                ((memory / RANKING_SHARE) as usize / size_of::<RankedBlot>()).max(HEAD),
            ),
            log: Mutex::default(),
            deciding: Mutex::default(),
            pinning: Mutex::default(),
            stopped: AtomicBool::new(false),
            updates: Box::new(updates),
        }
    }

    /// Locks the state.
    pub(crate) fn state(&self) -> MutexGuard<'_, SharedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the lists of decisions for reading or changing them.
    pub(crate) fn deciding(&self) -> MutexGuard<'_, ()> {
        self.deciding.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the pins of the passages for applying them.
    pub(crate) fn applies_pins(&self) -> MutexGuard<'_, ()> {
        self.pinning.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an update to the front end.
    pub(crate) fn send(&self, update: Update) {
        if self.log().note(&update) {
            self.activity.raise();
        }
        (self.updates)(update);
    }

    /// Locks the recorded activity.
    pub(crate) fn log(&self) -> MutexGuard<'_, ActivityLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an event that is not an update of its own.
    pub(crate) fn record(&self, what: ActivityKind) {
        self.log().add(what);
        self.activity.raise();
    }

    /// Frees passages and rankings of an index that this generation does not continue.
    pub(crate) fn forget_others(&self, snapshot: &Snapshot) {
        let mut state = self.state();
        let is_older = |before: &Snapshot| snapshot.manifest().generation < before.manifest().generation;
        if state.snapshot.as_ref().is_some_and(is_older) {
            // It is another index, so numbers of generations cannot be compared.
            self.rankings.forget();
        }
        let continues = |before: &Snapshot| {
            before.manifest().recipe == snapshot.manifest().recipe && is_same(before, snapshot)
        };
        if !state.snapshot.as_ref().is_some_and(continues) {
            let review = std::mem::take(&mut state.review);
            let forgotten = (state.passages.take(), state.first_look.take(), state.clusters.take(), review);
            state.texts += 1;
            // Large values are freed without the lock.
            drop(state);
            drop(forgotten);
        }
    }

    /// Publishes a generation. Passages that are shown are listed again when they are amended, and not before.
    pub(crate) fn publish(&self, snapshot: &Snapshot) {
        let mut state = self.state();
        let is_changed = state.snapshot.as_ref().is_none_or(|before| !is_same(before, snapshot));
        if is_changed {
            state.texts += 1;
        }
        state.is_quiet = false;
        state.snapshot = Some(snapshot.clone());
        let lists_passages = state.view.as_ref().is_some_and(|view| view.of == Subject::Passages);
        let is_amended = is_changed && lists_passages && state.passages.is_some();
        state.publications += u64::from(!is_amended);
        drop(state);
        self.activity.raise();
        if !is_amended {
            self.rows.raise();
        }
        self.preview.raise();
        self.search.raise();
        self.clusters.raise();
        self.review.raise();
    }

    /// The folder could be read, whether or not it has changed: a preview that waits for it is made again.
    pub(crate) fn folder_was_read(&self) {
        if std::mem::take(&mut self.state().waits_for_folder) {
            self.preview.raise();
        }
    }

    /// The indexer has nothing to do until the next generation.
    pub(crate) fn set_idle(&self) {
        self.state().is_quiet = true;
        self.search.raise();
        self.clusters.raise();
        self.review.raise();
    }

    /// Sends a notice of the files that could not be read for an answer or by an update; each file is named once.
    pub(crate) fn report_unread(&self) {
        let (newest, known) = {
            let state = self.state();
            (state.snapshot.clone(), state.passages.as_ref().map(|known| known.snapshot.clone()))
        };
        for sentence in
            newest.into_iter().chain(known).filter_map(|snapshot| snapshot.unread().take_message())
        {
            self.send(Update::Notice(sentence));
        }
    }

    /// Asks all threads to end.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.rows.close();
        self.preview.close();
        self.search.close();
        self.clusters.close();
        self.review.close();
        self.blame.close();
        self.excluded.close();
        self.activity.close();
        self.end.close();
    }

    /// Whether the threads are to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
