//! How many segments become one, without what is dead in them.
//!
//! Segments are merged by size class: [`FANOUT`] segments of one class become one of the next (tiered
//! merging), so that n commits leave O(log n) segments and a posting is written O(log n) times. A segment
//! of which half is dead is written anew.
//!
//! A merge works on a snapshot and runs beside the writer. What died or moved meanwhile is carried over
//! when the writer adopts its outcome.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::posting::{PartId, Place, SHARDS, key_of};
use super::run::{EncodedRun, RunWriter};
use super::segment::{SegmentName, SegmentWriter};
use super::snapshot::{LiveSegment, Snapshot};
use super::stream::merge_shard;
use super::table::{DocumentRow, PartRow, Table};
use super::{IndexError, IsStopped, posting};
use crate::storage::{Folder, Lock};

/// How many segments of one size class are merged.
pub const FANOUT: usize = 8;
/// Segments with fewer postings are all of the smallest class.
const SMALLEST_CLASS: u64 = 1 << 6;
/// Bytes of merged runs that wait to be written: enough for every core, few enough for any memory.
const BYTES_AT_ONCE: u64 = 16 << 20;
const DEAD: u32 = u32::MAX;

/// A merge that is worth doing. It holds the writer's lock too: as long as it may write, there is no other
/// writer, which would give its file's name to another file or sweep its draft.
pub struct MergePlan {
    folder: Folder,
    name: String,
    inputs: Vec<LiveSegment>,
    _lock: Arc<Lock>,
}

/// A merge that was done: a sealed segment that no generation names yet.
pub struct Merged {
    pub(super) segment: SegmentName,
    /// The segments it replaces, as they were.
    pub(super) inputs: Vec<LiveSegment>,
    /// For each of them: its files' numbers in the new segment; [`None`] for those that were dead.
    pub(super) files: Vec<Vec<Option<u32>>>,
}

/// Which segments of the snapshot to merge now, if any.
pub(super) fn choose(snapshot: &Snapshot) -> Option<Vec<LiveSegment>> {
    let segments = snapshot.segments();
    let mut classes: Vec<u32> = segments.iter().map(class).collect();
    classes.sort_unstable();
    for same in classes.chunk_by(|a, b| a == b).filter(|same| same.len() >= FANOUT) {
        // Smaller ones go with them for next to nothing.
        let members: Vec<_> = segments.iter().filter(|live| class(live) <= same[0]).cloned().collect();
        if fits(&members) {
            return Some(members);
        }
    }
    segments.iter().find(|live| is_half_dead(live)).map(|live| vec![live.clone()])
}

fn class(live: &LiveSegment) -> u32 {
    (live.counts().postings / SMALLEST_CLASS).checked_ilog(FANOUT as u64).map_or(0, |class| class + 1)
}

fn fits(members: &[LiveSegment]) -> bool {
    let parts: usize = members.iter().map(|live| live.segment().table().part_count()).sum();
    parts <= posting::MAX_PARTS as usize
}

fn is_half_dead(live: &LiveSegment) -> bool {
    let files = live.segment().table().file_count();
    !live.is_whole() && live.live_files().count() * 2 <= files
}

impl MergePlan {
    pub(super) fn new(folder: &Folder, name: String, inputs: Vec<LiveSegment>, lock: Arc<Lock>) -> Self {
        Self { folder: folder.clone(), name, inputs, _lock: lock }
    }

    /// Writes the merged segment. Takes as long as it takes; the index goes on meanwhile.
    ///
    /// # Errors
    /// [`IndexError::Stopped`] soon after `is_stopped` says so: then nothing is left of it.
    pub fn run(self, is_stopped: IsStopped) -> Result<Merged, IndexError> {
        let (table, files, parts, bytes) = self.renumber();
        let mut writer = SegmentWriter::create(&self.folder, &self.name)?;
        let count = table.parts.len() as u32;
        writer.push_runs(self.shards_at_once(), |some| {
            some.into_par_iter().map(|shard| self.merge_run(shard, &parts, count, is_stopped)).collect()
        })?;
        if is_stopped() {
            return Err(IndexError::Stopped);
        }
        let segment = writer.seal(&table, bytes)?;
        Ok(Merged { segment, inputs: self.inputs, files })
    }

    /// All shards, so many together as go into memory, but one for each thread.
    fn shards_at_once(&self) -> Vec<Range<usize>> {
        let threads = rayon::current_num_threads();
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut room = 0;
        for shard in 0..SHARDS {
            let bytes: u64 = self.inputs.iter().map(|live| live.segment().shard_bytes(shard)).sum();
            match groups.last_mut() {
                Some(group) if bytes <= room || group.len() < threads => group.end += 1,
                _ => {
                    room = BYTES_AT_ONCE;
                    groups.push(shard..shard + 1);
                }
            }
            room = room.saturating_sub(bytes);
        }
        groups
    }

    /// The table without what is dead, and where each file and part of the inputs went in it.
    #[allow(clippy::type_complexity)]
    fn renumber(&self) -> (Table, Vec<Vec<Option<u32>>>, Vec<Vec<u32>>, u64) {
        let mut table = Table::default();
        let mut bytes = 0;
        let (mut all_files, mut all_parts) = (Vec::new(), Vec::new());
        for live in &self.inputs {
            let view = live.segment().table();
            let mut files = vec![None; view.file_count()];
            let mut parts = vec![DEAD; view.part_count()];
            for file in live.live_files() {
                let new_file = table.files.len() as u32;
                files[file as usize] = Some(new_file);
                let row = live.file(file);
                bytes += row.stamp.size;
                table.files.push(row);
                for document in view.documents_of(file) {
                    let new_document = table.documents.len() as u32;
                    table.documents.push(DocumentRow { file: new_file, ..view.document(document) });
                    for part in view.parts_of(document) {
                        parts[part as usize] = table.parts.len() as u32;
                        table.parts.push(PartRow { document: new_document, ..view.part(PartId(part)) });
                    }
                }
            }
            all_files.push(files);
            all_parts.push(parts);
        }
        (table, all_files, all_parts, bytes)
    }

    fn merge_run(
        &self,
        shard: usize,
        parts: &[Vec<u32>],
        count: u32,
        is_stopped: IsStopped,
    ) -> Result<EncodedRun, IndexError> {
        let mut run = RunWriter::new(count);
        let mut merged: Vec<Place> = Vec::new();
        merge_shard(&self.inputs, shard, is_stopped, |blot, lists| {
            merged.clear();
            for (input, places) in lists.iter() {
                let numbers = &parts[input];
                let moved = places.iter().map(|place| (numbers[place.part().0 as usize], place.is_marked()));
                merged.extend(
                    moved
                        .filter(|&(part, _)| part != DEAD)
                        .map(|(part, marked)| Place::new(PartId(part), marked)),
                );
            }
            run.push(key_of(blot), merged.iter().copied());
            Ok(())
        })?;
        Ok(run.finish())
    }
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
