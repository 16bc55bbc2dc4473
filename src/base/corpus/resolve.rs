//! Makes a corpus of the given paths: real paths, a common base, and a key for the index folder.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use super::walk::check_roots;
use super::{Corpus, CorpusError, read_stream};
use crate::storage::{Folder, StorageError, in_words, shown, typed_path};

impl Corpus {
    /// The corpus of some folders and files. A path inside another given folder is dropped.
    ///
    /// # Errors
    /// [`CorpusError::Unreachable`] for a path that does not exist or is not accessible.
    pub fn resolve(paths: &[PathBuf]) -> Result<Self, CorpusError> {
        let real = |path: &PathBuf| {
            path.canonicalize().map_err(|source| CorpusError::Unreachable { path: path.clone(), source })
        };
        let roots = outermost(paths.iter().map(real).collect::<Result<Vec<_>, _>>()?);
        let nothing =
            || CorpusError::Wrong("no files or folders were given; give at least one path".to_owned());
        let folder = |root: &PathBuf| if root.is_dir() { root.clone() } else { parent(root) };
        let base = roots.iter().map(folder).reduce(|a, b| common(&a, &b)).ok_or_else(nothing)?;
        Ok(Self { base, roots })
    }

    /// The corpus of the same files in another folder: the roots of `corpora` below `place` as they are below their bases.
    ///
    /// # Errors
    /// [`CorpusError::Unreachable`] for a root that is not there.
    pub fn elsewhere<'a>(
        corpora: impl IntoIterator<Item = &'a Self>,
        place: &Path,
    ) -> Result<Self, CorpusError> {
        let base = place
            .canonicalize()
            .map_err(|source| CorpusError::Unreachable { path: place.to_owned(), source })?;
        let below = |of: &Self| of.roots.iter().map(|root| base.join(of.relative(root))).collect::<Vec<_>>();
        let roots: BTreeSet<PathBuf> = corpora.into_iter().flat_map(below).collect();
        let Self { roots, .. } = Self::resolve(&roots.into_iter().collect::<Vec<_>>())?;
        Ok(Self { base, roots })
    }

    /// The corpus of a list of paths, as [`read_list`] reads it.
    pub fn from_list(list: impl Read) -> Result<Self, CorpusError> {
        Self::resolve(&read_list(list)?)
    }

    /// A name for the folder of this corpus's index: the name of the base, and a hash of all paths.
    pub fn key(&self) -> String {
        let name = self.base.file_name().unwrap_or(self.base.as_os_str()).to_string_lossy();
        let safe = |character: char| {
            if character.is_alphanumeric() || "-_.".contains(character) { character } else { '_' }
        };
        let name: String = name.chars().map(safe).take(40).collect();
        let mut hash = Xxh3::new();
        for path in std::iter::once(&self.base).chain(&self.roots) {
            hash.update(path.as_os_str().as_bytes());
            hash.update(&[0]);
        }
        format!("{}-{:016x}", name.trim_start_matches('.'), hash.digest())
    }

    /// The absolute path of a document.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        self.base.join(path)
    }

    /// The path of a file of this corpus relative to its base.
    pub(super) fn relative(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.base).unwrap_or(path).to_owned()
    }
}

/// The paths of a list, one a line, or separated by NUL if the list has a NUL.
pub fn read_list(list: impl Read) -> Result<Vec<PathBuf>, CorpusError> {
    let bytes = read_stream(list).map_err(|error| {
        let why = in_words(&error);
        CorpusError::Wrong(format!("cannot read the list of paths from standard input: {why}"))
    })?;
    let separator = if bytes.contains(&0) { 0 } else { b'\n' };
    let lines = bytes.split(|&byte| byte == separator).filter(|line| !line.is_empty());
    Ok(lines.map(|line| typed_path(OsStr::from_bytes(line))).collect())
}

/// The paths that lie in no other one, sorted. What lies in a folder comes directly behind it in the order of components.
fn outermost(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    let mut found: Vec<PathBuf> = Vec::new();
    for path in paths {
        if found.last().is_none_or(|last| !path.starts_with(last)) {
            found.push(path);
        }
    }
    found
}

fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

fn common(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

// Distinguishes a root whose disk is not mounted from one whose files were deleted.
//
// When a disk is unmounted, its mount point stays as an empty folder. So the roots that are mount points are
// remembered beside the index. A remembered root that is empty and no longer a mount point is not mounted.
//
// Limits: a bind mount of the same file system looks like a plain folder, and a mount point that has files of its
// own below the disk is not recognised.

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
            return Err(CorpusError::Wrong(format!(
                "cannot reach {}: it is an empty folder where a disk was mounted; mount the disk again, or remove the \
                 index with dupi-tui clean",
                shown(root)
            )));
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
    use std::fs;
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_lies_in_another_path_adds_nothing(paths in prop::collection::vec("(/[ab!.]{1,2}){1,4}", 0..12)) {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let mut naive: Vec<PathBuf> = paths.clone();
            naive.retain(|path| !paths.iter().any(|other| other != path && path.starts_with(other)));
            naive.sort();
            naive.dedup();
            prop_assert_eq!(outermost(paths), naive);
        }
    }

    #[test]
    fn a_long_list_takes_no_longer_for_each_path() {
        let paths: Vec<PathBuf> = (0..50_000).map(|number| format!("/a/folder/{number}").into()).collect();
        let begun = Instant::now();
        assert_eq!(outermost(paths.clone()).len(), paths.len());
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }

    #[test]
    fn one_folder_is_its_own_base_and_one_file_lies_in_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        fs::write(real.join("a"), "a").unwrap();
        assert_eq!(
            Corpus::resolve(std::slice::from_ref(&real)).unwrap(),
            Corpus { base: real.clone(), roots: vec![real.clone()] }
        );
        let file = Corpus::resolve(&[real.join("a")]).unwrap();
        assert_eq!(file, Corpus { base: real.clone(), roots: vec![real.join("a")] });
        assert_ne!(file.key(), Corpus::resolve(&[real]).unwrap().key());
    }

    #[test]
    fn several_paths_share_a_base_and_nested_ones_add_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        fs::create_dir_all(real.join("x/y")).unwrap();
        fs::create_dir_all(real.join("z")).unwrap();
        let list = format!("{0}/z\n{0}/x\n{0}/x/y\n{0}/z\n", real.to_str().unwrap());
        let corpus = Corpus::from_list(list.as_bytes()).unwrap();
        assert_eq!(corpus, Corpus { roots: vec![real.join("x"), real.join("z")], base: real });
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = Corpus::resolve(&["/no/such/folder".into()]).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder"), "{error}");
        assert!(matches!(Corpus::resolve(&[]), Err(CorpusError::Wrong(_))));
    }

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
