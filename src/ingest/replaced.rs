//! Files of the index that changed. What the index has of one goes when it was read anew, or turned out to be
//! no document any more; a file that cannot be read, or was not come to, keeps it.

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;

use super::plan::Plan;
use crate::corpus::Skipped;
use crate::index::segment::Batch;
use crate::index::snapshot::{FileId, Snapshot};

/// Which of them still have what they had, by path.
pub struct Replaced(HashMap<Vec<u8>, Standing>);

/// Where a file stands, whatever other segments come and go.
struct Standing {
    segment: String,
    file: u32,
}

impl Replaced {
    /// Takes those that are to be read from the ones that are gone.
    pub fn take(snapshot: &Snapshot, plan: &mut Plan) -> Self {
        let mut changed = HashMap::new();
        let Plan { read, dead, .. } = plan;
        dead.retain(|&id| {
            let path = snapshot.path(id);
            let is_read = read.binary_search_by(|file| file.path.as_path().cmp(path)).is_ok();
            if is_read {
                let segment = snapshot.segments()[id.segment as usize].name().name.clone();
                changed.insert(path.as_os_str().as_bytes().to_vec(), Standing { segment, file: id.file });
            }
            !is_read
        });
        Self(changed)
    }

    /// Those that are replaced by a batch, or by what was left out when it was made, as a snapshot names them.
    pub fn by(&mut self, snapshot: &Snapshot, batch: &Batch, skipped: &[Skipped]) -> Vec<FileId> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let read = batch.table.files.iter().map(|row| row.path.as_slice());
        let no_more = skipped.iter().filter(|entry| !entry.reason.is_refusal());
        let no_more = no_more.map(|entry| entry.path.as_os_str().as_bytes());
        let mut dead = Vec::new();
        for path in read.chain(no_more) {
            let Some(Standing { segment, file }) = self.0.remove(path) else { continue };
            let number = snapshot.segments().iter().position(|live| live.name().name == segment);
            dead.extend(number.map(|number| FileId { segment: number as u32, file }));
        }
        dead
    }
}
