//! The program's own files: atomic writes, locks, and checks before a file is opened.
//!
//! A file is written in this order: create it under a temporary name, write, sync, rename it to its final name,
//! sync the folder. Only then may another file refer to it. So at any instant a name leads to a complete file, the
//! old one or the new one. `tests/it/never_lost.rs` checks this for every operation of a build, an update, a merge
//! and a decision.
//!
//! All operations go through a [`Disk`], so that tests can make any of them fail or be the last. `sealed` is the form of files
//! that are made once and read by others, `map` maps them, `memory` returns freed memory to the system, and `batches` are streams
//! of rows for other programs.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub mod batches;
mod draft;
mod ending;
mod guard;
mod lock;
pub mod map;
pub mod memory;
mod printable;
pub mod sealed;

pub use draft::{Draft, UserFile};
pub use ending::{end_in_time, host};
pub use guard::{Disk, DiskFile, OsDisk, append, create as create_private};
pub use lock::{Lock, LockHolder, is_signed};
pub use printable::{
    escape, is_harmful, one_line, printable, shown, shown_spelling, spelled, typed_path, uncommanded,
    unspelled, without_commands,
};

/// The prefix of the names of incomplete files.
pub const TEMPORARY: &str = "tmp-";
/// How many bytes are copied at a time.
const PIECE: usize = 1 << 20;
/// How many temporary files of one name may exist at once.
const MAX_DRAFTS: u32 = 1000;
/// The errors of folders that cannot be synced.
const CANNOT_SYNC: [ErrorKind; 4] = [
    ErrorKind::PermissionDenied,
    ErrorKind::InvalidInput,
    ErrorKind::Unsupported,
    ErrorKind::ReadOnlyFilesystem,
];

/// The system refused an operation on one of the program's files or folders.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {}; {}", shown(path), in_words(source), remedy(source))]
pub struct StorageError {
    /// The operation that failed, as a verb.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
}

impl StorageError {
    /// Adds the operation and the path to a system error.
    pub fn during(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self { action, path, source }
    }
}

/// The message of a system error without its number.
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
        ErrorKind::TimedOut => "end that process, or let it continue",
        ErrorKind::FileTooLarge => "raise the limit on the size of files (ulimit -f)",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "check its permissions, or name another folder with --index"
        }
        ErrorKind::InvalidInput => "move it elsewhere, or name another folder with --index",
        _ => "check its disk, or name another folder with --index",
    }
}

/// A folder that holds files of the program.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    disk: Arc<dyn Disk>,
}

impl Folder {
    /// A folder of the machine's file system; it need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::on(Arc::new(OsDisk), path)
    }

    /// A folder on a given file system.
    pub fn on(disk: Arc<dyn Disk>, path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), disk }
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in this folder.
    pub fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Creates the folder and its parents, private to their owner, and syncs the names: a synced file is lost in a
    /// crash if the name of its folder is not on the disk.
    pub fn create(&self) -> Result<(), StorageError> {
        let there = self.path.ancestors().find(|above| above.as_os_str().is_empty() || above.exists());
        let there = there.unwrap_or(&self.path);
        // An empty folder may be left by a process that died before it synced the name.
        if there != self.path || self.is_empty() {
            self.sync_above(there)?;
        }
        let missing: Vec<&Path> = self.path.ancestors().take_while(|above| *above != there).collect();
        for folder in missing.into_iter().rev() {
            match self.disk.create_folder(folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
                made => made.map_err(StorageError::during("create", folder))?,
            }
            self.sync_above(folder)?;
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        std::fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_none())
    }

    /// Syncs a folder's name, which stands in its parent folder.
    fn sync_above(&self, folder: &Path) -> Result<(), StorageError> {
        let above = match folder.parent() {
            None => return Ok(()),
            Some(above) if above.as_os_str().is_empty() => Path::new("."),
            Some(above) => above,
        };
        match self.disk.sync_folder(above) {
            // We created nothing where we have no permission, and not every file system can sync folders.
            Err(error) if CANNOT_SYNC.contains(&error.kind()) => Ok(()),
            synced => synced.map_err(StorageError::during("sync the folders above", &self.path)),
        }
    }

    /// Creates the folder in one that is there.
    pub fn create_in_parent(&self) -> Result<(), StorageError> {
        let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if parent.is_some_and(|parent| !parent.exists()) {
            return Err(StorageError::during("create", &self.path)(ErrorKind::NotFound.into()));
        }
        self.create()
    }

    /// Creates the folder, or removes the permissions of other users from an existing one: everything in it belongs
    /// to the program. A folder of another user stays as it is; each file in it is private.
    pub fn create_private(&self) -> Result<(), StorageError> {
        self.create()?;
        let private = File::open(&self.path).and_then(|folder| guard::make_private(&folder));
        private.map_err(StorageError::during("make private", &self.path))
    }

    /// A file's bytes; `None` if it does not exist.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StorageError> {
        match self.disk.read(&self.at(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StorageError::during("read", self.at(name))(error)),
        }
    }

    /// Opens a file for reading.
    pub fn open(&self, name: &str) -> Result<File, StorageError> {
        self.disk.open(&self.at(name)).map_err(StorageError::during("open", self.at(name)))
    }

    /// Begins a file.
    pub fn draft(&self, name: &str) -> Result<Draft, StorageError> {
        Draft::create(self, self.at(&format!("{TEMPORARY}{name}")), name)
    }

    /// Begins a file in a folder that other programs use too: the draft never replaces one of their files.
    pub fn draft_unique(&self, name: &str) -> Result<Draft, StorageError> {
        Draft::create_unique(self, name)
    }

    /// A temporary file without a name, for writing and reading, which vanishes with the process. It does not go
    /// through the [`Disk`], because nothing depends on it.
    pub fn scratch(&self, name: &str) -> Result<File, StorageError> {
        let (path, file) = self.unused(name)?;
        match std::fs::remove_file(&path) {
            // Another writer has swept the folder already.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(file),
            removed => removed.map(|()| file).map_err(StorageError::during("remove", path)),
        }
    }

    /// An empty file under an unused temporary name.
    fn unused(&self, name: &str) -> Result<(PathBuf, File), StorageError> {
        self.create_unused(name, guard::create)
    }

    /// Creates a temporary file under an unused name. `create` must fail if the file exists.
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
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < MAX_DRAFTS => number += 1,
                Err(error) => return Err(StorageError::during("create", path)(error)),
            }
        }
    }

    /// Writes a small file atomically, replacing an existing one.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), StorageError> {
        let mut draft = self.draft(name)?;
        draft.write(bytes)?;
        draft.seal()
    }

    /// Makes a file of another folder, which never changes, a file of this folder too: by a second name where both are on
    /// one file system, else by a copy. A leftover file of that name is replaced. The name lasts after [`Folder::sync`], so
    /// that many files cost one sync.
    pub fn take_in(&self, other: &Self, name: &str, as_name: &str) -> Result<(), StorageError> {
        let (from, to) = (other.at(name), self.at(as_name));
        let linked = match self.disk.link(&from, &to) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.remove(as_name)?;
                self.disk.link(&from, &to)
            }
            linked => linked,
        };
        if linked.is_ok() {
            return Ok(());
        }
        let mut draft = self.draft(as_name)?;
        let mut file = other.open(name)?;
        let mut piece = vec![0; PIECE];
        loop {
            match file.read(&mut piece).map_err(StorageError::during("read", &from))? {
                0 => return draft.seal(),
                read => draft.write(&piece[..read])?,
            }
        }
    }

    /// The names in the folder, sorted. One that is not UTF-8, which none of ours is, has signs in place of bytes.
    pub fn names(&self) -> Result<Vec<String>, StorageError> {
        let failed = || StorageError::during("list", &self.path);
        let entries = std::fs::read_dir(&self.path).map_err(failed())?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut names: Vec<String> = names.collect::<io::Result<_>>().map_err(failed())?;
        names.sort_unstable();
        Ok(names)
    }

    /// Makes the names in the folder last.
    pub fn sync(&self) -> Result<(), StorageError> {
        self.disk.sync_folder(&self.path).map_err(StorageError::during("sync", &self.path))
    }

    /// Removes a file if it exists.
    pub fn remove(&self, name: &str) -> Result<(), StorageError> {
        match self.disk.remove(&self.at(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(StorageError::during("remove", self.at(name))(error))
            }
            _ => Ok(()),
        }
    }

    /// Removes the files and drafts that `is_unwanted` picks. A file that cannot be removed is left for the next
    /// sweep.
    pub fn sweep(&self, is_unwanted: impl Fn(&str, IsDraft) -> bool) {
        for name in self.disk.list(&self.path).unwrap_or_default() {
            let (whole, is_draft) = match name.strip_prefix(TEMPORARY) {
                Some(whole) => (whole, IsDraft(true)),
                None => (&*name, IsDraft(false)),
            };
            if is_unwanted(whole, is_draft) {
                tracing::debug!(name, "removing an unreferenced file");
                let _ = self.disk.remove(&self.at(&name));
            }
        }
    }
}

/// Whether a file is a draft.
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
        let error = StorageError::during("read", "/x")(io::Error::from_raw_os_error(2)).to_string();
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
    fn a_system_error_is_reported_with_a_remedy() {
        let full = StorageError::during("write", "/x")(ErrorKind::StorageFull.into());
        assert!(full.to_string().contains("cannot write /x") && full.to_string().contains("make room"));
        let refused = Folder::new("/proc/none/such").create().unwrap_err().to_string();
        assert!(refused.contains("--index"), "{refused}");
    }
}
