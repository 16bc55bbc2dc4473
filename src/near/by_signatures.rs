//! Similar documents by MinHash: a row and a signature of 128 or 256 bytes of each are kept in memory, and the shingles of
//! candidates are read again to compare them, in batches if there are many. Only those of documents that share a text with
//! very many others are all in memory at once.
//!
//! Documents whose bags of shingles are equal are signed once. Those whose sets of shingles are equal, though one has some
//! of them more often, are found as pairs and then taken for equal too.

use std::collections::HashMap;

use crate::SearchError;
use crate::clusters::Similarity;
use crate::error::{LEAST_METHOD, NearError, PairLimit, check_memory};
use crate::features::{FeatureSets, Threshold};
use crate::found::Found;
use crate::minhash::{Bands, Candidates, Signatures, floor, kept_bytes};
use crate::pairs::{Equal, Forest, Pair, renamed, sort_pairs};
use crate::settings::{FeatureRule, NearSettings, Query, SignatureRule};
use crate::verifier::{Verified, Verifier};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::documents::{Document, Made, map_sketched};
use dupi_text::sketch::{HASHES, Signer, Sketch, Sketcher};

/// The memory for a document: its row, its signature, and its place in the tables by which candidates are found.
const BYTES_A_DOCUMENT: u64 = 448;

pub(super) fn find(query: &Query, rule: SignatureRule) -> Result<Found, NearError> {
    check(query.snapshot, query.settings)?;
    let made = made(&Query { tick: &|share| (query.tick)(share * 0.5), ..*query }, rule)?;
    found(query, made, None, rule)
}

/// Refuses documents that are too many.
pub(super) fn check(snapshot: &Snapshot, settings: &NearSettings) -> Result<(), NearError> {
    check_memory(snapshot.totals().documents * BYTES_A_DOCUMENT, settings.memory, LEAST_METHOD)
}

/// The signature of a document, and a hash of the bag of its shingles.
pub(super) struct Signature {
    pub(super) bag: u128,
    pub(super) hashes: Box<[u8]>,
}

/// The documents with their signatures; one without tokens has none.
pub(super) fn made(query: &Query, rule: SignatureRule) -> Result<Made<Option<Signature>>, SearchError> {
    let Query { snapshot, settings, tick } = *query;
    let width = Bands::choose(settings.rule.threshold).width();
    // Where sketches are used, the bands need one byte of each hash.
    let from_sketch = |sketch: Sketch| Signature { bag: sketch.bag, hashes: sketch.signature.into() };
    let from_tokens = |tokens: &[u64]| {
        let mut whole = Sketcher::new(rule.shingling.size).sketch(tokens)?;
        if rule.shingling.bag {
            let bag = FeatureSets::of_one(FeatureRule::Shingles(rule.shingling).make(tokens), true);
            let bag = bag.get(0);
            Signer::new(HASHES).sign(bag.features, bag.counts, &mut whole.signature);
        }
        Some(Signature { bag: whole.bag, hashes: kept_bytes(&whole.signature, width) })
    };
    let from_sketch = settings.uses_sketches().then_some(from_sketch);
    map_sketched(snapshot, settings.memory, tick, from_sketch, from_tokens)
}

/// What is similar among the documents with their signatures. `known` is what [`verified`] left of all candidates, if they
/// were found before.
pub(super) fn found(
    query: &Query,
    made: Made<Option<Signature>>,
    known: Option<Candidates>,
    rule: SignatureRule,
) -> Result<Found, NearError> {
    let Query { settings, tick, .. } = *query;
    let threshold = settings.rule.threshold;
    let Signed { documents, equal, signatures, too_large } = signed(made, Bands::choose(threshold));
    let is_known = known.is_some();
    let candidates = match known {
        Some(known) => known,
        None => {
            // Most candidates may turn out not to be similar: they need not have room in clusters.
            let limit = PairLimit::for_list(settings.memory);
            let tick = |share: f64| tick(0.5 + share * 0.2);
            let Candidates { pairs, crowded } =
                signatures.candidates(floor(threshold, rule.verify), &limit, &tick)?;
            let crowded = crowded.into_iter().map(|number| equal.distinct[number as usize]).collect();
            Candidates { pairs: renamed(pairs, &equal.distinct), crowded }
        }
    };
    let verifier = verifier(query, &documents, rule);
    let mut found = Verified::default();
    if let Some(verifier) = &verifier {
        let tick = |share: f64| tick(0.7 + share * 0.2);
        let Candidates { mut pairs, crowded } = candidates;
        if !crowded.is_empty() {
            verifier.join(&crowded, &mut found, &settings.pair_limit(), &tick)?;
        }
        if rule.verify && !is_known {
            verifier.compare(pairs, &mut found, &tick)?;
        } else {
            if rule.verify {
                found.add_same(&pairs);
            }
            found.pairs.append(&mut pairs);
        }
        // Of a pair that was estimated too, the exact similarity stays.
        sort_pairs(&mut found.pairs);
    }
    let Verified { pairs, same, mut compared, .. } = found;
    let signed = equal.distinct.clone();
    let (equal, pairs) = joined(equal, pairs, &same, documents.len());
    // If the shingles of all similar documents are too much for the memory, only the signatures are in it.
    if let Some(verifier) = verifier.filter(|_| settings.clusters && rule.verify) {
        compared = verifier.features(compared, &pairs, &|_| tick(0.9))?;
    }
    let similarity = |a: u32, b: u32| {
        let number = |of: u32| signed.binary_search(&of).unwrap_or_default() as u32;
        compared.resemblance(a, b).unwrap_or_else(|| signatures.estimate(number(a), number(b)))
    };
    let tokens: Vec<u32> = documents.iter().map(|document| document.tokens).collect();
    let similarity = Similarity { of: &similarity, size: &|of| tokens[of as usize].into() };
    let query = Query { tick: &|share| tick(0.9 + share * 0.1), ..*query };
    let found = Found::new(&query, documents, equal, pairs, &similarity)?;
    Ok(Found { too_large, ..found })
}

/// Compares candidates by their shingles; `None` if no pair can reach the threshold.
fn verifier<'a>(query: &Query<'a>, documents: &'a [Document], rule: SignatureRule) -> Option<Verifier<'a>> {
    let Query { snapshot, settings, .. } = *query;
    let least = Threshold::new(settings.rule.threshold)?;
    let rule = FeatureRule::Shingles(rule.shingling);
    Some(Verifier { snapshot, documents, rule, memory: settings.memory, least })
}

/// The candidates that are similar, by their shingles if these are compared, and the documents that are away.
pub(super) fn verified(
    query: &Query,
    documents: &[Document],
    candidates: Vec<Pair>,
    rule: SignatureRule,
) -> Result<(Vec<Pair>, Vec<u32>), NearError> {
    let mut found = Verified::default();
    match verifier(query, documents, rule) {
        Some(verifier) if rule.verify => verifier.compare(candidates, &mut found, query.tick)?,
        Some(_) => found.pairs = candidates,
        None => {}
    }
    Ok((found.pairs, found.away))
}

/// The documents with their signatures. Those with equal bags of shingles have one signature, numbered as in
/// `equal.distinct`.
struct Signed {
    documents: Vec<Document>,
    equal: Equal,
    signatures: Signatures,
    /// The number of files that were skipped because their tokens would take too much memory.
    too_large: u64,
}

/// Signs documents with equal bags of shingles once.
fn signed(made: Made<Option<Signature>>, bands: Bands) -> Signed {
    let Made { documents, too_large } = made;
    let (documents, signatures): (Vec<Document>, Vec<Option<Signature>>) = documents.into_iter().unzip();
    let bags = signatures.iter().zip(0..).filter_map(|(signature, at)| Some((signature.as_ref()?.bag, at)));
    let equal = Equal::of_digests(bags.collect());
    let mut hashes = Vec::with_capacity(equal.distinct.len() * HASHES * bands.width());
    for &first in &equal.distinct {
        hashes.extend(signatures[first as usize].iter().flat_map(|signature| &signature.hashes));
    }
    Signed { documents, equal, signatures: Signatures::new(bands, hashes), too_large }
}

/// Adds documents that turned out to have the same shingles to those that are equal, and names each group in the pairs by
/// its first document.
fn joined(equal: Equal, mut pairs: Vec<Pair>, same: &[(u32, u32)], documents: usize) -> (Equal, Vec<Pair>) {
    if same.is_empty() {
        return (equal, pairs);
    }
    let mut forest = Forest::new(documents);
    for &(a, b) in same {
        forest.join(a as usize, b as usize);
    }
    let mut root = |number: u32| forest.root(number as usize) as u32;
    let mut groups: HashMap<u32, Vec<u32>> = HashMap::new();
    for group in equal.groups {
        groups.entry(root(group[0])).or_default().extend(group);
    }
    for &(a, b) in same {
        groups.entry(root(a)).or_default().extend([a, b, root(a)]);
    }
    let sorted = |mut group: Vec<u32>| {
        group.sort_unstable();
        group.dedup();
        group
    };
    let mut groups: Vec<Vec<u32>> = groups.into_values().map(sorted).collect();
    groups.sort_unstable();
    let mut distinct = equal.distinct;
    distinct.retain(|&number| root(number) == number);
    for pair in &mut pairs {
        let (a, b) = (root(pair.a), root(pair.b));
        (pair.a, pair.b) = (a.min(b), a.max(b));
    }
    pairs.retain(|pair| pair.a != pair.b);
    sort_pairs(&mut pairs);
    (Equal { distinct, groups }, pairs)
}
