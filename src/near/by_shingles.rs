//! Similar documents by the exact resemblance of their shingles, all of which are kept in memory.

use super::document::Document;
use super::documents::{Made, ReadDocument, map};
use super::equal::Equal;
use super::error::NearError;
use super::features::FeatureSets;
use super::found::Found;
use super::jaccard::pairs_within;
use super::memory::{LESS_MEMORY, check_memory_or};
use super::settings::{NearSettings, Shingling};
use super::sketch::{add, features};
use crate::index::snapshot::Snapshot;
use crate::passage::Tick;

/// The memory that the features of a document and their index take, for each of its tokens.
pub(super) const BYTES_A_TOKEN: u64 = 24;

pub(super) fn find(
    snapshot: &Snapshot,
    shingling: Shingling,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    check_memory_or(snapshot.totals().tokens * BYTES_A_TOKEN, settings.memory, LESS_MEMORY)?;
    let make = |read: &ReadDocument| (Document::read(snapshot, read), features(read.tokens, shingling));
    let Made { documents: made, too_large } =
        map(snapshot, settings.memory, &|share| tick(share * 0.5), |_| true, make)?;
    let mut sets = FeatureSets::default();
    let mut documents = Vec::with_capacity(made.len());
    for (_, (document, features)) in made {
        documents.push(document);
        add(&mut sets, features, shingling);
    }
    let equal = Equal::find(&sets);
    let pairs = pairs_within(&sets, &equal, settings.rule.threshold, &settings.pair_limit(), &|share| {
        tick(0.5 + share * 0.4)
    })?;
    let similarity = |a: u32, b: u32| sets.resemblance(a as usize, b as usize);
    let found = Found::new(snapshot, documents, equal, pairs, settings, &similarity)?;
    Ok(Found { too_large, ..found })
}
