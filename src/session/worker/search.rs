//! The thread that searches the newest generation for passages, when a view needs them.
//!
//! Passages that the index keeps are shown at once, without a search; those of an earlier generation are amended first by
//! what has changed since ([`mod@amend`]). The passages that are shown are amended too, when documents have changed and the
//! indexer is idle. Otherwise a search of all documents begins. If the documents change, it is cancelled and begins again,
//! but not twice in a row: so passages are found even if a folder changes faster than it can be searched. Until then the
//! passages of the last search are shown. What it found is kept in the index.
//!
//! What was amended is kept in the index when nothing has changed for a moment, and settled by a search of all documents
//! when nothing has changed for a while.

mod trial;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use self::trial::Trial;
use super::pace::{PACE, Pace, processor_time};
use super::pins;
use super::progress_meter::ProgressMeter;
use super::settling::{SearchKind, Settling};
use super::shared::SharedSession;
use crate::protocol::{ActivityKind, SearchState, Update};
use crate::rows::known_passages::KnownPassages;
use dupi_base::config::PassageCriteria;
use dupi_base::storage::memory::trim;
use dupi_index::index::snapshot::Snapshot;
use dupi_ingest::priority::{self, Nice};
use dupi_passage::amend::{amend, amend_kept};
use dupi_passage::bounds::Omissions;
use dupi_passage::first_look::first_look;
use dupi_passage::kind::patterns::KindPatterns;
use dupi_passage::search::{Passages, SearchSettings};
use dupi_passage::since_visit::Visit;
use dupi_passage::{Measure, PassageError, PassageOrder, Tick, kept};
use dupi_report::suppressed;

/// How long no document must have changed before amended passages are kept in the index.
const KEEP_AFTER: Duration = Duration::from_secs(2);

/// Searches until the session stops. `memory` is the limit for texts, in bytes; `patterns` are the user's for kinds.
pub(crate) fn search(shared: &SharedSession, memory: u64, threads: usize, patterns: Arc<KindPatterns>) {
    // A pool of its own, so that rows and previews do not wait for it.
    let pool = match priority::pool(threads, Nice::Background) {
        Ok(pool) => pool,
        Err(error) => {
            return shared.send(Update::Notice(format!("cannot search for passages: {error}")));
        }
    };
    let mut job = PassageSearch {
        pool,
        memory,
        patterns,
        criteria: shared.state().criteria,
        done: None,
        looked_up: None,
        settling: Settling::default(),
        pace: PACE,
        postponed: None,
        keep_at: None,
        trial: Trial::default(),
        left_out: Omissions::default(),
        visit: None,
        shared,
    };
    let mut seen = 0;
    while let Some(now) = shared.search.wait_until(seen, job.wakes_at()) {
        seen = now;
        job.advance();
    }
}

/// What is searched and shown, and what is to be done.
struct PassageSearch<'a> {
    shared: &'a SharedSession,
    pool: ThreadPool,
    /// The limit for texts, in bytes.
    memory: u64,
    patterns: Arc<KindPatterns>,
    /// The criteria of what is shown.
    criteria: PassageCriteria,
    /// The number of changes of the generation that was searched last.
    done: Option<u64>,
    /// The number of changes of the generation whose kept passages were looked up last.
    looked_up: Option<u64>,
    settling: Settling,
    pace: Pace,
    /// Until when a search that is due waits.
    postponed: Option<Instant>,
    /// When the passages that are shown are to be kept.
    keep_at: Option<Instant>,
    trial: Trial,
    /// What the last search left out.
    left_out: Omissions,
    /// The last visit, or what was shown first in this one.
    visit: Option<Arc<Visit>>,
}

impl PassageSearch<'_> {
    /// When there is something to do even if nothing changes.
    fn wakes_at(&self) -> Option<Instant> {
        // Nothing is settled before what is postponed was searched.
        let next = self.postponed.or(self.settling.at());
        [next, self.keep_at].into_iter().flatten().min()
    }

    /// Does all that is due.
    fn advance(&mut self) {
        let begun = processor_time();
        if self.keep_at.is_some_and(|at| at <= Instant::now()) {
            self.keep_at = None;
            let known = self.shared.state().passages.clone();
            known.iter().for_each(|known| self.keep(known));
        }
        let (criteria, texts) = {
            let state = self.shared.state();
            (state.criteria, state.texts)
        };
        if criteria != self.criteria {
            self.apply(criteria, texts);
        }
        let (is_due, is_shown) = {
            let state = self.shared.state();
            (state.due(self.done).is_some(), state.passages.is_some())
        };
        self.postponed = self.pace.postponed(is_due && is_shown, Instant::now());
        if self.postponed.is_none() {
            let mut kind = self.settling.next(Instant::now(), is_due);
            kind.settles &= !self.load();
            let due = self.shared.state().due(self.done.filter(|_| !kind.settles));
            if let Some((snapshot, texts)) = due {
                if kind.settles || !self.amend(&snapshot, texts) {
                    self.search(snapshot, texts, kind);
                }
                let cost = processor_time().saturating_sub(begun);
                if kind.settles {
                    self.settling.charge(Instant::now(), cost);
                } else if is_shown {
                    self.pace.charge(Instant::now(), cost);
                }
            }
        }
        let Self { pool, trial, shared, memory, patterns, .. } = self;
        let settings = |criteria, snapshot: &Snapshot| of_criteria(criteria, snapshot, *memory, patterns);
        pool.install(|| trial.run(shared, settings));
    }

    /// Begins anew with other criteria. What was found when they were tried is shown.
    fn apply(&mut self, criteria: PassageCriteria, texts: u64) {
        self.criteria = criteria;
        (self.done, self.looked_up, self.keep_at) = (None, None, None);
        (self.settling, self.pace) = (Settling::default(), PACE);
        if let Some(known) = self.trial.take(criteria, texts) {
            self.looked_up = Some(texts);
            let known = self.show(known, texts, Instant::now());
            self.shared.send(Update::Searching(SearchState::Idle));
            self.keep(&known);
        }
    }

    /// Shows the passages that the index keeps, amended if they are of an earlier generation. Returns whether there are any
    /// that were not shown already.
    fn load(&mut self) -> bool {
        let loadable = self.shared.state().loadable(self.looked_up);
        let Some((snapshot, texts)) = loadable else { return false };
        self.looked_up = Some(texts);
        let started = Instant::now();
        let settings = self.settings(&snapshot);
        // What is shown is amended in memory.
        if self.shown(&settings).is_some() {
            return false;
        }
        let Some(latest) = kept::load_latest(&snapshot, &settings) else { return false };
        let is_amended = !latest.are_unchanged();
        let passages = match is_amended {
            // It is shorter than a wait for the threads of the search, which yield to all others.
            false => latest.unchanged(),
            true => {
                let stops = stops(self.shared);
                amended(self.pool.install(|| amend_kept(&latest, &snapshot, &settings, &stops)))
            }
        };
        let Some(passages) = passages else { return false };
        self.settling.shown(Instant::now(), passages.is_settled);
        self.keep_at = is_amended.then(|| Instant::now() + KEEP_AFTER);
        self.show(KnownPassages::new(snapshot, passages, settings), texts, started);
        self.shared.send(Update::Searching(SearchState::Idle));
        true
    }

    /// Amends the passages that are shown by what has changed since. Returns false if all documents must be searched.
    fn amend(&mut self, snapshot: &Snapshot, texts: u64) -> bool {
        let started = Instant::now();
        let Some(before) = self.shown(&self.settings(snapshot)) else { return false };
        let KnownPassages { snapshot: earlier, passages, settings, .. } = &*before;
        let stops = stops(self.shared);
        let found = self.pool.install(|| amend(earlier, passages, snapshot, settings, &stops));
        let Some(passages) = amended(found) else { return false };
        self.settling.shown(Instant::now(), false);
        self.keep_at = Some(Instant::now() + KEEP_AFTER);
        self.shared.send(Update::Searching(SearchState::Idle));
        self.show(KnownPassages::new(snapshot.clone(), passages, settings.clone()), texts, started);
        self.shared.report_unread();
        true
    }

    /// Searches all documents, and keeps what it found.
    fn search(&mut self, snapshot: Snapshot, texts: u64, kind: SearchKind) {
        let (shared, criteria) = (self.shared, self.criteria);
        let settings = self.settings(&snapshot);
        let meter = ProgressMeter::begin(shared, Update::Searching);
        let tick = |share| {
            let state = shared.state();
            let is_changed = kind.is_ended_by_changes && state.texts != texts;
            let is_outdated = is_changed || state.criteria != criteria;
            drop(state);
            if is_outdated || shared.is_stopped() {
                return Err(PassageError::Stopped);
            }
            meter.reached(share);
            Ok(())
        };
        let found = self.pool.install(|| {
            look_first(shared, &snapshot, &settings, texts, &tick);
            Passages::find(&snapshot, &settings, PassageOrder::default(), &tick)
        });
        let mut newest = None;
        let stands = match found {
            Ok(passages) => {
                self.looked_up = Some(texts);
                self.settling.shown(Instant::now(), true);
                self.keep_at = None;
                let known = KnownPassages::new(snapshot, passages, settings);
                newest = Some(self.show(known, texts, meter.started()));
                SearchState::Idle
            }
            Err(PassageError::Stopped) => {
                self.settling.stopped(kind, true);
                SearchState::Idle
            }
            Err(error) => {
                // It would fail again with the same documents.
                self.done = Some(texts);
                self.settling.stopped(kind, false);
                shared.send(Update::Notice(format!("The search for passages failed: {error}")));
                SearchState::Failed(error.to_string())
            }
        };
        trim();
        shared.send(Update::Searching(stands));
        shared.report_unread();
        newest.iter().for_each(|known| self.keep(known));
    }

    /// Shows the passages of a generation with this number of changes, and says what they lack.
    fn show(&mut self, known: KnownPassages, texts: u64, started: Instant) -> Arc<KnownPassages> {
        self.done = Some(texts);
        let shared = self.shared;
        let first = || Visit::load(known.snapshot.folder());
        let first = || first().unwrap_or_else(|| Visit::of(&known.snapshot, &known.passages));
        let visit = self.visit.get_or_insert_with(|| Arc::new(first()));
        kept::compare_with(visit, &known.snapshot, &known.passages);
        let Passages { found, sources, suppressed: suppressions, omissions, .. } = &known.passages;
        shared.record(ActivityKind::Searched { passages: found.len() as u64, took: started.elapsed() });
        let marks = suppressed(&known.snapshot, sources, suppressions);
        marks.into_iter().for_each(|sentence| shared.record(ActivityKind::Notice(sentence)));
        notice(&mut self.left_out, *omissions).into_iter().for_each(|notice| shared.send(notice));
        let known = Arc::new(known);
        let outdated = {
            let mut state = shared.state();
            (state.passages.replace(Arc::clone(&known)), state.first_look.take())
        };
        // Afterwards, so that none is missed that is pinned now.
        pins::apply(shared, &known);
        shared.rows.raise();
        shared.preview.raise();
        // That takes a while where there are many.
        drop(outdated);
        known
    }

    /// Keeps passages in the index.
    fn keep(&self, known: &KnownPassages) {
        self.pool.install(|| kept::save(&known.snapshot, &known.settings, &known.passages));
    }

    /// The passages that are shown, if they are of these criteria.
    fn shown(&self, settings: &SearchSettings) -> Option<Arc<KnownPassages>> {
        self.shared.state().passages.clone().filter(|known| are_same(&known.settings, settings))
    }

    /// The settings of a search.
    fn settings(&self, snapshot: &Snapshot) -> SearchSettings {
        of_criteria(self.criteria, snapshot, self.memory, &self.patterns)
    }
}

/// Shows some passages until all are found, where none are shown and the corpus is large.
/// `texts` is the number of changes of the snapshot.
fn look_first(
    shared: &SharedSession,
    snapshot: &Snapshot,
    settings: &SearchSettings,
    texts: u64,
    tick: &Tick,
) {
    let is_same = |known: &Arc<KnownPassages>| are_same(&known.settings, settings);
    if shared.state().passages.is_some() || shared.state().first_look.as_ref().is_some_and(is_same) {
        return;
    }
    let is_stopped = |_| tick(0.0);
    match first_look(snapshot, settings, &is_stopped) {
        Ok(Some(passages)) if !passages.found.is_empty() => {
            let known = KnownPassages::new(snapshot.clone(), passages, settings.clone());
            let mut state = shared.state();
            // The index may be another one by now.
            let is_newest = state.texts == texts && state.passages.is_none();
            let outdated = if is_newest { state.first_look.replace(Arc::new(known)) } else { None };
            drop(state);
            drop(outdated);
            shared.rows.raise();
            shared.preview.raise();
        }
        Ok(_) | Err(PassageError::Stopped) => {}
        // The search of all documents tells what is wrong.
        Err(error) => tracing::info!(%error, "no first look"),
    }
}

/// Whether two searches have the same criteria.
fn are_same(a: &SearchSettings, b: &SearchSettings) -> bool {
    (a.measure, a.across) == (b.measure, b.across)
}

/// The amended passages, if there are any.
fn amended(found: Result<Option<Passages>, PassageError>) -> Option<Passages> {
    found.inspect_err(|error| tracing::info!(%error, "the passages are not amended")).ok()?
}

/// Stops an amendment when the session stops.
fn stops(shared: &SharedSession) -> impl Fn(f64) -> Result<(), PassageError> + Sync {
    |_| if shared.is_stopped() { Err(PassageError::Stopped) } else { Ok(()) }
}

/// The settings of a search with some criteria.
fn of_criteria(
    criteria: PassageCriteria,
    snapshot: &Snapshot,
    memory: u64,
    patterns: &Arc<KindPatterns>,
) -> SearchSettings {
    let PassageCriteria { min_tokens, gap, min_overlap, across } = criteria;
    let usual = Measure::usual(&snapshot.manifest().recipe);
    let measure = Measure {
        least: min_tokens.unwrap_or(usual.least),
        gap: gap.unwrap_or(usual.gap),
        overlap: min_overlap.map_or(usual.overlap, |percent| percent as f32 / 100.0),
        ..usual
    };
    let (across, patterns) = (across.unwrap_or(false), Arc::clone(patterns));
    SearchSettings { measure, across, consistent: false, memory, patterns }
}

/// A notice of what a search left out, unless the last search left out the same.
fn notice(said: &mut Omissions, left_out: Omissions) -> Option<Update> {
    let is_new = std::mem::replace(said, left_out) != left_out;
    (is_new && !left_out.is_empty()).then(|| Update::Notice(left_out.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_said_once() {
        let mut said = Omissions::default();
        let mut is_said = |places| notice(&mut said, Omissions { places, ..Omissions::default() }).is_some();
        assert_eq!([0, 7, 7, 8, 0, 8].map(&mut is_said), [false, true, false, true, false, true]);
    }
}
