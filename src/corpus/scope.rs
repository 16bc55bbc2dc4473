//! Paths with all that lies below them: what an update looks at.

use std::collections::{BTreeSet, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A set of files and folders, with everything in these.
#[derive(Debug, Default)]
pub struct Scope {
    paths: HashSet<Vec<u8>>,
    /// The lengths of the paths, so that few of a path's folders have to be looked up.
    lengths: BTreeSet<usize>,
}

impl Scope {
    /// These paths and what is below them; the empty path is all relative ones.
    pub fn new<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let paths: HashSet<Vec<u8>> = paths.into_iter().map(|path| bytes(path).to_vec()).collect();
        let lengths = paths.iter().map(Vec::len).collect();
        Self { paths, lengths }
    }

    /// Whether a path is one of these.
    pub fn names(&self, path: &Path) -> bool {
        self.paths.contains(bytes(path))
    }

    /// Whether a path is one of these, or lies below one.
    pub fn contains(&self, path: &Path) -> bool {
        self.names(path) || self.has_above(bytes(path))
    }

    /// Whether a path lies below one of these.
    pub fn is_above(&self, path: &Path) -> bool {
        self.has_above(bytes(path))
    }

    fn has_above(&self, path: &[u8]) -> bool {
        let is_folder = |&&length: &&usize| length == 0 || path.get(length) == Some(&b'/');
        self.lengths
            .iter()
            .filter(is_folder)
            .any(|&length| length < path.len() && self.paths.contains(&path[..length]))
    }
}

/// A path without slashes at its end.
fn bytes(path: &Path) -> &[u8] {
    let mut bytes = path.as_os_str().as_bytes();
    while let Some(shorter) = bytes.strip_suffix(b"/") {
        bytes = shorter;
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
            let scope = Scope::new(scope.iter().map(Path::new));
            prop_assert_eq!(scope.contains(Path::new(&path)), naive);
        }
    }

    #[test]
    fn names_need_not_be_text() {
        let odd = Path::new(OsStr::from_bytes(b"/a/\xff"));
        let scope = Scope::new([odd]);
        assert!(scope.contains(odd) && !scope.is_above(odd) && scope.is_above(&odd.join("b")));
        assert!(!scope.contains(Path::new("/a")) && !scope.contains(Path::new("/a/\u{ff}")));
    }
}
