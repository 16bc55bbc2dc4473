//! Searches in the background: each has a thread and a pool of its own, so that rows and previews do not wait for it. Its
//! [`Schedule`] decides what runs; this file carries it out and reports the progress. The comparison of whole documents and
//! the review of a change are such searches, as is that for [passages](super::passages).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

use rayon::ThreadPool;

use super::pace::processor_time;
use super::schedule::{ResultKind, Schedule, SearchFacts, SearchKind, SearchStep};
use super::shared::{IndexerMessage, SharedSession, SharedState};
use super::signals::Concern;
use crate::known::clusters::{KnownClusters, identical, similar};
use crate::known::{KnownReview, ReviewStand};
use crate::protocol::{SearchState, Update};
use crate::rows::reviews::with_rows;
use dupi_base::storage::memory::trim;
use dupi_base::storage::shown;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{LiveSegment, Snapshot};
use dupi_ingest::priority::{self, Nice};
use dupi_judge::kind::Kind;
use dupi_near::NearError;
use dupi_review::change::ChangeError;
use dupi_review::review::{self, ReviewRules, Source};

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
    /// What is said when it fails, before the reason.
    const FAILED: &'static str;
    /// The update that tells how far it is.
    const UPDATE: fn(SearchState) -> Update;
    /// Whether it ends when its view is left.
    const ENDS_WITH_VIEW: bool = true;
    /// What, beside the documents, a result is made of.
    type Asked: Clone + PartialEq + Send + Sync;

    /// What a result would be made of now.
    fn asked(state: &SharedState) -> Self::Asked;

    /// Shows what the index keeps.
    fn load(&mut self, _: &SearchRun<Self::Asked>) -> Option<ResultKind> {
        None
    }

    /// Amends what is shown by what has changed since. Returns whether it could.
    fn amend(&mut self, _: &SearchRun<Self::Asked>) -> bool {
        false
    }

    /// Searches all documents, and shows the result.
    ///
    /// # Errors
    /// Why it failed; `None` when `tick` stops it.
    fn search(&mut self, run: &SearchRun<Self::Asked>, tick: &Tick) -> Result<(), Option<String>>;

    /// Keeps what is shown in the index.
    fn keep(&mut self, _: &SharedSession) {}

    /// Runs what is asked for besides, when nothing is due.
    fn run_trial(&mut self, _: &SharedSession) {}
}

/// Runs a search whenever it is due, until the session stops.
pub(super) fn follow<S: Search>(shared: &SharedSession, mut search: S) {
    let pool = match priority::pool(shared.threads, Nice::Background) {
        Ok(pool) => pool,
        Err(error) => return shared.send(Update::Notice(format!("{}: {error}", S::FAILED))),
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
pub(super) fn run_search<S: Search>(
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
        shared.send(S::UPDATE(SearchState::At(0.0)));
        let (progress, is_ended) = (Progress::default(), AtomicBool::new(false));
        let tick = |share| {
            let (_, now) = facts_of::<S>(&shared.state());
            let is_outdated = (kind.is_ended_by_changes && now.texts != texts) || now.asked != run.asked;
            if is_outdated || (S::ENDS_WITH_VIEW && !now.is_wanted) || shared.is_stopped() {
                is_ended.store(true, Ordering::Relaxed);
                return Err(SearchError::Stopped);
            }
            if progress.is_news(share) {
                shared.send(S::UPDATE(SearchState::At(share)));
            }
            Ok(())
        };
        let searched = run.pool.install(|| search.search(run, &tick));
        match &searched {
            Ok(()) => schedule.found(texts, ResultKind::Searched, Instant::now()),
            Err(None) if is_ended.into_inner() => schedule.ended(kind, shared.state().texts != texts),
            // A search that stops for a reason of its own would do so again.
            Err(_) => schedule.failed(texts),
        }
        trim();
        let why = searched.err().flatten();
        why.iter().for_each(|why| shared.send(Update::Notice(format!("{}: {why}", S::FAILED))));
        why.map_or(SearchState::Idle, SearchState::Failed)
    };
    shared.send(S::UPDATE(state));
    shared.report_unread();
}

pub(super) fn facts_of<S: Search>(state: &SharedState) -> (Option<Snapshot>, SearchFacts<S::Asked>) {
    let facts = SearchFacts {
        texts: state.texts,
        asked: S::asked(state),
        is_wanted: state.searched() == Some(S::CONCERN) && state.snapshot.is_some(),
        is_quiet: state.is_quiet,
        is_shown: state.has_result(S::CONCERN),
    };
    (state.snapshot.clone(), facts)
}

/// Why a search failed; `None` if it was stopped.
pub(super) fn reason(error: SearchError) -> Option<String> {
    (!matches!(error, SearchError::Stopped)).then(|| error.to_string())
}

/// How much of a search was told to be done, in percent.
#[derive(Default)]
pub(super) struct Progress(AtomicU32);

impl Progress {
    /// Whether a share of the search, 0 to 1, is more than was told.
    pub(super) fn is_news(&self, share: f64) -> bool {
        let percent = (share * 100.0) as u32;
        self.0.fetch_max(percent, Ordering::Relaxed) < percent
    }
}

/// The share of a search that is done when identical documents are found.
const IDENTICAL_SHARE: f64 = 0.1;

/// Compares whole documents while a view shows clusters of them, until the session stops. Identical documents and folders
/// are found first and shown at once; similar documents follow.
pub(crate) fn compare(shared: &SharedSession) {
    follow(shared, ClusterSearch { has_asked: false });
}

struct ClusterSearch {
    /// Whether missing sketches were asked for.
    has_asked: bool,
}

impl Search for ClusterSearch {
    const CONCERN: Concern = Concern::Clusters;
    const FAILED: &'static str = "The documents could not be compared";
    const UPDATE: fn(SearchState) -> Update = Update::Comparing;
    type Asked = ();

    fn asked(_: &SharedState) {}

    fn search(&mut self, run: &SearchRun<()>, tick: &Tick) -> Result<(), Option<String>> {
        let clusters = find_clusters(run, tick).map_err(|error| match error {
            NearError::Search(SearchError::Stopped) => None,
            error => Some(error.to_string()),
        })?;
        show_clusters(run.shared, clusters);
        // Only now: what was found is shown already.
        if !std::mem::replace(&mut self.has_asked, true) && lacks_sketches(&run.snapshot) {
            run.shared.tell_indexer(IndexerMessage::Sketch);
        }
        Ok(())
    }
}

/// Whether sketches are kept, but not of all documents.
fn lacks_sketches(snapshot: &Snapshot) -> bool {
    let is_missing = |live: &LiveSegment| !matches!(live.sketches(), Ok(Some(_)));
    snapshot.manifest().sketches && snapshot.segments().iter().any(is_missing)
}

/// Finds the clusters of a generation. Where none are shown yet, those of identical documents are shown before similar
/// documents are searched.
fn find_clusters(run: &SearchRun<()>, tick: &Tick) -> Result<KnownClusters, NearError> {
    let (snapshot, memory) = (&run.snapshot, run.shared.memory);
    let identical = Arc::new(identical(snapshot, memory, &|share| tick(share * IDENTICAL_SHARE))?);
    if run.shared.state().clusters.is_none() {
        show_clusters(run.shared, KnownClusters::new(snapshot.clone(), Arc::clone(&identical), None));
    }
    let tick = |share| tick(IDENTICAL_SHARE + share * (1.0 - IDENTICAL_SHARE));
    let similar = similar(snapshot, memory, &tick)?;
    Ok(KnownClusters::new(snapshot.clone(), identical, Some(similar)))
}

fn show_clusters(shared: &SharedSession, clusters: KnownClusters) {
    shared.show(|state| state.clusters.replace(Arc::new(clusters)));
}

/// Reviews changes while their view is shown, again whenever it is opened, until the session stops.
pub(crate) fn review_changes(shared: &SharedSession) {
    follow(shared, ChangeReview);
}

struct ChangeReview;

impl Search for ChangeReview {
    const CONCERN: Concern = Concern::Review;
    const FAILED: &'static str = "The change could not be reviewed";
    const UPDATE: fn(SearchState) -> Update = Update::Reviewing;
    /// How often what is reviewed changed.
    type Asked = u64;

    fn asked(state: &SharedState) -> u64 {
        state.asked.plan.1
    }

    fn search(&mut self, run: &SearchRun<u64>, tick: &Tick) -> Result<(), Option<String>> {
        let stand = match find_review(run, tick) {
            Ok(found) => ReviewStand::Found(Arc::new(with_rows(found))),
            Err(None) => return Err(None),
            Err(Some(why)) => ReviewStand::Failed(why),
        };
        run.shared.show(|state| std::mem::replace(&mut state.review, stand));
        Ok(())
    }
}

/// Reviews the change of a generation. The error says why it cannot be reviewed; `None` if it was stopped.
fn find_review(run: &SearchRun<u64>, tick: &Tick) -> Result<KnownReview, Option<String>> {
    let (shared, snapshot) = (run.shared, &run.snapshot);
    let plan = shared.state().asked.plan.0.clone();
    let corpus = &snapshot.manifest().corpus;
    let is_wanted = || tick(0.0).is_ok();
    let in_words = |error: ChangeError| match error {
        ChangeError::Stopped => None,
        // So it is for most folders of documents.
        ChangeError::NoRepository(folder) => Some(format!(
            "{} is in no git repository, so there is no change to review; open a folder of one, or give a patch: \
             `dupi-tui review --patch FILE`",
            shown(&folder)
        )),
        error => Some(error.to_string()),
    };
    let source = Source::open(&corpus.base, &plan.change, &is_wanted).map_err(in_words)?;
    let changed = source.changes(&plan.change, snapshot).map_err(in_words)?;
    changed.absent().for_each(|sentence| shared.send(Update::Notice(format!("{sentence}."))));
    let settings = plan.search(&snapshot.manifest().recipe, shared.memory, &shared.patterns);
    let (decisions, usual) = {
        let state = shared.state();
        let view = state.asked.view.as_ref().and_then(|view| view.aside.clone());
        (state.decisions.clone(), view.unwrap_or_else(|| Kind::ASIDES.to_vec()))
    };
    let decisions = decisions.ok_or(None)?;
    let aside = plan.aside.clone().unwrap_or_else(|| decisions.aside.apply(&usual));
    let rules = ReviewRules { decisions: decisions.for_review(), aside: &aside, min_worth: plan.min_worth };
    let found = review::find(snapshot, &changed, &settings, &rules, tick);
    let found = found.and_then(|found| tick(1.0).map(|()| found)).map_err(reason)?;
    Ok(KnownReview::new(snapshot, found, settings, changed))
}
