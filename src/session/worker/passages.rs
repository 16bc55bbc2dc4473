//! The search for passages, when a view needs them, and with criteria that are tried before they are applied; what it finds
//! with these is only counted.
//!
//! Passages that the index keeps are shown at once, without a search; those of an earlier generation are amended first by
//! what has changed since ([`amend`](fn@amend)). The passages that are shown are amended too, when documents have changed.
//! Otherwise all documents are searched; until that has ended, the passages of the last search are shown, or some first
//! ones.

use std::sync::Arc;

use super::schedule::ResultKind;
use super::searches::{Progress, Search, SearchRun, follow, reason};
use super::shared::{SharedSession, SharedState};
use super::signals::Concern;
use crate::known::passages::KnownPassages;
use crate::protocol::{ActivityKind, SearchState, TrialState, Update};
use dupi_base::config::PassageCriteria;
use dupi_base::storage::memory::trim;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::Snapshot;
use dupi_judge::amend::{DocumentChanges, amend};
use dupi_judge::around::first_look;
use dupi_judge::known::Visit;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_judge::{PassageOrder, kept};
use dupi_passage::Measure;
use dupi_passage::bounds::Omissions;
use dupi_report::suppressed;

/// Searches until the session stops.
pub(crate) fn search(shared: &SharedSession) {
    follow(shared, PassageSearch::default());
}

#[derive(Default)]
struct PassageSearch {
    trial: Trial,
    /// What the last search left out.
    left_out: Omissions,
    /// The last visit, or what was shown first in this one.
    visit: Option<Arc<Visit>>,
}

type Run<'a> = SearchRun<'a, PassageCriteria>;

impl Search for PassageSearch {
    const CONCERN: Concern = Concern::Passages;
    const FAILED: &'static str = "The search for passages failed";
    const UPDATE: fn(SearchState) -> Update = Update::Searching;
    const ENDS_WITH_VIEW: bool = false;
    type Asked = PassageCriteria;

    fn asked(state: &SharedState) -> PassageCriteria {
        state.asked.criteria
    }

    /// Shows what was found when these criteria were tried, or the passages that the index keeps, amended if they are of an
    /// earlier generation.
    fn load(&mut self, run: &Run) -> Option<ResultKind> {
        if let Some(known) = self.trial.take(run.asked, run.texts) {
            self.show(run, known);
            return Some(ResultKind::Searched);
        }
        let settings = settings_of(run);
        // What is shown is amended in memory.
        if shown(run.shared, &settings).is_some() {
            return None;
        }
        let latest = kept::load_latest(&run.snapshot, &settings)?;
        let known = |passages| KnownPassages::new(run.snapshot.clone(), passages, settings.clone());
        if latest.are_unchanged() {
            // It is shorter than a wait for the threads of the search, which yield to all others.
            let passages = latest.unchanged()?;
            let kind = ResultKind::Loaded(passages.is_settled);
            self.show(run, known(passages).are_kept());
            return Some(kind);
        }
        let (changes, tick) = (DocumentChanges::since_kept(&latest.files, &run.snapshot), stops(run.shared));
        let found = run.pool.install(|| amend(&latest.passages, &changes, &settings, &tick));
        self.show(run, known(amended(found)?));
        Some(ResultKind::Amended)
    }

    fn amend(&mut self, run: &Run) -> bool {
        let Some(before) = shown(run.shared, &settings_of(run)) else { return false };
        let KnownPassages { snapshot: earlier, passages, settings, .. } = &*before;
        let (changes, tick) = (DocumentChanges::between(earlier, &run.snapshot), stops(run.shared));
        let found = run.pool.install(|| amend(passages, &changes, settings, &tick));
        let Some(passages) = amended(found) else { return false };
        self.show(run, KnownPassages::new(run.snapshot.clone(), passages, settings.clone()));
        true
    }

    fn search(&mut self, run: &Run, tick: &Tick) -> Result<(), Option<String>> {
        let settings = settings_of(run);
        look_first(run, &settings, tick);
        let found = Passages::find(&run.snapshot, &settings, PassageOrder::default(), tick);
        self.show(run, KnownPassages::new(run.snapshot.clone(), found.map_err(reason)?, settings));
        Ok(())
    }

    fn keep(&mut self, shared: &SharedSession) {
        // The lock is released first: it takes a while to save them.
        let known = shared.state().passages.clone();
        known.inspect(|known| known.keep());
    }

    fn run_trial(&mut self, shared: &SharedSession) {
        self.trial.run(shared);
    }
}

impl PassageSearch {
    /// Shows passages, and says what they lack.
    fn show(&mut self, run: &Run, known: KnownPassages) {
        let shared = run.shared;
        let last = || Visit::load(known.snapshot.folder());
        let last = || last().unwrap_or_else(|| Visit::new(&known.snapshot, &known.passages));
        let visit = self.visit.get_or_insert_with(|| Arc::new(last()));
        kept::compare_with(visit, &known.snapshot, &known.passages);
        let Passages { found, sources, suppressed: suppressions, omissions, .. } = &known.passages;
        let (passages, took) = (found.len() as u64, run.started.elapsed());
        shared.record(ActivityKind::Searched { passages, took });
        let marks = suppressed(&known.snapshot, sources, suppressions);
        marks.into_iter().for_each(|sentence| shared.record(ActivityKind::Notice(sentence)));
        notice(&mut self.left_out, *omissions).into_iter().for_each(|notice| shared.send(notice));
        let known = Arc::new(known);
        let replaced = {
            let mut state = shared.state();
            (state.passages.replace(Arc::clone(&known)), state.first_look.take())
        };
        // Afterwards, so that none is missed that is pinned now.
        shared.apply_pins(&known);
        shared.show(|_| replaced);
    }
}

/// Shows some passages until all are found, where none are shown and the corpus is large.
fn look_first(run: &Run, settings: &SearchSettings, tick: &Tick) {
    let is_same = |known: &Arc<KnownPassages>| are_same(&known.settings, settings);
    let state = run.shared.state();
    if state.passages.is_some() || state.first_look.as_ref().is_some_and(is_same) {
        return;
    }
    drop(state);
    match first_look(&run.snapshot, settings, &|_| tick(0.0)) {
        Ok(Some(passages)) if !passages.found.is_empty() => {
            let known = Arc::new(KnownPassages::new(run.snapshot.clone(), passages, settings.clone()));
            run.shared.show(|state| {
                // The index may be another one by now.
                let is_newest = state.texts == run.texts && state.passages.is_none();
                if is_newest { state.first_look.replace(known) } else { Some(known) }
            });
        }
        Ok(_) | Err(SearchError::Stopped) => {}
        // The search of all documents tells what is wrong.
        Err(error) => tracing::info!(%error, "no first look"),
    }
}

/// The passages that are shown, if they are of these criteria.
fn shown(shared: &SharedSession, settings: &SearchSettings) -> Option<Arc<KnownPassages>> {
    shared.state().passages.clone().filter(|known| are_same(&known.settings, settings))
}

/// Whether two searches have the same criteria.
fn are_same(a: &SearchSettings, b: &SearchSettings) -> bool {
    (a.measure, a.across) == (b.measure, b.across)
}

/// The amended passages, if there are any.
fn amended(found: Result<Option<Passages>, SearchError>) -> Option<Passages> {
    found.inspect_err(|error| tracing::info!(%error, "the passages are not amended")).ok()?
}

/// Stops an amendment when the session stops.
fn stops(shared: &SharedSession) -> impl Fn(f64) -> Result<(), SearchError> + Sync {
    |_| if shared.is_stopped() { Err(SearchError::Stopped) } else { Ok(()) }
}

/// A notice of what a search left out, unless the last search left out the same.
fn notice(said: &mut Omissions, left_out: Omissions) -> Option<Update> {
    let is_new = std::mem::replace(said, left_out) != left_out;
    (is_new && !left_out.is_empty()).then(|| Update::Notice(left_out.to_string()))
}

/// The settings of a search with the criteria that are asked for.
fn settings_of(run: &Run) -> SearchSettings {
    settings(run.shared, run.asked, &run.snapshot)
}

/// The settings of a search with some criteria.
fn settings(shared: &SharedSession, criteria: PassageCriteria, snapshot: &Snapshot) -> SearchSettings {
    let PassageCriteria { min_tokens, gap, min_overlap, across } = criteria;
    let usual = Measure::usual(&snapshot.manifest().recipe);
    let measure = Measure {
        least: min_tokens.unwrap_or(usual.least),
        gap: gap.unwrap_or(usual.gap),
        overlap: min_overlap.map_or(usual.overlap, |percent| percent as f32 / 100.0),
        ..usual
    };
    let (across, patterns) = (across.unwrap_or(false), Arc::clone(&shared.patterns));
    SearchSettings { measure, across, consistent: false, memory: shared.memory, patterns }
}

/// What was found with criteria that are not applied yet.
#[derive(Default)]
struct Trial(Option<Tried>);

struct Tried {
    criteria: PassageCriteria,
    /// The number of changes then.
    texts: u64,
    known: KnownPassages,
}

impl Tried {
    fn is_of(&self, criteria: PassageCriteria, texts: u64) -> bool {
        (self.criteria, self.texts) == (criteria, texts)
    }
}

impl Trial {
    /// What was found with criteria that are applied now; `None` if documents have changed since.
    fn take(&mut self, criteria: PassageCriteria, texts: u64) -> Option<KnownPassages> {
        self.0.take_if(|tried| tried.is_of(criteria, texts)).map(|tried| tried.known)
    }

    /// Tells what a search with criteria finds that are not applied yet, if that is asked for. It ends when something else is
    /// asked for, or when documents change.
    fn run(&mut self, shared: &SharedSession) {
        let (trial, texts, snapshot) = {
            let state = shared.state();
            let trial = state.asked.trial.filter(|trial| *trial != state.asked.criteria);
            (trial, state.texts, state.snapshot.clone())
        };
        let (Some(trial), Some(snapshot)) = (trial, snapshot) else {
            self.0 = None;
            return;
        };
        let tell = |state| shared.send(Update::Tried(trial, state));
        if let Some(tried) = self.0.as_ref().filter(|tried| tried.is_of(trial, texts)) {
            return tell(counted(&tried.known));
        }
        self.0 = None;
        let settings = settings(shared, trial, &snapshot);
        let progress = Progress::default();
        let tick = |share: f64| {
            let state = shared.state();
            let is_outdated = (state.asked.trial, state.texts) != (Some(trial), texts);
            let is_applied = state.asked.criteria == trial;
            drop(state);
            if is_outdated || shared.is_stopped() {
                return Err(SearchError::Stopped);
            }
            if progress.is_news(share) {
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
                tell(counted(&known));
                self.0 = Some(Tried { criteria: trial, texts, known });
            }
            Err(SearchError::Stopped) => {}
            Err(error) => tell(TrialState::Failed(error.to_string())),
        }
        trim();
    }
}

fn counted(known: &KnownPassages) -> TrialState {
    let found = &known.passages.found;
    let families = found.iter().filter(|passage| passage.is_head()).count() as u64;
    TrialState::Found { passages: found.len() as u64, families }
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
