//! What we ask of a file system: few operations, each of which may fail.

use std::fmt::Debug;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::Path;

use super::guard;

/// A file system. The program has the system's own; the failure tests have one that fails on demand.
pub trait Disk: Debug + Send + Sync {
    /// A file's bytes. A link is refused, and so is what is no regular file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Opens a file for reading; refuses as [`Disk::read`] does.
    fn open(&self, path: &Path) -> io::Result<File>;
    /// Creates a file that is not there yet, for writing; only its owner can read it.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Gives a file another name, atomically; a file that had it is gone.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// The names in a folder that are UTF-8, as all of ours are.
    fn list(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// Creates a folder in one that is there; only its owner can enter it.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;
    /// Makes a folder's names last.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// A file that is open for writing.
pub trait DiskFile: Write + Send {
    /// Makes all that was written last.
    fn sync(&mut self) -> io::Result<()>;
    /// Takes over owner and mode of a file that this one is to replace.
    fn keep(&mut self, like: &Metadata) -> io::Result<()>;
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsDisk;

impl Disk for OsDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut file = guard::open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
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

    fn keep(&mut self, like: &Metadata) -> io::Result<()> {
        guard::keep(self, like)
    }
}
