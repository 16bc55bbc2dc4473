//! Files of our own: how they reach the disk whole or not at all, and who may write them.
//!
//! A file is written in this order: create it under a temporary name, write, sync it, rename it to its
//! own name, sync the folder. Only then may another file name it. So at any instant, whatever the disk
//! made of the rest, a name leads to a whole file: the old one or the new one.
//! `tests/it/never_lost.rs` holds every operation of a build, an update, a merge and a decision against this.
//!
//! All of it goes through a [`Disk`], so that tests can let any operation fail or be the last.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod disk;
mod lock;
mod printable;

pub use disk::{Disk, DiskFile, OsDisk};
pub use lock::{Held, Lock};
pub use printable::{
    escape, is_harmful, meant, one_line, printable, shown, shown_spelling, spelled, unspelled,
};

/// What the name of a file begins with that is not whole yet.
const TEMPORARY: &str = "tmp-";
const BUFFER: usize = 1 << 20;

/// The system refused an operation on a file or folder of ours.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {}; {}", shown(path), in_words(source), remedy(source))]
pub struct StorageError {
    /// What was tried.
    pub action: &'static str,
    /// On which file or folder.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl StorageError {
    /// Adds what was tried, and where, to what the system said.
    pub fn of(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self { action, path, source }
    }
}

/// What the system said, without the number that it has for it.
pub fn in_words(error: &io::Error) -> String {
    let said = error.to_string();
    match (error.raw_os_error(), said.rfind(" (os error ")) {
        (Some(_), Some(at)) => said[..at].to_owned(),
        _ => said,
    }
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room on its disk",
        ErrorKind::TimedOut => "end that process, or let it go on",
        ErrorKind::FileTooLarge => "raise the limit on the size of files (ulimit -f)",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "check its permissions, or name another folder with --index"
        }
        _ => "check its disk, or name another folder with --index",
    }
}

/// A folder that holds files of ours.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    disk: Arc<dyn Disk>,
}

impl Folder {
    /// A folder of the system; it need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::on(Arc::new(OsDisk), path)
    }

    /// A folder on some disk.
    pub fn on(disk: Arc<dyn Disk>, path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), disk }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a file of this name lies in it.
    pub fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Makes the folder, so that only its owner can enter it.
    pub fn create(&self) -> Result<(), StorageError> {
        self.disk.create_folder(&self.path).map_err(StorageError::of("create", &self.path))
    }

    /// A file's bytes; `None` when it is not there.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StorageError> {
        match self.disk.read(&self.at(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StorageError::of("read", self.at(name))(error)),
        }
    }

    /// Opens a file for reading.
    pub fn open(&self, name: &str) -> Result<File, StorageError> {
        self.disk.open(&self.at(name)).map_err(StorageError::of("open", self.at(name)))
    }

    /// Begins a file.
    pub fn draft(&self, name: &str) -> Result<Draft, StorageError> {
        self.draft_at(self.at(&format!("{TEMPORARY}{name}")), name)
    }

    /// Begins a file in a folder in which others have theirs: its draft takes the place of none of them.
    pub fn draft_among_others(&self, name: &str) -> Result<Draft, StorageError> {
        let (temporary, _) = self.unused(name)?;
        self.draft_at(temporary, name)
    }

    fn draft_at(&self, temporary: PathBuf, name: &str) -> Result<Draft, StorageError> {
        let file = self.disk.create(&temporary).map_err(StorageError::of("create", &temporary))?;
        let writer = Some(BufWriter::with_capacity(BUFFER, file));
        Ok(Draft { writer, temporary, target: self.at(name), folder: self.clone(), written: 0 })
    }

    /// A file to write to and to read from that has lost its name already, and so is gone with the process.
    /// It goes past the [`Disk`]: nothing depends on it.
    pub fn scratch(&self, name: &str) -> Result<File, StorageError> {
        let (path, file) = self.unused(name)?;
        match std::fs::remove_file(&path) {
            // A writer that sweeps its folder was faster.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(file),
            removed => removed.map(|()| file).map_err(StorageError::of("remove", path)),
        }
    }

    /// An empty file, under a name that nobody else has.
    fn unused(&self, name: &str) -> Result<(PathBuf, File), StorageError> {
        let mut number = 0;
        loop {
            let path = self.at(&format!("{TEMPORARY}{name}-{number}"));
            match File::options().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((path, file)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1000 => number += 1,
                Err(error) => return Err(StorageError::of("create", path)(error)),
            }
        }
    }

    /// Writes a small file whole, in the place of one that is there.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let mut draft = self.draft(name)?;
        draft.write(bytes)?;
        draft.seal()
    }

    /// Removes a file, if it is there.
    pub fn remove(&self, name: &str) -> Result<(), StorageError> {
        match self.disk.remove(&self.at(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(StorageError::of("remove", self.at(name))(error))
            }
            _ => Ok(()),
        }
    }

    /// Removes the files, and the drafts of files, whose names `is_unwanted` picks out. What cannot be
    /// removed now is left for the next time.
    pub fn sweep(&self, is_unwanted: impl Fn(&str, IsDraft) -> bool) {
        for name in self.disk.list(&self.path).unwrap_or_default() {
            let (whole, is_draft) = match name.strip_prefix(TEMPORARY) {
                Some(whole) => (whole, IsDraft(true)),
                None => (&*name, IsDraft(false)),
            };
            if is_unwanted(whole, is_draft) {
                tracing::debug!(name, "removing a file that nothing names");
                let _ = self.disk.remove(&self.at(&name));
            }
        }
    }

    /// The folder and the name that a name leads to, where it is a link; itself where it is none.
    pub fn resolve(&self, name: &str) -> Result<(Self, String), StorageError> {
        let real = match self.at(name).canonicalize() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok((self.clone(), name.to_owned())),
            real => real.map_err(StorageError::of("find", self.at(name)))?,
        };
        let folder = real.parent().unwrap_or(Path::new("/")).to_owned();
        let name = real.file_name().and_then(|name| name.to_str()).unwrap_or(name).to_owned();
        Ok((Self { path: folder, disk: Arc::clone(&self.disk) }, name))
    }
}

/// Whether a name is that of a file's draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsDraft(pub bool);

/// A file that is being written. Dropped without being sealed, it leaves nothing behind.
pub struct Draft {
    /// `None` once it is sealed.
    writer: Option<BufWriter<Box<dyn DiskFile>>>,
    temporary: PathBuf,
    target: PathBuf,
    folder: Folder,
    written: u64,
}

impl Draft {
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

    /// Brings the file to the disk under its name.
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
            // What is still buffered is of no use to anybody.
            let _ = writer.into_parts();
            let _ = self.folder.disk.remove(&self.temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names = OsDisk.list(folder).unwrap();
        names.sort();
        names
    }

    #[test]
    fn a_draft_is_there_once_it_is_sealed_and_leaves_nothing_otherwise() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let mut draft = folder.draft("a").unwrap();
        draft.write(b"whole").unwrap();
        assert_eq!(folder.read("a").unwrap(), None);
        draft.seal().unwrap();
        assert_eq!(folder.read("a").unwrap().unwrap(), b"whole");
        let mut draft = folder.draft("a").unwrap();
        draft.write(b"half").unwrap();
        drop(draft);
        assert_eq!(names(place.path()), ["a"]);
        assert_eq!(folder.read("a").unwrap().unwrap(), b"whole");
    }

    #[test]
    fn the_system_is_quoted_without_its_numbers() {
        let error = StorageError::of("read", "/x")(io::Error::from_raw_os_error(2)).to_string();
        assert_eq!(
            error,
            "cannot read /x: No such file or directory; check its disk, or name another folder with --index"
        );
        assert_eq!(in_words(&io::Error::other("why (os error 2)")), "why (os error 2)");
    }

    #[test]
    fn sweeping_tells_drafts_from_files() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        for name in ["a", "tmp-a", "tmp-b"] {
            std::fs::write(folder.at(name), "").unwrap();
        }
        folder.sweep(|name, is_draft| name == "a" && is_draft == IsDraft(true));
        assert_eq!(names(place.path()), ["a", "tmp-b"]);
    }

    #[test]
    fn what_the_system_refused_is_said_with_a_remedy() {
        let full = StorageError::of("write", "/x")(ErrorKind::StorageFull.into());
        assert!(full.to_string().contains("cannot write /x") && full.to_string().contains("make room"));
        let refused = Folder::new("/proc/none/such").create().unwrap_err().to_string();
        assert!(refused.contains("--index"), "{refused}");
    }
}
