//! Who may write: one process at a time, by a lock that the kernel releases when the process dies. So a
//! lock is never stale, whatever its file says.
//!
//! The file may be removed by whoever holds the lock. Somebody else may have opened it before, and gets the
//! lock of a file that has no name any more, while a third one makes the file anew and locks that. So after
//! locking it is looked whether the name still leads to the file that was locked.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::{Folder, StorageError, guard};

/// So long a lock is waited for that is needed for a moment only: more than a hundred others take that need it too.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long one waits before one looks whether it is free.
const AGAIN: Duration = Duration::from_millis(5);
/// So many bytes of the note of who holds a lock are read.
const LONGEST_NOTE: u64 = 256;

/// The right to write something, held until dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

/// Another process, or another part of this one, holds the lock: its process id and host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held(pub String);

impl Lock {
    /// Takes the lock that the file `name` stands for, or says who holds it.
    pub fn take(folder: &Folder, name: &str) -> Result<Result<Self, Held>, StorageError> {
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
                    let _ = (&mut file).take(LONGEST_NOTE).read_to_string(&mut holder);
                    return Ok(Err(Held(match holder.trim() {
                        "" => "another process".to_owned(),
                        holder => holder.to_owned(),
                    })));
                }
                Err(TryLockError::Error(error)) => return Err(StorageError::of("lock", path)(error)),
            }
        }
    }

    /// Takes the lock as soon as it is free. Whoever holds it needs it for a moment; who holds it for longer was
    /// stopped, and is not waited for.
    ///
    /// # Errors
    /// When it was not free for `PATIENCE`; says who holds it.
    pub fn wait(folder: &Folder, name: &str) -> Result<Self, StorageError> {
        Self::wait_for(folder, name, PATIENCE)
    }

    fn wait_for(folder: &Folder, name: &str, patience: Duration) -> Result<Self, StorageError> {
        let begun = Instant::now();
        loop {
            match Self::take(folder, name)? {
                Ok(lock) => return Ok(lock),
                Err(_) if begun.elapsed() < patience => thread::sleep(AGAIN),
                Err(Held(holder)) => {
                    let said = format!("{holder} holds it and does not let it go");
                    let error = io::Error::new(ErrorKind::TimedOut, said);
                    return Err(StorageError::of("lock", folder.at(name))(error));
                }
            }
        }
    }

    /// Removes the file of the lock, and then gives the lock back. Whoever waits for it makes the file anew.
    pub fn remove(self) -> Result<(), StorageError> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(StorageError::of("remove", &self.path)(error))
            }
            _ => Ok(()),
        }
    }

    /// Whether the file of the lock still has its name. Where it has not, somebody removed it, and another process may
    /// hold a lock of that name. A name that cannot be looked at is taken to be there.
    pub fn stands(&self) -> bool {
        leads_to(&self.path, &self.file).unwrap_or(true)
    }

    /// The lock of a file that was locked, if it is the file of this name still; and writes down who holds it.
    /// The note only serves messages; a lock without it is as good.
    fn of(mut file: File, path: &Path) -> Result<Option<Self>, StorageError> {
        if !leads_to(path, &file).map_err(StorageError::of("read", path))? {
            return Ok(None);
        }
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let holder = match host.trim() {
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
    /// Gives the lock back. Closing the file would not do while a program that is being started by another
    /// thread has it open too, for the moment until it is that program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Whether a name leads to an open file.
fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    let open = file.metadata()?;
    match path.symlink_metadata() {
        Ok(named) => Ok((named.dev(), named.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// What stands at the beginning of the file of a lock that somebody had; the process's number follows.
const SIGNATURE: &str = "process ";

/// Whether a file's bytes are those of a lock of ours.
pub fn is_signed(bytes: &[u8]) -> bool {
    let number = bytes.strip_prefix(SIGNATURE.as_bytes()).and_then(<[u8]>::first);
    number.is_some_and(u8::is_ascii_digit)
}

fn open(path: &Path) -> Result<File, StorageError> {
    guard::open_in_place(path).map_err(StorageError::of("open", path))
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
    fn who_does_not_let_it_go_is_not_waited_for_without_end() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let _first = Lock::take(&folder, "lock").unwrap().unwrap();
        let error = Lock::wait_for(&folder, "lock", Duration::from_millis(10)).unwrap_err().to_string();
        assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
        assert!(error.contains("cannot lock") && error.contains("end that process"), "{error}");
    }

    #[test]
    fn who_waits_takes_it_when_it_is_let_go() {
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
    fn a_lock_whose_file_was_removed_does_not_stand() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let lock = Lock::take(&folder, "lock").unwrap().unwrap();
        assert!(lock.stands());
        std::fs::remove_file(folder.at("lock")).unwrap();
        assert!(!lock.stands());
        let other = Lock::take(&folder, "lock").unwrap().unwrap();
        assert!(!lock.stands() && other.stands());
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

    #[test]
    fn who_locks_a_file_that_was_removed_meanwhile_has_nothing() {
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
    fn however_often_the_file_is_removed_one_at_a_time_has_the_lock() {
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
