//! Computes a ranking by one pass over the postings of all live segments, with shards in parallel; or for given
//! blots only, by looking them up.
//!
//! Memory use is proportional to the requested number of entries, not to the number of repeated blots. A pass,
//! which takes long in a large index, can be stopped.

use rayon::prelude::*;

use super::block::PostingBlock;
use super::posting::SHARDS;
use super::ranking::{DfStats, RankKey, RankedBlot, Ranking, Tally};
use super::snapshot::{FileId, LiveSegment, Snapshot};
use super::stream::merge_shard;
use super::{IndexError, IsStopped};

use dupi_text::blot::Blot;

/// How many shards are scanned before their entries are reduced to the first ones.
const SHARDS_AT_ONCE: usize = 8;
/// A shard's entries are not reduced below this number during its scan.
const LEAST_KEPT: usize = 1 << 10;

impl Ranking {
    /// Computes the ranking of a snapshot, with at most `limit` entries.
    pub fn scan(snapshot: &Snapshot, limit: usize) -> Result<Self, IndexError> {
        Self::scan_unless(snapshot, limit, &|| false)
    }

    /// As [`Self::scan`], but returns [`IndexError::Stopped`] soon after `is_stopped` returns `true`. At most twice
    /// `limit` entries are in memory for each shard being scanned.
    pub fn scan_unless(snapshot: &Snapshot, limit: usize, is_stopped: IsStopped) -> Result<Self, IndexError> {
        let (mut stats, mut repeated, mut entries) = (DfStats::default(), 0, Vec::new());
        for some in 0..SHARDS / SHARDS_AT_ONCE {
            let shards = some * SHARDS_AT_ONCE..(some + 1) * SHARDS_AT_ONCE;
            // Entries after the last wanted one are not kept.
            let last =
                (entries.len() >= limit).then(|| entries.iter().map(RankedBlot::rank_key).max()).flatten();
            let scanned = shards
                .into_par_iter()
                .map(|shard| scan_shard(snapshot.segments(), shard, limit, last, is_stopped));
            for shard in scanned.collect::<Result<Vec<_>, _>>()? {
                entries.extend(shard.entries);
                stats = stats.plus(shard.stats);
                repeated += shard.repeated;
            }
            keep_first(&mut entries, limit);
        }
        entries.par_sort_unstable_by_key(RankedBlot::rank_key);
        Ok(Self { content: snapshot.manifest().content, entries, repeated, stats })
    }

    /// The ranking of those of the given blots that are repeated. Each is looked up; nothing is scanned. `stats` is
    /// empty.
    ///
    /// # Errors
    /// [`IndexError::Stopped`] soon after `is_stopped` returns `true`; [`IndexError::Damaged`].
    pub fn of_blots(
        snapshot: &Snapshot,
        blots: impl IntoIterator<Item = Blot>,
        is_stopped: IsStopped,
    ) -> Result<Self, IndexError> {
        let mut blots: Vec<Blot> = blots.into_iter().collect();
        blots.sort_unstable();
        blots.dedup();
        let look_up = |block: &mut PostingBlock, blot: &Blot| {
            if is_stopped() {
                return Err(IndexError::Stopped);
            }
            let mut tally = Tally::default();
            for live in snapshot.segments() {
                tally.add(live, live.segment().find(*blot, block)?);
            }
            Ok(tally.ranked(*blot))
        };
        let looked_up = blots.par_iter().map_init(PostingBlock::default, look_up);
        let mut entries: Vec<RankedBlot> =
            looked_up.filter_map(Result::transpose).collect::<Result<_, IndexError>>()?;
        entries.par_sort_unstable_by_key(RankedBlot::rank_key);
        let (content, repeated) = (snapshot.manifest().content, entries.len() as u64);
        Ok(Self { content, entries, repeated, stats: DfStats::default() })
    }
}

/// Scans a shard for its first `limit` entries before `last`.
fn scan_shard(
    segments: &[LiveSegment],
    shard: usize,
    limit: usize,
    last: Option<RankKey>,
    is_stopped: IsStopped,
) -> Result<Ranking, IndexError> {
    let mut entries = Vec::new();
    let mut repeated = 0;
    let mut stats = DfStats::default();
    let mut tally = Tally::default();
    merge_shard(segments, shard, is_stopped, |blot, lists| {
        // Nine of ten blots occur once: then the table is not needed.
        if let Some((segment, place)) = lists.single()
            && !place.is_marked()
            && segments[segment].is_whole()
        {
            stats.add(1);
            return Ok(());
        }
        tally.clear();
        for (segment, places) in lists.iter() {
            tally.add(&segments[segment], places);
        }
        stats.add(tally.documents);
        if let Some(ranked) = tally.ranked(blot) {
            repeated += 1;
            if last.is_none_or(|last| ranked.rank_key() < last) {
                entries.push(ranked);
            }
            if entries.len() >= limit.saturating_mul(2).max(LEAST_KEPT) {
                cut(&mut entries, limit);
            }
        }
        Ok(())
    })?;
    keep_first(&mut entries, limit);
    Ok(Ranking { entries, repeated, stats, ..Ranking::default() })
}

/// Keeps the first `limit` entries in ranking order, and frees the memory of the others.
fn keep_first(entries: &mut Vec<RankedBlot>, limit: usize) {
    if entries.len() > limit {
        cut(entries, limit);
        entries.shrink_to_fit();
    }
}

/// Keeps the first `limit` entries in ranking order.
fn cut(entries: &mut Vec<RankedBlot>, limit: usize) {
    if (1..entries.len()).contains(&limit) {
        entries.select_nth_unstable_by_key(limit - 1, RankedBlot::rank_key);
    }
    entries.truncate(limit);
}

// An even sample of the repeated blots of a snapshot, in a small part of the time that all of them take.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_some_entries_are_kept_whatever_their_number() {
        let entry = |documents| {
            let mut tally = Tally::default();
            tally.documents = documents;
            tally.ranked(Blot::from_hash(0)).unwrap()
        };
        let all = [3, 9, 2, 7].map(entry);
        for (limit, kept) in [(0, vec![]), (2, vec![7, 9]), (4, vec![2, 3, 7, 9]), (9, vec![2, 3, 7, 9])] {
            let mut entries = all.to_vec();
            keep_first(&mut entries, limit);
            let mut documents: Vec<u32> = entries.into_iter().map(RankedBlot::documents).collect();
            documents.sort_unstable();
            assert_eq!(documents, kept);
        }
    }
}
