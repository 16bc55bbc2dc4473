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
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod disk;
mod draft;
mod guard;
mod linked;
mod lock;
mod printable;

pub use disk::{Disk, DiskFile, OsDisk};
pub use draft::Draft;
pub use guard::{append, create as create_private, is_safe_to_map};
pub use linked::UserFile;
pub use lock::{Held, Lock, is_signed};
pub use printable::{
    escape, is_harmful, meant, one_line, printable, shown, shown_spelling, spelled, unspelled,
};

/// What the name of a file begins with that is not whole yet.
pub const TEMPORARY: &str = "tmp-";
/// So many temporary files of one name may lie beside each other.
const MOST_DRAFTS: u32 = 1000;
/// What a folder that cannot be synced by us says.
const CANNOT_SYNC: [ErrorKind; 4] = [
    ErrorKind::PermissionDenied,
    ErrorKind::InvalidInput,
    ErrorKind::Unsupported,
    ErrorKind::ReadOnlyFilesystem,
];

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
        ErrorKind::InvalidInput => "move it away, or name another folder with --index",
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

    /// Makes the folder with all above it, so that only its owner can enter it, and so that it lasts: what is
    /// synced in a folder is lost all the same while the folder's own name is not on the disk.
    pub fn create(&self) -> Result<(), StorageError> {
        let there = self.path.ancestors().find(|above| above.as_os_str().is_empty() || above.exists());
        let there = there.unwrap_or(&self.path);
        // Whoever made a folder without files may have died before its name was synced.
        if there != self.path || self.is_empty() {
            self.sync_above(there)?;
        }
        let missing: Vec<&Path> = self.path.ancestors().take_while(|above| *above != there).collect();
        for folder in missing.into_iter().rev() {
            match self.disk.create_folder(folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
                made => made.map_err(StorageError::of("create", folder))?,
            }
            self.sync_above(folder)?;
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        std::fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_none())
    }

    /// Makes a folder's name last.
    fn sync_above(&self, folder: &Path) -> Result<(), StorageError> {
        let above = match folder.parent() {
            None => return Ok(()),
            Some(above) if above.as_os_str().is_empty() => Path::new("."),
            Some(above) => above,
        };
        match self.disk.sync_folder(above) {
            // Where we may not look we have made nothing; and not every file system syncs folders.
            Err(error) if CANNOT_SYNC.contains(&error.kind()) => Ok(()),
            synced => synced.map_err(StorageError::of("sync the folders above", &self.path)),
        }
    }

    /// Makes the folder, and takes from others what they may do in it if it was there already: all that is
    /// in it is ours. One that belongs to another user stays as it is; its files are private each.
    pub fn create_private(&self) -> Result<(), StorageError> {
        self.create()?;
        let private = File::open(&self.path).and_then(|folder| guard::make_private(&folder));
        private.map_err(StorageError::of("make private", &self.path))
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
        Draft::create(self, self.at(&format!("{TEMPORARY}{name}")), name)
    }

    /// Begins a file in a folder in which others have theirs: its draft takes the place of none of them.
    pub fn draft_among_others(&self, name: &str) -> Result<Draft, StorageError> {
        Draft::create_among_others(self, name)
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
        self.create_unused(name, guard::create)
    }

    /// Creates a temporary file under a name that nobody else has. `create` fails where there is a file already.
    fn create_unused<T>(
        &self,
        name: &str,
        create: impl Fn(&Path) -> io::Result<T>,
    ) -> Result<(PathBuf, T), StorageError> {
        let mut number = 0;
        loop {
            let path = self.at(&format!("{TEMPORARY}{name}-{number}"));
            match create(&path) {
                Ok(file) => return Ok((path, file)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < MOST_DRAFTS => number += 1,
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
}

/// Whether a name is that of a file's draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsDraft(pub bool);

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
