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

use super::buckets::{self, Buckets, Link};
use super::error::BlockError;
use super::files::{BlockFile, write_pairs};
use super::plan::{BlockPlan, Sharing};
use crate::error::NearError;
use crate::features::resemblance;
use crate::limits::PairLimit;
use crate::pairs::Pair;
use crate::threshold::Threshold;
use dupi_base::storage::batches::{BatchReader, BatchWriter, invalid};

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
    Ok(written.and_then(|()| batches.end()).map_err(BlockError::Stream)?)
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
        buckets::pairs(plan, (a, b), (&earlier, &later), &found)?
    };
    Ok(write_pairs(plan, (a, b), pairs)?)
}

/// Takes rows from a stream, all of which must be links, and no two of the same documents. Returns those that count, sorted.
fn taken<T>(
    stream: &mut dyn Read,
    limit: &PairLimit,
    is_link: impl Fn(&Row) -> bool,
    counting: impl Fn(&Row) -> Option<T>,
    documents: impl Fn(&T) -> (u32, u32),
) -> Result<Vec<T>, NearError> {
    let wrong = |detail| NearError::from(BlockError::Stream(invalid(detail)));
    let (mut batches, mut found) = (BatchReader::new(stream), Vec::new());
    while let Some(rows) = batches.batch().map_err(BlockError::Stream)? {
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
