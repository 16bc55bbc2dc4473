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
use dupi_near::successive::StandingSearch;
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
    let (found, comparison) = similar(snapshot, memory, tick)?.found();
    let similar = comparison.map(|comparison| (found, comparison));
    let known = KnownClusters::new(snapshot.clone(), identical, similar);
    Ok(known.number(id).map(|number| Item::from(Arc::new(ListedCluster::new(&known, number)))))
}

/// A search that can be brought to the next generation, and how it compared documents.
pub(crate) type Standing = (StandingSearch, Comparison);

/// The similar documents that were found.
pub(crate) enum Similar {
    /// By a whole search.
    Whole(Arc<Found>, NearSettings),
    /// From those of the generation before.
    Renewed(Standing),
}

impl Similar {
    /// The search, to be brought to the next generation.
    pub(crate) fn standing(self, snapshot: &Snapshot, tick: &Tick) -> Option<Standing> {
        match self {
            Self::Renewed(standing) => Some(standing),
            Self::Whole(found, settings) => {
                let comparison = comparison(&settings)?;
                let made = StandingSearch::new(snapshot, &settings, found, tick);
                Some((made.ok().flatten()?, comparison))
            }
        }
    }

    /// What was found, and how documents were compared.
    pub(crate) fn found(&self) -> (Arc<Found>, Option<Comparison>) {
        match self {
            Self::Renewed((standing, comparison)) => (Arc::clone(standing.found()), Some(*comparison)),
            Self::Whole(found, settings) => (Arc::clone(found), comparison(settings)),
        }
    }
}

/// Finds similar documents: by all their shingles, or where these take too much memory, by signatures. Where too many
/// pairs are similar for the memory, only those that are more similar count.
pub(crate) fn similar(snapshot: &Snapshot, memory: u64, tick: &Tick) -> Result<Similar, NearError> {
    let shingling = Shingling::default();
    let exact = Method::Jaccard(shingling);
    let signed = Method::MinHash(SignatureRule { shingling, verify: true });
    let mut failed = NearError::Search(PassageError::TooMany);
    for (method, threshold) in [(exact, 0.5), (signed.clone(), 0.5), (signed, 0.8)] {
        let settings = settings(method, threshold, memory);
        match find(snapshot, &settings, tick) {
            Ok(found) => return Ok(Similar::Whole(Arc::new(found), settings)),
            Err(error @ (NearError::Memory { .. } | NearError::Pairs { .. })) => failed = error,
            Err(error) => return Err(error),
        }
    }
    Err(failed)
}

/// How documents are compared, for people.
fn comparison(settings: &NearSettings) -> Option<Comparison> {
    let method = match &settings.method {
        Method::Jaccard(_) => "jaccard",
        Method::MinHash(_) => "minhash",
        _ => return None,
    };
    Some(Comparison { method, threshold: settings.rule.threshold })
}

/// The settings of a search in a session with this limit of memory.
fn settings(method: Method, threshold: f64, memory: u64) -> NearSettings {
    let memory = memory / MEMORY_SHARE;
    let rule = ClusterRule { threshold, ..ClusterRule::default() };
    NearSettings { method, rule, clusters: true, memory }
}
