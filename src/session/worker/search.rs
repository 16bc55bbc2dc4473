//! The thread that searches the newest generation for passages, when a view needs them.
//!
//! Passages that the index keeps are shown at once, without a search; those of an earlier generation are amended first by
//! what has changed since ([`mod@amend`]). The passages that are shown are amended too, when documents have changed and the
//! indexer is idle. Otherwise a search of all documents begins. If the documents change, it is cancelled and begins again,
//! but not twice in a row: so passages are found even if a folder changes faster than it can be searched. Until then the
//! passages of the last search are shown. What it found is kept in the index.
//!
//! Other criteria for passages are tried before they are applied: what a search with them finds is only counted, and shown
//! when they are applied.
//!
//! What was amended is kept in the index when nothing has changed for a moment, and settled by a search of all documents
//! when nothing has changed for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::pace::{PACE, processor_time};
use super::pins;
use super::progress_meter::ProgressMeter;
use super::settling::Settling;
use super::shared::SharedSession;
use crate::protocol::{ActivityKind, SearchState, TrialState, Update};
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

/// Amended passages are kept in the index once no document has changed for so long.
const KEEP_AFTER: Duration = Duration::from_secs(2);

/// Searches until the session stops. `memory` is the limit for texts, in bytes; `patterns` are the user's for kinds.
pub(crate) fn search(shared: &SharedSession, memory: u64, threads: usize, patterns: &Arc<KindPatterns>) {
    // A pool of its own, so that rows and previews do not wait for it.
    let pool = match priority::pool(threads, Nice::Background) {
        Ok(pool) => pool,
        Err(error) => {
            return shared.send(Update::Notice(format!("cannot search for passages: {error}")));
        }
    };
    let (mut seen, mut done, mut settling) = (0, None, Settling::default());
    let (mut asked, mut said) = (None, Omissions::default());
    let mut criteria = shared.state().criteria;
    // What a search with criteria that are not applied yet found, and the number of changes then.
    let mut tried: Option<(PassageCriteria, u64, KnownPassages)> = None;
    // The last visit, or what was shown first in this one.
    let mut visit = None;
    // When the passages that are shown are to be kept.
    let mut keep_at = None::<Instant>;
    let (mut pace, mut postponed) = (PACE, None);
    while let Some(now) = {
        // Nothing is settled before what is postponed was searched.
        let next = postponed.or(settling.at());
        shared.search.wait_until(seen, [next, keep_at].into_iter().flatten().min())
    } {
        seen = now;
        let begun = processor_time();
        if keep_at.is_some_and(|at| at <= Instant::now()) {
            keep_at = None;
            pool.install(|| keep(shared));
        }
        if shared.state().criteria != criteria {
            criteria = shared.state().criteria;
            (done, asked, settling, keep_at) = (None, None, Settling::default(), None);
            pace = PACE;
            let texts = shared.state().texts;
            if let Some((.., known)) = tried.take_if(|(of, then, _)| (*of, *then) == (criteria, texts)) {
                (done, asked) = (Some(texts), Some(texts));
                let known = show(shared, known, Instant::now(), (&mut said, &mut visit));
                shared.send(Update::Searching(SearchState::Idle));
                pool.install(|| kept::save(&known.snapshot, &known.settings, &known.passages));
            }
        }
        let usual = |snapshot: &Snapshot| of_criteria(criteria, snapshot, memory, patterns);
        let (is_due, is_shown_now) = {
            let state = shared.state();
            (state.due(done).is_some(), state.passages.is_some())
        };
        postponed = pace.postponed(is_due && is_shown_now, Instant::now());
        if postponed.is_some() {
            pool.install(|| try_criteria(shared, &mut tried, memory, patterns));
            continue;
        }
        let mut kind = settling.next(Instant::now(), is_due);
        let loadable = shared.state().loadable(asked);
        if let Some((snapshot, texts)) = loadable {
            asked = Some(texts);
            let started = Instant::now();
            let settings = usual(&snapshot);
            // What is shown is amended in memory.
            let latest =
                if is_shown(shared, &settings) { None } else { kept::load_latest(&snapshot, &settings) };
            // It is shorter than a wait for the threads of the search, which yield to all others.
            let shown = match latest {
                Some(latest) if latest.are_unchanged() => {
                    latest.unchanged().map(|passages| (passages, false))
                }
                Some(latest) => {
                    let amended = pool.install(|| amend_kept(&latest, &snapshot, &settings, &stops(shared)));
                    is_amended(amended).map(|passages| (passages, true))
                }
                None => None,
            };
            if let Some((passages, is_new)) = shown {
                (done, kind.settles) = (Some(texts), false);
                settling.shown(Instant::now(), passages.is_settled);
                keep_at = is_new.then(|| Instant::now() + KEEP_AFTER);
                let known = KnownPassages::new(snapshot, passages, settings);
                show(shared, known, started, (&mut said, &mut visit));
                shared.send(Update::Searching(SearchState::Idle));
            }
        }
        let due = shared.state().due(done.filter(|_| !kind.settles));
        let Some((snapshot, texts)) = due else {
            pool.install(|| try_criteria(shared, &mut tried, memory, patterns));
            continue;
        };
        let started = Instant::now();
        let settings = usual(&snapshot);
        if !kind.settles
            && let Some(known) = pool.install(|| amended(shared, &snapshot, &settings))
        {
            done = Some(texts);
            settling.shown(Instant::now(), false);
            keep_at = Some(Instant::now() + KEEP_AFTER);
            shared.send(Update::Searching(SearchState::Idle));
            show(shared, known, started, (&mut said, &mut visit));
            shared.report_unread();
            pace.charge(Instant::now(), processor_time().saturating_sub(begun));
            continue;
        }
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
        let found = pool.install(|| {
            look_first(shared, &snapshot, &settings, texts, &tick);
            Passages::find(&snapshot, &settings, PassageOrder::default(), &tick)
        });
        let mut newest = None;
        let stands = match found {
            Ok(passages) => {
                (done, asked) = (Some(texts), Some(texts));
                settling.shown(Instant::now(), true);
                keep_at = None;
                let known = KnownPassages::new(snapshot, passages, settings);
                newest = Some(show(shared, known, meter.started(), (&mut said, &mut visit)));
                SearchState::Idle
            }
            Err(PassageError::Stopped) => {
                settling.stopped(kind, true);
                SearchState::Idle
            }
            Err(error) => {
                // It would fail again with the same documents.
                done = Some(texts);
                settling.stopped(kind, false);
                shared.send(Update::Notice(format!("The search for passages failed: {error}")));
                SearchState::Failed(error.to_string())
            }
        };
        trim();
        shared.send(Update::Searching(stands));
        shared.report_unread();
        if let Some(known) = newest {
            pool.install(|| kept::save(&known.snapshot, &known.settings, &known.passages));
        }
        let cost = processor_time().saturating_sub(begun);
        if kind.settles {
            settling.charge(Instant::now(), cost);
        } else if is_shown_now {
            pace.charge(Instant::now(), cost);
        }
        pool.install(|| try_criteria(shared, &mut tried, memory, patterns));
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

/// Tells what a search with criteria finds that are not applied yet, if that is asked for, and holds that in `tried`. It
/// ends when something else is asked for, or when documents change.
fn try_criteria(
    shared: &SharedSession,
    tried: &mut Option<(PassageCriteria, u64, KnownPassages)>,
    memory: u64,
    patterns: &Arc<KindPatterns>,
) {
    let (trial, texts, snapshot) = {
        let state = shared.state();
        (state.trial, state.texts, state.snapshot.clone())
    };
    let trial = trial.filter(|trial| *trial != shared.state().criteria);
    let (Some(trial), Some(snapshot)) = (trial, snapshot) else {
        *tried = None;
        return;
    };
    let tell = |state| shared.send(Update::Tried(trial, state));
    let found = |known: &KnownPassages| {
        let found = &known.passages.found;
        let families = found.iter().filter(|passage| passage.is_head()).count() as u64;
        TrialState::Found { passages: found.len() as u64, families }
    };
    if let Some((.., known)) = tried.as_ref().filter(|(of, then, _)| (*of, *then) == (trial, texts)) {
        return tell(found(known));
    }
    *tried = None;
    let settings = of_criteria(trial, &snapshot, memory, patterns);
    let told = AtomicU32::new(0);
    let tick = |share: f64| {
        let state = shared.state();
        let is_outdated = (state.trial, state.texts) != (Some(trial), texts);
        let is_applied = state.criteria == trial;
        drop(state);
        if is_outdated || shared.is_stopped() {
            return Err(PassageError::Stopped);
        }
        let percent = (share * 100.0) as u32;
        if told.fetch_max(percent, Ordering::Relaxed) < percent {
            match is_applied {
                true => shared.send(Update::Searching(SearchState::At(share))),
                false => tell(TrialState::At(share)),
            }
        }
        Ok(())
    };
    let passages = match kept::load(&snapshot, &settings) {
        Some(passages) => Ok(passages),
        None => Passages::find(&snapshot, &settings, PassageOrder::default(), &tick),
    };
    match passages {
        Ok(passages) => {
            let known = KnownPassages::new(snapshot, passages, settings);
            tell(found(&known));
            *tried = Some((trial, texts, known));
        }
        Err(PassageError::Stopped) => {}
        Err(error) => tell(TrialState::Failed(error.to_string())),
    }
    trim();
}

/// Whether passages with these settings are shown.
fn is_shown(shared: &SharedSession, settings: &SearchSettings) -> bool {
    shared.state().passages.as_ref().is_some_and(|known| are_same(&known.settings, settings))
}

/// Whether two searches have the same criteria.
fn are_same(a: &SearchSettings, b: &SearchSettings) -> bool {
    (a.measure, a.across) == (b.measure, b.across)
}

/// The passages that are shown, amended by what has changed since; `None` if all documents must be searched.
fn amended(shared: &SharedSession, snapshot: &Snapshot, settings: &SearchSettings) -> Option<KnownPassages> {
    let known = shared.state().passages.clone().filter(|known| are_same(&known.settings, settings))?;
    let amended = amend(&known.snapshot, &known.passages, snapshot, &known.settings, &stops(shared));
    Some(KnownPassages::new(snapshot.clone(), is_amended(amended)?, known.settings.clone()))
}

/// The amended passages, if there are any.
fn is_amended(amended: Result<Option<Passages>, PassageError>) -> Option<Passages> {
    amended.inspect_err(|error| tracing::info!(%error, "the passages are not amended")).ok()?
}

/// Stops an amendment when the session stops.
fn stops(shared: &SharedSession) -> impl Fn(f64) -> Result<(), PassageError> + Sync {
    |_| if shared.is_stopped() { Err(PassageError::Stopped) } else { Ok(()) }
}

/// Keeps the passages that are shown.
fn keep(shared: &SharedSession) {
    let known = shared.state().passages.clone();
    if let Some(known) = known {
        kept::save(&known.snapshot, &known.settings, &known.passages);
    }
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

/// Shows passages, and says what they lack.
fn show(
    shared: &SharedSession,
    known: KnownPassages,
    started: Instant,
    (said, visit): (&mut Omissions, &mut Option<Arc<Visit>>),
) -> Arc<KnownPassages> {
    let first = || Visit::load(known.snapshot.folder());
    let first = || first().unwrap_or_else(|| Visit::of(&known.snapshot, &known.passages));
    let visit = visit.get_or_insert_with(|| Arc::new(first()));
    kept::compare_with(visit, &known.snapshot, &known.passages);
    let Passages { found, sources, suppressed: suppressions, omissions, .. } = &known.passages;
    shared.record(ActivityKind::Searched { passages: found.len() as u64, took: started.elapsed() });
    let marks = suppressed(&known.snapshot, sources, suppressions);
    marks.into_iter().for_each(|sentence| shared.record(ActivityKind::Notice(sentence)));
    notice(said, *omissions).into_iter().for_each(|notice| shared.send(notice));
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
