//! Similar documents by MinHash: a row and a signature of 128 or 256 bytes of each are kept in memory, and the shingles of
//! candidates are read again to compare them, in batches if there are many. Only those of documents that share a text with
//! very many others are all in memory at once.
//!
//! Documents whose bags of shingles are equal are signed once. Those whose sets of shingles are equal, though one has some
//! of them more often, are found as pairs and then taken for equal too.

mod verifier;

use std::collections::HashMap;
use std::marker::PhantomData;

use super::clusters::Similarity;
use super::compared::FeatureReader;
use super::document::Document;
use super::documents::{Made, ReadDocument};
use super::equal::Equal;
use super::error::NearError;
use super::features::FeatureSets;
use super::forest::Forest;
use super::found::Found;
use super::memory::check_memory_or;
use super::minhash::{Bands, Candidates, KeptBits, KeptHash, MinHashSettings, Signatures};
use super::pair::{Pair, sort_pairs};
use super::pair_limit::{PairLimit, PairUse};
use super::settings::{NearSettings, Shingling, SignatureRule};
use super::sketch::features;
use super::sketched::{Making, map_sketched};
use super::threshold::Threshold;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::Snapshot;
use dupi_text::sketch::{HASHES, Signer, Sketch, Sketcher};
use verifier::{Given, Verified, Verifier, of_pairs};

/// The memory for a document: its row, its signature, and its place in the tables by which candidates are found.
const BYTES_A_DOCUMENT: u64 = 448;

pub(super) fn find(
    snapshot: &Snapshot,
    rule: SignatureRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    check(snapshot, settings)?;
    match kept_bits(rule, settings) {
        KeptBits::Eight => find_by::<u8>(snapshot, rule, settings, tick),
        KeptBits::Sixteen => find_by::<u16>(snapshot, rule, settings, tick),
    }
}

/// Refuses documents that are too many.
pub(super) fn check(snapshot: &Snapshot, settings: &NearSettings) -> Result<(), NearError> {
    let needed = snapshot.totals().documents * BYTES_A_DOCUMENT;
    check_memory_or(needed, settings.memory, ", or use --method simhash")
}

/// How signatures are cut and compared.
fn hashing(rule: SignatureRule) -> MinHashSettings {
    MinHashSettings { hashes: HASHES, verify: rule.verify }
}

/// How many bits of each hash are kept.
pub(super) fn kept_bits(rule: SignatureRule, settings: &NearSettings) -> KeptBits {
    hashing(rule).kept_bits(settings.rule.threshold)
}

fn find_by<H: KeptHash>(
    snapshot: &Snapshot,
    rule: SignatureRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    let made = made::<H>(snapshot, rule, settings, &|share| tick(share * 0.5))?;
    found(snapshot, made, None, rule, settings, tick)
}

/// The documents with their signatures.
pub(super) fn made<H: KeptHash>(
    snapshot: &Snapshot,
    rule: SignatureRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<MadeSignatures<H>, SearchError> {
    let making = Making {
        uses_kept: settings.uses_sketches(),
        of_sketch: |sketch: Sketch| Signature {
            bag: sketch.bag,
            hashes: sketch.signature.map(|hash| H::of(hash.into())),
        },
        of_read: |read: &ReadDocument| sign(read.tokens, rule.shingling),
    };
    map_sketched(snapshot, settings.memory, tick, making)
}

/// What is similar among the documents with their signatures. `known` is what [`verified`] left of all candidates, if they
/// were found before.
pub(super) fn found<H: KeptHash>(
    snapshot: &Snapshot,
    made: MadeSignatures<H>,
    known: Option<Candidates>,
    rule: SignatureRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    let hashing = hashing(rule);
    Search { snapshot, rule, hashing, settings, hash: PhantomData }.find(made, known, tick)
}

/// The bands of signatures.
pub(super) fn bands(rule: SignatureRule, settings: &NearSettings) -> Bands {
    hashing(rule).bands(settings.rule.threshold)
}

/// The least estimate of candidates.
pub(super) fn floor(rule: SignatureRule, settings: &NearSettings) -> f64 {
    hashing(rule).floor(settings.rule.threshold)
}

/// What is left of candidates, by their shingles if these are compared, and the documents that are away.
pub(super) fn verified(
    snapshot: &Snapshot,
    documents: &[Document],
    candidates: Vec<Pair>,
    rule: SignatureRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<(Vec<Pair>, Vec<u32>), NearError> {
    let Some(least) = Threshold::new(settings.rule.threshold) else { return Ok(<_>::default()) };
    let reader = FeatureReader { snapshot, documents, shingling: rule.shingling, memory: settings.memory };
    let given = if rule.verify { Given::Candidates } else { Given::Estimated };
    let candidates = Candidates { pairs: candidates, crowded: Vec::new() };
    let found = Verifier { reader: &reader, given, least }.pairs(candidates, &settings.pair_limit(), tick)?;
    Ok((found.pairs, found.away))
}

/// The documents with their signatures.
pub(super) type MadeSignatures<H> = Made<(Document, Option<Signature<H>>)>;

/// A search by signatures of such hashes.
struct Search<'a, H> {
    snapshot: &'a Snapshot,
    rule: SignatureRule,
    hashing: MinHashSettings,
    settings: &'a NearSettings,
    hash: PhantomData<H>,
}

impl<H: KeptHash> Search<'_, H> {
    fn find(
        &self,
        made: MadeSignatures<H>,
        known: Option<Candidates>,
        tick: &Tick,
    ) -> Result<Found, NearError> {
        let Self { snapshot, rule, hashing, settings, .. } = *self;
        let threshold = settings.rule.threshold;
        let Signed { documents, equal, signatures, too_large } = signed(made);
        // Most candidates may turn out not to be similar: they need not have room in clusters.
        let limit = PairLimit::new(settings.memory, PairUse::List);
        let given = match (&known, rule.verify) {
            (_, false) => Given::Estimated,
            (None, true) => Given::Candidates,
            (Some(_), true) => Given::Compared,
        };
        let candidates = match known {
            Some(known) => known,
            None => {
                let (bands, floor) = (hashing.bands(threshold), hashing.floor(threshold));
                let found = signatures.candidates(bands, floor, &limit, &|share| tick(0.5 + share * 0.2))?;
                let name = |number: u32| equal.distinct[number as usize];
                let named = |pair: &Pair| Pair { a: name(pair.a), b: name(pair.b), ..*pair };
                Candidates {
                    pairs: found.pairs.iter().map(named).collect(),
                    crowded: found.crowded.into_iter().map(name).collect(),
                }
            }
        };
        let (shingling, memory) = (rule.shingling, settings.memory);
        let reader = FeatureReader { snapshot, documents: &documents, shingling, memory };
        let Verified { pairs, same, compared, .. } = match Threshold::new(threshold) {
            Some(least) => {
                let verifier = Verifier { reader: &reader, given, least };
                verifier.pairs(candidates, &settings.pair_limit(), &|share| tick(0.7 + share * 0.2))?
            }
            None => Verified::default(),
        };
        let signed = equal.distinct.clone();
        let (equal, pairs) = joined(equal, pairs, &same, documents.len());
        // If the shingles of all similar documents are too much for the memory, only the signatures are in it.
        let compared = match settings.clusters && rule.verify {
            true => of_pairs(compared, &reader, &pairs, &|_| tick(0.9))?,
            false => compared,
        };
        let similarity = |a: u32, b: u32| {
            let number = |of: u32| signed.binary_search(&of).unwrap_or_default() as u32;
            compared.resemblance(a, b).unwrap_or_else(|| signatures.estimate(number(a), number(b)))
        };
        let tokens: Vec<u32> = documents.iter().map(|document| document.tokens).collect();
        let similarity = Similarity { of: &similarity, size: &|of| tokens[of as usize].into() };
        let tick = |share: f64| tick(0.9 + share * 0.1);
        let found = Found::new(snapshot, documents, equal, pairs, settings, &similarity, &tick)?;
        Ok(Found { too_large, ..found })
    }
}

/// Signs documents with equal bags of shingles once.
fn signed<H: KeptHash>(made: MadeSignatures<H>) -> Signed<H> {
    let Made { documents: made, too_large } = made;
    let (mut documents, mut equal, mut hashes) = (Vec::new(), Equal::default(), Vec::new());
    // For each bag of shingles the first document that has it, and for that one the others.
    let mut firsts: HashMap<u128, u32> = HashMap::new();
    let mut groups: HashMap<u32, Vec<u32>> = HashMap::new();
    for (_, (document, signature)) in made {
        let number = documents.len() as u32;
        documents.push(document);
        let Some(Signature { bag, hashes: own }) = signature else { continue };
        let first = *firsts.entry(bag).or_insert(number);
        if first == number {
            equal.distinct.push(number);
            hashes.extend(own);
        } else {
            groups.entry(first).or_insert_with(|| vec![first]).push(number);
        }
    }
    equal.groups = groups.into_values().collect();
    equal.groups.sort_unstable();
    Signed { documents, equal, signatures: Signatures::new(HASHES, hashes), too_large }
}

/// The documents with their signatures. Those with equal bags of shingles have one signature, numbered as in
/// `equal.distinct`.
struct Signed<H> {
    documents: Vec<Document>,
    equal: Equal,
    signatures: Signatures<H>,
    /// How many files were skipped because their tokens would take too much memory.
    too_large: u64,
}

/// The signature of a document, and a hash of the bag of its shingles.
pub(super) struct Signature<H> {
    pub(super) bag: u128,
    pub(super) hashes: [H; HASHES],
}

/// Signs a document; one without tokens has no signature.
fn sign<H: KeptHash>(tokens: &[u64], shingling: Shingling) -> Option<Signature<H>> {
    let mut whole = Sketcher::new(shingling.size).sketch(tokens)?;
    if shingling.bag {
        let bag = FeatureSets::of_one(features(tokens, shingling), true);
        Signer::new(HASHES).sign(bag.of(0), bag.counts(0), &mut whole.signature);
    }
    Some(Signature { bag: whole.bag, hashes: whole.signature.map(H::of) })
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
