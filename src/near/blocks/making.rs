//! What the tasks make of a document, by the method.

use std::collections::HashSet;

use crate::by_shingles;
use crate::by_signatures::{self, Signature};
use crate::by_spots;
use crate::document::Document;
use crate::documents::{Made, ReadDocument, map};
use crate::error::NearError;
use crate::features::FeatureSets;
use crate::memory::check_memory_or;
use crate::minhash::{KeptBits, KeptHash};
use crate::settings::{Method, NearSettings, SignatureRule};
use crate::sketch::features;
use crate::spotsigs::{IdfBounds, signatures};
use crate::{by_fingerprints, identical};
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_text::sketch::HASHES;

/// The advice for documents that are too large for a task.
pub(super) const MORE_BLOCKS: &str = ", or divide the documents into more blocks";

/// What is kept of a document: the numbers that are compared, and how often it has each. Without counts, once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) numbers: Vec<u64>,
    pub(super) counts: Vec<u32>,
}

impl Kept {
    /// The features of a document as a set or as a bag.
    fn of_features(features: Vec<u64>, is_bag: bool) -> Self {
        let one = FeatureSets::of_one(features, is_bag);
        Self { numbers: one.of(0).to_vec(), counts: one.counts(0).to_vec() }
    }
}

/// Whether documents are compared by tasks, because all features of both are needed for it.
pub(super) fn has_queries(settings: &NearSettings) -> bool {
    matches!(settings.method, Method::Jaccard(_) | Method::SpotSigs(_))
}

/// The memory that the features of a document take for each of its tokens, where they are compared by tasks.
pub(super) fn bytes_a_token(settings: &NearSettings) -> u64 {
    match settings.method {
        Method::Jaccard(_) => by_shingles::BYTES_A_TOKEN,
        Method::SpotSigs(_) => by_spots::BYTES_A_TOKEN,
        _ => 0,
    }
}

/// Whether features have counts.
pub(super) fn are_bags(settings: &NearSettings) -> bool {
    match &settings.method {
        Method::Jaccard(shingling) => shingling.bag,
        Method::SpotSigs(_) => true,
        _ => false,
    }
}

/// The bounds of features that only all documents together tell, if there are any.
pub(super) fn idf_bounds(settings: &NearSettings) -> Option<IdfBounds> {
    match &settings.method {
        Method::SpotSigs(rule) if rule.idf != IdfBounds::default() => Some(rule.idf),
        _ => None,
    }
}

/// All that decides what is kept of a document; without the bounds if it is `raw`.
pub(super) fn made_of(settings: &NearSettings, raw: bool) -> String {
    match &settings.method {
        Method::Identical(identity) => format!("identical {identity:?}"),
        Method::Jaccard(shingling) => format!("jaccard {shingling:?}"),
        Method::MinHash(rule) => {
            format!("minhash {:?} {:?}", rule.shingling, by_signatures::kept_bits(*rule, settings))
        }
        Method::SimHash(rule) => format!("simhash {}", rule.shingle),
        Method::SpotSigs(rule) => {
            let bounds = if raw { IdfBounds::default() } else { rule.idf };
            format!("spotsigs {:?} {bounds:?}", rule.antecedents.sorted())
        }
    }
}

/// What decides besides the threshold which of these are similar.
pub(super) fn found_by(settings: &NearSettings) -> String {
    match &settings.method {
        Method::SimHash(rule) => format!("distance {}", rule.distance),
        Method::MinHash(rule) => format!("verify {}", rule.verify),
        Method::Identical(_) | Method::Jaccard(_) | Method::SpotSigs(_) => String::new(),
    }
}

/// The documents of a snapshot that are read; `None` for all of them.
pub(super) fn wanted(snapshot: &Snapshot, settings: &NearSettings) -> Option<HashSet<DocumentId>> {
    match settings.method {
        Method::Identical(identity) => Some(identical::read_by(snapshot, identity)),
        _ => None,
    }
}

/// Reads those documents of a part of a snapshot that are wanted.
pub(super) fn made(
    part: &Snapshot,
    wanted: Option<&HashSet<DocumentId>>,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Made<(Document, Kept)>, NearError> {
    let bags = are_bags(settings);
    let of_features = |make: &(dyn Fn(&[u64]) -> Vec<u64> + Sync)| {
        let needed = part.totals().tokens.saturating_mul(bytes_a_token(settings));
        check_memory_or(needed, settings.memory, MORE_BLOCKS)?;
        let make =
            |read: &ReadDocument| (Document::read(part, read), Kept::of_features(make(read.tokens), bags));
        Ok(map(part, settings.memory, tick, |_| true, make)?)
    };
    match &settings.method {
        Method::Jaccard(shingling) => of_features(&|tokens| features(tokens, *shingling)),
        Method::SpotSigs(rule) => of_features(&|tokens| signatures(tokens, &rule.antecedents)),
        Method::SimHash(rule) => {
            let of = |print: Option<u64>| Kept { numbers: print.into_iter().collect(), ..Kept::default() };
            Ok(each(by_fingerprints::made(part, *rule, settings, tick)?, of))
        }
        Method::MinHash(rule) => match by_signatures::kept_bits(*rule, settings) {
            KeptBits::Eight => signed::<u8>(part, *rule, settings, tick),
            KeptBits::Sixteen => signed::<u16>(part, *rule, settings, tick),
        },
        Method::Identical(_) => {
            let none = HashSet::new();
            let wanted = wanted.unwrap_or(&none);
            let two = |content: u128| vec![content as u64, (content >> 64) as u64];
            let of = |content: u128| Kept { numbers: two(content), ..Kept::default() };
            let Made { documents, too_large } = identical::prints(part, wanted, settings.memory, tick)?;
            let with_row =
                documents.into_iter().map(|(id, content)| (id, (Document::indexed(part, id), of(content))));
            Ok(Made { documents: with_row.collect(), too_large })
        }
    }
}

fn each<T>(made: Made<(Document, T)>, keep: impl Fn(T) -> Kept) -> Made<(Document, Kept)> {
    let Made { documents, too_large } = made;
    let documents = documents.into_iter().map(|(id, (of, made))| (id, (of, keep(made)))).collect();
    Made { documents, too_large }
}

fn signed<H: KeptHash>(
    part: &Snapshot,
    rule: SignatureRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Made<(Document, Kept)>, NearError> {
    let of = |signature: Option<Signature<H>>| {
        let numbers = signature.as_ref().map(numbers_of).unwrap_or_default();
        Kept { numbers, ..Kept::default() }
    };
    Ok(each(by_signatures::made::<H>(part, rule, settings, tick)?, of))
}

/// A signature as numbers: the hash of its bag in two, and four of its hashes in each other.
fn numbers_of<H: KeptHash>(signature: &Signature<H>) -> Vec<u64> {
    let bag = [signature.bag as u64, (signature.bag >> 64) as u64];
    let four = |hashes: &[H]| hashes.iter().fold(0, |number, &hash| number << 16 | hash.into());
    bag.into_iter().chain(signature.hashes.chunks(FOUR).map(four)).collect()
}

/// The content that has these numbers; `None` of other numbers.
pub(super) fn content_of(numbers: &[u64]) -> Option<u128> {
    let &[low, high] = numbers else { return None };
    Some(u128::from(high) << 64 | u128::from(low))
}

/// The signature that [`numbers_of`] gave these numbers; `None` from other numbers.
pub(super) fn signature_of<H: KeptHash>(numbers: &[u64]) -> Option<Signature<H>> {
    let ([low, high], rest) = numbers.split_first_chunk::<2>()?;
    (rest.len() == HASHES / FOUR).then_some(())?;
    let hash = |at: usize| H::of((rest[at / FOUR] >> (16 * (FOUR - 1 - at % FOUR)) & 0xffff) as u32);
    Some(Signature { bag: u128::from(*high) << 64 | u128::from(*low), hashes: std::array::from_fn(hash) })
}

/// The hashes of 16 bits or less in a number.
const FOUR: usize = 4;
