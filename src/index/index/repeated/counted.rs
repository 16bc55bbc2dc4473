//! Term-Split: tasks count the blots of shares of the postings, other programs sum up the counts by blot, and what is repeated
//! comes back, shard by shard. Nothing else is shuffled: a blot in every document has one count of each share.
//!
//! Both streams have [batches](dupi_base::storage::batches) of rows with these columns:
//!
//! ```text
//! counts    blot · its count: a blot is repeated if the sum of its counts is greater than one
//! repeated  blot, ascending
//! ```

use std::io::{Read, Write};

use super::Repeated;
use super::error::RepeatedError;
use super::file::shard_name;
use crate::index::IndexError;
use crate::index::posting::{SHARDS, key_of, shard_of};
use crate::index::ranking::Tally;
use crate::index::snapshot::Snapshot;
use crate::index::stream::merge_shard;
use dupi_base::corpus::part;
use dupi_base::storage::Folder;
use dupi_base::storage::batches::{BatchReader, BatchWriter};
use dupi_text::blot::Blot;

/// Writes the counts of the blots in one of some shares of the postings: of some shards of some segments.
///
/// # Errors
/// When the index or the stream fails.
pub fn print_counts(
    snapshot: &Snapshot,
    (share, shares): (u32, u32),
    out: &mut dyn Write,
) -> Result<(), RepeatedError> {
    let segments = snapshot.segments();
    let units: Vec<(usize, usize)> =
        (0..segments.len()).flat_map(|segment| (0..SHARDS).map(move |shard| (segment, shard))).collect();
    let size = |&(segment, shard): &(usize, usize)| segments[segment].segment().shard_bytes(shard);
    let sizes: Vec<u64> = units.iter().map(size).collect();
    let mut batches = BatchWriter::new(out);
    let mut written = Ok(());
    for &(segment, shard) in &units[part(&sizes, share, shares)] {
        let live = &segments[segment];
        let counted = merge_shard(&segments[segment..=segment], shard, &|| false, |blot, lists| {
            let mut tally = Tally::default();
            lists.iter().for_each(|(_, places)| tally.add(live, places));
            if tally.count() > 0 {
                written = batches.add([blot.get(), u64::from(tally.count())]);
            }
            if written.is_ok() { Ok(()) } else { Err(IndexError::Stopped) }
        });
        if let Err(error) = std::mem::replace(&mut written, Ok(())) {
            return Err(RepeatedError::Stream(error));
        }
        counted?;
    }
    batches.end().map_err(RepeatedError::Stream)
}

/// Takes the repeated blots of a shard from a stream, and writes the file of this shard to a folder. Returns its name.
///
/// # Errors
/// When the stream ends too early, or has not the blots of this shard in order.
pub fn take_repeated(
    snapshot: &Snapshot,
    shard: usize,
    stream: &mut dyn Read,
    folder: &Folder,
) -> Result<String, RepeatedError> {
    let wrong = |detail| RepeatedError::Blots { shard, detail };
    let mut keys: Vec<u64> = Vec::new();
    let mut batches = BatchReader::new(stream);
    while let Some(rows) = batches.batch().map_err(RepeatedError::Stream)? {
        for &[number] in rows {
            let blot = Blot::new(number).filter(|blot| shard_of(*blot) == shard);
            let key = key_of(blot.ok_or_else(|| wrong("a blot is not in it"))?);
            if keys.last().is_some_and(|last| *last >= key) {
                return Err(wrong("its blots are not in order"));
            }
            keys.push(key);
        }
    }
    let repeated =
        Repeated::of_keys(snapshot, shard, &keys)?.ok_or_else(|| wrong("a blot is in no document"))?;
    let name = shard_name(snapshot, shard);
    repeated.write(snapshot, folder, &name)?;
    Ok(name)
}
