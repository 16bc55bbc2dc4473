//! Similar documents by the exact resemblance of their features, all of which are kept in memory.

use super::clusters::Similarity;
use super::document::Document;
use super::documents::{Made, ReadDocument, map};
use super::equal::Equal;
use super::error::NearError;
use super::features::FeatureSets;
use super::found::Found;
use super::jaccard::pairs_within;
use super::memory::{LESS_MEMORY, check_memory_or};
use super::settings::NearSettings;
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::Snapshot;

/// The features of a document.
pub(super) struct FeatureRule<'a> {
    /// Makes them of the hashes of its tokens.
    pub(super) make: &'a (dyn Fn(&[u64]) -> Vec<u64> + Sync),
    /// Whether a feature counts each time it occurs.
    pub(super) are_bags: bool,
    /// Leaves out some of those of all documents.
    pub(super) choose: &'a dyn Fn(FeatureSets) -> FeatureSets,
    /// The memory that they and their index take for each token.
    pub(super) bytes_a_token: u64,
}

pub(super) fn find(
    snapshot: &Snapshot,
    rule: &FeatureRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    check_memory_or(snapshot.totals().tokens * rule.bytes_a_token, settings.memory, LESS_MEMORY)?;
    let make = |read: &ReadDocument| (Document::read(snapshot, read), (rule.make)(read.tokens));
    let Made { documents: made, too_large } =
        map(snapshot, settings.memory, &|share| tick(share * 0.5), |_| true, make)?;
    let mut sets = FeatureSets::default();
    let mut documents = Vec::with_capacity(made.len());
    for (_, (document, features)) in made {
        documents.push(document);
        if rule.are_bags { sets.add_bag(features) } else { sets.add_set(features) }
    }
    let sets = (rule.choose)(sets);
    let equal = Equal::find(&sets);
    let pairs = pairs_within(&sets, &equal, settings.rule.threshold, &settings.pair_limit(), &|share| {
        tick(0.5 + share * 0.4)
    })?;
    let similarity = Similarity {
        of: &|a, b| sets.resemblance(a as usize, b as usize),
        size: &|of| sets.of(of as usize).len() as u64,
    };
    let found = Found::new(snapshot, documents, equal, pairs, settings, &similarity, &|share| {
        tick(0.9 + share * 0.1)
    })?;
    Ok(Found { too_large, ..found })
}
