//! The list of files and folders that the user leaves out of a corpus.

use std::path::{Component, Path, PathBuf};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::change::{Decision, said};
use super::list::DecisionList;
use dupi_base::corpus::PathScope;
use dupi_base::storage::{spelled, unspelled};

/// The files and folders that are left out, in the order of the decisions.
pub type ExcludedList = DecisionList<ExcludedEntry>;

/// A file or folder that is left out, with everything below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExcludedEntry {
    /// Its path, relative to the corpus's base, as [`spelled`] writes it.
    #[serde(deserialize_with = "within_corpus")]
    path: String,
    /// When it was left out.
    pub added: jiff::civil::Date,
    /// The user's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Reads a path and writes it in the one way in which it is compared.
fn within_corpus<'d, D: Deserializer<'d>>(from: D) -> Result<String, D::Error> {
    let given = String::deserialize(from)?;
    let path = relative(&unspelled(given.as_ref()));
    let wrong = || D::Error::custom(format!("`{given}` is not a path below the folder of the corpus"));
    path.map(|path| spelled(&path).into_owned()).ok_or_else(wrong)
}

/// A path without `.` and slashes at its end; `None` unless it lies below the folder that it is relative to.
fn relative(path: &Path) -> Option<PathBuf> {
    let is_name = |part: &Component| matches!(part, Component::Normal(_) | Component::CurDir);
    let is_below = path.components().all(|part| is_name(&part));
    let clean: PathBuf = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    (is_below && !clean.as_os_str().is_empty()).then_some(clean)
}

impl ExcludedEntry {
    /// An entry of a path relative to the corpus's base; `None` if the path does not lie below it.
    pub fn new(path: &Path, added: jiff::civil::Date, reason: Option<String>) -> Option<Self> {
        Some(Self { path: spelled(&relative(path)?).into_owned(), added, reason })
    }

    /// Its path, relative to the corpus's base.
    pub fn path(&self) -> PathBuf {
        unspelled(self.path.as_ref())
    }
}

impl Decision for ExcludedEntry {
    const TABLE: &str = "excluded";
    const NAME: &str = "excluded.toml";
    const LOCK: &str = "excluded.lock";
    const WHAT: &str = "the list of excluded files";
    const STAYS: &str = "which files are left out";
    const HEAD: &str = "\
# The files and folders that are left out of this corpus. `path` is relative to the folder of the corpus; `\\xff` stands
# for a byte that is not text. `reason` is for people. Other comments are not kept.

";

    type Key<'a> = &'a str;

    fn key(&self) -> &str {
        &self.path
    }

    fn words(before: Option<&Self>, after: Option<&Self>, count: usize) -> String {
        let verbs = ["left out", "no longer left out", "changed what is left out"];
        said(verbs, before.map(|entry| &*entry.path), after.map(|entry| &*entry.path), count)
    }
}

impl ExcludedList {
    /// The files and folders, relative to the corpus's base.
    pub fn scope(&self) -> PathScope {
        let paths: Vec<PathBuf> = self.entries.iter().map(ExcludedEntry::path).collect();
        PathScope::new(paths.iter().map(PathBuf::as_path))
    }

    /// Leaves more files and folders out. Returns how many of them were not left out already, by themselves or with a
    /// folder above them.
    pub fn exclude(&mut self, entries: impl IntoIterator<Item = ExcludedEntry>) -> usize {
        let known = self.scope();
        self.add_all(entries.into_iter().filter(|entry| !known.contains(&entry.path())))
    }

    /// The paths that are in one of two lists but not in both.
    pub fn difference(&self, other: &Self) -> Vec<PathBuf> {
        let [mine, others] = [self, other].map(Self::scope);
        let only = |list: &Self, scope: &PathScope| {
            let paths = list.entries.iter().map(ExcludedEntry::path);
            paths.filter(|path| !scope.names(path)).collect::<Vec<_>>()
        };
        [only(self, &others), only(other, &mine)].concat()
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn entry(path: &[u8]) -> ExcludedEntry {
        ExcludedEntry::new(Path::new(OsStr::from_bytes(path)), jiff::civil::date(2026, 1, 2), None).unwrap()
    }

    fn read(text: &str) -> Result<ExcludedList, String> {
        ExcludedList::parse(Path::new("excluded.toml"), text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn every_path_is_read_back_and_has_one_spelling() {
        let paths = [&b"a/b c.txt"[..], b"a\xff/b", b"a\\xff", b"two\nlines", "Gr\u{fc}n".as_bytes()];
        let list: ExcludedList = paths.map(entry).into_iter().collect();
        let again = read(&list.to_text().unwrap()).unwrap();
        assert_eq!(again, list);
        let found: Vec<PathBuf> = again.entries().iter().map(ExcludedEntry::path).collect();
        assert_eq!(found, paths.map(|path| PathBuf::from(OsStr::from_bytes(path))));
        assert_eq!(entry(b"./a//b/"), entry(b"a/b"));
    }

    #[test]
    fn what_is_no_path_of_the_corpus_is_refused_with_its_line_and_column() {
        for path in ["/etc", "../x", "a/../b", "", "."] {
            let said = read(&format!("[[excluded]]\npath = '{path}'\nadded = '2026-01-02'\n")).unwrap_err();
            assert!(said.contains("line 2, column 8") && said.contains("is not a path below"), "{said}");
        }
        assert!(read("[[excluded]]\npath = './vendor/'\nadded = '2026-01-02'\n").is_ok());
    }

    #[test]
    fn what_lies_in_a_folder_that_is_left_out_is_left_out_already() {
        let mut list: ExcludedList = [entry(b"vendor")].into_iter().collect();
        assert_eq!(list.exclude([entry(b"vendor/a"), entry(b"vendor"), entry(b"vendors")]), 1);
        assert!(list.scope().contains(Path::new("vendor/a/b")) && !list.scope().contains(Path::new("vend")));
        let other: ExcludedList = [entry(b"vendors"), entry(b"x")].into_iter().collect();
        assert_eq!(list.difference(&other), [PathBuf::from("vendor"), PathBuf::from("x")]);
        assert!(list.difference(&list).is_empty());
    }
}
