//! Write locks: one process at a time may write. The kernel releases the lock when the process dies, so a lock is
//! never stale, whatever its file says.
//!
//! The holder of the lock may remove its file. Another process may have opened the file before, and then locks a
//! file without a name, while a third process creates the file again and locks that. So after locking, [`Lock`]
//! checks that the name still leads to the locked file.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::{Folder, StorageError, guard, host};

/// How long to wait for a lock that is held only briefly. More than a hundred other holders fit in this time.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The interval between two attempts to take the lock.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// How many bytes of the holder's note are read.
const MAX_NOTE: u64 = 256;

/// The right to write something, held until dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

/// Who holds the lock: process id and host. It may be another part of this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockHolder(pub String);

impl Lock {
    /// Takes the lock of the file `name`, or returns who holds it. Does not wait.
    pub fn take(folder: &Folder, name: &str) -> Result<Result<Self, LockHolder>, StorageError> {
        let path = folder.at(name);
        loop {
            let mut file = open(&path)?;
            match file.try_lock() {
                Ok(()) => {
                    if let Some(lock) = Self::of(file, &path)? {
                        return Ok(Ok(lock));
                    }
                }
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    let _ = (&mut file).take(MAX_NOTE).read_to_string(&mut holder);
                    return Ok(Err(LockHolder(match holder.trim() {
                        "" => "another process".to_owned(),
                        holder => holder.to_owned(),
                    })));
                }
                Err(TryLockError::Error(error)) => return Err(StorageError::during("lock", path)(error)),
            }
        }
    }

    /// Waits until the lock is free, then takes it. A lock is held briefly, except by a process that was stopped;
    /// hence the timeout.
    ///
    /// # Errors
    /// When the lock did not become free within `TIMEOUT`; the message names the holder.
    pub fn wait(folder: &Folder, name: &str) -> Result<Self, StorageError> {
        Self::wait_for(folder, name, TIMEOUT)
    }

    fn wait_for(folder: &Folder, name: &str, patience: Duration) -> Result<Self, StorageError> {
        let begun = Instant::now();
        loop {
            match Self::take(folder, name)? {
                Ok(lock) => return Ok(lock),
                Err(_) if begun.elapsed() < patience => thread::sleep(POLL_INTERVAL),
                Err(LockHolder(holder)) => {
                    let said = format!("{holder} holds it and does not release it");
                    let error = io::Error::new(ErrorKind::TimedOut, said);
                    return Err(StorageError::during("lock", folder.at(name))(error));
                }
            }
        }
    }

    /// Removes the lock file, then releases the lock. The next process that takes the lock creates the file again.
    pub fn remove(self) -> Result<(), StorageError> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(StorageError::during("remove", &self.path)(error))
            }
            _ => Ok(()),
        }
    }

    /// Whether the lock file still has its name. If it was removed, another process may hold a lock of that
    /// name. If the name cannot be checked, the lock counts as valid.
    pub fn is_valid(&self) -> bool {
        leads_to(&self.path, &self.file).unwrap_or(true)
    }

    /// Makes a lock of a locked file, if the name still leads to that file, and writes the holder into it. The note
    /// is only for messages; a lock without it is as good.
    fn of(mut file: File, path: &Path) -> Result<Option<Self>, StorageError> {
        if !leads_to(path, &file).map_err(StorageError::during("read", path))? {
            return Ok(None);
        }
        let holder = match &host()[..] {
            "" => format!("{SIGNATURE}{}", std::process::id()),
            host => format!("{SIGNATURE}{} on {host}", std::process::id()),
        };
        let _ = file
            .set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(holder.as_bytes()));
        Ok(Some(Self { file, path: path.to_owned() }))
    }
}

impl Drop for Lock {
    /// Releases the lock. Closing the file is not enough: a child process that another thread is starting has the
    /// file open too, until its `exec`.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Whether a name leads to this open file.
fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    let open = file.metadata()?;
    match path.symlink_metadata() {
        Ok(named) => Ok((named.dev(), named.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The beginning of a lock file's content; the process id follows.
const SIGNATURE: &str = "process ";

/// Whether a file has the content of one of our lock files.
pub fn is_signed(bytes: &[u8]) -> bool {
    let number = bytes.strip_prefix(SIGNATURE.as_bytes()).and_then(<[u8]>::first);
    number.is_some_and(u8::is_ascii_digit)
}

fn open(path: &Path) -> Result<File, StorageError> {
    guard::open_in_place(path).map_err(StorageError::during("open", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_writer_is_told_who_the_first_is() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let first = Lock::take(&folder, "lock").unwrap().unwrap();
        let LockHolder(holder) = Lock::take(&folder, "lock").unwrap().unwrap_err();
        assert!(holder.contains(&format!("process {}", std::process::id())), "{holder}");
        drop(first);
        Lock::take(&folder, "lock").unwrap().unwrap();
    }

    #[test]
    fn waiting_for_a_holder_that_keeps_the_lock_times_out() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let _first = Lock::take(&folder, "lock").unwrap().unwrap();
        let error = Lock::wait_for(&folder, "lock", Duration::from_millis(10)).unwrap_err().to_string();
        assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
        assert!(error.contains("cannot lock") && error.contains("end that process"), "{error}");
    }

    #[test]
    fn a_waiting_process_takes_the_lock_when_it_is_released() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let first = Lock::take(&folder, "lock").unwrap().unwrap();
        thread::scope(|scope| {
            let second = scope.spawn(|| Lock::wait(&folder, "lock"));
            drop(first);
            second.join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_lock_whose_file_was_removed_is_not_valid() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let lock = Lock::take(&folder, "lock").unwrap().unwrap();
        assert!(lock.is_valid());
        std::fs::remove_file(folder.at("lock")).unwrap();
        assert!(!lock.is_valid());
        let other = Lock::take(&folder, "lock").unwrap().unwrap();
        assert!(!lock.is_valid() && other.is_valid());
    }

    #[test]
    fn a_lock_is_released_at_once_though_a_child_process_has_its_file_open() {
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

    #[test]
    fn locking_a_file_that_was_removed_meanwhile_gives_no_lock() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let path = folder.at("lock");
        let first = Lock::take(&folder, "lock").unwrap().unwrap();
        // Two others open the file while the first one cleans up.
        let [second, third] = [open(&path).unwrap(), open(&path).unwrap()];
        first.remove().unwrap();
        second.try_lock().unwrap();
        assert!(Lock::of(second, &path).unwrap().is_none(), "the file has no name any more");
        let fourth = Lock::take(&folder, "lock").unwrap().unwrap();
        third.try_lock().unwrap();
        assert!(Lock::of(third, &path).unwrap().is_none(), "the name is that of another file");
        assert!(Lock::take(&folder, "lock").unwrap().is_err());
        drop(fourth);
        Lock::wait(&folder, "lock").unwrap();
    }

    #[test]
    fn one_at_a_time_has_the_lock_however_often_its_file_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let folder = &Folder::new(place.path());
        let holders = &std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(move || {
                    for number in 0..200 {
                        let lock = Lock::wait(folder, "lock").unwrap();
                        assert_eq!(holders.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        holders.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                        if number % 2 == 0 {
                            lock.remove().unwrap();
                        }
                    }
                });
            }
        });
    }
}
