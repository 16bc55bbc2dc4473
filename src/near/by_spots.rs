//! Similar documents by their spot signatures, all of which are kept in memory.

use super::document::Document;
use super::documents::{Made, ReadDocument, map};
use super::equal::Equal;
use super::error::NearError;
use super::features::FeatureSets;
use super::found::Found;
use super::memory::{LESS_MEMORY, check_memory_or};
use super::pair::Pair;
use super::settings::{NearSettings, SpotRule};
use super::spotsigs::{IdfBounds, pairs, signatures};
use crate::index::snapshot::Snapshot;
use crate::passage::Tick;

/// The memory for each token: in running text about a third of them begin a signature.
const BYTES_A_TOKEN: u64 = 8;

pub(super) fn find(
    snapshot: &Snapshot,
    rule: &SpotRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    check_memory_or(snapshot.totals().tokens * BYTES_A_TOKEN, settings.memory, LESS_MEMORY)?;
    let make =
        |read: &ReadDocument| (Document::read(snapshot, read), signatures(read.tokens, &rule.antecedents));
    let Made { documents: made, too_large } =
        map(snapshot, settings.memory, &|share| tick(share * 0.5), |_| true, make)?;
    let mut bags = FeatureSets::default();
    let mut documents = Vec::with_capacity(made.len());
    for (_, (document, signatures)) in made {
        documents.push(document);
        bags.add_bag(signatures);
    }
    if rule.idf != IdfBounds::default() {
        bags = rule.idf.apply(&bags);
    }
    let equal = Equal::find(&bags);
    let mut distinct = FeatureSets::default();
    for &number in &equal.distinct {
        distinct.add_counted(bags.of(number as usize), bags.counts(number as usize));
    }
    let name = |number: u32| equal.distinct[number as usize];
    let found =
        pairs(&distinct, settings.rule.threshold, &settings.pair_limit(), &|share| tick(0.5 + share * 0.4))?;
    let pairs = found.iter().map(|pair| Pair { a: name(pair.a), b: name(pair.b), ..*pair }).collect();
    let similarity = |a: u32, b: u32| bags.resemblance(a as usize, b as usize);
    let found = Found::new(snapshot, documents, equal, pairs, settings, &similarity)?;
    Ok(Found { too_large, ..found })
}
