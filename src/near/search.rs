//! The search for similar documents, from reading them to the clusters.

use crate::clusters::Similarity;
use crate::error::{LESS_MEMORY, NearError, check_memory};
use crate::features::FeatureSets;
use crate::found::Found;
use crate::pairs::Equal;
use crate::settings::{FeatureRule, Method, NearSettings, Query};
use crate::{Tick, by_fingerprints, by_signatures, identical, jaccard};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::documents::{Document, Made, map};

/// Finds the similar documents of a snapshot. `tick` receives the share that is done.
///
/// # Errors
/// When the documents need more memory than there is, or when `tick` stops the search.
pub fn find(snapshot: &Snapshot, settings: &NearSettings, tick: &Tick) -> Result<Found, NearError> {
    let query = &Query { snapshot, settings, tick };
    match &settings.method {
        Method::Identical(identity) => identical::find(query, *identity),
        Method::MinHash(rule) => by_signatures::find(query, *rule),
        Method::SimHash(rule) => by_fingerprints::find(query, *rule),
        Method::Jaccard(shingling) => by_features(query, FeatureRule::Shingles(*shingling)),
        Method::SpotSigs(rule) => by_features(query, FeatureRule::Spots(rule)),
    }
}

/// Finds similar documents by the exact resemblance of their features, all of which are kept in memory.
fn by_features(query: &Query, rule: FeatureRule) -> Result<Found, NearError> {
    let Query { snapshot, settings, tick } = *query;
    let needed = snapshot.totals().tokens * rule.bytes_a_token();
    check_memory(needed, settings.memory, LESS_MEMORY)?;
    let tick_half = |share| tick(share * 0.5);
    let Made { documents: made, too_large } =
        map(snapshot, settings.memory, &tick_half, |_| true, |read| rule.make(read.tokens))?;
    let (documents, features): (Vec<Document>, Vec<Vec<u64>>) = made.into_iter().unzip();
    let mut sets = FeatureSets::default();
    features.into_iter().for_each(|features| sets.add(features, rule.is_bag()));
    if let Some(bounds) = rule.bounds() {
        sets = bounds.apply(&sets);
    }
    let equal = Equal::find(&sets);
    let (threshold, limit) = (settings.rule.threshold, settings.pair_limit());
    let pairs = jaccard::pairs(&sets, &equal, threshold, &limit, &|share| tick(0.5 + share * 0.4))?;
    let similarity = Similarity {
        of: &|a, b| sets.resemblance(a as usize, b as usize),
        size: &|of| sets.features(of as usize).len() as u64,
    };
    let query = Query { tick: &|share| tick(0.9 + share * 0.1), ..*query };
    let found = Found::new(&query, documents, equal, pairs, &similarity)?;
    Ok(Found { too_large, ..found })
}
