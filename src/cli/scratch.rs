//! Private temporary folders, as of `history` and of jobs on Spark, which are removed at the end, or by the next process
//! that makes one.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, ErrorKind};
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cli::output::tell;
use dupi_base::storage::{StorageError, create_private, shown};

/// What the names of scratch folders begin with.
const SCRATCH: &str = "dupi-scratch-";
/// What the names of scratch folders begin with that stay because their segments are of use.
const KEPT: &str = "dupi-segments-";
/// The file in a scratch folder that is locked as long as a process uses the folder.
const LOCK: &str = "lock";
/// How long a folder without that file is left alone: it may be that of a process that has just made it.
const WITHOUT_LOCK: Duration = Duration::from_hours(24);

/// A private folder that is removed when it is dropped. After a process that was killed, the next one removes it.
pub(super) struct Scratch {
    /// Its path; empty once it is kept.
    path: PathBuf,
    /// Locked as long as this is open.
    lock: File,
}

impl Scratch {
    /// Creates one in a folder, and removes those there that no process uses any more.
    pub(super) fn create(parent: &Path) -> Result<Self, StorageError> {
        sweep(parent);
        loop {
            let path = Self::numbered(parent, SCRATCH, |path| DirBuilder::new().mode(0o700).create(path))?;
            let failed = |error| StorageError::during("lock", path.join(LOCK))(error);
            let lock = create_private(&path.join(LOCK)).map_err(failed)?;
            // A file system without locks has none that seems free, so nothing of it is swept.
            let is_swept = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
            // Another process may have taken it for a leftover before it was locked.
            if is_swept || !is_at(&lock, &path.join(LOCK)) {
                continue;
            }
            return Ok(Self { path, lock });
        }
    }

    /// Lets the programs that are started from now on have the lock too: one that outlives this process uses the folder.
    pub(super) fn share(self) -> Result<Self, StorageError> {
        let shared = rustix::io::fcntl_setfd(&self.lock, rustix::io::FdFlags::empty());
        shared.map_err(|error| StorageError::during("share", self.path.join(LOCK))(error.into()))?;
        Ok(self)
    }

    /// Makes a folder in another with the first name that is free.
    fn numbered(
        parent: &Path,
        prefix: &str,
        make: impl Fn(&Path) -> io::Result<()>,
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
                Err(error) => return Err(StorageError::during("create", path)(error)),
            }
        }
    }

    /// Gives the folder a name with which it stays. Returns its path: the old one if it cannot be renamed.
    pub(super) fn keep(mut self) -> PathBuf {
        let path = mem::take(&mut self.path);
        let parent = path.parent().unwrap_or(Path::new(".")).to_owned();
        Self::numbered(&parent, KEPT, |kept| fs::rename(&path, kept)).unwrap_or_else(|error| {
            // So the next job does not remove it at once.
            let _ = fs::remove_file(path.join(LOCK));
            tell(format_args!("{error}; a job removes {} when it is a day old", shown(&path)));
            path
        })
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
        if let Err(error) = remove(&self.path) {
            tell(format_args!("{}", StorageError::during("remove", &self.path)(error)));
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
            let is_left = match &lock {
                Ok(lock) => lock.try_lock().is_ok(),
                // A task that outlived its job has made it again, or the file was removed and the folder was not.
                Err(error) => error.kind() == ErrorKind::NotFound && is_old(&entry.path()),
            };
            if is_left {
                // What cannot be removed now, the next job finds.
                let _ = remove(&entry.path());
            }
        }
    }
}

/// Removes a scratch folder, and its lock last: as long as there is something else in it, it is seen as what it is.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false if entry.file_name() == LOCK => {}
            false => fs::remove_file(entry.path())?,
        }
    }
    fs::remove_dir_all(folder)
}

/// Whether a folder was last changed longer ago than a process needs to lock it.
fn is_old(folder: &Path) -> bool {
    let changed = fs::metadata(folder).and_then(|folder| folder.modified()).ok();
    changed.and_then(|changed| changed.elapsed().ok()).is_some_and(|age| age > WITHOUT_LOCK)
}

/// Whether a path leads to an open file.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(of_file), Ok(of_path)) = (file.metadata(), fs::metadata(path)) else { return false };
    (of_file.dev(), of_file.ino()) == (of_path.dev(), of_path.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_lock_is_removed_when_it_is_old() {
        let place = tempfile::tempdir().unwrap();
        let left = |name: &str, age| {
            let path = place.path().join(format!("{SCRATCH}{name}"));
            fs::create_dir_all(path.join("blocks")).unwrap();
            let changed = std::time::SystemTime::now() - age;
            File::open(&path).unwrap().set_modified(changed).unwrap();
            path
        };
        let (old, new) = (left("1-0", WITHOUT_LOCK * 2), left("1-1", WITHOUT_LOCK / 2));
        let free = left("1-2", Duration::ZERO);
        File::create(free.join(LOCK)).unwrap();
        let own = Scratch::create(place.path()).unwrap();
        let other = Scratch::create(place.path()).unwrap();
        assert_eq!(
            [&old, &new, &free, &own.path, &other.path].map(|path| path.exists()),
            [false, true, false, true, true]
        );
    }

    #[test]
    fn only_a_shared_lock_is_open_in_other_programs() {
        let place = tempfile::tempdir().unwrap();
        let closes = |scratch: &Scratch| {
            rustix::io::fcntl_getfd(&scratch.lock).unwrap().contains(rustix::io::FdFlags::CLOEXEC)
        };
        let scratch = Scratch::create(place.path()).unwrap();
        assert!(closes(&scratch));
        assert!(!closes(&scratch.share().unwrap()));
    }

    #[test]
    fn what_is_to_be_kept_is_kept_even_if_it_cannot_be_renamed() {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        let path = scratch.at("segments");
        fs::create_dir(&path).unwrap();
        let kept = scratch.keep();
        assert!(kept.join("segments").exists() && !path.exists());
        // A path that is there no more cannot be renamed.
        let scratch = Scratch::create(place.path()).unwrap();
        let moved = place.path().join("moved");
        fs::rename(&scratch.path, &moved).unwrap();
        let expected = scratch.path.clone();
        assert_eq!(scratch.keep(), expected);
        assert!(moved.exists());
    }
}
