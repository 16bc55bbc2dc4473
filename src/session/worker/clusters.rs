//! The thread that compares whole documents, while a view shows clusters of them.
//!
//! A search begins when the view is opened and the indexer is idle. Identical documents and folders are found first and
//! shown at once; similar documents follow. If the documents change, the search is cancelled and begins again, but not
//! twice in a row; the clusters of the last search are shown until then. Leaving the view cancels a search.

use std::mem;
use std::sync::Arc;
use std::time::Instant;

use super::pace::{PACE, processor_time};
use super::progress_meter::ProgressMeter;
use super::shared::SharedSession;
use crate::protocol::{SearchState, Update};
use crate::rows::cluster_search::{identical, similar};
use crate::rows::known_clusters::KnownClusters;
use dupi_base::storage::memory::trim;
use dupi_index::index::snapshot::{LiveSegment, Snapshot};
use dupi_ingest::priority::{self, Nice};
use dupi_near::NearError;
use dupi_passage::{PassageError, Tick};

/// The share of a search that is done when identical documents are found.
const IDENTICAL_SHARE: f64 = 0.1;

/// Compares documents until the session stops. `memory` is the limit in bytes. `ask_for_sketches` has the indexer make those
/// that are missing.
pub(crate) fn compare(shared: &SharedSession, memory: u64, threads: usize, ask_for_sketches: &dyn Fn()) {
    // A pool of its own, so that rows and previews do not wait for it.
    let pool = match priority::pool(threads, Nice::Background) {
        Ok(pool) => pool,
        Err(error) => {
            return shared.send(Update::Notice(format!("cannot compare documents: {error}")));
        }
    };
    let (mut seen, mut done, mut was_outdated) = (0, None, false);
    let (mut pace, mut postponed, mut has_asked) = (PACE, None, false);
    while let Some(now) = shared.clusters.wait_until(seen, postponed) {
        seen = now;
        let (due, is_shown) = {
            let state = shared.state();
            (state.due_clusters(done), state.clusters.is_some())
        };
        postponed = pace.postponed(due.is_some() && is_shown, Instant::now());
        let Some((snapshot, texts)) = due.filter(|_| postponed.is_none()) else { continue };
        let begun = processor_time();
        let meter = ProgressMeter::begin(shared, Update::Comparing);
        let tick = |share| {
            let state = shared.state();
            let is_left = !state.shows_clusters();
            let is_outdated = !was_outdated && state.texts != texts;
            drop(state);
            if is_left || is_outdated || shared.is_stopped() {
                return Err(PassageError::Stopped);
            }
            meter.reached(share);
            Ok(())
        };
        let found = pool.install(|| search(shared, &snapshot, memory, &tick));
        was_outdated = shared.state().texts != texts && is_stopped(&found);
        let stands = match found {
            Ok(clusters) => {
                done = Some(texts);
                show(shared, clusters);
                if !mem::replace(&mut has_asked, true) && lacks_sketches(&snapshot) {
                    ask_for_sketches();
                }
                SearchState::Idle
            }
            Err(NearError::Search(PassageError::Stopped)) => SearchState::Idle,
            Err(error) => {
                // It would fail again with the same documents.
                done = Some(texts);
                shared.send(Update::Notice(format!("The documents could not be compared: {error}")));
                SearchState::Failed(error.to_string())
            }
        };
        if is_shown {
            pace.charge(Instant::now(), processor_time().saturating_sub(begun));
        }
        trim();
        shared.send(Update::Comparing(stands));
        shared.report_unread();
        // What came while it ran was not looked at; a view that was left may have been opened again.
        if was_outdated {
            shared.clusters.raise();
        }
    }
}

fn is_stopped<T>(found: &Result<T, NearError>) -> bool {
    matches!(found, Err(NearError::Search(PassageError::Stopped)))
}

/// Whether sketches are kept, but not of all documents.
fn lacks_sketches(snapshot: &Snapshot) -> bool {
    let is_missing = |live: &LiveSegment| !matches!(live.sketches(), Ok(Some(_)));
    snapshot.manifest().sketches && snapshot.segments().iter().any(is_missing)
}

/// Finds the clusters of a generation. Where there are none yet, those of identical documents are shown before similar
/// ones are searched.
fn search(
    shared: &SharedSession,
    snapshot: &Snapshot,
    memory: u64,
    tick: &Tick,
) -> Result<KnownClusters, NearError> {
    let identical = identical(snapshot, memory, &|share| tick(share * IDENTICAL_SHARE))?;
    let identical = Arc::new(identical);
    if shared.state().clusters.is_none() {
        show(shared, KnownClusters::new(snapshot.clone(), Arc::clone(&identical), None));
    }
    let tick = |share| tick(IDENTICAL_SHARE + share * (1.0 - IDENTICAL_SHARE));
    let similar = similar(snapshot, memory, &tick)?;
    Ok(KnownClusters::new(snapshot.clone(), identical, Some(similar)))
}

fn show(shared: &SharedSession, clusters: KnownClusters) {
    let outdated = shared.state().clusters.replace(Arc::new(clusters));
    // Large values are freed without the lock.
    drop(outdated);
    shared.rows.raise();
    shared.preview.raise();
}
