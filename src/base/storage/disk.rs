//! The file system operations that the program uses. Each may fail.

use std::fmt::Debug;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::Path;

use super::guard;

/// The largest file that is read as a whole. Lists, journals and manifests are far smaller; but the folder of an index may
/// come from others, and a file with a hole in it can have any size.
const LARGEST: u64 = 1 << 30;

/// A file system. The program uses [`OsDisk`]; the failure tests use one that fails on demand.
pub trait Disk: Debug + Send + Sync {
    /// The bytes of a regular file. Links, other kinds of files and files of a size that none of ours has are refused.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Opens a regular file for reading. Links and other kinds of files are refused.
    fn open(&self, path: &Path) -> io::Result<File>;
    /// Creates a new file for writing, readable only by its owner. Fails if the file exists.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Renames a file atomically, replacing a file that has the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file a second name. Fails if the name exists, and where the file system has no such links.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// The names in a folder. Names that are not UTF-8 are omitted; our own files have none.
    fn list(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// Creates a folder in an existing one. Only its owner can enter it.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;
    /// Syncs a folder, so that the names in it survive a crash.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// A file that is open for writing.
pub trait DiskFile: Write + Send {
    /// Syncs the file, so that its content survives a crash.
    fn sync(&mut self) -> io::Result<()>;
    /// Copies owner and mode from a file that this one will replace.
    fn copy_owner_and_mode(&mut self, like: &Metadata) -> io::Result<()>;
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsDisk;

impl Disk for OsDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = guard::open(path)?;
        if file.metadata()?.len() > LARGEST {
            return Err(guard::refused("it is larger than 1 GiB"));
        }
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        guard::open(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(guard::create(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string().ok()));
        names.filter_map(io::Result::transpose).collect()
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        use std::os::unix::fs::DirBuilderExt;
        fs::DirBuilder::new().mode(0o700).create(folder)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}

impl DiskFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }

    fn copy_owner_and_mode(&mut self, like: &Metadata) -> io::Result<()> {
        guard::copy_owner_and_mode(self, like)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_larger_than_any_of_ours_is_not_read() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("decisions.jsonl");
        let file = File::create(&path).unwrap();
        file.set_len(LARGEST + 1).unwrap();
        assert_eq!(OsDisk.read(&path).unwrap_err().to_string(), "it is larger than 1 GiB");
        file.set_len(9).unwrap();
        assert_eq!(OsDisk.read(&path).unwrap(), [0; 9]);
    }
}
