//! The search for passages, when a view needs them.
//!
//! Passages that the index keeps are shown at once, without a search; those of an earlier generation are amended first by
//! what has changed since ([`mod@amend`]). The passages that are shown are amended too, when documents have changed.
//! Otherwise all documents are searched; until that has ended, the passages of the last search are shown, or some first
//! ones.

use std::sync::Arc;

use super::criteria::{SearchResources, Trial};
use super::schedule::ResultKind;
use super::searches::{Search, SearchRun, follow};
use super::shared::{SharedSession, SharedState};
use super::signals::Concern;
use crate::known::passages::KnownPassages;
use crate::protocol::{ActivityKind, SearchState, Update};
use dupi_base::config::PassageCriteria;
use dupi_index::index::search::{SearchError, Tick};
use dupi_judge::amend::{DocumentChanges, amend};
use dupi_judge::first_look::first_look;
use dupi_judge::kind::patterns::KindPatterns;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_judge::since_visit::Visit;
use dupi_judge::{PassageOrder, kept};
use dupi_passage::bounds::Omissions;
use dupi_report::suppressed;

/// Searches until the session stops. `memory` is the limit for texts, in bytes; `patterns` are the user's for kinds.
pub(crate) fn search(shared: &SharedSession, memory: u64, threads: usize, patterns: Arc<KindPatterns>) {
    let resources = SearchResources { memory, patterns };
    let (trial, left_out) = Default::default();
    follow(shared, threads, PassageSearch { resources, trial, left_out, visit: None });
}

struct PassageSearch {
    resources: SearchResources,
    trial: Trial,
    /// What the last search left out.
    left_out: Omissions,
    /// The last visit, or what was shown first in this one.
    visit: Option<Arc<Visit>>,
}

type Run<'a> = SearchRun<'a, PassageCriteria>;

impl Search for PassageSearch {
    const CONCERN: Concern = Concern::Passages;
    const DOES: &'static str = "search for passages";
    const UPDATE: fn(SearchState) -> Update = Update::Searching;
    const ENDS_WITH_VIEW: bool = false;
    type Asked = PassageCriteria;

    fn asked(state: &SharedState) -> PassageCriteria {
        state.asked.criteria
    }

    fn is_shown(state: &SharedState) -> bool {
        state.passages.is_some()
    }

    /// Shows what was found when these criteria were tried, or the passages that the index keeps, amended if they are of an
    /// earlier generation.
    fn load(&mut self, run: &Run) -> Option<ResultKind> {
        if let Some(known) = self.trial.take(run.asked, run.texts) {
            self.show(run, known);
            return Some(ResultKind::Searched);
        }
        let settings = self.settings(run);
        // What is shown is amended in memory.
        if shown(run.shared, &settings).is_some() {
            return None;
        }
        let latest = kept::load_latest(&run.snapshot, &settings)?;
        let (passages, kind) = if latest.are_unchanged() {
            // It is shorter than a wait for the threads of the search, which yield to all others.
            let passages = latest.unchanged()?;
            let kind = ResultKind::Loaded(passages.is_settled);
            (passages, kind)
        } else {
            let (changes, tick) =
                (DocumentChanges::since_kept(&latest.files, &run.snapshot), stops(run.shared));
            let found = run.pool.install(|| amend(&latest.passages, &changes, &settings, &tick));
            (amended(found)?, ResultKind::Amended)
        };
        self.show(run, KnownPassages::new(run.snapshot.clone(), passages, settings));
        Some(kind)
    }

    fn amend(&mut self, run: &Run) -> bool {
        let Some(before) = shown(run.shared, &self.settings(run)) else { return false };
        let KnownPassages { snapshot: earlier, passages, settings, .. } = &*before;
        let (changes, tick) = (DocumentChanges::between(earlier, &run.snapshot), stops(run.shared));
        let found = run.pool.install(|| amend(passages, &changes, settings, &tick));
        let Some(passages) = amended(found) else { return false };
        self.show(run, KnownPassages::new(run.snapshot.clone(), passages, settings.clone()));
        true
    }

    fn search(&mut self, run: &Run, tick: &Tick) -> Result<SearchState, SearchError> {
        let settings = self.settings(run);
        look_first(run, &settings, tick);
        match Passages::find(&run.snapshot, &settings, PassageOrder::default(), tick) {
            Ok(passages) => {
                self.show(run, KnownPassages::new(run.snapshot.clone(), passages, settings));
                Ok(SearchState::Idle)
            }
            Err(SearchError::Stopped) => Err(SearchError::Stopped),
            Err(error) => {
                run.shared.send(Update::Notice(format!("The search for passages failed: {error}")));
                Ok(SearchState::Failed(error.to_string()))
            }
        }
    }

    fn keep(&mut self, shared: &SharedSession) {
        // The lock is released first: it takes a while to save them.
        let known = shared.state().passages.clone();
        if let Some(known) = known {
            kept::save(&known.snapshot, &known.settings, &known.passages);
        }
    }

    fn run_trial(&mut self, shared: &SharedSession) {
        self.trial.run(shared, &self.resources);
    }
}

impl PassageSearch {
    /// Shows passages, and says what they lack.
    fn show(&mut self, run: &Run, known: KnownPassages) {
        let shared = run.shared;
        let last = || Visit::load(known.snapshot.folder());
        let last = || last().unwrap_or_else(|| Visit::of(&known.snapshot, &known.passages));
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

    fn settings(&self, run: &Run) -> SearchSettings {
        self.resources.settings(run.asked, &run.snapshot)
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
