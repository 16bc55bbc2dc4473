//! Sealed files, read through a memory map: the one place of this program with `unsafe`.
//!
//! A mapped file that shrinks ends the process with SIGBUS. This is excluded for our own doing: only
//! sealed files are mapped, their folder is its owner's alone (mode 0700), and no code truncates or
//! writes to a sealed file – it is unlinked, which leaves a map intact. Files of the corpus, which
//! anybody may truncate at any time, are never mapped but read.
#![allow(unsafe_code)]

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use super::IndexError;

/// Maps a sealed file of the index and checks its length.
pub(super) fn map_sealed(path: &Path, length: u64) -> Result<Mmap, IndexError> {
    let file = File::open(path).map_err(IndexError::io("open", path))?;
    let found = file.metadata().map_err(IndexError::io("read", path))?.len();
    if found != length {
        return Err(IndexError::damaged(path, "its length is not what the manifest says"));
    }
    // SAFETY: sealed files are never written to or truncated, see the head of this module.
    unsafe { Mmap::map(&file) }.map_err(IndexError::io("map", path))
}
