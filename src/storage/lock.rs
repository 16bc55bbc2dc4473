//! Who may write: one process at a time, by a lock that the kernel releases when the process dies. So a
//! lock is never stale, whatever its file says.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;

use super::{Folder, StorageError};

/// The right to write something, held until dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// Another process, or another part of this one, holds the lock: its process id and host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held(pub String);

impl Lock {
    /// Takes the lock that the file `name` stands for, or says who holds it.
    pub fn take(folder: &Folder, name: &str) -> Result<Result<Self, Held>, StorageError> {
        let mut file = open(folder, name)?;
        match file.try_lock() {
            Ok(()) => Ok(Ok(Self::signed(file))),
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                Ok(Err(Held(match holder.trim() {
                    "" => "another process".to_owned(),
                    holder => holder.to_owned(),
                })))
            }
            Err(TryLockError::Error(error)) => Err(StorageError::of("lock", folder.at(name))(error)),
        }
    }

    /// Takes the lock as soon as it is free.
    pub fn wait(folder: &Folder, name: &str) -> Result<Self, StorageError> {
        let file = open(folder, name)?;
        file.lock().map_err(StorageError::of("lock", folder.at(name)))?;
        Ok(Self::signed(file))
    }

    /// Whether the file `name` in the folder is still the one that is locked. Where it is not, somebody removed
    /// it, and another process may hold a lock of that name.
    pub fn stands(&self, folder: &Folder, name: &str) -> bool {
        match (self.file.metadata(), std::fs::symlink_metadata(folder.at(name))) {
            (Ok(held), Ok(there)) => (held.dev(), held.ino()) == (there.dev(), there.ino()),
            (_, Err(error)) => error.kind() != ErrorKind::NotFound,
            _ => true,
        }
    }

    /// Writes down who holds it. The note only serves messages; a lock without it is as good.
    fn signed(mut file: File) -> Self {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let holder = match host.trim() {
            "" => format!("process {}", std::process::id()),
            host => format!("process {} on {host}", std::process::id()),
        };
        let _ = file
            .set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(holder.as_bytes()));
        Self { file }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file would not do at once: a process that is being started still has it open for a moment.
        let _ = self.file.unlock();
    }
}

fn open(folder: &Folder, name: &str) -> Result<File, StorageError> {
    let path = folder.at(name);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(&path).map_err(StorageError::of("open", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_writer_is_told_who_the_first_is() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let first = Lock::take(&folder, "lock").unwrap().unwrap();
        let Held(holder) = Lock::take(&folder, "lock").unwrap().unwrap_err();
        assert!(holder.contains(&format!("process {}", std::process::id())), "{holder}");
        drop(first);
        Lock::take(&folder, "lock").unwrap().unwrap();
    }

    #[test]
    fn a_lock_whose_file_was_removed_does_not_stand() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let lock = Lock::take(&folder, "lock").unwrap().unwrap();
        assert!(lock.stands(&folder, "lock"));
        std::fs::remove_file(folder.at("lock")).unwrap();
        assert!(!lock.stands(&folder, "lock"));
        let other = Lock::take(&folder, "lock").unwrap().unwrap();
        assert!(!lock.stands(&folder, "lock") && other.stands(&folder, "lock"));
    }

    #[test]
    fn a_lock_is_free_at_once_though_a_process_that_is_being_started_has_its_file_open() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let lock = Lock::take(&folder, "lock").unwrap().unwrap();
        let inherited = lock.file.try_clone().unwrap();
        drop(lock);
        Lock::take(&folder, "lock").unwrap().unwrap();
        drop(inherited);
    }

    #[test]
    fn what_a_dead_writer_left_in_the_file_blocks_nobody() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        std::fs::write(folder.at("lock"), "process 1 on another machine, long ago").unwrap();
        Lock::take(&folder, "lock").unwrap().unwrap();
    }
}
