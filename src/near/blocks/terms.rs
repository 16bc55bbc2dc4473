//! Term-Split: documents are not compared two by two; the features of all are sorted by feature, by other programs, and what
//! pairs of documents have in common is summed up. It finds the pairs that [`query`](super::query()) finds.
//!
//! Both streams have batches of rows, column by column; each number has 8 bytes, little-endian:
//!
//! ```text
//! batch     rows · first column · second column …
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
//! A link of a number that no document can have is left out: so a task without links has a stream. Of documents with equal
//! contents only the first one of all blocks is linked. With `minhash` those of a bucket with too many
//! are not linked with each other, but each with itself.

use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;

use super::block_file::BlockFile;
use super::buckets::{self, Buckets, Link};
use super::error::BlockError;
use super::pair_file;
use super::plan::BlockPlan;
use crate::near::error::NearError;
use crate::near::pair::{Pair, sort_pairs};
use crate::near::pair_limit::{PairLimit, PairUse};
use crate::near::threshold::Threshold;

/// Rows of a batch.
const ROWS: usize = 1 << 16;
const COLUMNS: usize = 4;

/// Writes the features, or the buckets, of a block, which is there already.
///
/// # Errors
/// When the block is missing or damaged, or the stream cannot be written.
pub fn print_features(plan: &BlockPlan, block: u32, out: &mut dyn Write) -> Result<(), NearError> {
    let file = BlockFile::open(plan, block)?;
    let numbers = if plan.sharing().is_some() { file.distinct() } else { Vec::new() };
    let buckets = Buckets::of(plan);
    let mut columns: [Vec<u8>; COLUMNS] = Default::default();
    let mut written: io::Result<()> = Ok(());
    let mut flush = |columns: &mut [Vec<u8>; COLUMNS]| -> io::Result<()> {
        out.write_all(&(columns[0].len() as u64 / 8).to_le_bytes())?;
        for column in columns {
            out.write_all(column)?;
            column.clear();
        }
        Ok(())
    };
    file.each(&numbers, |number, kept| {
        let document = u64::from(block) << 32 | u64::from(number);
        let mut add = |row: [u64; COLUMNS]| {
            columns.iter_mut().zip(row).for_each(|(column, number)| column.extend(number.to_le_bytes()));
        };
        if let Some(buckets) = &buckets {
            let identity = buckets.identity(&kept.numbers, file.rows[number as usize].digest);
            (0..)
                .zip(buckets.keys(&kept.numbers))
                .for_each(|(table, key)| add([document, identity, table, key]));
        } else {
            let count = |at: usize| kept.counts.get(at).map_or(1, |&count| u64::from(count));
            let size: u64 = (0..kept.numbers.len()).map(count).sum();
            kept.numbers.iter().enumerate().for_each(|(at, &of)| add([document, size, of, count(at)]));
        }
        if columns[0].len() >= 8 * ROWS && written.is_ok() {
            written = flush(&mut columns);
        }
    })?;
    written = written.and_then(|()| if columns[0].is_empty() { Ok(()) } else { flush(&mut columns) });
    Ok(written.and_then(|()| out.flush()).map_err(BlockError::Stream)?)
}

/// Writes the pairs of two blocks to their file, given what their documents have in common. Returns the path.
///
/// # Errors
/// When there are more pairs or links than the memory has room for, or the stream is no sequence of batches.
pub fn take_links(plan: &BlockPlan, task: u64, links: &mut dyn Read) -> Result<PathBuf, NearError> {
    let blocks = plan.linked(task)?;
    let least = Threshold::new(plan.settings.rule.threshold);
    let mut pairs = Vec::new();
    if Buckets::of(plan).is_some() {
        let limit = PairLimit::new(plan.settings.memory, PairUse::List);
        let mut found = Vec::new();
        each_batch(links, &mut |rows| {
            let link = |&[one, other, table, _]: &[u64; COLUMNS]| {
                Some(Link { one: one.try_into().ok()?, other: other.try_into().ok()?, table })
            };
            found.extend(rows.iter().filter_map(link));
            limit.add(rows.len())
        })?;
        pairs = buckets::pairs(plan, blocks, &found)?;
    } else {
        let limit = plan.settings.pair_limit();
        each_batch(links, &mut |rows| {
            let before = pairs.len();
            for &[one, other, common, sum] in rows {
                let is_pair = least.is_some_and(|least| common <= sum / 2 && least.is_reached(common, sum));
                if let (true, Ok(a), Ok(b)) = (is_pair, u32::try_from(one), u32::try_from(other)) {
                    let similarity = (common as f64 / (sum - common) as f64) as f32;
                    pairs.push(Pair { a, b, similarity });
                }
            }
            limit.add(pairs.len() - before)
        })?;
        sort_pairs(&mut pairs);
    }
    pair_file::write(plan, blocks, &pairs)?;
    Ok(plan.folder.at(&plan.pairs_name(blocks)))
}

/// What is done with rows.
type Take<'a> = dyn FnMut(&[[u64; COLUMNS]]) -> Result<(), NearError> + 'a;

/// Passes the rows of each batch.
fn each_batch(links: &mut dyn Read, take: &mut Take<'_>) -> Result<(), NearError> {
    let (mut batch, mut rows) = (Vec::new(), Vec::new());
    while let Some(count) = next_number(links).map_err(BlockError::Stream)? {
        batch.clear();
        let length = count.saturating_mul(8 * COLUMNS as u64);
        let read = links.take(length).read_to_end(&mut batch).map_err(BlockError::Stream)?;
        if read as u64 != length {
            return Err(BlockError::Stream(ErrorKind::UnexpectedEof.into()).into());
        }
        let count = count as usize;
        let number = |column: usize, row: usize| {
            let at = batch[(column * count + row) * 8..].first_chunk().copied();
            u64::from_le_bytes(at.unwrap_or_default())
        };
        rows.clear();
        rows.extend((0..count).map(|row| std::array::from_fn(|column| number(column, row))));
        take(&rows)?;
    }
    Ok(())
}

/// The next number of a stream; `None` at its end.
fn next_number(stream: &mut dyn Read) -> io::Result<Option<u64>> {
    let mut bytes = Vec::new();
    match stream.take(8).read_to_end(&mut bytes)? {
        0 => Ok(None),
        _ => {
            let bytes = bytes.first_chunk().ok_or(ErrorKind::UnexpectedEof)?;
            Ok(Some(u64::from_le_bytes(*bytes)))
        }
    }
}
