//! The state that the threads of a session share: what the front end asked for last, the newest generation with what was
//! found, and the way to send updates.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::activity_log::ActivityLog;
use super::signals::{Concern, Signals};
use crate::known::Found;
use crate::known::RankingCache;
use crate::known::ReviewStand;
use crate::known::clusters::KnownClusters;
use crate::known::decisions::Decisions;
use crate::known::passages::KnownPassages;
use crate::protocol::{ActivityKind, Item, Request, Subject, Update, View};
use dupi_base::config::PassageCriteria;
use dupi_base::corpus::WatchEvent;
use dupi_base::parallel::lock;
use dupi_index::index::IndexError;
use dupi_index::index::merge::Merged;
use dupi_index::index::ranking::{HEAD, RankedBlot};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::Occurrence;
use dupi_index::taboo::{ExcludedList, TabooSet};
use dupi_judge::kind::patterns::KindPatterns;
use dupi_judge::passages::PassageId;
use dupi_review::review::ReviewPlan;

/// A message to the indexer's thread.
pub(crate) enum IndexerMessage {
    /// The folder changed.
    Changed(WatchEvent),
    /// The merge with this number ended, with its result and duration.
    Merged(u64, Result<Merged, IndexError>, Duration),
    /// Rebuild the index with the options of this session.
    Rebuild,
    /// Make the sketches that are missing.
    Sketch,
    /// End the thread.
    Stop,
}

/// The part of the memory limit for a ranking: 1 / this.
const RANKING_SHARE: u64 = 8;

/// Shared by the threads of one session.
pub(crate) struct SharedSession {
    state: Mutex<SharedState>,
    /// Wakes the threads, and ends them.
    pub signals: Signals,
    /// The rankings of blots.
    pub rankings: RankingCache,
    log: Mutex<ActivityLog>,
    /// Held while decisions are read or changed.
    deciding: Mutex<()>,
    /// Held while pins are applied.
    pinning: Mutex<()>,
    indexer: Sender<IndexerMessage>,
    /// The limit of memory, in bytes.
    pub memory: u64,
    /// The number of threads of a search.
    pub threads: usize,
    /// The patterns of the user for kinds.
    pub patterns: Arc<KindPatterns>,
    updates: Box<dyn Fn(Update) + Send + Sync>,
}

/// The last requests and results of all threads.
#[derive(Default)]
pub(crate) struct SharedState {
    /// What the front end asked for last.
    pub asked: Asked,
    /// The newest generation, once there is one.
    pub snapshot: Option<Snapshot>,
    /// How often the documents of the newest generation changed.
    pub texts: u64,
    /// Whether the indexer has nothing to do.
    pub is_quiet: bool,
    /// The passages that the search found last.
    pub passages: Option<Arc<KnownPassages>>,
    /// Some passages of a first search, until all are found.
    pub first_look: Option<Arc<KnownPassages>>,
    /// The clusters that were found last.
    pub clusters: Option<Arc<KnownClusters>>,
    /// What the review found last.
    pub review: ReviewStand,
    /// The copies that the user pinned, by their passages.
    pub pins: HashMap<PassageId, Occurrence>,
    /// Whether nothing of the previewed row could be read because the corpus could not.
    pub waits_for_folder: bool,
    /// The decisions, once they are read.
    pub decisions: Option<Decisions>,
    /// The list of files that are left out that the indexer knows: what it has read, or will read after a change that
    /// it was told of.
    pub indexed_without: Option<Arc<ExcludedList>>,
}

/// What the front end asked for last.
#[derive(Default)]
pub(crate) struct Asked {
    /// The view.
    pub view: Option<View>,
    /// Whether a user waits for rows: they, or what they are made from, were asked for.
    pub rows: bool,
    /// Requests for decisions that are not carried out yet.
    pub decisions: Vec<Request>,
    /// Slow requests that are not answered yet.
    pub requests: VecDeque<Request>,
    /// The row, and the number of the occurrence, of the preview.
    pub preview: Option<(Item, usize)>,
    /// The copy of which it is asked where its lines come from.
    pub blame: Option<Occurrence>,
    /// What counts as a passage.
    pub criteria: PassageCriteria,
    /// Criteria that are tried before they are applied.
    pub trial: Option<PassageCriteria>,
    /// What is reviewed, and how often that changed.
    pub plan: (ReviewPlan, u64),
    /// Whether the front end shows the activity.
    pub activity: bool,
}

impl Asked {
    /// Whether more than the rows of a view is asked for: another view, or a decision.
    pub(crate) fn is_beyond(&self, view: &View) -> bool {
        self.view.as_ref() != Some(view) || !self.decisions.is_empty()
    }
}

/// The search that makes the rows of a subject, if one does; the passages that taboo entries hide are counted.
pub(crate) fn concern_of(of: Subject) -> Option<Concern> {
    match of {
        Subject::Blots => None,
        Subject::Passages | Subject::Documents | Subject::Files | Subject::Taboo => Some(Concern::Passages),
        Subject::Clusters => Some(Concern::Clusters),
        Subject::Review => Some(Concern::Review),
    }
}

impl SharedState {
    /// The newest generation, and what was found last.
    pub(crate) fn found(&self) -> Option<Found> {
        Some(Found {
            snapshot: self.snapshot.clone()?,
            known: self.passages.as_ref().or(self.first_look.as_ref()).cloned(),
            is_first_look: self.passages.is_none() && self.first_look.is_some(),
            clusters: self.clusters.clone(),
            review: self.review.clone(),
        })
    }

    /// The blots of the taboo list.
    pub(crate) fn taboo(&self) -> Arc<TabooSet> {
        self.decisions.as_ref().map_or_else(Arc::default, |decisions| Arc::clone(&decisions.set))
    }

    /// Whether the last search that is a concern has a result, which is shown until the next one has.
    pub(crate) fn has_result(&self, concern: Concern) -> bool {
        match concern {
            Concern::Passages => self.passages.is_some(),
            Concern::Clusters => self.clusters.is_some(),
            Concern::Review => !matches!(self.review, ReviewStand::Unknown),
            _ => false,
        }
    }

    /// The search that makes the rows of the view, if one does.
    pub(crate) fn searched(&self) -> Option<Concern> {
        concern_of(self.asked.view.as_ref()?.of)
    }
}

/// Whether two generations have the same documents in the same files, by the same recipe; false in case of doubt.
fn continues(a: &Snapshot, b: &Snapshot) -> bool {
    fn moved(snapshot: &Snapshot) -> impl Iterator<Item: PartialEq> {
        let segments = snapshot.manifest().segments.iter();
        segments.map(|segment| &segment.moved).filter(|moved| !moved.is_empty())
    }
    let (before, after) = (a.manifest(), b.manifest());
    before.recipe == after.recipe && before.content == after.content && moved(a).eq(moved(b))
}

impl SharedSession {
    /// The state of a new session with this limit of memory, in bytes, and one thread.
    pub(crate) fn new(
        memory: u64,
        indexer: Sender<IndexerMessage>,
        updates: impl Fn(Update) + Send + Sync + 'static,
    ) -> Self {
        let ranked = (memory / RANKING_SHARE) as usize / size_of::<RankedBlot>();
        Self {
            state: Mutex::default(),
            signals: Signals::default(),
            rankings: RankingCache::new(ranked.max(HEAD)),
            log: Mutex::default(),
            deciding: Mutex::default(),
            pinning: Mutex::default(),
            indexer,
            memory,
            threads: 1,
            patterns: Arc::default(),
            updates: Box::new(updates),
        }
    }

    /// Runs `work` at once and whenever something about a concern changes, until the session stops. It gets the number of
    /// changes so far, and returns when it is to run again even if nothing changes.
    pub(crate) fn follow(&self, concern: Concern, mut work: impl FnMut(u64) -> Option<Instant>) {
        let (mut seen, mut again) = (0, Some(Instant::now()));
        while let Some(now) = self.signals.wait(concern, seen, again) {
            seen = now;
            again = work(seen);
        }
    }

    /// Locks the state.
    pub(crate) fn state(&self) -> MutexGuard<'_, SharedState> {
        lock(&self.state)
    }

    /// Locks the lists of decisions for reading or changing them.
    pub(crate) fn deciding(&self) -> MutexGuard<'_, ()> {
        lock(&self.deciding)
    }

    /// Sends a message to the indexer.
    pub(crate) fn tell_indexer(&self, message: IndexerMessage) {
        // An indexer that has ended has reported why.
        let _ = self.indexer.send(message);
    }

    /// Sends an update to the front end.
    pub(crate) fn send(&self, update: Update) {
        if self.log().note(&update) {
            self.signals.raise(&[Concern::Activity]);
        }
        (self.updates)(update);
    }

    /// Locks the recorded activity.
    pub(crate) fn log(&self) -> MutexGuard<'_, ActivityLog> {
        lock(&self.log)
    }

    /// Records an event that is not an update of its own.
    pub(crate) fn record(&self, what: ActivityKind) {
        self.log().add(what);
        self.signals.raise(&[Concern::Activity]);
    }

    /// Has the rows and the preview made anew, as what they are made from was replaced by `replace`.
    pub(crate) fn show<T>(&self, replace: impl FnOnce(&mut SharedState) -> T) {
        let mut state = self.state();
        let outdated = replace(&mut state);
        state.asked.rows = true;
        drop(state);
        self.signals.raise(&[Concern::Rows, Concern::Preview]);
        // Large values are freed without the lock, as that takes a while.
        drop(outdated);
    }

    /// Applies the pins of the user to passages that were found.
    pub(crate) fn apply_pins(&self, known: &KnownPassages) {
        // One after the other, so that the last ones stay.
        let _applying = lock(&self.pinning);
        let pins = self.state().pins.clone();
        known.set_pins(&pins);
    }

    /// Frees passages and rankings of an index that this generation does not continue.
    pub(crate) fn forget_others(&self, snapshot: &Snapshot) {
        let mut state = self.state();
        let is_older = |before: &Snapshot| snapshot.manifest().generation < before.manifest().generation;
        if state.snapshot.as_ref().is_some_and(is_older) {
            // It is another index, so numbers of generations cannot be compared.
            self.rankings.forget();
        }
        if !state.snapshot.as_ref().is_some_and(|before| continues(before, snapshot)) {
            let review = std::mem::take(&mut state.review);
            let forgotten = (state.passages.take(), state.first_look.take(), state.clusters.take(), review);
            state.texts += 1;
            // Large values are freed without the lock.
            drop(state);
            drop(forgotten);
        }
    }

    /// Publishes a generation. Rows are listed once for it: those that a search makes when this has ended, and not before;
    /// none where the documents are the same.
    pub(crate) fn publish(&self, snapshot: &Snapshot) {
        let mut state = self.state();
        let is_changed = !state.snapshot.as_ref().is_some_and(|before| continues(before, snapshot));
        state.texts += u64::from(is_changed);
        state.is_quiet = false;
        state.snapshot = Some(snapshot.clone());
        // Those that a search makes are listed when it has ended.
        let lists = is_changed && !state.searched().is_some_and(|concern| state.has_result(concern));
        drop(state);
        if lists {
            self.signals.raise(&[Concern::Rows]);
        }
        self.signals.raise(&[
            Concern::Activity,
            Concern::Preview,
            Concern::Passages,
            Concern::Clusters,
            Concern::Review,
        ]);
    }

    /// The folder could be read, whether or not it has changed: a preview that waits for it is made again.
    pub(crate) fn folder_was_read(&self) {
        if std::mem::take(&mut self.state().waits_for_folder) {
            self.signals.raise(&[Concern::Preview]);
        }
    }

    /// The indexer has nothing to do until the next generation.
    pub(crate) fn set_idle(&self) {
        self.state().is_quiet = true;
        self.signals.raise(&[Concern::Passages, Concern::Clusters, Concern::Review]);
    }

    /// Reads the lists of decisions by `read`, which gets the present ones. If they say something else, the rows and the
    /// index follow them.
    pub(crate) fn read_decisions(&self, read: impl FnOnce(Option<&Decisions>) -> (Decisions, Vec<String>)) {
        let deciding = self.deciding();
        let before = self.state().decisions.clone();
        let (decisions, wrong) = read(before.as_ref());
        let is_other = before.as_ref().is_some_and(|before| !decisions.is_same(before));
        {
            let mut state = self.state();
            // All of the folder is looked at after this, without what the list has now.
            state.indexed_without.get_or_insert_with(|| Arc::clone(&decisions.excluded));
            state.decisions = Some(decisions);
        }
        drop(deciding);
        if is_other {
            self.show(|_| ());
            self.follow_exclusions();
        }
        for sentence in wrong {
            self.send(Update::Notice(sentence));
        }
    }

    /// Has the index follow the list of files that are left out, whoever changed it.
    pub(crate) fn follow_exclusions(&self) {
        let (before, list, corpus) = {
            let mut state = self.state();
            let (Some(decisions), Some(snapshot)) = (&state.decisions, &state.snapshot) else { return };
            let (list, corpus) = (Arc::clone(&decisions.excluded), snapshot.manifest().corpus.clone());
            (state.indexed_without.replace(Arc::clone(&list)), list, corpus)
        };
        let paths = before.map(|before| before.difference(&list)).unwrap_or_default();
        if !paths.is_empty() {
            let paths = paths.iter().map(|path| corpus.absolute(path)).collect();
            self.tell_indexer(IndexerMessage::Changed(WatchEvent::Paths(paths)));
        }
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

    /// Whether the threads are to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.signals.is_closed()
    }
}
