//! Candidates by what they share in a shuffle: a band of their signatures (MinHash), or the bits of a table of their
//! fingerprints (SimHash). Documents with equal ones are in a bucket, and a link is two documents of a bucket.
//!
//! What a link is worth is decided here, by the signatures or fingerprints of both, as in the search of a whole: so links that
//! are too many do no harm.

use super::error::BlockError;
use super::files::{BlockFile, Kept};
use super::plan::BlockPlan;
use super::shatter::signature_of;
use crate::by_fingerprints;
use crate::by_signatures::{Signature, verified};
use crate::error::NearError;
use crate::minhash::{Bands, estimate, floor};
use crate::pairs::{Pair, numbers_of, sort_pairs};
use crate::settings::Method;
use crate::simhash::tables;
use dupi_base::corpus::SkipReason;
use dupi_index::query::documents::Document;

/// How documents are put into buckets.
pub(super) enum Buckets {
    /// By the bands of signatures.
    Bands(Bands),
    /// By these bits of fingerprints.
    Tables(Vec<u64>),
}

impl Buckets {
    /// Those of a method; `None` if it compares features.
    pub(super) fn from_plan(plan: &BlockPlan) -> Option<Self> {
        match &plan.settings.method {
            Method::MinHash(_) => Some(Self::Bands(Bands::choose(plan.settings.rule.threshold))),
            Method::SimHash(rule) => {
                Some(Self::Tables(tables(plan.snapshot.totals().documents, rule.distance)))
            }
            Method::Identical(_) | Method::Jaccard(_) | Method::SpotSigs(_) => None,
        }
    }

    /// What tells the content of a document, of which these numbers and this digest are known, from others.
    pub(super) fn identity(&self, numbers: &[u64], digest: u128) -> u64 {
        match self {
            Self::Bands(_) => digest as u64,
            Self::Tables(_) => numbers.first().copied().unwrap_or_default(),
        }
    }

    /// The buckets of a document, by the numbers that are kept of it: in each band or table one.
    pub(super) fn keys(&self, numbers: &[u64]) -> Vec<u64> {
        match self {
            Self::Bands(bands) => {
                let keys = |of: Signature| bands.of(&of.hashes).map(|rows| bands.key(rows)).collect();
                signature_of(numbers, bands.width()).map_or(Vec::new(), keys)
            }
            Self::Tables(tables) => numbers
                .first()
                .into_iter()
                .flat_map(|print| tables.iter().map(move |bits| print & bits))
                .collect(),
        }
    }
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
    // What is kept of each of them.
    let mut kept: Vec<Vec<u64>> = Vec::with_capacity(numbers.len());
    let mut take = |_: u32, own: Kept| kept.push(own.numbers);
    let (ours, theirs) = numbers.split_at(match a == b {
        true => numbers.len(),
        false => numbers.partition_point(|&number| number < border),
    });
    earlier.each(ours.iter().copied(), &mut take)?;
    later.each(theirs.iter().map(|number| number - border), &mut take)?;
    let of = |number: u32| &kept[numbers.binary_search(&number).unwrap_or_default()];
    let mut found = match &plan.settings.method {
        Method::SimHash(rule) => {
            let near = |pair: &Pair| {
                let (a, b) = (*of(pair.a).first()?, *of(pair.b).first()?);
                let similarity = by_fingerprints::similarity(a, b) as f32;
                let is_near = (1..=rule.distance).contains(&(a ^ b).count_ones());
                is_near.then_some(Pair { similarity, ..*pair })
            };
            linked.iter().filter_map(near).collect()
        }
        Method::MinHash(rule) => {
            let bands = Bands::choose(plan.settings.rule.threshold);
            let least = floor(plan.settings.rule.threshold, rule.verify);
            let candidate = |link: &Link| {
                let [a, b] = [link.one, link.other].map(|number| signature_of(of(number), bands.width()));
                let (a, b) = (a?.hashes, b?.hashes);
                let estimate = estimate(&a, &b, bands.width());
                // What agrees in a band before is crowded there: it was not compared, nor is it here.
                let mut rows = bands.of(&a).zip(bands.of(&b)).take(link.table as usize);
                let is_candidate = estimate >= least && !rows.any(|(a, b)| a == b);
                is_candidate.then_some(Pair { a: link.one, b: link.other, similarity: estimate as f32 })
            };
            let candidates = links.iter().filter_map(candidate).collect();
            let (found, away) = verified(plan.snapshot, &documents, candidates, *rule, plan.settings)?;
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
