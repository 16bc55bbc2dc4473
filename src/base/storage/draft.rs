//! Drafts: a file is written under a temporary name and renamed when it is complete. The user's own files may be links.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::guard::{check_type, is_mine};
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
                folder.disk.remove(&temporary).map_err(StorageError::during("remove", &temporary))?;
                folder.disk.create(&temporary)
            }
            created => created,
        };
        let file = file.map_err(StorageError::during("create", &temporary))?;
        Ok(Self::new(folder, temporary, name, file))
    }

    /// Begins the file `name` under an unused temporary name.
    pub(super) fn create_unique(folder: &Folder, name: &str) -> Result<Self, StorageError> {
        let (temporary, file) = folder.create_unused(name, |path| folder.disk.create(path))?;
        Ok(Self::new(folder, temporary, name, file))
    }

    fn new(folder: &Folder, temporary: PathBuf, name: &str, file: Box<dyn DiskFile>) -> Self {
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
        writer.write_all(bytes).map_err(StorageError::during("write", &self.temporary))
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
            Some(writer) => {
                writer.flush().map_err(StorageError::during("write", &self.temporary)).and_then(|()| {
                    writer.get_mut().sync().map_err(StorageError::during("sync", &self.temporary))
                })
            }
        };
        sealed?;
        disk.rename(&self.temporary, &self.target)
            .map_err(StorageError::during("rename", &self.temporary))?;
        self.writer = None;
        disk.sync_folder(&self.folder.path).map_err(StorageError::during("sync", &self.folder.path))
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

// The user's files: lists, and files named on the command line. They may be symbolic links, and keep the mode that
// the user gave them.

/// A user's file, at its real path.
#[derive(Clone, Debug)]
pub struct UserFile {
    /// The folder that holds it.
    pub folder: Folder,
    name: String,
    /// Whether other programs use its folder too.
    is_shared: bool,
}

impl Folder {
    /// A file that the user named. It may be a link to any regular file.
    pub fn named(&self, name: &str) -> Result<UserFile, StorageError> {
        let mut file = self.real(name, |_| Ok(()))?;
        file.is_shared = true;
        Ok(file)
    }

    /// The list of this name. It may be a link, so that a list can be kept with other settings. But the folder, and
    /// the link in it, may come from another user. So the link must lead to a regular file of this user with the
    /// list's file extension: no other file is ever replaced.
    pub fn list(&self, name: &str) -> Result<UserFile, StorageError> {
        self.real(name, |real| {
            let is_list = real.extension() == Path::new(name).extension();
            let is_mine = is_mine(&real.metadata()?);
            if is_list && is_mine {
                return Ok(());
            }
            let what = if is_list { "of another user" } else { "whose name does not end in .toml" };
            let what = format!("it is a link to {}, a file {what}", super::shown(&real));
            Err(std::io::Error::new(ErrorKind::InvalidInput, what))
        })
    }

    fn real(
        &self,
        name: &str,
        check: impl Fn(&Path) -> std::io::Result<()>,
    ) -> Result<UserFile, StorageError> {
        let path = self.at(name);
        let itself = UserFile { folder: self.clone(), name: name.to_owned(), is_shared: false };
        match path.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(itself),
            found => {
                let found = found.map_err(StorageError::during("find", &path))?;
                if !found.is_symlink() {
                    return check_type(&found).map(|()| itself).map_err(StorageError::during("use", path));
                }
            }
        }
        let real: PathBuf = match path.canonicalize() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(itself),
            real => real.map_err(StorageError::during("find", &path))?,
        };
        real.metadata()
            .and_then(|found| check_type(&found))
            .and_then(|()| check(&real))
            .map_err(StorageError::during("use", path))?;
        let folder = Self { path: real.parent().unwrap_or(Path::new("/")).to_owned(), ..self.clone() };
        let name = real.file_name().and_then(|name| name.to_str()).unwrap_or(name).to_owned();
        Ok(UserFile { folder, name, is_shared: true })
    }
}

impl UserFile {
    /// The file's real path.
    pub fn path(&self) -> PathBuf {
        self.folder.at(&self.name)
    }

    /// Its bytes; `None` if it does not exist.
    pub fn read(&self) -> Result<Option<Vec<u8>>, StorageError> {
        self.folder.read(&self.name)
    }

    /// Begins a replacement with the file's mode. In a folder of other programs the draft has an unused name; in
    /// our own folders the writer holds a lock.
    pub fn draft(&self) -> Result<Draft, StorageError> {
        let mut draft = if self.is_shared {
            self.folder.draft_unique(&self.name)?
        } else {
            self.folder.draft(&self.name)?
        };
        draft.copy_owner_and_mode();
        Ok(draft)
    }

    /// Replaces the file atomically.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), StorageError> {
        let mut draft = self.draft()?;
        draft.write(bytes)?;
        draft.seal()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_list_may_be_a_link_to_a_list_and_to_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let at = |name: &str| place.path().join(name);
        let list = |target: &Path| {
            let _ = fs::remove_file(at("list.toml"));
            symlink(target, at("list.toml")).unwrap();
            folder.list("list.toml").map_err(|error| error.to_string())
        };
        fs::write(at("mine.toml"), "a").unwrap();
        fs::write(at("tmp-mine.toml"), "of others").unwrap();
        let mine = list(&at("mine.toml")).unwrap();
        mine.replace(b"b").unwrap();
        assert_eq!(
            (mine.read().unwrap().unwrap(), fs::read(at("mine.toml")).unwrap()),
            (b"b".into(), b"b".into())
        );
        assert_eq!(fs::read(at("tmp-mine.toml")).unwrap(), b"of others");
        assert!(at("list.toml").is_symlink());
        fs::write(at(".profile"), "").unwrap();
        assert!(list(&at(".profile")).unwrap_err().contains("does not end in .toml"));
        assert!(list(Path::new("/dev/null")).unwrap_err().contains("device"));
        assert!(list(place.path()).unwrap_err().contains("folder"));
        // A link to nothing is replaced.
        list(&at("none.toml")).unwrap().replace(b"c").unwrap();
        assert!(!at("list.toml").is_symlink() && !at("none.toml").exists());
        // A file that the user names may have any extension.
        symlink(at(".profile"), at("rows")).unwrap();
        folder.named("rows").unwrap().replace(b"rows").unwrap();
        assert_eq!(fs::read(at(".profile")).unwrap(), b"rows");
    }
}
