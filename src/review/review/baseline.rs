//! Decisions in a file of a repository, which everybody who works on it has: what is accepted, and what is taboo.
//!
//! The file is sorted by text, with one block an entry, so that a decision changes only the lines of its own block, and a
//! merge of two decisions seldom conflicts.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use dupi_base::config::{Malformed, from_toml};
use dupi_base::corpus::{self, SkipReason};
use dupi_base::storage::{Folder, StorageError, shown};
use dupi_index::taboo::{AcceptedEntry, AcceptedList, TabooEntry, TabooList};

/// The largest file, in bytes.
const LARGEST: u64 = 1 << 30;

/// What stands at the beginning of the file.
const HEAD: &str = "\
# Decisions of `dupi-tui review`. A passage is reported again when it has more than `copies` copies; text in a taboo entry
# is never reported. `dupi-tui review --baseline FILE --update-baseline` adds what is reported now. `text` of an accepted
# entry and `reason` are for people. Other comments are not kept.
";

/// The decisions of a repository.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// What is accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<AcceptedEntry>,
    /// What is taboo.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taboo: Vec<TabooEntry>,
}

/// Why a baseline cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The system refused it.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// There is no such file.
    #[error("there is no baseline {}; --update-baseline makes one", shown(.0))]
    Absent(PathBuf),
    /// It cannot be read.
    #[error("cannot read the baseline {}: {}; name a regular file that you may read", shown(.0), .1)]
    Unreadable(PathBuf, SkipReason),
    /// It is malformed.
    #[error("the baseline {}, {wrong}; correct the file", shown(path))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The error and its position.
        wrong: Malformed,
    },
}

impl Baseline {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is not there, or is malformed.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let mut bytes = Vec::new();
        match corpus::read(path, LARGEST, &mut bytes) {
            Ok(_) | Err(SkipReason::Empty) => {}
            Err(SkipReason::Vanished) => return Err(BaselineError::Absent(path.to_owned())),
            Err(reason) => return Err(BaselineError::Unreadable(path.to_owned(), reason)),
        }
        from_toml(&bytes).map_err(|wrong| BaselineError::Malformed { path: path.to_owned(), wrong })
    }

    /// Adds decisions. An entry that is there with as many copies stays as it is.
    pub fn add(
        &mut self,
        accepted: impl IntoIterator<Item = AcceptedEntry>,
        taboo: impl IntoIterator<Item = TabooEntry>,
    ) {
        let mut list: AcceptedList = std::mem::take(&mut self.accepted).into_iter().collect();
        list.decide(accepted);
        self.accepted = list.entries().to_vec();
        let mut list: TabooList = std::mem::take(&mut self.taboo).into_iter().collect();
        list.add_all(taboo);
        self.taboo = list.entries().to_vec();
    }

    /// The file's text.
    ///
    /// # Errors
    /// When an entry cannot be written as TOML, which all strings and dates can.
    pub fn to_text(&self) -> std::io::Result<String> {
        let mut sorted = self.clone();
        sorted.accepted.sort_by(|a, b| (&a.text, a.of.to_string()).cmp(&(&b.text, b.of.to_string())));
        sorted.taboo.sort_by(|a, b| a.text.cmp(&b.text));
        let tables = toml::to_string_pretty(&sorted).map_err(std::io::Error::other)?;
        Ok(format!("{HEAD}\n{tables}"))
    }

    /// Replaces a file, if its text changes.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn write(&self, path: &Path) -> Result<(), BaselineError> {
        let text = self.to_text().map_err(StorageError::during("write", path))?;
        let mut known = Vec::new();
        if corpus::read(path, LARGEST, &mut known).is_ok() && known == text.as_bytes() {
            return Ok(());
        }
        let absolute = std::path::absolute(path).map_err(StorageError::during("write", path))?;
        let folder = Folder::new(absolute.parent().unwrap_or(Path::new("/")));
        let name = absolute.file_name().unwrap_or_default().to_string_lossy();
        Ok(folder.replace(&name, text.as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use dupi_index::taboo::{AcceptedId, KeptTexts};

    fn accepted(id: u64, copies: u64, text: &str) -> AcceptedEntry {
        let (of, text) = (AcceptedId::Passage(id), text.to_owned());
        let added = jiff::civil::date(2026, 1, id as i8);
        AcceptedEntry { of, text, copies, fix: false, texts: KeptTexts::default(), added, reason: None }
    }

    fn taboo(text: &str) -> TabooEntry {
        let added = jiff::civil::date(2026, 1, 2);
        TabooEntry { text: text.into(), added, reason: None, language: None }
    }

    #[test]
    fn a_baseline_is_sorted_read_back_and_changes_only_where_a_decision_does() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("base.toml");
        assert!(matches!(Baseline::read(&file), Err(BaselineError::Absent(_))));
        let mut baseline = Baseline::default();
        baseline.add([accepted(3, 2, "zebra"), accepted(1, 4, "apple")], [taboo("y = []\n"), taboo("b")]);
        baseline.write(&file).unwrap();
        let before = fs::read_to_string(&file).unwrap();
        let mut again = Baseline::read(&file).unwrap();
        assert_eq!((again.accepted.len(), again.taboo.len()), (2, 2));
        again.add([accepted(1, 4, "apple"), accepted(2, 2, "middle")], [taboo("b")]);
        let after = again.to_text().unwrap();
        let new: Vec<&str> = after.lines().filter(|line| !before.lines().any(|old| old == *line)).collect();
        assert!(new.iter().all(|line| line.contains("middle") || line.contains('2')), "{new:?}");
        let order: Vec<usize> = ["apple", "middle", "zebra"].map(|text| after.find(text).unwrap()).into();
        assert!(order.is_sorted(), "{after}");
        fs::write(&file, "[[accepted]]\nof = 3\n").unwrap();
        let error = Baseline::read(&file).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
