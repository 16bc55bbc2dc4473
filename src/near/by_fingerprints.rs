//! Similar documents by SimHash: of each, a row and a fingerprint of 8 bytes are kept in memory.

use crate::SearchError;
use crate::clusters::{Linkage, Similarity};
use crate::error::{NearError, check_memory};
use crate::found::Found;
use crate::pairs::{Equal, Pair};
use crate::settings::{ClusterRule, FingerprintRule, NearSettings, Query};
use crate::simhash::{SimHashSettings, near_pairs, search_near};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::documents::{Document, Made, map_sketched};
use dupi_text::sketch::{Sketch, fingerprint};

/// The memory for a document: its row, its fingerprint, and its places in the tables by which pairs are found.
const BYTES_A_DOCUMENT: u64 = 160;

/// The share of bits that agree in two fingerprints.
pub(super) fn similarity(a: u64, b: u64) -> f64 {
    threshold((a ^ b).count_ones())
}

/// The similarity at a distance.
pub(super) fn threshold(distance: u32) -> f64 {
    1.0 - f64::from(distance.min(u64::BITS)) / f64::from(u64::BITS)
}

/// The fingerprint of a document; one without tokens has none.
pub(super) fn from_tokens(tokens: &[u64], rule: FingerprintRule) -> Option<u64> {
    (!tokens.is_empty()).then(|| fingerprint(tokens, rule.shingle.get()))
}

pub(super) fn find(query: &Query, rule: FingerprintRule) -> Result<Found, NearError> {
    check(query.snapshot, rule, query.settings)?;
    let made = made(&Query { tick: &|share| (query.tick)(share * 0.6), ..*query }, rule)?;
    found(query, made, None, rule)
}

/// Refuses a distance that is too large, and documents that are too many.
pub(super) fn check(
    snapshot: &Snapshot,
    rule: FingerprintRule,
    settings: &NearSettings,
) -> Result<(), NearError> {
    SimHashSettings::new(rule.distance, None)?;
    check_memory(snapshot.totals().documents * BYTES_A_DOCUMENT, settings.memory, "")
}

/// The documents with their fingerprints.
pub(super) fn made(query: &Query, rule: FingerprintRule) -> Result<Made<Option<u64>>, SearchError> {
    let Query { snapshot, settings, tick } = *query;
    let from_sketch = settings.uses_sketches().then_some(|sketch: Sketch| sketch.fingerprint);
    map_sketched(snapshot, settings.memory, tick, from_sketch, |tokens| from_tokens(tokens, rule))
}

/// What is similar among the documents with their fingerprints. `known` are all pairs of different fingerprints that are
/// near each other, each named by the first document that has it, if they were found before.
pub(super) fn found(
    query: &Query,
    made: Made<Option<u64>>,
    known: Option<&[Pair]>,
    rule: FingerprintRule,
) -> Result<Found, NearError> {
    let Query { settings, tick, .. } = *query;
    let search = SimHashSettings::new(rule.distance, None)?;
    let Made { documents, too_large } = made;
    let (documents, fingerprints): (Vec<Document>, Vec<Option<u64>>) = documents.into_iter().unzip();
    let print = |document: u32| fingerprints[document as usize].unwrap_or_default();
    let numbered = fingerprints.iter().zip(0..).filter_map(|(print, number)| Some(((*print)?, number)));
    let equal = Equal::of_digests(numbered.collect());
    let distinct: Vec<(u64, u32)> = equal.distinct.iter().map(|&first| (print(first), first)).collect();
    let limit = settings.pair_limit();
    let most = usize::try_from(limit.most()).unwrap_or(usize::MAX);
    let found = near_pairs(distinct, most, |hashes, sink| match known {
        None => search_near(hashes, search, sink, &|share| tick(0.6 + share * 0.3)),
        Some(known) => {
            let hashes = known.iter().map(|pair| (print(pair.a), print(pair.b)));
            sink(&hashes.map(|(a, b)| (a.min(b), a.max(b))).collect::<Vec<_>>());
            Ok(())
        }
    })?;
    check_omitted(found.omitted, settings)?;
    let of_documents = Similarity { of: &|a, b| similarity(print(a), print(b)), size: &|_| 1 };
    let cluster = ClusterRule { threshold: threshold(rule.distance), ..settings.rule };
    let settings = NearSettings { rule: cluster, ..settings.clone() };
    let query = Query { settings: &settings, tick: &|share| tick(0.9 + share * 0.1), ..*query };
    let made = Found::new(&query, documents, equal, found.pairs, &of_documents)?;
    Ok(Found { too_large, omitted: found.omitted, ..made })
}

/// Refuses to make clusters of some of the pairs, except by single linkage. A forest connects what all pairs connect,
/// but the other linkages take a pair that is not given for one below the threshold.
fn check_omitted(omitted: u64, settings: &NearSettings) -> Result<(), NearError> {
    let needs_all = settings.clusters && settings.rule.linkage != Linkage::Single;
    if omitted > 0 && needs_all { Err(settings.pair_limit().error()) } else { Ok(()) }
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
