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

use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;

use super::block_file::BlockFile;
use super::error::BlockError;
use super::making::has_queries;
use super::pair_file;
use super::plan::BlockPlan;
use crate::near::error::NearError;
use crate::near::pair::{Pair, sort_pairs};
use crate::near::threshold::Threshold;

/// Rows of a batch.
const ROWS: usize = 1 << 16;
const COLUMNS: usize = 4;

/// Writes the features of a block, which is there already.
///
/// # Errors
/// When the block is missing or damaged, or the stream cannot be written.
pub fn print_features(plan: &BlockPlan, block: u32, out: &mut dyn Write) -> Result<(), NearError> {
    let file = BlockFile::open(plan, block)?;
    let numbers = if has_queries(plan.settings) { file.distinct() } else { Vec::new() };
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
        let count = |at: usize| kept.counts.get(at).map_or(1, |&count| u64::from(count));
        let size: u64 = (0..kept.numbers.len()).map(count).sum();
        for (at, &feature) in kept.numbers.iter().enumerate() {
            let row = [u64::from(block) << 32 | u64::from(number), size, feature, count(at)];
            columns.iter_mut().zip(row).for_each(|(column, number)| column.extend(number.to_le_bytes()));
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
/// When there are more pairs than the memory has room for, or the stream is no sequence of batches.
pub fn take_links(plan: &BlockPlan, task: u64, links: &mut dyn Read) -> Result<PathBuf, NearError> {
    let blocks = plan.queried(task)?;
    let limit = plan.settings.pair_limit();
    let least = Threshold::new(plan.settings.rule.threshold);
    let mut pairs = Vec::new();
    let mut batch = Vec::new();
    while let Some(rows) = next_number(links).map_err(BlockError::Stream)? {
        batch.clear();
        let length = rows.saturating_mul(8 * COLUMNS as u64);
        let read = links.take(length).read_to_end(&mut batch).map_err(BlockError::Stream)?;
        if read as u64 != length {
            return Err(BlockError::Stream(ErrorKind::UnexpectedEof.into()).into());
        }
        let before = pairs.len();
        let number = |column: usize, row: usize| {
            let at = batch[(column * rows as usize + row) * 8..].first_chunk().copied();
            u64::from_le_bytes(at.unwrap_or_default())
        };
        for row in 0..rows as usize {
            let (common, sum) = (number(2, row), number(3, row));
            let is_pair = least.is_some_and(|least| common <= sum / 2 && least.is_reached(common, sum));
            if let (true, Ok(a), Ok(b)) =
                (is_pair, u32::try_from(number(0, row)), u32::try_from(number(1, row)))
            {
                let similarity = (common as f64 / (sum - common) as f64) as f32;
                pairs.push(Pair { a, b, similarity });
            }
        }
        limit.add(pairs.len() - before)?;
    }
    sort_pairs(&mut pairs);
    pair_file::write(plan, blocks, &pairs)?;
    Ok(plan.folder.at(&plan.pairs_name(blocks)))
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
