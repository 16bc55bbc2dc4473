//! Term-Split: documents are not compared two by two; the features of all are sorted by feature, by other programs, and what
//! pairs of documents have in common is summed up. It finds the pairs that [`query`](super::query()) finds.
//!
//! Both streams have [batches](dupi_base::storage::batches) of rows with these columns:
//!
//! ```text
//! features  document · size of the document · feature · how often the document has it
//! links     number in the one block · number in the other · how much they have in common · sum of their sizes
//! ```
//!
//! A document is named by its block (upper 32 bits) and its number in it. Only the first of those with equal features is there.
//!
//! With `minhash` and `simhash` the columns are others, and two documents are linked if they share a bucket:
//!
//! ```text
//! features  document · what tells its content · band or table · bucket
//! links     number in the one block · number in the other · the first band or table that they share · 0
//! ```
//!
//! Two documents are linked once, and in one block the earlier one comes first. Of documents with equal contents only the first
//! one of all blocks is linked. With `minhash` those of a bucket with too many are not linked with each other, but each with
//! itself.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use super::files::{BlockFile, Kept, write_pairs};
use super::plan::{BlockPlan, Sharing};
use super::shatter::signature_of;
use crate::by_fingerprints;
use crate::by_signatures::{Signature, verified};
use crate::error::{NearError, PairLimit};
use crate::features::{Threshold, resemblance};
use crate::minhash::{Bands, estimate, floor};
use crate::pairs::{Pair, numbers_of, sort_pairs};
use crate::settings::Method;
use crate::simhash::tables;

use dupi_base::corpus::SkipReason;
use dupi_base::storage::batches::{BatchReader, BatchWriter, invalid};
use dupi_index::query::documents::Document;

/// A row of either stream.
type Row = [u64; 4];

/// Writes the features, or the buckets, of a block, which is there already.
///
/// # Errors
/// When the block is missing or damaged, or the stream cannot be written.
pub fn print_features(plan: &BlockPlan, block: u32, out: &mut dyn Write) -> Result<(), NearError> {
    let file = BlockFile::open(plan, block)?;
    let numbers = if plan.sharing().is_some() { file.distinct() } else { Vec::new() };
    let buckets = Buckets::from_plan(plan);
    let mut batches = BatchWriter::new(out);
    let mut written: io::Result<()> = Ok(());
    file.each(numbers, |number, kept| {
        let document = u64::from(block) << 32 | u64::from(number);
        let mut add = |row: Row| {
            if written.is_ok() {
                written = batches.add(row);
            }
        };
        if let Some(buckets) = &buckets {
            let identity = buckets.identity(&kept.numbers, file.rows[number as usize].digest);
            let keys = buckets.keys(&kept.numbers);
            (0..).zip(keys).for_each(|(table, key)| add([document, identity, table, key]));
        } else {
            let own = kept.features();
            let (size, features) = (own.size(), kept.numbers.iter().enumerate());
            features.for_each(|(at, &feature)| add([document, size, feature, own.count(at)]));
        }
    })?;
    written.and_then(|()| batches.end()).map_err(|error| NearError::stream(&error))
}

/// Writes the pairs of two blocks to their file, given what their documents have in common. Returns the path.
///
/// # Errors
/// When there are more pairs or links than the memory has room for, or the stream is not whole, or has not the links of these
/// blocks.
pub fn take_links(plan: &BlockPlan, task: u64, links: &mut dyn Read) -> Result<PathBuf, NearError> {
    let (a, b) = BlockPlan::two_blocks(task, plan.links())?;
    let (earlier, later) = (BlockFile::open(plan, a)?, BlockFile::open(plan, b)?);
    let (ours, theirs) = (earlier.rows.len() as u64, later.rows.len() as u64);
    let has_crowds = matches!(plan.sharing(), Some(Sharing::Bands { .. }));
    let has_sums = plan.sharing() == Some(Sharing::Features);
    let is_link = |&[one, other, common, sum]: &Row| {
        let is_known = one < ours && other < theirs;
        let is_in_order = a != b || one < other || one == other && has_crowds;
        is_known && is_in_order && (!has_sums || sum > 0 && common <= sum / 2)
    };
    let pairs = if has_sums {
        let least = Threshold::new(plan.settings.rule.threshold);
        let pair = |&[one, other, common, sum]: &Row| {
            let is_pair = least.is_some_and(|least| least.is_reached(common, sum));
            let similarity = resemblance(common, sum) as f32;
            is_pair.then_some(Pair { a: one as u32, b: other as u32, similarity })
        };
        taken(links, &plan.settings.pair_limit(), is_link, pair, |pair| (pair.a, pair.b))?
    } else {
        let limit = PairLimit::for_list(plan.settings.memory);
        let link = |&[one, other, table, _]: &Row| Some(Link { one: one as u32, other: other as u32, table });
        let found = taken(links, &limit, is_link, link, |link| (link.one, link.other))?;
        pairs_of_links(plan, (a, b), (&earlier, &later), &found)?
    };
    write_pairs(plan, (a, b), pairs)
}

/// Takes rows from a stream, all of which must be links, and no two of the same documents. Returns those that count, sorted.
fn taken<T>(
    stream: &mut dyn Read,
    limit: &PairLimit,
    is_link: impl Fn(&Row) -> bool,
    counting: impl Fn(&Row) -> Option<T>,
    documents: impl Fn(&T) -> (u32, u32),
) -> Result<Vec<T>, NearError> {
    let wrong = |detail| NearError::stream(&invalid(detail));
    let (mut batches, mut found) = (BatchReader::new(stream), Vec::new());
    while let Some(rows) = batches.batch().map_err(|error| NearError::stream(&error))? {
        if !rows.iter().all(&is_link) {
            return Err(wrong("a row is no link of these two blocks"));
        }
        for link in rows.iter().filter_map(&counting) {
            limit.add(1)?;
            found.push(link);
        }
    }
    found.sort_unstable_by_key(&documents);
    let are_sorted = found.is_sorted_by(|before, next| documents(before) < documents(next));
    if are_sorted { Ok(found) } else { Err(wrong("two documents are linked twice")) }
}

// Candidates by what they share in a shuffle: a band of their signatures (MinHash), or the bits of a table of their
// fingerprints (SimHash). Documents with equal ones are in a bucket, and a link is two documents of a bucket.
//
// What a link is worth is decided here, by the signatures or fingerprints of both, as in the search of a whole: so links that
// are too many do no harm.

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
                let keys = |of: Signature| bands.split(&of.hashes).map(|rows| bands.key(rows)).collect();
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
fn pairs_of_links(
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
                let mut rows = bands.split(&a).zip(bands.split(&b)).take(link.table as usize);
                let is_candidate = estimate >= least && !rows.any(|(a, b)| a == b);
                is_candidate.then_some(Pair { a: link.one, b: link.other, similarity: estimate as f32 })
            };
            let candidates = links.iter().filter_map(candidate).collect();
            let (found, away) = verified(&plan.query(&|_| Ok(())), &documents, candidates, *rule)?;
            if let Some(&away) = away.first() {
                let file = plan.snapshot.file_of(documents[away as usize].id);
                let path = plan.snapshot.manifest().corpus.absolute(plan.snapshot.path(file));
                return Err(NearError::unread(&path, &SkipReason::Vanished));
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
