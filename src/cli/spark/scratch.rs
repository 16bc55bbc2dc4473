//! Private folders of jobs on Spark, which are removed at the end, or by the next job.

use std::fs::{self, DirBuilder, File};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::cli::messages::tell;
use crate::storage::{StorageError, create_private};

/// What the names of scratch folders begin with.
const SCRATCH: &str = "dupi-spark-";
/// What the names of scratch folders begin with that stay because their segments are of use.
const KEPT: &str = "dupi-segments-";
/// The file in a scratch folder that is locked as long as a process uses the folder.
const LOCK: &str = "lock";

/// A private folder that is removed when it is dropped. After a process that was killed, the next one removes it.
pub(super) struct Scratch {
    /// Its path; empty once it is kept.
    path: PathBuf,
    /// The job has this file open too: it may outlive this process, and uses the folder.
    _lock: File,
}

impl Scratch {
    /// Creates one in a folder, and removes those there that no process uses any more.
    pub(super) fn create(parent: &Path) -> Result<Self, StorageError> {
        sweep(parent);
        let path = Self::numbered(parent, SCRATCH, |path| DirBuilder::new().mode(0o700).create(path))?;
        let failed = |error| StorageError::of("lock", path.join(LOCK))(error);
        let lock = create_private(&path.join(LOCK)).map_err(failed)?;
        // A file system without locks has none that seems free, so nothing of it is swept.
        let _ = lock.try_lock();
        rustix::io::fcntl_setfd(&lock, rustix::io::FdFlags::empty()).map_err(|error| failed(error.into()))?;
        Ok(Self { path, _lock: lock })
    }

    /// Makes a folder in another with the first name that is free.
    fn numbered(
        parent: &Path,
        prefix: &str,
        make: impl Fn(&Path) -> std::io::Result<()>,
    ) -> Result<PathBuf, StorageError> {
        let mut number = 0;
        loop {
            let path = parent.join(format!("{prefix}{}-{number}", std::process::id()));
            match make(&path) {
                Ok(()) => return Ok(path),
                Err(error)
                    if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty) =>
                {
                    number += 1;
                }
                Err(error) => return Err(StorageError::of("create", path)(error)),
            }
        }
    }

    /// Gives the folder a name with which it stays. Returns its path.
    pub(super) fn keep(mut self) -> Result<PathBuf, StorageError> {
        let parent = self.path.parent().unwrap_or(Path::new(".")).to_owned();
        let kept = Self::numbered(&parent, KEPT, |kept| fs::rename(&self.path, kept))?;
        self.path = PathBuf::new();
        Ok(kept)
    }

    /// The path of a file in it.
    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.path.as_os_str().is_empty() {
            return;
        }
        if let Err(error) = fs::remove_dir_all(&self.path) {
            tell(format_args!("{}", StorageError::of("remove", &self.path)(error)));
        }
    }
}

/// Removes the scratch folders of this user that no process uses any more.
fn sweep(parent: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_scratch = entry.file_name().as_bytes().starts_with(SCRATCH.as_bytes());
        let is_own = || entry.metadata().is_ok_and(|folder| folder.is_dir() && folder.uid() == user);
        if is_scratch && is_own() {
            let lock = File::options().write(true).open(entry.path().join(LOCK));
            if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}
