//! How a manifest names a sealed file, and how that is opened.

use std::io::ErrorKind;

use serde::{Deserialize, Serialize};

use super::IndexError;
use dupi_base::storage::map::FileBytes;
use dupi_base::storage::{Folder, StorageError};

/// The reference to a sealed file in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentName {
    /// The file's name in the index's folder.
    pub name: String,
    /// Its length in bytes.
    pub length: u64,
    /// Of a segment xxh3-64 of its footer, which has the checksums of the rest; of other files that of all bytes.
    pub checksum: u64,
}

impl SegmentName {
    /// Opens the file and checks its length.
    pub(super) fn open(&self, folder: &Folder) -> Result<FileBytes, IndexError> {
        let path = folder.at(&self.name);
        let file = folder.open(&self.name).map_err(|error| match error.source.kind() {
            ErrorKind::NotFound => IndexError::damaged(&path, "it is missing"),
            _ => error.into(),
        })?;
        let found = file.metadata().map_err(StorageError::of("read", &path))?.len();
        if found != self.length {
            return Err(IndexError::damaged(path, "its length does not agree with the manifest"));
        }
        Ok(FileBytes::open(file, self.length).map_err(StorageError::of("read", path))?)
    }
}
