//! The criteria of a search for passages: its settings by them, and criteria that are tried before they are applied. What a
//! search with these finds is only counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::shared::SharedSession;
use crate::known::passages::KnownPassages;
use crate::protocol::{SearchState, TrialState, Update};
use dupi_base::config::PassageCriteria;
use dupi_base::storage::memory::trim;
use dupi_index::index::search::SearchError;
use dupi_index::index::snapshot::Snapshot;
use dupi_judge::kind::patterns::KindPatterns;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_judge::{PassageOrder, kept};
use dupi_passage::Measure;

/// What all searches for passages have.
pub(super) struct SearchResources {
    /// The limit for texts, in bytes.
    pub memory: u64,
    /// The patterns of the user for kinds.
    pub patterns: Arc<KindPatterns>,
}

impl SearchResources {
    /// The settings of a search with some criteria.
    pub(super) fn settings(&self, criteria: PassageCriteria, snapshot: &Snapshot) -> SearchSettings {
        let PassageCriteria { min_tokens, gap, min_overlap, across } = criteria;
        let usual = Measure::usual(&snapshot.manifest().recipe);
        let measure = Measure {
            least: min_tokens.unwrap_or(usual.least),
            gap: gap.unwrap_or(usual.gap),
            overlap: min_overlap.map_or(usual.overlap, |percent| percent as f32 / 100.0),
            ..usual
        };
        let (across, patterns) = (across.unwrap_or(false), Arc::clone(&self.patterns));
        SearchSettings { measure, across, consistent: false, memory: self.memory, patterns }
    }
}

/// What was found with criteria that are not applied yet.
#[derive(Default)]
pub(super) struct Trial(Option<Tried>);

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
    pub(super) fn take(&mut self, criteria: PassageCriteria, texts: u64) -> Option<KnownPassages> {
        self.0.take_if(|tried| tried.is_of(criteria, texts)).map(|tried| tried.known)
    }

    /// Tells what a search with criteria finds that are not applied yet, if that is asked for. It ends when something else is
    /// asked for, or when documents change.
    pub(super) fn run(&mut self, shared: &SharedSession, resources: &SearchResources) {
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
            return tell(found(&tried.known));
        }
        self.0 = None;
        let settings = resources.settings(trial, &snapshot);
        let told = AtomicU32::new(0);
        let tick = |share: f64| {
            let state = shared.state();
            let is_outdated = (state.asked.trial, state.texts) != (Some(trial), texts);
            let is_applied = state.asked.criteria == trial;
            drop(state);
            if is_outdated || shared.is_stopped() {
                return Err(SearchError::Stopped);
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
                self.0 = Some(Tried { criteria: trial, texts, known });
            }
            Err(SearchError::Stopped) => {}
            Err(error) => tell(TrialState::Failed(error.to_string())),
        }
        trim();
    }
}

fn found(known: &KnownPassages) -> TrialState {
    let found = &known.passages.found;
    let families = found.iter().filter(|passage| passage.is_head()).count() as u64;
    TrialState::Found { passages: found.len() as u64, families }
}
