//! Who may write: one process at a time, by a lock that the kernel releases when the process dies. So a
//! lock is never stale, whatever its file says.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::thread;
use std::time::{Duration, Instant};

use super::{Folder, StorageError};

/// So long a lock is waited for that is needed for a moment only: more than a hundred others take that need it too.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long one waits before one looks whether it is free.
const AGAIN: Duration = Duration::from_millis(5);

/// The right to write something, held until dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
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

    /// Takes the lock as soon as it is free. Whoever holds it needs it for a moment; who holds it for longer was
    /// stopped, and is not waited for.
    ///
    /// # Errors
    /// When it was not free for [`PATIENCE`]; says who holds it.
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
        Self { _file: file }
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
    fn what_a_dead_writer_left_in_the_file_blocks_nobody() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        std::fs::write(folder.at("lock"), "process 1 on another machine, long ago").unwrap();
        Lock::take(&folder, "lock").unwrap().unwrap();
    }
}
