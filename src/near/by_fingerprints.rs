//! Similar documents by SimHash: of each, a row and a fingerprint of 8 bytes are kept in memory.

use super::clusters::{Linkage, Similarity};
use super::document::Document;
use super::documents::{Made, ReadDocument};
use super::equal::Equal;
use super::error::NearError;
use super::found::Found;
use super::memory::check_memory;
use super::pair::Pair;
use super::settings::{ClusterRule, FingerprintRule, NearSettings};
use super::simhash::{SimHashSettings, near_fingerprints, of_pairs};
use super::sketched::{Making, map_sketched};
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::Snapshot;
use dupi_text::sketch::{Sketch, fingerprint};

/// The memory for a document: its row, its fingerprint, and its places in the tables by which pairs are found.
const BYTES_A_DOCUMENT: u64 = 160;

/// The share of bits that agree in two fingerprints.
pub(super) fn similarity(a: u64, b: u64) -> f64 {
    1.0 - f64::from((a ^ b).count_ones()) / f64::from(u64::BITS)
}

/// The similarity at a distance.
pub(super) fn threshold(distance: u32) -> f64 {
    1.0 - f64::from(distance.min(u64::BITS)) / f64::from(u64::BITS)
}

/// The fingerprint of a document; one without tokens has none.
pub(super) fn of_tokens(tokens: &[u64], rule: FingerprintRule) -> Option<u64> {
    (!tokens.is_empty()).then(|| fingerprint(tokens, rule.shingle.get()))
}

pub(super) fn find(
    snapshot: &Snapshot,
    rule: FingerprintRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    check(snapshot, rule, settings)?;
    let made = made(snapshot, rule, settings, &|share| tick(share * 0.6))?;
    found(snapshot, made, None, rule, settings, tick)
}

/// Refuses a distance that is too large, and documents that are too many.
pub(super) fn check(
    snapshot: &Snapshot,
    rule: FingerprintRule,
    settings: &NearSettings,
) -> Result<(), NearError> {
    SimHashSettings::new(rule.distance, None)?;
    check_memory(snapshot.totals().documents * BYTES_A_DOCUMENT, settings.memory)
}

/// The documents with their fingerprints.
pub(super) fn made(
    snapshot: &Snapshot,
    rule: FingerprintRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Made<(Document, Option<u64>)>, SearchError> {
    let making = Making {
        uses_kept: settings.uses_sketches(),
        of_sketch: |sketch: Sketch| sketch.fingerprint,
        of_read: |read: &ReadDocument| of_tokens(read.tokens, rule),
    };
    map_sketched(snapshot, settings.memory, tick, making)
}

/// What is similar among the documents with their fingerprints. `known` are all pairs of different fingerprints that are
/// near each other, each named by the first document that has it, if they were found before.
pub(super) fn found(
    snapshot: &Snapshot,
    made: Made<(Document, Option<u64>)>,
    known: Option<&[Pair]>,
    rule: FingerprintRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    let search = SimHashSettings::new(rule.distance, None)?;
    let Made { documents: made, too_large } = made;
    let (documents, fingerprints): (Vec<Document>, Vec<Option<u64>>) =
        made.into_iter().map(|(_, made)| made).unzip();
    let equal = equal(&fingerprints);
    let distinct: Vec<Option<u64>> =
        equal.distinct.iter().map(|&first| fingerprints[first as usize]).collect();
    let limit = settings.pair_limit();
    let most = usize::try_from(limit.most()).unwrap_or(usize::MAX);
    let found = match known {
        None => near_fingerprints(&distinct, search, most, &|share| tick(0.6 + share * 0.3))?,
        Some(known) => {
            let place = |number: u32| equal.distinct.binary_search(&number).ok().map(|place| place as u32);
            let places = known.iter().filter_map(|pair| place(pair.a).zip(place(pair.b)));
            of_pairs(&distinct, &places.collect::<Vec<_>>(), most)?
        }
    };
    check_omitted(found.omitted, settings)?;
    let name = |number: u32| equal.distinct[number as usize];
    let pairs = found.pairs.iter().map(|pair| Pair { a: name(pair.a), b: name(pair.b), ..*pair }).collect();
    let of_documents = |a: u32, b: u32| match (fingerprints[a as usize], fingerprints[b as usize]) {
        (Some(a), Some(b)) => similarity(a, b),
        _ => 0.0,
    };
    let of_documents = Similarity { of: &of_documents, size: &|_| 1 };
    let cluster = ClusterRule { threshold: threshold(rule.distance), ..settings.rule };
    let settings = NearSettings { rule: cluster, ..settings.clone() };
    let made = Found::new(snapshot, documents, equal, pairs, &settings, &of_documents, &|share| {
        tick(0.9 + share * 0.1)
    })?;
    Ok(Found { too_large, omitted: found.omitted, ..made })
}

/// Refuses to make clusters of some of the pairs, except by single linkage. A forest connects what all pairs connect,
/// but the other linkages take a pair that is not given for one below the threshold.
fn check_omitted(omitted: u64, settings: &NearSettings) -> Result<(), NearError> {
    let needs_all = settings.clusters && settings.rule.linkage != Linkage::Single;
    if omitted > 0 && needs_all { Err(settings.pair_limit().error()) } else { Ok(()) }
}

/// The documents with equal fingerprints.
fn equal(fingerprints: &[Option<u64>]) -> Equal {
    let hashed = fingerprints.iter().zip(0..).filter_map(|(hash, number)| Some(((*hash)?, number)));
    Equal::of_digests(&mut hashed.collect::<Vec<(u64, u32)>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Method, Shingling};

    #[test]
    fn only_single_linkage_makes_clusters_of_a_forest() {
        let settings = |clusters: bool, linkage: Linkage| NearSettings {
            method: Method::Jaccard(Shingling::default()),
            rule: ClusterRule { linkage, ..ClusterRule::default() },
            clusters,
            memory: 1 << 30,
        };
        for linkage in [Linkage::Complete, Linkage::Average] {
            let error = check_omitted(1, &settings(true, linkage)).unwrap_err();
            assert!(error.to_string().contains("--linkage single"), "{error}");
            assert!(check_omitted(0, &settings(true, linkage)).is_ok());
            assert!(check_omitted(1, &settings(false, linkage)).is_ok());
        }
        assert!(check_omitted(1, &settings(true, Linkage::Single)).is_ok());
    }
}
