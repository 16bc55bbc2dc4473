//! The distribution of a row's copies over the corpus: the files in the order of their paths are cut into slices, and the
//! copies in each slice are counted.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_index::query::Occurrence;

/// The number of slices, or the number of files if it is smaller.
const SLICES: usize = 256;
/// The size of the sample of files: large enough to tell the slices, and sorted within milliseconds.
const SAMPLE: usize = SLICES * 64;

/// The files of a generation in the order of their paths, or an even sample of them.
pub(crate) struct PathOrder {
    snapshot: Snapshot,
    sample: Vec<FileId>,
}

impl PathOrder {
    /// The order of the live files of a generation.
    pub(crate) fn from_snapshot(snapshot: &Snapshot) -> Self {
        let step = snapshot.files().count().div_ceil(SAMPLE).max(1);
        let mut sample: Vec<FileId> = snapshot.files().step_by(step).collect();
        sample.sort_by_cached_key(|&file| bytes(snapshot.path(file)).to_vec());
        Self { snapshot: snapshot.clone(), sample }
    }

    fn slices(&self) -> usize {
        self.sample.len().min(SLICES)
    }

    /// The number of the slice that a path lies in.
    fn slice_of(&self, path: &Path) -> usize {
        let before = |file: &FileId| bytes(self.snapshot.path(*file)) < bytes(path);
        let rank = self.sample.partition_point(before);
        (rank * self.slices() / self.sample.len().max(1)).min(self.slices().saturating_sub(1))
    }
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

/// The copies of one row, counted as they are found.
#[derive(Default)]
pub(crate) struct Heat {
    /// The order of files, once it is known.
    pub order: Option<Arc<PathOrder>>,
    /// The number of copies that are counted.
    counted: usize,
    slices: Arc<Vec<u16>>,
}

impl Heat {
    /// No copy counted yet.
    pub(crate) fn new(order: Option<Arc<PathOrder>>) -> Self {
        Self { order, ..Self::default() }
    }

    /// Counts the copies that were added since the last call, and returns all counts.
    pub(crate) fn count(&mut self, found: &[Occurrence]) -> Arc<Vec<u16>> {
        let new = found.get(self.counted..).unwrap_or_default();
        if let Some(order) = self.order.as_ref().filter(|_| !new.is_empty()) {
            let slices = Arc::make_mut(&mut self.slices);
            slices.resize(order.slices(), 0);
            // The copies of one file are adjacent.
            for together in new.chunk_by(|a, b| a.path == b.path) {
                if let Some(count) = slices.get_mut(order.slice_of(&together[0].path)) {
                    *count = count.saturating_add(u16::try_from(together.len()).unwrap_or(u16::MAX));
                }
            }
            self.counted = found.len();
        }
        Arc::clone(&self.slices)
    }
}
