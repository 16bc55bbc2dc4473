//! An even sample of the repeated blots of a snapshot, in a small part of the time that all of them take.

use super::ranking::Tally;
use super::snapshot::{FileId, Snapshot};
use super::stream::merge_shard;
use super::{IndexError, IsStopped};

/// The shard whose blots are the sample. A shard is a range of hashes, so any of them is an even sample.
const SAMPLED_SHARD: usize = 0;

/// A repeated blot of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampledBlot {
    /// The number of documents that have it, 2 or more.
    pub documents: u32,
    /// The first file that has it, in the order of the segments: the same for all blots of one copied text.
    pub first: FileId,
}

/// A sample of the blots that occur in 2 to `most` documents.
///
/// # Errors
/// [`IndexError::Stopped`] soon after `is_stopped` returns `true`; [`IndexError::Damaged`].
pub fn sampled_blots(
    snapshot: &Snapshot,
    most: u32,
    is_stopped: IsStopped,
) -> Result<Vec<SampledBlot>, IndexError> {
    let segments = snapshot.segments();
    let mut sampled = Vec::new();
    merge_shard(segments, SAMPLED_SHARD, is_stopped, |_, lists| {
        if lists.single().is_some() {
            return Ok(());
        }
        let mut tally = Tally::default();
        let mut first = None;
        for (number, places) in lists.iter() {
            let (live, table) = (&segments[number], segments[number].segment().table());
            tally.add(live, places);
            let files = places.iter().map(|place| table.file_of(table.document_of(place.part())));
            let file = || files.clone().find(|&file| live.is_live_file(file));
            first = first.or_else(|| Some(FileId { segment: number as u32, file: file()? }));
        }
        if let Some(first) = first.filter(|_| (2..=most).contains(&tally.documents)) {
            sampled.push(SampledBlot { documents: tally.documents, first });
        }
        Ok(())
    })?;
    Ok(sampled)
}
