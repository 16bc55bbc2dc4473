//! Updates a ranking after a small change: only the blots of added and removed documents are counted again.
//!
//! The blots of added documents are those of the new segments. Those of removed documents are found by one pass
//! over the postings of their segments, which reads only part numbers. Each of these blots is looked up once and
//! counted before and after the change. The result is the same as that of a scan.

use std::collections::HashMap;

use rayon::prelude::*;

use super::block::PostingBlock;
use super::posting::{PartId, SHARDS, blot_of};
use super::ranking::{RankedBlot, Ranking, Tally};
use super::segment::Segment;
use super::snapshot::{LiveSegment, Snapshot};
use super::stream::ShardStream;
use super::{IndexError, IsStopped};
use dupi_text::blot::Blot;

/// Recounting one blot costs about as much as scanning this many postings.
const LOOKUP_COST: u64 = 64;
/// Up to this many blots are always recounted one by one.
const MIN_LIMIT: u64 = 4096;
/// Scanning this many postings takes longer than a user should wait for a new row.
pub const LONG_SCAN: u64 = 1 << 22;
/// How many blots a task counts.
const TASK: usize = 128;

/// A segment in two generations.
struct SegmentPair<'a> {
    before: Option<&'a LiveSegment>,
    after: Option<&'a LiveSegment>,
    segment: &'a Segment,
}

/// The counts of a blot in two generations: its document frequency, and its entry if it is repeated.
struct RecountedBlot {
    before: (u32, Option<RankedBlot>),
    after: (u32, Option<RankedBlot>),
}

impl Ranking {
    /// The ranking of a snapshot, or its first `limit` entries. A `known` ranking, given with its snapshot, is
    /// amended if necessary. Without one, or if fewer than `limit / 2` entries are left after amendment, the
    /// ranking is computed by a scan.
    ///
    /// # Errors
    /// [`IndexError::Stopped`] soon after `is_stopped` returns `true`; [`IndexError::Damaged`].
    pub fn renewed(
        known: Option<(&Snapshot, &Self)>,
        snapshot: &Snapshot,
        limit: usize,
        is_stopped: IsStopped,
    ) -> Result<Self, IndexError> {
        let amended = match known {
            Some((of, known)) => known.amended(of, snapshot, limit / 2, is_stopped)?,
            None => None,
        };
        amended.map_or_else(|| Self::scan_unless(snapshot, limit, is_stopped), Ok)
    }

    /// Updates this ranking of `before` to `after`. `None` if a scan is cheaper, or if it is incomplete and fewer
    /// than `least` entries would be left.
    pub fn amended(
        &self,
        before: &Snapshot,
        after: &Snapshot,
        least: usize,
        is_stopped: IsStopped,
    ) -> Result<Option<Self>, IndexError> {
        let content = after.manifest().content;
        if content == before.manifest().content {
            return Ok(Some(self.clone()));
        }
        let pairs = segment_pairs(before, after);
        let Some(blots) = affected(&pairs, &pairs, is_stopped)? else { return Ok(None) };
        let amended = self.recounted(content, &pairs, &blots, is_stopped)?;
        Ok(Some(amended).filter(|amended| amended.is_complete() || amended.entries.len() >= least))
    }

    /// A preliminary ranking for display while [`Self::amended`] takes long: the blots of added documents have
    /// correct counts, those that occur only in removed documents do not yet. `None` if fewer than `long` postings
    /// have to be scanned, or if no documents were added.
    pub fn amended_by_what_came(
        &self,
        before: &Snapshot,
        after: &Snapshot,
        long: u64,
        is_stopped: IsStopped,
    ) -> Result<Option<Self>, IndexError> {
        let pairs = segment_pairs(before, after);
        let is_lossy = |pair: &&SegmentPair| pair.before.is_some() && pair.changed_parts().contains(&true);
        if pairs.iter().filter(is_lossy).map(SegmentPair::postings).sum::<u64>() < long {
            return Ok(None);
        }
        match affected(&pairs, pairs.iter().filter(|pair| pair.before.is_none()), is_stopped)? {
            Some(blots) if !blots.is_empty() => {
                Ok(Some(self.recounted(before.manifest().content, &pairs, &blots, is_stopped)?))
            }
            _ => Ok(None),
        }
    }

    /// The ranking with some blots recounted.
    fn recounted(
        &self,
        content: u64,
        pairs: &[SegmentPair],
        blots: &[Blot],
        is_stopped: IsStopped,
    ) -> Result<Self, IndexError> {
        let of_task = |block: &mut PostingBlock, blots: &[Blot]| {
            if is_stopped() {
                return Err(IndexError::Stopped);
            }
            blots.iter().map(|&blot| count(pairs, blot, block)).collect::<Result<Vec<_>, _>>()
        };
        let counted = blots.par_chunks(TASK).map_init(PostingBlock::default, of_task);
        let counted: Vec<Vec<RecountedBlot>> = counted.collect::<Result<_, _>>()?;
        Ok(self.with(content, counted.into_iter().flatten()))
    }

    /// The ranking with new counts of some blots.
    fn with(&self, content: u64, counted: impl Iterator<Item = RecountedBlot>) -> Self {
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let mut stats = self.stats;
        for RecountedBlot { before, after } in counted {
            stats.remove(before.0);
            stats.add(after.0);
            removed.extend(before.1);
            added.extend(after.1);
        }
        let repeated = self.repeated + added.len() as u64 - removed.len() as u64;
        if !self.is_complete() {
            // The entries after the last known one are unknown.
            let last = self.entries.last().map(RankedBlot::rank_key);
            added.retain(|entry| Some(entry.rank_key()) <= last);
        }
        removed.sort_unstable_by_key(RankedBlot::rank_key);
        added.sort_unstable_by_key(RankedBlot::rank_key);
        let mut entries = Vec::with_capacity(self.entries.len() + added.len());
        let (mut removed, mut added) = (removed.into_iter().peekable(), added.into_iter().peekable());
        for entry in &self.entries {
            while removed.next_if(|removed| removed.rank_key() < entry.rank_key()).is_some() {}
            if removed.next_if_eq(entry).is_some() {
                continue;
            }
            while let Some(added) = added.next_if(|added| added.rank_key() < entry.rank_key()) {
                entries.push(added);
            }
            entries.push(*entry);
        }
        entries.extend(added);
        Self { content, entries, repeated, stats }
    }
}

/// The segments of two generations, each once.
fn segment_pairs<'a>(before: &'a Snapshot, after: &'a Snapshot) -> Vec<SegmentPair<'a>> {
    let names = |snapshot: &'a Snapshot| {
        snapshot.segments().iter().map(|live| (live.name().name.as_str(), live)).collect::<HashMap<_, _>>()
    };
    let (old, new) = (names(before), names(after));
    let is_new = |live: &&LiveSegment| !old.contains_key(live.name().name.as_str());
    let old_segments = before.segments().iter().map(|live| SegmentPair {
        before: Some(live),
        after: new.get(live.name().name.as_str()).copied(),
        segment: live.segment(),
    });
    let new_segments = after.segments().iter().filter(is_new).map(|live| SegmentPair {
        before: None,
        after: Some(live),
        segment: live.segment(),
    });
    old_segments.chain(new_segments).collect()
}

/// The sorted blots of parts that only one of two generations has, in some of their segments; `None` if there are
/// so many that a scan of all segments is cheaper than recounting.
fn affected<'s>(
    all: &[SegmentPair],
    some: impl IntoIterator<Item = &'s SegmentPair<'s>>,
    is_stopped: IsStopped,
) -> Result<Option<Vec<Blot>>, IndexError> {
    let limit = (all.iter().map(SegmentPair::postings).sum::<u64>() / LOOKUP_COST).max(MIN_LIMIT);
    let mut blots = Vec::new();
    for pair in some {
        let changed = pair.changed_parts();
        let Some(first) = changed.iter().position(|&is_changed| is_changed) else { continue };
        let is_whole = pair.before.is_none() || pair.after.is_none();
        if is_whole && pair.segment.counts().blots > limit {
            return Ok(None);
        }
        let last = changed.iter().rposition(|&is_changed| is_changed).unwrap_or(first);
        let (first, last) = (first as u32, last as u32);
        let is_changed = |PartId(part): PartId| {
            (first..=last).contains(&part) && (first == last || changed[part as usize])
        };
        let of_shard = |shard| blots_of(pair.segment, shard, is_changed, is_stopped);
        let found: Vec<Vec<Blot>> = (0..SHARDS).into_par_iter().map(of_shard).collect::<Result<_, _>>()?;
        blots.extend(found.into_iter().flatten());
        if blots.len() as u64 > limit {
            return Ok(None);
        }
    }
    blots.sort_unstable();
    blots.dedup();
    Ok(Some(blots))
}

impl SegmentPair<'_> {
    fn postings(&self) -> u64 {
        self.segment.counts().postings
    }

    /// For each part of the segment, whether only one of the generations has it.
    fn changed_parts(&self) -> Vec<bool> {
        let table = self.segment.table();
        let is_live = |live: Option<&LiveSegment>, file| live.is_some_and(|live| live.is_live_file(file));
        let mut changed = vec![false; table.part_count()];
        for file in 0..table.file_count() as u32 {
            if is_live(self.before, file) != is_live(self.after, file) {
                let parts = table.documents_of(file).flat_map(|document| table.parts_of(document));
                parts.for_each(|part| changed[part as usize] = true);
            }
        }
        changed
    }
}

/// The blots of a shard that occur in one of the wanted parts.
fn blots_of(
    segment: &Segment,
    shard: usize,
    is_wanted: impl Fn(PartId) -> bool,
    is_stopped: IsStopped,
) -> Result<Vec<Blot>, IndexError> {
    let mut found = Vec::new();
    let mut stream = ShardStream::new(segment, shard);
    while let Some(block) = stream.advance_block()? {
        if is_stopped() {
            return Err(IndexError::Stopped);
        }
        for list in 0..block.len() {
            if block.places(list).iter().any(|place| is_wanted(place.part())) {
                found.push(blot_of(shard, block.key(list)).ok_or_else(|| segment.out_of_range())?);
            }
        }
    }
    Ok(found)
}

fn count(pairs: &[SegmentPair], blot: Blot, block: &mut PostingBlock) -> Result<RecountedBlot, IndexError> {
    let (mut before, mut after) = (Tally::default(), Tally::default());
    for pair in pairs {
        let places = pair.segment.find(blot, block)?;
        if let Some(live) = pair.before {
            before.add(live, places);
        }
        if let Some(live) = pair.after {
            after.add(live, places);
        }
    }
    Ok(RecountedBlot {
        before: (before.documents, before.ranked(blot)),
        after: (after.documents, after.ranked(blot)),
    })
}
