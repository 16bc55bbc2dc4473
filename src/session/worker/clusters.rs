//! The thread that compares whole documents, while a view shows clusters of them.
//!
//! A search begins when the view is opened and the indexer is idle. Identical documents and folders are found first and
//! shown at once; similar documents follow. If the documents change, the search is cancelled and begins again, but not
//! twice in a row; the clusters of the last search are shown until then. Leaving the view cancels a search.

use std::sync::Arc;

use super::progress_meter::ProgressMeter;
use super::shared::SharedSession;
use crate::index::snapshot::Snapshot;
use crate::ingest::memory::trim;
use crate::ingest::priority::{self, Nice};
use crate::near::NearError;
use crate::near::found::Found;
use crate::near::search::find;
use crate::near::settings::{ClusterRule, Identity, Method, NearSettings, Shingling, SignatureRule};
use crate::passage::{PassageError, Tick};
use crate::session::protocol::{Comparison, SearchState, Update};
use crate::session::rows::known_clusters::KnownClusters;

/// The part of the memory limit for a search: 1 / this. The passages of other views stay in memory meanwhile.
const MEMORY_SHARE: u64 = 2;
/// The share of identical documents from which on folders are almost the same.
const TREE_THRESHOLD: f64 = 0.9;
/// The share of a search that is done when identical documents are found.
const IDENTICAL_SHARE: f64 = 0.1;

/// Compares documents until the session stops. `memory` is the limit in bytes.
pub(crate) fn compare(shared: &SharedSession, memory: u64, threads: usize) {
    // A pool of its own, so that rows and previews do not wait for it.
    let pool = match priority::pool(threads, Nice::Background) {
        Ok(pool) => pool,
        Err(error) => {
            return shared.send(Update::Notice(format!("cannot compare documents: {error}")));
        }
    };
    let (mut seen, mut done, mut was_outdated) = (0, None, false);
    while let Some(now) = shared.clusters.wait(seen) {
        seen = now;
        let Some((snapshot, texts)) = shared.state().due_clusters(done) else { continue };
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
        let found = pool.install(|| search(shared, &snapshot, memory / MEMORY_SHARE, &tick));
        was_outdated = shared.state().texts != texts && is_stopped(&found);
        let stands = match found {
            Ok(clusters) => {
                done = Some(texts);
                show(shared, clusters);
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

/// Finds the clusters of a generation. Where there are none yet, those of identical documents are shown before similar
/// ones are searched.
fn search(
    shared: &SharedSession,
    snapshot: &Snapshot,
    memory: u64,
    tick: &Tick,
) -> Result<KnownClusters, NearError> {
    let method = Method::Identical(Identity::Tokens);
    let identical =
        find(snapshot, &settings(method, TREE_THRESHOLD, memory), &|share| tick(share * IDENTICAL_SHARE))?;
    let identical = Arc::new(identical);
    if shared.state().clusters.is_none() {
        show(shared, KnownClusters::new(snapshot.clone(), Arc::clone(&identical), None));
    }
    let similar = similar(snapshot, memory, tick)?;
    Ok(KnownClusters::new(snapshot.clone(), identical, Some(similar)))
}

/// Finds similar documents: by all their shingles, or where these take too much memory, by signatures. Where too many
/// pairs are similar for the memory, only those that are more similar count.
fn similar(snapshot: &Snapshot, memory: u64, tick: &Tick) -> Result<(Found, Comparison), NearError> {
    let shingling = Shingling::default();
    let exact = || Method::Jaccard(shingling);
    let signed = || Method::MinHash(SignatureRule { shingling, verify: true });
    let attempts: [(&'static str, &dyn Fn() -> Method, f64); 3] =
        [("jaccard", &exact, 0.5), ("minhash", &signed, 0.5), ("minhash", &signed, 0.8)];
    let tick = |share| tick(IDENTICAL_SHARE + share * (1.0 - IDENTICAL_SHARE));
    let mut failed = NearError::Search(PassageError::TooMany);
    for (method, of, threshold) in attempts {
        match find(snapshot, &settings(of(), threshold, memory), &tick) {
            // The pairs are no longer of use.
            Ok(found) => {
                let found = Found { pairs: Vec::new(), ..found };
                return Ok((found, Comparison { method, threshold }));
            }
            Err(error @ (NearError::Memory { .. } | NearError::Pairs { .. })) => failed = error,
            Err(error) => return Err(error),
        }
    }
    Err(failed)
}

fn settings(method: Method, threshold: f64, memory: u64) -> NearSettings {
    let rule = ClusterRule { threshold, ..ClusterRule::default() };
    NearSettings { method, rule, clusters: true, memory }
}

fn show(shared: &SharedSession, clusters: KnownClusters) {
    let outdated = shared.state().clusters.replace(Arc::new(clusters));
    // Large values are freed without the lock.
    drop(outdated);
    shared.rows.raise();
    shared.preview.raise();
}
