//! Sealed files, mapped or read: the one place of this program with `unsafe`.
//!
//! A mapped file that shrinks ends the process with SIGBUS. This is excluded for our own doing: only
//! sealed files are mapped, their folder is its owner's alone (mode 0700), and no code truncates or
//! writes to a sealed file – it is unlinked, which leaves a map intact. What walks through whole runs
//! reads them and does not touch the map. Files of the corpus, which anybody may truncate at any time,
//! are never mapped but read.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::unix::fs::FileExt;

use memmap2::Mmap;

use super::IndexError;
use crate::storage::{Folder, StorageError};

/// A shorter file is read whole: that is faster than mapping it and taking its page faults.
const READ_WHOLE: u64 = 256 << 10;

/// The bytes of a sealed file.
#[derive(Debug)]
pub(super) enum Sealed {
    /// In memory.
    Read(Vec<u8>),
    /// Mapped, and open for reading beside that.
    Mapped(Mmap, File),
}

impl Sealed {
    /// Opens a file of the index and checks its length.
    pub(super) fn open(folder: &Folder, name: &str, length: u64) -> Result<Self, IndexError> {
        let path = folder.at(name);
        let file = folder.open(name).map_err(|error| match error.source.kind() {
            io::ErrorKind::NotFound => IndexError::damaged(&path, "it is missing"),
            _ => error.into(),
        })?;
        let found = file.metadata().map_err(StorageError::of("read", &path))?.len();
        if found != length {
            return Err(IndexError::damaged(path, "its length is not what the manifest says"));
        }
        if length <= READ_WHOLE {
            let mut bytes = vec![0; length as usize];
            file.read_exact_at(&mut bytes, 0).map_err(StorageError::of("read", path))?;
            return Ok(Self::Read(bytes));
        }
        // SAFETY: sealed files are never written to or truncated, see the head of this module.
        let map = unsafe { Mmap::map(&file) }.map_err(StorageError::of("map", path))?;
        Ok(Self::Mapped(map, file))
    }

    /// Copies a stretch of the file, which lies in it, without mapping it into memory.
    pub(super) fn copy(&self, start: u64, into: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Read(bytes) => {
                into.copy_from_slice(&bytes[start as usize..start as usize + into.len()]);
                Ok(())
            }
            Self::Mapped(_, file) => file.read_exact_at(into, start),
        }
    }
}

impl Deref for Sealed {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Read(bytes) => bytes,
            Self::Mapped(map, _) => map,
        }
    }
}
