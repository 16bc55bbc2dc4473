//! Distinguishes a root whose disk is not mounted from one whose files were deleted.
//!
//! When a disk is unmounted, its mount point stays as an empty folder. So the roots that are mount points are
//! remembered beside the index. A remembered root that is empty and no longer a mount point is not mounted.
//!
//! Limits: a bind mount of the same file system looks like a plain folder, and a mount point that has files of its
//! own below the disk is not recognised.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::walk::check_roots;
use super::{Corpus, CorpusError};
use crate::storage::{Folder, StorageError};

/// The file name of the list: paths, each followed by a NUL.
const NAME: &str = "mounted";

/// The roots that were mount points at the last check.
#[derive(Debug, Default)]
pub struct MountedRoots {
    mounted: Vec<PathBuf>,
}

impl MountedRoots {
    /// Reads the list from an index folder.
    pub fn read(folder: &Folder) -> Result<Self, StorageError> {
        let bytes = folder.read(NAME)?.unwrap_or_default();
        let paths = bytes.split(|&byte| byte == 0).filter(|path| !path.is_empty());
        Ok(Self { mounted: paths.map(|path| OsStr::from_bytes(path).into()).collect() })
    }

    /// Removes the list from an index folder.
    pub fn remove(folder: &Folder) -> Result<(), StorageError> {
        folder.remove(NAME)
    }

    /// Saves the list in an index folder.
    pub fn save(&self, folder: &Folder) -> Result<(), StorageError> {
        let bytes = self.mounted.iter().flat_map(|path| [path.as_os_str().as_bytes(), &[0]]);
        folder.replace(NAME, &bytes.flatten().copied().collect::<Vec<u8>>())
    }

    /// Checks the roots. Returns whether the list changed.
    ///
    /// # Errors
    /// When a root is missing or its disk is not mounted.
    pub fn check(&mut self, corpus: &Corpus) -> Result<bool, CorpusError> {
        check_roots(corpus)?;
        let mounted: Vec<PathBuf> =
            corpus.roots.iter().filter(|root| is_mount_point(root)).cloned().collect();
        let is_away =
            |root: &&PathBuf| self.mounted.contains(root) && !mounted.contains(root) && is_empty(root);
        if let Some(root) = corpus.roots.iter().find(is_away) {
            return Err(CorpusError::NotMounted(root.clone()));
        }
        let is_changed = self.mounted != mounted;
        self.mounted = mounted;
        Ok(is_changed)
    }
}

fn is_mount_point(path: &Path) -> bool {
    let device = |path: &Path| path.symlink_metadata().map(|metadata| metadata.dev()).ok();
    path.parent().is_none_or(|above| device(path) != device(above))
}

fn is_empty(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_of_the_system_are_recognised() {
        assert!(is_mount_point(Path::new("/")) && is_mount_point(Path::new("/proc")));
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_mount_point(folder.path()));
    }

    #[test]
    fn only_an_empty_folder_where_a_disk_was_mounted_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let corpus = Corpus::resolve(&[folder.path().to_owned()]).unwrap();
        let known = || MountedRoots { mounted: corpus.roots.clone() };
        let error = known().check(&corpus).unwrap_err();
        assert!(error.to_string().contains("mount the disk again"), "{error}");
        assert!(!MountedRoots::default().check(&corpus).unwrap(), "a plain folder may be empty");
        fs::write(folder.path().join("a"), "a").unwrap();
        let mut disks = known();
        assert!(disks.check(&corpus).unwrap(), "it is a plain folder now");
        fs::remove_file(folder.path().join("a")).unwrap();
        assert!(!disks.check(&corpus).unwrap());
    }

    #[test]
    fn the_list_is_saved_without_loss() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        assert!(MountedRoots::read(&folder).unwrap().mounted.is_empty());
        let mounted = vec![PathBuf::from("/mnt/a\nb"), OsStr::from_bytes(b"/mnt/\xff").into()];
        MountedRoots { mounted: mounted.clone() }.save(&folder).unwrap();
        assert_eq!(MountedRoots::read(&folder).unwrap().mounted, mounted);
    }
}
