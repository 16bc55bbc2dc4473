//! Drafts: a file is written under a temporary name and renamed when it is complete.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::PathBuf;

use super::{DiskFile, Folder, StorageError};

const BUFFER: usize = 1 << 20;

/// A file that is being written. If it is dropped before it is sealed, the temporary file is removed.
pub struct Draft {
    /// `None` after sealing.
    writer: Option<BufWriter<Box<dyn DiskFile>>>,
    temporary: PathBuf,
    target: PathBuf,
    folder: Folder,
    written: u64,
}

impl Draft {
    /// Begins the file `name` under the name `temporary`. A leftover file of that name is replaced.
    pub(super) fn create(folder: &Folder, temporary: PathBuf, name: &str) -> Result<Self, StorageError> {
        let file = match folder.disk.create(&temporary) {
            // A process that died left this. It is removed and never written to: it may be a link, or belong to
            // another user.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                folder.disk.remove(&temporary).map_err(StorageError::of("remove", &temporary))?;
                folder.disk.create(&temporary)
            }
            created => created,
        };
        let file = file.map_err(StorageError::of("create", &temporary))?;
        Ok(Self::of(folder, temporary, name, file))
    }

    /// Begins the file `name` under an unused temporary name.
    pub(super) fn create_unique(folder: &Folder, name: &str) -> Result<Self, StorageError> {
        let (temporary, file) = folder.create_unused(name, |path| folder.disk.create(path))?;
        Ok(Self::of(folder, temporary, name, file))
    }

    fn of(folder: &Folder, temporary: PathBuf, name: &str, file: Box<dyn DiskFile>) -> Self {
        let writer = Some(BufWriter::with_capacity(BUFFER, file));
        Self { writer, temporary, target: folder.at(name), folder: folder.clone(), written: 0 }
    }

    /// Copies owner and mode from the file that it will replace, if there is one and as far as the file system
    /// supports it. Otherwise the file stays private to its owner.
    pub(super) fn copy_owner_and_mode(&mut self) {
        let there = self.target.symlink_metadata();
        if let (Some(writer), Ok(there)) = (&mut self.writer, there) {
            let _ = writer.get_mut().copy_owner_and_mode(&there);
        }
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
        self.written += bytes.len() as u64;
        let Some(writer) = &mut self.writer else { return Ok(()) };
        writer.write_all(bytes).map_err(StorageError::of("write", &self.temporary))
    }

    /// Bytes written so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Syncs the file and renames it to its final name.
    pub fn seal(mut self) -> Result<(), StorageError> {
        let disk = &self.folder.disk;
        let sealed = match &mut self.writer {
            None => Ok(()),
            Some(writer) => writer
                .flush()
                .map_err(StorageError::of("write", &self.temporary))
                .and_then(|()| writer.get_mut().sync().map_err(StorageError::of("sync", &self.temporary))),
        };
        sealed?;
        disk.rename(&self.temporary, &self.target).map_err(StorageError::of("rename", &self.temporary))?;
        self.writer = None;
        disk.sync_folder(&self.folder.path).map_err(StorageError::of("sync", &self.folder.path))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // Discard the buffered bytes without writing them.
            let _ = writer.into_parts();
            let _ = self.folder.disk.remove(&self.temporary);
        }
    }
}
