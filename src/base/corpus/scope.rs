//! Sets of paths with everything below them: the part of a corpus that an update checks.

use std::collections::{BTreeSet, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

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
