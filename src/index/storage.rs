//! How a file reaches the disk: whole and synced under its name, or not at all.
//!
//! A file is written under a temporary name, synced, renamed, and its folder synced. Only then may the
//! manifest name it, and the manifest itself goes the same way: at any instant the folder holds the
//! last committed generation, whatever else lies beside it.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::IndexError;

const TEMPORARY: &str = "tmp-";
const BUFFER: usize = 1 << 20;

/// A file of the index that is being written.
pub struct Draft {
    writer: BufWriter<File>,
    temporary: PathBuf,
    target: PathBuf,
    written: u64,
}

impl Draft {
    /// Begins the file `name` in `folder`.
    pub fn create(folder: &Path, name: &str) -> Result<Self, IndexError> {
        let temporary = folder.join(format!("{TEMPORARY}{name}"));
        let file = File::create(&temporary).map_err(IndexError::io("create", &temporary))?;
        Ok(Self {
            writer: BufWriter::with_capacity(BUFFER, file),
            temporary,
            target: folder.join(name),
            written: 0,
        })
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), IndexError> {
        self.written += bytes.len() as u64;
        self.writer.write_all(bytes).map_err(IndexError::io("write", &self.temporary))
    }

    /// Bytes written so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Brings the file to the disk under its name.
    pub fn seal(self) -> Result<PathBuf, IndexError> {
        let Self { writer, temporary, target, .. } = self;
        let file =
            writer.into_inner().map_err(|error| IndexError::io("write", &temporary)(error.into_error()))?;
        file.sync_all().map_err(IndexError::io("sync", &temporary))?;
        fs::rename(&temporary, &target).map_err(IndexError::io("rename", &temporary))?;
        sync_folder(target.parent().unwrap_or(Path::new(".")))?;
        Ok(target)
    }
}

/// Writes a small file whole.
pub fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), IndexError> {
    let mut draft = Draft::create(folder, name)?;
    draft.write(bytes)?;
    draft.seal().map(drop)
}

/// Brings a folder's names to the disk.
fn sync_folder(folder: &Path) -> Result<(), IndexError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(IndexError::io("sync", folder))
}

/// Makes a folder that only its owner can enter.
pub fn create_folder(folder: &Path) -> Result<(), IndexError> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(IndexError::io("create", folder))
}

/// Removes the files of the index in `folder` that `is_named` does not claim, drafts included.
/// What cannot be removed now is tried again after the next commit.
pub fn sweep(folder: &Path, is_named: impl Fn(&str) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let ours = name.starts_with(TEMPORARY) || name.ends_with(".segment") || name.ends_with(".ranking");
        if ours && !is_named(name) {
            tracing::debug!(name, "removing a file that no generation names");
            let _ = fs::remove_file(entry.path());
        }
    }
}
