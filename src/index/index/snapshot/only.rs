//! A part of a generation: the same index as if it had only some of its files.

use std::path::Path;
use std::sync::Arc;

use super::{DeadFiles, LiveSegment, Snapshot};

impl Snapshot {
    /// The same generation as if it had only some files: those whose paths are meant.
    pub fn only(&self, is_meant: &dyn Fn(&Path) -> bool) -> Self {
        let segments = self.segments.iter().map(|live| live.only(is_meant)).collect();
        Self { segments, totals: Arc::default(), is_part: true, ..self.clone() }
    }

    /// Whether files are left out that the generation has. What is kept in the folder of the index is about all of them.
    pub fn is_part(&self) -> bool {
        self.is_part
    }
}

impl LiveSegment {
    /// The same segment, where other files count as dead.
    fn only(&self, is_meant: &dyn Fn(&Path) -> bool) -> Self {
        let mut dead = self.dead.0.to_vec();
        let left_out = self.live_files().filter(|&file| !is_meant(self.path(file)));
        let mut is_whole = self.whole;
        for file in left_out {
            dead[file as usize / 64] |= 1 << (file % 64);
            is_whole = false;
        }
        Self { dead: DeadFiles(dead.into()), whole: is_whole, ..self.clone() }
    }
}
