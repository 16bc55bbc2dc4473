//! The search for similar documents, from reading them to the clusters.

use super::error::NearError;
use super::found::Found;
use super::settings::{Method, NearSettings};
use super::{by_fingerprints, by_shingles, by_signatures, by_spots, identical};
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::Snapshot;

/// Finds the similar documents of a snapshot. `tick` receives the share that is done.
///
/// # Errors
/// When the documents need more memory than there is, or when `tick` stops the search.
pub fn find(snapshot: &Snapshot, settings: &NearSettings, tick: &Tick) -> Result<Found, NearError> {
    match &settings.method {
        Method::Identical(identity) => identical::find(snapshot, *identity, settings, tick),
        Method::Jaccard(shingling) => by_shingles::find(snapshot, *shingling, settings, tick),
        Method::MinHash(hashing) => by_signatures::find(snapshot, *hashing, settings, tick),
        Method::SimHash(bits) => by_fingerprints::find(snapshot, *bits, settings, tick),
        Method::SpotSigs(rule) => by_spots::find(snapshot, rule, settings, tick),
    }
}
