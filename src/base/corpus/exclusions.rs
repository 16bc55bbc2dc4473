//! What a walk leaves out, whatever the rules say: the folder of the index, the files and folders that the user decided to
//! leave out, and folders whose rules cannot be read.

use std::collections::{BTreeSet, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::DirEntry;

use super::rule_files::refused_in;
use super::{Corpus, SkipReason, Skipped, WalkRules};
use crate::storage::shown;

/// What a walk leaves out, whatever the rules say.
#[derive(Clone, Debug, Default)]
pub struct Exclusions {
    /// The folder of the index, which is not entered, by whichever path or link it is reached.
    pub index: Option<PathBuf>,
    /// The files and folders that the user left out, relative to the corpus's base.
    pub by_user: Arc<PathScope>,
}

/// Leaves files and folders out of a walk, and remembers those that were met, except for the index. Clones share what
/// they remember.
#[derive(Clone)]
pub(super) struct LeftOut {
    base: PathBuf,
    index: Option<Arc<IndexFolder>>,
    by_user: Arc<PathScope>,
    has_rules: bool,
    met: Arc<Mutex<Met>>,
}

/// What was left out, and the folders in which a change of their rules is seen.
type Met = (Vec<Skipped>, Vec<PathBuf>);

impl LeftOut {
    /// What is left out of a corpus.
    pub(super) fn new(corpus: &Corpus, rules: &WalkRules, exclusions: &Exclusions) -> Self {
        let index = exclusions.index.as_deref().map(|index| Arc::new(IndexFolder::new(index)));
        let by_user = Arc::clone(&exclusions.by_user);
        let has_rules = !rules.no_ignore;
        Self { base: corpus.base.clone(), index, by_user, has_rules, met: Arc::default() }
    }

    /// Whether the user left a path out, or a folder above it. Such a path is remembered.
    pub(super) fn takes(&self, path: &Path) -> bool {
        let is_taken = self.by_user.contains(self.name(path));
        if is_taken {
            self.add(path, SkipReason::LeftOut, []);
        }
        is_taken
    }

    /// Whether a folder's rules cannot be read. Such a folder is remembered.
    pub(super) fn refuses(&self, folder: &Path) -> bool {
        let refused = if self.has_rules { refused_in(folder) } else { None };
        if let Some(rules) = &refused {
            let file = rules.file.strip_prefix(folder).unwrap_or(&rules.file);
            let reason = SkipReason::Rules(format!("{} {}", shown(file), rules.why));
            let beside = rules.file.parent().filter(|beside| beside.starts_with(folder)).unwrap_or(folder);
            self.add(folder, reason, [folder.to_owned(), beside.to_owned()]);
        }
        refused.is_some()
    }

    /// Whether an entry is the folder of the index, left out by the user, or a folder whose rules cannot be read.
    pub(super) fn takes_entry(&self, entry: &DirEntry) -> bool {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        self.index.as_ref().is_some_and(|index| index.is(entry))
            || self.takes(entry.path())
            || is_folder && self.refuses(entry.path())
    }

    /// What was left out, and the folders to watch for a change of that, as far as the walk has met them.
    pub(super) fn met(&self) -> Met {
        std::mem::take(&mut *self.met.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, path: &Path, reason: SkipReason, watched: impl IntoIterator<Item = PathBuf>) {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.0.push(Skipped::new(self.name(path), reason));
        met.1.extend(watched);
    }

    fn name<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.base).unwrap_or(path)
    }
}

/// The folder of the index, by whichever path or link it is reached.
struct IndexFolder {
    path: PathBuf,
    /// Device and inode, if it exists.
    identity: Option<(u64, u64)>,
}

impl IndexFolder {
    fn new(path: &Path) -> Self {
        let identity = path.metadata().ok().map(|found| (found.dev(), found.ino()));
        Self { path: path.to_owned(), identity }
    }

    fn is(&self, entry: &DirEntry) -> bool {
        let is_same = |&(device, number): &(u64, u64)| {
            // The inode is known already; the system is asked only if it matches.
            entry.ino() == Some(number) && entry.path().metadata().is_ok_and(|found| found.dev() == device)
        };
        entry.path() == self.path || self.identity.as_ref().is_some_and(is_same)
    }
}

// Sets of paths with everything below them: the part of a corpus that an update checks.

/// A set of files and folders, with everything in the folders.
#[derive(Debug, Default)]
pub struct PathScope {
    paths: HashSet<Vec<u8>>,
    /// The distinct lengths of the paths, ascending: only prefixes of these lengths are looked up.
    lengths: Vec<usize>,
}

impl PathScope {
    /// These paths and everything below them. The empty path stands for all relative paths.
    pub fn new<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let paths: HashSet<Vec<u8>> = paths.into_iter().map(|path| bytes(path).to_vec()).collect();
        let lengths: BTreeSet<usize> = paths.iter().map(Vec::len).collect();
        Self { paths, lengths: lengths.into_iter().collect() }
    }

    /// Whether a path is one of the given paths.
    pub fn names(&self, path: &Path) -> bool {
        let path = bytes(path);
        self.lengths.binary_search(&path.len()).is_ok() && self.paths.contains(path)
    }

    /// Whether a path is one of the given paths or lies below one.
    pub fn contains(&self, path: &Path) -> bool {
        let path = bytes(path);
        self.has_prefix(path, path.len())
    }

    /// Whether a path lies below one of the given paths.
    pub fn is_above(&self, path: &Path) -> bool {
        let path = bytes(path);
        path.len().checked_sub(1).is_some_and(|longest| self.has_prefix(path, longest))
    }

    fn has_prefix(&self, path: &[u8], longest: usize) -> bool {
        let is_whole = |length| length == 0 || path.get(length).is_none_or(|&byte| byte == b'/');
        let lengths = self.lengths.iter().take_while(|&&length| length <= longest);
        lengths.copied().any(|length| is_whole(length) && self.paths.contains(&path[..length]))
    }
}

/// The bytes of a path without trailing slashes; `/` becomes empty.
fn bytes(path: &Path) -> &[u8] {
    let mut bytes = path.as_os_str().as_bytes();
    while let [start @ .., b'/'] = bytes {
        bytes = start;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_has_what_lies_below_component_by_component(scope in proptest::collection::vec("[ab/]{0,6}", 0..5), path in "[ab/]{0,9}") {
            let clean = |path: &str| path.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
            let scope: Vec<String> = scope.iter().map(|path| format!("a/{}/", clean(path))).collect();
            let path = format!("a/{}", clean(&path));
            let naive = scope.iter().any(|above| Path::new(&path).starts_with(above));
            let scope = PathScope::new(scope.iter().map(Path::new));
            prop_assert_eq!(scope.contains(Path::new(&path)), naive);
        }
    }

    #[test]
    fn a_folder_lies_in_itself_with_and_without_a_slash_at_its_end() {
        for scope in ["a/", "a"] {
            assert!(PathScope::new([Path::new(scope)]).contains(Path::new("a/")), "{scope}");
        }
    }

    #[test]
    fn everything_lies_below_the_root_of_all_paths_and_below_the_empty_one() {
        for (all, path) in [("/", "/a"), ("", "a")] {
            let scope = PathScope::new([Path::new(all)]);
            assert!(scope.contains(Path::new(path)) && scope.is_above(Path::new(path)), "{path}");
            assert!(scope.contains(Path::new(all)) && !scope.is_above(Path::new(all)));
        }
        let nothing = PathScope::default();
        assert!(!nothing.contains(Path::new("")) && !nothing.is_above(Path::new("a")));
    }

    #[test]
    fn names_need_not_be_text() {
        let odd = Path::new(OsStr::from_bytes(b"/a/\xff"));
        let scope = PathScope::new([odd]);
        assert!(scope.contains(odd) && !scope.is_above(odd) && scope.is_above(&odd.join("b")));
        assert!(!scope.contains(Path::new("/a")) && !scope.contains(Path::new("/a/\u{ff}")));
    }
}
