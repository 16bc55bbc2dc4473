//! The search for similar documents, from reading them to the clusters.

use super::document::Document;
use super::documents::{Made, ReadDocument, map};
use super::equal::Equal;
use super::error::NearError;
use super::features::FeatureSets;
use super::found::Found;
use super::identical;
use super::jaccard::pairs;
use super::settings::{Method, NearSettings, Shingling};
use super::sketch::features;
use crate::config::Size;
use crate::index::snapshot::Snapshot;
use crate::passage::Tick;

/// The memory that the features of a document and their index take, for each of its tokens.
const BYTES_A_TOKEN: u64 = 24;
/// Documents that take less are compared whatever the memory limit.
const LEAST_MEMORY: u64 = 64 << 20;

/// Finds the similar documents of a snapshot. `tick` receives the share that is done.
///
/// # Errors
/// When the index is damaged, or when `tick` stops the search.
pub fn find(snapshot: &Snapshot, settings: &NearSettings, tick: &Tick) -> Result<Found, NearError> {
    match &settings.method {
        Method::Identical(identity) => Ok(identical::find(snapshot, *identity, settings, tick)?),
        Method::Jaccard(shingling) => jaccard(snapshot, *shingling, settings, tick),
    }
}

fn jaccard(
    snapshot: &Snapshot,
    shingling: Shingling,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    check_memory(snapshot, settings.memory)?;
    let (documents, sets, too_large) =
        feature_sets(snapshot, shingling, settings.memory, &|share| tick(share * 0.5))?;
    let equal = Equal::find(&sets);
    let pairs = pairs(&sets, &equal, settings.rule.threshold, &|share| tick(0.5 + share * 0.4))?;
    let similarity = |a: u32, b: u32| sets.resemblance(a as usize, b as usize);
    let found = Found::new(snapshot, documents, equal, pairs, settings.rule, &similarity);
    Ok(Found { too_large, ..found })
}

/// Refuses documents whose features do not fit into the memory.
fn check_memory(snapshot: &Snapshot, memory: u64) -> Result<(), NearError> {
    let needed = snapshot.totals().tokens * BYTES_A_TOKEN;
    if needed > memory.max(LEAST_MEMORY) { Err(NearError::Memory(Size(needed))) } else { Ok(()) }
}

/// Reads all documents, and makes a set of features of each.
fn feature_sets(
    snapshot: &Snapshot,
    shingling: Shingling,
    memory: u64,
    tick: &Tick,
) -> Result<(Vec<Document>, FeatureSets, u64), NearError> {
    let make = |read: &ReadDocument| (Document::read(snapshot, read), features(read.tokens, shingling));
    let Made { documents: made, too_large } = map(snapshot, memory, tick, |_| true, make)?;
    let mut sets = FeatureSets::default();
    let mut documents = Vec::with_capacity(made.len());
    for (_, (document, features)) in made {
        documents.push(document);
        if shingling.bag { sets.add_bag(features) } else { sets.add_set(features) }
    }
    Ok((documents, sets, too_large))
}
