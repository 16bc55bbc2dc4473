//! Similar documents by the exact resemblance of their shingles, all of which are kept in memory.

use super::document::Document;
use super::documents::{Made, ReadDocument, map};
use super::equal::Equal;
use super::error::NearError;
use super::features::FeatureSets;
use super::found::Found;
use super::jaccard::pairs_within;
use super::settings::{NearSettings, Shingling};
use super::sketch::{add, features};
use crate::config::Size;
use crate::index::snapshot::Snapshot;
use crate::passage::Tick;

/// The memory that the features of a document and their index take, for each of its tokens.
pub(super) const BYTES_A_TOKEN: u64 = 24;
/// Documents that take less are compared whatever the memory limit.
const LEAST_MEMORY: u64 = 64 << 20;

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

/// Methods that need less memory than jaccard and spotsigs.
pub(super) const LESS_MEMORY: &str = ", or use --method minhash or simhash";

/// Refuses a search that needs more memory than it may take, both in bytes.
pub(super) fn check_memory(needed: u64, memory: u64) -> Result<(), NearError> {
    check_memory_or(needed, memory, "")
}

/// [`check_memory`] with other advice.
pub(super) fn check_memory_or(needed: u64, memory: u64, other: &'static str) -> Result<(), NearError> {
    let error = NearError::Memory { needed: Size(needed), other };
    if needed > memory.max(LEAST_MEMORY) { Err(error) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_too_much_memory_is_refused_with_the_amount() {
        assert!(check_memory(LEAST_MEMORY, 0).is_ok());
        assert!(check_memory(2 << 30, 2 << 30).is_ok());
        let said = check_memory(3 << 30, 2 << 30).unwrap_err().to_string();
        assert!(said.contains("3.0 GiB") && said.contains("--memory"), "{said}");
        assert!(!said.contains("--method"), "{said}");
        let said = check_memory_or(3 << 30, 2 << 30, LESS_MEMORY).unwrap_err().to_string();
        assert!(said.contains("--method minhash"), "{said}");
    }
}
