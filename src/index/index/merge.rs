//! Merging: several segments become one, without dead files.
//!
//! Segments are merged by size class: [`FANOUT`] segments of one class become one of the next (tiered merging), so
//! that n commits leave O(log n) segments and a posting is written O(log n) times. A segment with at least half of
//! its files dead is rewritten.
//!
//! A merge works on a snapshot, concurrently with the writer. Files that die or move meanwhile are handled when the
//! writer adopts the merged segment.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::home::SegmentName;
use super::posting::{PartId, PartRef, SHARDS, key_of};
use super::run::{EncodedRun, RunWriter};
use super::segment::SegmentWriter;
use super::sketches::{SketchFile, SketchWriter};
use super::snapshot::{LiveSegment, Snapshot};
use super::stream::merge_shard;
use super::table::{DocumentEntry, PartEntry, Table};
use super::{IndexError, IsStopped, posting};
use dupi_base::storage::{Folder, Lock};

/// How many segments of one size class are merged.
pub const FANOUT: usize = 8;
/// Segments with fewer postings are in the smallest class.
const SMALLEST_CLASS: u64 = 1 << 6;
/// Bytes of merged runs that wait to be written: enough to keep all cores busy, few enough for any memory limit.
const BYTES_AT_ONCE: u64 = 16 << 20;
const DEAD: u32 = u32::MAX;

/// A planned merge. It shares the writer's lock: as long as it may write, there is no other writer that could reuse
/// its file name or sweep its draft.
pub struct MergePlan {
    pub(super) folder: Folder,
    pub(super) name: String,
    /// The name of the file with the sketches, if all inputs have some.
    pub(super) sketches: Option<String>,
    pub(super) inputs: Vec<LiveSegment>,
    pub(super) _lock: Arc<Lock>,
}

/// The new number of each file of each input; none for a dead file.
type NewFiles = Vec<Vec<Option<u32>>>;

/// The result of a merge: a sealed segment that no generation names yet.
pub struct Merged {
    pub(super) segment: SegmentName,
    /// The sketches of its documents, if all segments that it replaces have some.
    pub(super) sketches: Option<SegmentName>,
    /// The segments it replaces, at the time of planning.
    pub(super) inputs: Vec<LiveSegment>,
    /// For each of them, the numbers of its files in the new segment; `None` for dead files.
    pub(super) files: NewFiles,
}

/// Chooses segments of the snapshot to merge now, if any.
pub(super) fn choose(snapshot: &Snapshot) -> Option<Vec<LiveSegment>> {
    let segments = snapshot.segments();
    let mut classes: Vec<u32> = segments.iter().map(class).collect();
    classes.sort_unstable();
    for same in classes.chunk_by(|a, b| a == b).filter(|same| same.len() >= FANOUT) {
        // Include smaller segments: that costs almost nothing.
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
    /// Writes the merged segment. This may take long; the index can be used and changed meanwhile.
    ///
    /// # Errors
    /// [`IndexError::Stopped`] soon after `is_stopped` returns `true`; no file is left then.
    pub fn run(self, is_stopped: IsStopped) -> Result<Merged, IndexError> {
        let (table, files, parts) = self.renumber();
        let mut writer = SegmentWriter::create(&self.folder, &self.name)?;
        let count = table.parts.len() as u32;
        writer.push_runs(self.shards_at_once(), |some| {
            some.into_par_iter().map(|shard| self.merge_run(shard, &parts, count, is_stopped)).collect()
        })?;
        if is_stopped() {
            return Err(IndexError::Stopped);
        }
        let segment = writer.seal(&table)?;
        let sketches = self.merge_sketches(table.documents.len())?;
        Ok(Merged { segment, sketches, inputs: self.inputs, files })
    }

    /// Writes the sketches of the live documents. There are none if those of an input are missing or damaged.
    fn merge_sketches(&self, documents: usize) -> Result<Option<SegmentName>, IndexError> {
        let Some(name) = &self.sketches else { return Ok(None) };
        // A file that could not be opened is tried once more.
        let reopen = |live: &LiveSegment| {
            let documents = live.segment().table().document_count();
            let name = live.sketches_name().filter(|_| live.sketches().is_err())?;
            Some(SketchFile::open(&self.folder, name, documents))
        };
        let reopened: Vec<Option<SketchFile>> = self.inputs.iter().map(reopen).collect();
        let mut inputs = Vec::new();
        for (live, reopened) in self.inputs.iter().zip(&reopened) {
            let sketches =
                reopened.as_ref().map_or_else(|| live.sketches(), |file| file.sketches().map(Some));
            match sketches {
                Ok(Some(sketches)) => inputs.push((live, sketches)),
                Ok(None) => return Ok(None),
                Err(error) => {
                    tracing::warn!("{error}; the merged segment has no sketches");
                    return Ok(None);
                }
            }
        }
        let mut writer = SketchWriter::create(&self.folder, name, documents)?;
        for (live, sketches) in inputs {
            let table = live.segment().table();
            for document in live.live_files().flat_map(|file| table.documents_of(file)) {
                writer.push_one(sketches.get(document).as_ref())?;
            }
        }
        writer.seal().map(Some)
    }

    /// Groups of shards that fit into memory, each with at least one shard per thread.
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

    /// The table without dead files, and the new numbers of the inputs' files and parts.
    fn renumber(&self) -> (Table, NewFiles, Vec<Vec<u32>>) {
        let mut table = Table::default();
        let (mut all_files, mut all_parts) = (Vec::new(), Vec::new());
        for live in &self.inputs {
            let view = live.segment().table();
            let mut files = vec![None; view.file_count()];
            let mut parts = vec![DEAD; view.part_count()];
            for file in live.live_files() {
                let new_file = table.files.len() as u32;
                files[file as usize] = Some(new_file);
                table.files.push(live.file(file));
                for document in view.documents_of(file) {
                    let new_document = table.documents.len() as u32;
                    table.documents.push(DocumentEntry { file: new_file, ..view.document(document) });
                    for part in view.parts_of(document) {
                        parts[part as usize] = table.parts.len() as u32;
                        table.parts.push(PartEntry { document: new_document, ..view.part(PartId(part)) });
                    }
                }
            }
            all_files.push(files);
            all_parts.push(parts);
        }
        (table, all_files, all_parts)
    }

    fn merge_run(
        &self,
        shard: usize,
        parts: &[Vec<u32>],
        count: u32,
        is_stopped: IsStopped,
    ) -> Result<EncodedRun, IndexError> {
        let mut run = RunWriter::new(count);
        let mut merged: Vec<PartRef> = Vec::new();
        merge_shard(&self.inputs, shard, is_stopped, |blot, lists| {
            merged.clear();
            for (input, places) in lists.iter() {
                let numbers = &parts[input];
                let moved = places.iter().map(|place| (numbers[place.part().0 as usize], place.is_marked()));
                merged.extend(
                    moved
                        .filter(|&(part, _)| part != DEAD)
                        .map(|(part, marked)| PartRef::new(PartId(part), marked)),
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
