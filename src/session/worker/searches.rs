//! Searches in the background: each has a thread and a pool of its own, so that rows and previews do not wait for it. Its
//! [`Schedule`] decides what runs; this file carries it out and reports how far it is.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use super::pace::processor_time;
use super::schedule::{ResultKind, Schedule, SearchFacts, SearchKind, SearchStep};
use super::shared::{SharedSession, SharedState, concern_of};
use super::signals::Concern;
use crate::protocol::{SearchState, Update};
use dupi_base::storage::memory::trim;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::Snapshot;
use dupi_ingest::priority::{self, Nice};

/// What a search runs on.
pub(super) struct SearchRun<'a, A> {
    /// The session that gets the result.
    pub shared: &'a SharedSession,
    /// The threads of the search.
    pub pool: &'a ThreadPool,
    /// The generation, with its number of changes.
    pub snapshot: Snapshot,
    /// The number of changes of the documents.
    pub texts: u64,
    /// What else the result is made of.
    pub asked: A,
    /// When it began.
    pub started: Instant,
}

/// A search in the background whose result a view shows.
pub(super) trait Search: Send {
    /// What its thread works on.
    const CONCERN: Concern;
    /// What it does, behind "cannot".
    const DOES: &'static str;
    /// The update that tells how far it is.
    const UPDATE: fn(SearchState) -> Update;
    /// Whether it ends when its view is left.
    const ENDS_WITH_VIEW: bool = true;
    /// What, beside the documents, a result is made of.
    type Asked: Clone + PartialEq + Send + Sync;

    /// What a result would be made of now.
    fn asked(state: &SharedState) -> Self::Asked;

    /// Whether a result is shown.
    fn is_shown(state: &SharedState) -> bool;

    /// Shows what the index keeps.
    fn load(&mut self, _: &SearchRun<Self::Asked>) -> Option<ResultKind> {
        None
    }

    /// Amends what is shown by what has changed since. Returns whether it could.
    fn amend(&mut self, _: &SearchRun<Self::Asked>) -> bool {
        false
    }

    /// Searches all documents, and shows the result. Returns how the search stands.
    ///
    /// # Errors
    /// [`SearchError::Stopped`] when `tick` stops it.
    fn search(&mut self, run: &SearchRun<Self::Asked>, tick: &Tick) -> Result<SearchState, SearchError>;

    /// Keeps what is shown in the index.
    fn keep(&mut self, _: &SharedSession) {}

    /// Runs what is asked for besides, when nothing is due.
    fn run_trial(&mut self, _: &SharedSession) {}
}

/// Runs a search whenever it is due, until the session stops.
pub(super) fn follow<S: Search>(shared: &SharedSession, threads: usize, mut search: S) {
    let pool = match priority::pool(threads, Nice::Background) {
        Ok(pool) => pool,
        Err(error) => return shared.send(Update::Notice(format!("cannot {}: {error}", S::DOES))),
    };
    let mut schedule = Schedule::new(S::asked(&shared.state()));
    shared.follow(S::CONCERN, |_| {
        while !shared.is_stopped() {
            let (snapshot, facts) = facts_of::<S>(&shared.state());
            let step = schedule.next(&facts, Instant::now());
            let run = snapshot.map(|snapshot| SearchRun {
                shared,
                pool: &pool,
                snapshot,
                texts: facts.texts,
                asked: facts.asked.clone(),
                started: Instant::now(),
            });
            match (step, run) {
                (SearchStep::Keep, _) => pool.install(|| search.keep(shared)),
                (SearchStep::Load, Some(run)) => {
                    if let Some(kind) = search.load(&run) {
                        schedule.found(run.texts, kind, Instant::now());
                        shared.send(S::UPDATE(SearchState::Idle));
                    }
                }
                (SearchStep::Search(kind), Some(run)) => {
                    let begun = processor_time();
                    run_search(&mut search, &mut schedule, &run, kind);
                    schedule.charge(kind, Instant::now(), processor_time().saturating_sub(begun));
                }
                (SearchStep::Wait(until), _) => {
                    pool.install(|| search.run_trial(shared));
                    return until;
                }
                (_, None) => return None,
            }
        }
        None
    });
}

/// Amends what is shown, or searches all documents.
fn run_search<S: Search>(
    search: &mut S,
    schedule: &mut Schedule<S::Asked>,
    run: &SearchRun<S::Asked>,
    kind: SearchKind,
) {
    let SearchRun { shared, texts, .. } = *run;
    let state = if !kind.settles && search.amend(run) {
        schedule.found(texts, ResultKind::Amended, Instant::now());
        SearchState::Idle
    } else {
        let meter = ProgressMeter::begin(shared, S::UPDATE);
        let tick = |share| {
            let (_, now) = facts_of::<S>(&shared.state());
            let is_outdated = (kind.is_ended_by_changes && now.texts != texts) || now.asked != run.asked;
            if is_outdated || (S::ENDS_WITH_VIEW && !now.is_wanted) || shared.is_stopped() {
                return Err(SearchError::Stopped);
            }
            meter.reached(share);
            Ok(())
        };
        let state = run.pool.install(|| search.search(run, &tick));
        match &state {
            Ok(SearchState::Failed(_)) => schedule.failed(texts),
            Ok(_) => schedule.found(texts, ResultKind::Searched, Instant::now()),
            Err(_) => schedule.ended(kind, shared.state().texts != texts),
        }
        trim();
        state.unwrap_or(SearchState::Idle)
    };
    shared.send(S::UPDATE(state));
    shared.report_unread();
}

fn facts_of<S: Search>(state: &SharedState) -> (Option<Snapshot>, SearchFacts<S::Asked>) {
    let concern = state.asked.view.as_ref().and_then(|view| concern_of(view.of));
    let facts = SearchFacts {
        texts: state.texts,
        asked: S::asked(state),
        is_wanted: concern == Some(S::CONCERN) && state.snapshot.is_some(),
        is_quiet: state.is_quiet,
        is_shown: S::is_shown(state),
    };
    (state.snapshot.clone(), facts)
}

/// The interval at which progress is sent.
const SEND_INTERVAL: Duration = Duration::from_millis(100);

/// Sends the progress of a search: at most once in each interval, and never decreasing.
struct ProgressMeter<'a> {
    shared: &'a SharedSession,
    update: fn(SearchState) -> Update,
    started: Instant,
    sent: AtomicU64,
    far: AtomicU32,
}

impl<'a> ProgressMeter<'a> {
    /// Begins a search, whose state is sent as an `update`.
    fn begin(shared: &'a SharedSession, update: fn(SearchState) -> Update) -> Self {
        shared.send(update(SearchState::At(0.0)));
        Self { shared, update, started: Instant::now(), sent: AtomicU64::new(0), far: AtomicU32::new(0) }
    }

    /// Notes that a share of the search is done, 0 to 1.
    fn reached(&self, share: f64) {
        let share = (share.clamp(0.0, 1.0) * 1000.0) as u32;
        let far = self.far.fetch_max(share, Ordering::Relaxed).max(share);
        let now = self.started.elapsed().as_millis() as u64;
        let sent = self.sent.load(Ordering::Relaxed);
        let is_due = now >= sent + SEND_INTERVAL.as_millis() as u64;
        if is_due && self.sent.compare_exchange(sent, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            self.shared.send((self.update)(SearchState::At(f64::from(far) / 1000.0)));
        }
    }
}
