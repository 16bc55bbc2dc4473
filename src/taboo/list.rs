//! The taboo list as a file: readable, editable by hand, never half-written, and edited by one process at a time.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Entry;
use crate::config::{Malformed, from_toml};
use crate::storage::{Folder, Lock, StorageError};

/// The file's name in the folder of a corpus's index.
pub const NAME: &str = "taboo.toml";
const LOCK: &str = "taboo.lock";

const HEAD: &str = "\
# What dupi-tui hides in this corpus: every place whose text stands in one of these.
# Edit it as you like; `text` may be any text, `reason` is for people. Other comments are not kept.

";

/// The decisions of a user, in the order in which they were taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TabooList {
    #[serde(default, rename = "taboo")]
    entries: Vec<Entry>,
}

/// Why a taboo list cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TabooError {
    /// The system refused an operation on the list or its folder.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// It is not what a taboo list looks like.
    #[error("the taboo list {}, {wrong}; mend the file, or move it away", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What, and where.
        wrong: Malformed,
    },
}

impl TabooList {
    /// Reads the list of the corpus whose index is in `home`; one that is not there is empty.
    pub fn load(home: &Folder) -> Result<Self, TabooError> {
        match home.read(NAME)? {
            Some(bytes) => Self::parse(&home.at(NAME), &bytes),
            None => Ok(Self::default()),
        }
    }

    /// Reads a list from text; `path` is for messages.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, TabooError> {
        from_toml(bytes).map_err(|wrong| TabooError::Malformed { path: path.to_owned(), wrong })
    }

    /// The list as text.
    ///
    /// # Errors
    /// When TOML cannot spell it. Strings and dates can always be spelt; but were an empty text written
    /// instead, all decisions would be gone.
    pub fn to_text(&self) -> io::Result<String> {
        let entries = toml::to_string_pretty(self).map_err(io::Error::other)?;
        Ok(format!("{HEAD}{entries}"))
    }

    /// Changes the list of the corpus whose index is in `home`. No other process changes it meanwhile, and
    /// whatever happens, the file is whole: as it was, or as it is to be. Returns the list as it is now.
    pub fn edit<T>(home: &Folder, change: impl FnOnce(&mut Self) -> T) -> Result<Self, TabooError> {
        home.create()?;
        // Where a link leads to the list, the file is locked and replaced, and not the link.
        let (folder, name) = home.resolve(NAME)?;
        let _lock = Lock::wait(&folder, LOCK)?;
        let mut list = Self::load(home)?;
        let before = list.clone();
        change(&mut list);
        if list != before {
            let text = list.to_text().map_err(StorageError::of("write", folder.at(&name)))?;
            folder.replace(&name, text.as_bytes())?;
        }
        Ok(list)
    }

    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Adds an entry; `false` when its text is there already.
    pub fn add(&mut self, entry: Entry) -> bool {
        let is_new = self.entries.iter().all(|known| known.text != entry.text);
        if is_new {
            self.entries.push(entry);
        }
        is_new
    }

    /// Takes the entry with this text out.
    pub fn remove(&mut self, text: &str) -> Option<Entry> {
        let at = self.entries.iter().position(|entry| entry.text == text)?;
        Some(self.entries.remove(at))
    }
}

impl FromIterator<Entry> for TabooList {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut list = Self::default();
        for entry in entries {
            list.add(entry);
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    fn entry(text: &str) -> Entry {
        Entry { text: text.to_owned(), added: jiff::civil::date(2026, 1, 2), reason: None, language: None }
    }

    proptest! {
        #[test]
        fn every_text_comes_back(texts in proptest::collection::vec(any::<String>(), 0..5), reason in any::<Option<String>>()) {
            let list: TabooList = texts.iter().map(|text| Entry { reason: reason.clone(), ..entry(text) }).collect();
            prop_assert_eq!(TabooList::parse(Path::new("taboo.toml"), list.to_text().unwrap().as_bytes()).unwrap(), list);
        }
    }

    #[test]
    fn awkward_texts_come_back() {
        for text in ["", "'''", "\"\"\"", "a\r\nb", "\n", "\u{0}\u{1b}[31m", "\\", "'''\"\"\"\n"] {
            let list: TabooList = [entry(text)].into_iter().collect();
            assert_eq!(
                TabooList::parse(Path::new("x"), list.to_text().unwrap().as_bytes()).unwrap(),
                list,
                "{text:?}"
            );
        }
    }

    fn home() -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        let home = Folder::new(place.path().join("home"));
        (place, home)
    }

    #[test]
    fn a_damaged_list_is_named_with_its_line_and_left_alone() {
        let (_place, home) = home();
        home.create().unwrap();
        fs::write(home.at(NAME), "# mine\n[[taboo]]\ntext = 3\n").unwrap();
        let error = TabooList::edit(&home, |list| list.add(entry("x"))).unwrap_err().to_string();
        assert!(error.contains("line 3, column 8"), "{error}");
        assert_eq!(home.read(NAME).unwrap().unwrap(), b"# mine\n[[taboo]]\ntext = 3\n");
    }

    #[test]
    fn what_would_be_lost_by_the_next_decision_is_refused() {
        for (text, place) in [
            (&b"[[taboo]]\ntext = 'a'\nadded = '2026-01-02'\nreasn = 'typo'\n"[..], "line 4, column 1"),
            (b"[[taboo]]\ntext = 'caf\xe9'\n", "line 2, column 12: not UTF-8"),
        ] {
            let error = TabooList::parse(Path::new("taboo.toml"), text).unwrap_err().to_string();
            assert!(error.contains(place), "{error}");
        }
    }

    #[test]
    fn a_list_behind_a_link_is_changed_where_it_is() {
        let (place, home) = home();
        home.create().unwrap();
        let real = place.path().join("mine.toml");
        fs::write(&real, "").unwrap();
        std::os::unix::fs::symlink(&real, home.at(NAME)).unwrap();
        TabooList::edit(&home, |list| list.add(entry("y"))).unwrap();
        assert!(home.at(NAME).is_symlink());
        assert!(fs::read_to_string(&real).unwrap().contains("\"y\""));
    }

    #[test]
    fn edits_from_many_threads_are_all_kept() {
        let (_place, home) = home();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let home = &home;
                scope.spawn(move || {
                    TabooList::edit(home, |list| list.add(entry(&number.to_string()))).unwrap()
                });
            }
        });
        assert_eq!(TabooList::load(&home).unwrap().entries().len(), 8);
        let list = TabooList::edit(&home, |list| list.remove("3")).unwrap();
        assert_eq!(list.entries().len(), 7);
    }
}
