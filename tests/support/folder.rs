//! Temporary folders for tests, in memory where the system has room for that. An index syncs every file that it writes, and
//! thousands of small indexes would wait for the disk.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use tempfile::TempDir;

/// Where Linux keeps files in memory.
const IN_MEMORY: &str = "/dev/shm";

/// So much room there must be.
const ROOM: u64 = 1 << 30;

/// Where temporary folders are made: where `TMPDIR` says, else in memory, else where the system usually has them.
static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
    let is_usual = std::env::var_os("TMPDIR").is_none();
    if is_usual && room(IN_MEMORY.as_ref()) >= ROOM { IN_MEMORY.into() } else { std::env::temp_dir() }
});

/// The bytes that can still be written to a folder's file system; none if there is no such folder.
fn room(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder).map_or(0, |found| found.f_bavail * found.f_frsize)
}

/// A new folder, gone when dropped.
pub fn tempdir() -> io::Result<TempDir> {
    tempfile::tempdir_in(&*PLACE)
}
