//! Candidates by what they share in a shuffle: a band of their signatures (MinHash), or the bits of a table of their
//! fingerprints (SimHash). Documents with equal ones are in a bucket, and a link is two documents of a bucket.
//!
//! What a link is worth is decided here, by the signatures or fingerprints of both, as in the search of a whole: so links that
//! are too many do no harm.

use super::block_file::BlockFile;
use super::error::BlockError;
use super::making::signature_of;
use super::plan::BlockPlan;
use crate::by_fingerprints;
use crate::by_signatures::{self, kept_bits};
use crate::document::Document;
use crate::error::NearError;
use crate::minhash::{Bands, KeptBits, KeptHash, band_key, estimate};
use crate::pair::{Pair, numbers_of, sort_pairs};
use crate::settings::{Method, SignatureRule};
use crate::simhash::tables::tables;
use dupi_base::corpus::SkipReason;
use dupi_text::sketch::HASHES;

/// How documents are put into buckets.
pub(super) enum Buckets {
    /// By the bands of signatures with this number of bits of each hash.
    Bands(Bands, KeptBits),
    /// By these bits of fingerprints.
    Tables(Vec<u64>),
}

impl Buckets {
    /// Those of a method; `None` if it compares features.
    pub(super) fn of(plan: &BlockPlan) -> Option<Self> {
        match &plan.settings.method {
            Method::MinHash(rule) => {
                let bands = by_signatures::bands(*rule, plan.settings);
                Some(Self::Bands(bands, kept_bits(*rule, plan.settings)))
            }
            Method::SimHash(rule) => {
                Some(Self::Tables(tables(plan.snapshot.totals().documents, rule.distance)))
            }
            Method::Identical(_) | Method::Jaccard(_) | Method::SpotSigs(_) => None,
        }
    }

    /// What tells the content of a document, of which these numbers and this digest are known, from others.
    pub(super) fn identity(&self, numbers: &[u64], digest: u128) -> u64 {
        match self {
            Self::Bands(..) => digest as u64,
            Self::Tables(_) => numbers.first().copied().unwrap_or_default(),
        }
    }

    /// The buckets of a document, by the numbers that are kept of it: in each band or table one.
    pub(super) fn keys(&self, numbers: &[u64]) -> Vec<u64> {
        match self {
            Self::Bands(bands, KeptBits::Eight) => band_keys::<u8>(numbers, *bands),
            Self::Bands(bands, KeptBits::Sixteen) => band_keys::<u16>(numbers, *bands),
            Self::Tables(tables) => numbers
                .first()
                .into_iter()
                .flat_map(|print| tables.iter().map(move |bits| print & bits))
                .collect(),
        }
    }
}

fn band_keys<H: KeptHash>(numbers: &[u64], bands: Bands) -> Vec<u64> {
    let keys =
        |hashes: [H; HASHES]| hashes.chunks_exact(bands.rows).take(bands.bands).map(band_key).collect();
    signature_of::<H>(numbers).map(|signature| keys(signature.hashes)).unwrap_or_default()
}

/// Two documents of a bucket, by their numbers in the one block and in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    pub(super) one: u32,
    pub(super) other: u32,
    /// The first band or table in which they share a bucket of which all are compared with each other. A document of a block
    /// that is linked with itself there is in a bucket with too many.
    pub(super) table: u64,
}

/// The pairs of two blocks that links turn out to be.
pub(super) fn pairs(
    plan: &BlockPlan,
    (a, b): (u32, u32),
    (earlier, later): (&BlockFile, &BlockFile),
    links: &[Link],
) -> Result<Vec<Pair>, NearError> {
    let border = if a == b { 0 } else { earlier.rows.len() as u32 };
    let documents = earlier.rows.iter().chain(if a == b { &[] } else { &later.rows[..] });
    let documents: Vec<Document> = documents.map(|row| row.document).collect();
    // From here on the documents of both blocks are numbered together.
    let link = |link: &Link| Link { other: link.other + border, ..*link };
    let (crowded, links): (Vec<Link>, Vec<Link>) =
        links.iter().map(link).partition(|link| link.one == link.other);
    let together = |link: &Link| Pair { a: link.one, b: link.other, similarity: 1.0 };
    let linked: Vec<Pair> = links.iter().map(together).collect();
    let numbers = numbers_of(&linked);
    let read = |take: &mut dyn FnMut(&[u64])| -> Result<(), BlockError> {
        let (ours, theirs) = numbers.split_at(match a == b {
            true => numbers.len(),
            false => numbers.partition_point(|&number| number < border),
        });
        let theirs: Vec<u32> = theirs.iter().map(|number| number - border).collect();
        earlier.each(ours, |_, kept| take(&kept.numbers))?;
        later.each(&theirs, |_, kept| take(&kept.numbers))
    };
    let at = |number: u32| numbers.binary_search(&number).unwrap_or_default();
    let mut found = match &plan.settings.method {
        Method::SimHash(rule) => {
            let mut prints = Vec::new();
            read(&mut |numbers| prints.push(numbers.first().copied().unwrap_or_default()))?;
            let print = |number: u32| prints[at(number)];
            let near = |pair: &Pair| {
                let (a, b) = (print(pair.a), print(pair.b));
                let distance = (a ^ b).count_ones();
                let similarity = by_fingerprints::similarity(a, b) as f32;
                (1..=rule.distance).contains(&distance).then_some(Pair { similarity, ..*pair })
            };
            linked.iter().filter_map(near).collect()
        }
        Method::MinHash(rule) => {
            let candidates = match kept_bits(*rule, plan.settings) {
                KeptBits::Eight => candidates::<u8>(plan, *rule, &links, at, &read)?,
                KeptBits::Sixteen => candidates::<u16>(plan, *rule, &links, at, &read)?,
            };
            let (found, away) = by_signatures::verified(
                plan.snapshot,
                &documents,
                candidates,
                *rule,
                plan.settings,
                &|_| Ok(()),
            )?;
            if let Some(&away) = away.first() {
                let file = plan.snapshot.file_of(documents[away as usize].id);
                let path = plan.snapshot.manifest().corpus.absolute(plan.snapshot.path(file));
                return Err(BlockError::Unread { path, reason: SkipReason::Vanished }.into());
            }
            found
        }
        Method::Identical(_) | Method::Jaccard(_) | Method::SpotSigs(_) => Vec::new(),
    };
    found.extend(crowded.iter().map(together));
    found.iter_mut().for_each(|pair| pair.b -= border);
    sort_pairs(&mut found);
    Ok(found)
}

/// Passes the numbers of each document that is linked.
type Reading<'a> = dyn Fn(&mut dyn FnMut(&[u64])) -> Result<(), BlockError> + 'a;

/// Those links that are candidates by the signatures of both, with their estimates.
fn candidates<H: KeptHash>(
    plan: &BlockPlan,
    rule: SignatureRule,
    links: &[Link],
    at: impl Fn(u32) -> usize,
    read: &Reading<'_>,
) -> Result<Vec<Pair>, BlockError> {
    let mut signatures: Vec<[H; HASHES]> = Vec::new();
    let none = [H::default(); HASHES];
    read(&mut |numbers| signatures.push(signature_of(numbers).map_or(none, |signature| signature.hashes)))?;
    let (bands, floor) =
        (by_signatures::bands(rule, plan.settings), by_signatures::floor(rule, plan.settings));
    let candidate = |link: &Link| {
        let (a, b) = (&signatures[at(link.one)], &signatures[at(link.other)]);
        let estimate = estimate(a, b);
        // What agrees in a band before is crowded there: it was not compared, nor is it here.
        let before = (link.table as usize).min(bands.bands);
        let mut rows = a.chunks_exact(bands.rows).zip(b.chunks_exact(bands.rows)).take(before);
        let is_candidate = estimate >= floor && !rows.any(|(a, b)| a == b);
        is_candidate.then_some(Pair { a: link.one, b: link.other, similarity: estimate as f32 })
    };
    Ok(links.iter().filter_map(candidate).collect())
}
