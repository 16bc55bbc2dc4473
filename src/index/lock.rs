//! Who may write: one process at a time, by a lock that the kernel releases when the process dies.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::IndexError;

const NAME: &str = "writer.lock";

/// The right to write an index, held until dropped.
#[derive(Debug)]
pub struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Takes the lock of the index in `folder`, or says who holds it.
    ///
    /// # Errors
    /// [`IndexError::Locked`] when another process, or another part of this one, writes.
    pub fn take(folder: &Path) -> Result<Self, IndexError> {
        let path = folder.join(NAME);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(IndexError::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                let holder = match holder.trim() {
                    "" => "another process".to_owned(),
                    holder => holder.to_owned(),
                };
                return Err(IndexError::Locked { path: folder.to_owned(), holder });
            }
            Err(TryLockError::Error(source)) => return Err(IndexError::io("lock", &path)(source)),
        }
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let holder = match host.trim() {
            "" => format!("process {}", std::process::id()),
            host => format!("process {} on {host}", std::process::id()),
        };
        // The note only serves messages; a lock without it is as good.
        let _ = file
            .set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(holder.as_bytes()));
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_writer_is_told_who_the_first_is() {
        let folder = tempfile::tempdir().unwrap();
        let first = WriterLock::take(folder.path()).unwrap();
        let refused = WriterLock::take(folder.path()).unwrap_err().to_string();
        assert!(refused.contains(&format!("process {}", std::process::id())), "{refused}");
        drop(first);
        WriterLock::take(folder.path()).unwrap();
    }
}
