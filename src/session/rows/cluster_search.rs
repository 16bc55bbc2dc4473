//! The searches for identical and similar documents whose clusters are listed.

use std::sync::Arc;

use super::Item;
use super::clusters::ListedCluster;
use super::known_clusters::KnownClusters;
use crate::protocol::Comparison;
use dupi_index::index::snapshot::Snapshot;
use dupi_near::NearError;
use dupi_near::found::Found;
use dupi_near::search::find;
use dupi_near::settings::{ClusterRule, Identity, Method, NearSettings, Shingling, SignatureRule};
use dupi_passage::{PassageError, Tick};

/// The part of the memory limit for a search: 1 / this. The passages of other views stay in memory meanwhile.
const MEMORY_SHARE: u64 = 2;
/// The share of identical documents from which on folders are almost the same.
const TREE_THRESHOLD: f64 = 0.9;

/// Finds identical documents and folders. `memory` is the limit of the session in bytes.
pub(crate) fn identical(snapshot: &Snapshot, memory: u64, tick: &Tick) -> Result<Found, NearError> {
    find(snapshot, &settings(Method::Identical(Identity::Tokens), TREE_THRESHOLD, memory), tick)
}

/// The cluster with a name among all clusters of a generation, as a row; none if none has it. `memory` is the limit of a
/// session in bytes.
///
/// # Errors
/// When the documents cannot be compared within the memory, or when `tick` stops it.
pub fn cluster_of(snapshot: &Snapshot, memory: u64, id: u64, tick: &Tick) -> Result<Option<Item>, NearError> {
    let identical = Arc::new(identical(snapshot, memory, tick)?);
    let similar = similar(snapshot, memory, tick)?;
    let known = KnownClusters::new(snapshot.clone(), identical, Some(similar));
    Ok(known.number(id).map(|number| Item::from(Arc::new(ListedCluster::new(&known, number)))))
}

/// Similar documents, and how they were compared.
pub(crate) type Similar = (Arc<Found>, Comparison);

/// Finds similar documents: by all their shingles, or where these take too much memory, by signatures. Where too many
/// pairs are similar for the memory, only those that are more similar count.
pub(crate) fn similar(snapshot: &Snapshot, memory: u64, tick: &Tick) -> Result<Similar, NearError> {
    let shingling = Shingling::default();
    let exact = ("jaccard", Method::Jaccard(shingling));
    let signed = ("minhash", Method::MinHash(SignatureRule { shingling, verify: true }));
    let mut failed = NearError::Search(PassageError::TooMany);
    for ((name, method), threshold) in [(exact, 0.5), (signed.clone(), 0.5), (signed, 0.8)] {
        match find(snapshot, &settings(method, threshold, memory), tick) {
            Ok(found) => return Ok((Arc::new(found), Comparison { method: name, threshold })),
            Err(error @ (NearError::Memory { .. } | NearError::Pairs { .. })) => failed = error,
            Err(error) => return Err(error),
        }
    }
    Err(failed)
}

/// The settings of a search in a session with this limit of memory.
fn settings(method: Method, threshold: f64, memory: u64) -> NearSettings {
    let memory = memory / MEMORY_SHARE;
    let rule = ClusterRule { threshold, ..ClusterRule::default() };
    NearSettings { method, rule, clusters: true, memory }
}
