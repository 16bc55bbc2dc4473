//! The search for similar documents, from reading them to the clusters.

use super::document::Document;
use super::documents::{Made, ReadDocument, map};
use super::equal::Equal;
use super::features::FeatureSets;
use super::found::Found;
use super::identical;
use super::jaccard::pairs;
use super::settings::{Method, NearSettings, Shingling};
use super::shingles::shingles;
use crate::index::snapshot::Snapshot;
use crate::passage::{PassageError, Tick};

/// Finds the similar documents of a snapshot. `tick` receives the share that is done.
///
/// # Errors
/// When the index is damaged, or when `tick` stops the search.
pub fn find(snapshot: &Snapshot, settings: &NearSettings, tick: &Tick) -> Result<Found, PassageError> {
    match &settings.method {
        Method::Identical(identity) => identical::find(snapshot, *identity, settings, tick),
        Method::Jaccard(shingling) => jaccard(snapshot, *shingling, settings, tick),
    }
}

fn jaccard(
    snapshot: &Snapshot,
    shingling: Shingling,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, PassageError> {
    let (documents, sets, too_large) =
        feature_sets(snapshot, shingling, settings.memory, &|share| tick(share * 0.5))?;
    let equal = Equal::find(&sets);
    let pairs = pairs(&sets, &equal, settings.rule.threshold, &|share| tick(0.5 + share * 0.4))?;
    let similarity = |a: u32, b: u32| sets.resemblance(a as usize, b as usize);
    let found = Found::new(snapshot, documents, equal, pairs, settings.rule, &similarity);
    Ok(Found { too_large, ..found })
}

/// Reads all documents, and makes a set of features of each.
fn feature_sets(
    snapshot: &Snapshot,
    shingling: Shingling,
    memory: u64,
    tick: &Tick,
) -> Result<(Vec<Document>, FeatureSets, u64), PassageError> {
    let make = |read: &ReadDocument| {
        let mut features = shingles(read.tokens, shingling.size);
        if !shingling.bag {
            features.sort_unstable();
            features.dedup();
            features.shrink_to_fit();
        }
        (Document::read(snapshot, read), features)
    };
    let Made { documents: made, too_large } = map(snapshot, memory, tick, |_| true, make)?;
    let mut sets = FeatureSets::default();
    let mut documents = Vec::with_capacity(made.len());
    for (_, (document, features)) in made {
        documents.push(document);
        if shingling.bag { sets.add_bag(features) } else { sets.add_set(features) }
    }
    Ok((documents, sets, too_large))
}
