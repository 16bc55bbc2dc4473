//! Changed files of the index. The old documents of a file are removed when it was read again, or is no longer a
//! document. A file that could not be read, or was not reached, keeps them.

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;

use super::plan::Plan;
use dupi_base::corpus::Skipped;
use dupi_index::index::segment::Batch;
use dupi_index::index::snapshot::{FileId, Snapshot};

/// The changed files that still have their old documents, by path.
pub(super) struct Replaced(HashMap<Vec<u8>, IndexedFile>);

/// A file in the index, by the name of its segment, which is valid in later generations too.
struct IndexedFile {
    segment: String,
    file: u32,
}

impl Replaced {
    /// Moves the files that are to be read again from the plan's dead files to this list.
    pub(super) fn take(snapshot: &Snapshot, plan: &mut Plan) -> Self {
        let mut changed = HashMap::new();
        let Plan { read, dead, .. } = plan;
        dead.retain(|&id| {
            let path = snapshot.path(id);
            let is_read = read.binary_search_by(|file| file.path.as_path().cmp(path)).is_ok();
            if is_read {
                let segment = snapshot.segments()[id.segment as usize].name().name.clone();
                changed.insert(path.as_os_str().as_bytes().to_vec(), IndexedFile { segment, file: id.file });
            }
            !is_read
        });
        Self(changed)
    }

    /// Removes and returns the files that are replaced by a batch, or that were skipped with it, as a snapshot
    /// identifies them.
    pub(super) fn by(&mut self, snapshot: &Snapshot, batch: &Batch, skipped: &[Skipped]) -> Vec<FileId> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let read = batch.table.files.iter().map(|row| row.path.as_slice());
        let no_more = skipped.iter().filter(|entry| !entry.reason.is_refusal());
        let no_more = no_more.map(|entry| entry.path.as_os_str().as_bytes());
        let mut dead = Vec::new();
        for path in read.chain(no_more) {
            let Some(IndexedFile { segment, file }) = self.0.remove(path) else { continue };
            let number = snapshot.segments().iter().position(|live| live.name().name == segment);
            dead.extend(number.map(|number| FileId { segment: number as u32, file }));
        }
        dead
    }
}
