//! The comparison of whole documents, while a view shows clusters of them.
//!
//! Identical documents and folders are found first and shown at once; similar documents follow.

use std::sync::Arc;

use super::searches::{Search, SearchRun, follow};
use super::shared::{SharedSession, SharedState};
use super::signals::Concern;
use crate::known::clusters::{KnownClusters, identical, similar};
use crate::protocol::{SearchState, Update};
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{LiveSegment, Snapshot};
use dupi_near::NearError;

/// The share of a search that is done when identical documents are found.
const IDENTICAL_SHARE: f64 = 0.1;

/// Compares documents until the session stops. `memory` is the limit in bytes. `ask_for_sketches` has the indexer make those
/// that are missing.
pub(crate) fn compare(
    shared: &SharedSession,
    memory: u64,
    threads: usize,
    ask_for_sketches: impl Fn() + Send,
) {
    follow(shared, threads, ClusterSearch { memory, ask_for_sketches: Some(ask_for_sketches) });
}

struct ClusterSearch<F> {
    /// The limit in bytes.
    memory: u64,
    /// None once it was called.
    ask_for_sketches: Option<F>,
}

impl<F: Fn() + Send> Search for ClusterSearch<F> {
    const CONCERN: Concern = Concern::Clusters;
    const DOES: &'static str = "compare documents";
    const UPDATE: fn(SearchState) -> Update = Update::Comparing;
    type Asked = ();

    fn asked(_: &SharedState) {}

    fn is_shown(state: &SharedState) -> bool {
        state.clusters.is_some()
    }

    fn search(&mut self, run: &SearchRun<()>, tick: &Tick) -> Result<SearchState, SearchError> {
        match find(run, self.memory, tick) {
            Ok(clusters) => {
                show(run.shared, clusters);
                // Only now: what was found is shown already.
                if let Some(ask) = self.ask_for_sketches.take().filter(|_| lacks_sketches(&run.snapshot)) {
                    ask();
                }
                Ok(SearchState::Idle)
            }
            Err(NearError::Search(SearchError::Stopped)) => Err(SearchError::Stopped),
            Err(error) => {
                run.shared.send(Update::Notice(format!("The documents could not be compared: {error}")));
                Ok(SearchState::Failed(error.to_string()))
            }
        }
    }
}

/// Whether sketches are kept, but not of all documents.
fn lacks_sketches(snapshot: &Snapshot) -> bool {
    let is_missing = |live: &LiveSegment| !matches!(live.sketches(), Ok(Some(_)));
    snapshot.manifest().sketches && snapshot.segments().iter().any(is_missing)
}

/// Finds the clusters of a generation. Where none are shown yet, those of identical documents are shown before similar
/// documents are searched.
fn find(run: &SearchRun<()>, memory: u64, tick: &Tick) -> Result<KnownClusters, NearError> {
    let snapshot = &run.snapshot;
    let identical = Arc::new(identical(snapshot, memory, &|share| tick(share * IDENTICAL_SHARE))?);
    if run.shared.state().clusters.is_none() {
        show(run.shared, KnownClusters::new(snapshot.clone(), Arc::clone(&identical), None));
    }
    let tick = |share| tick(IDENTICAL_SHARE + share * (1.0 - IDENTICAL_SHARE));
    let similar = similar(snapshot, memory, &tick)?;
    Ok(KnownClusters::new(snapshot.clone(), identical, Some(similar)))
}

fn show(shared: &SharedSession, clusters: KnownClusters) {
    shared.show(|state| state.clusters.replace(Arc::new(clusters)));
}
