//! Decision lists and their files. A file can be edited by hand, is replaced atomically, and is changed by one
//! process at a time. Every edit is a step of the journal, so `DecisionList::edit` is in `journal`.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::change::{self, Decision, EntryChange};
use dupi_base::config::{Malformed, from_toml};
use dupi_base::storage::{Folder, Lock, StorageError, shown};

/// A list of the user's decisions, in the order in which they were taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionList<E> {
    pub(super) entries: Vec<E>,
}

impl<E> Default for DecisionList<E> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

/// Why decisions cannot be read or saved.
#[derive(Debug, thiserror::Error)]
pub enum TabooError {
    /// The system refused an operation on a list or its folder.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The user has no folder of settings.
    #[error("there is no home folder for a list of your own; set HOME")]
    NoUser,
    /// Half of a move between the lists of the user and of another corpus.
    #[error("{what} is half of a move in another corpus, whose index is in {}; undo it there", shown(of))]
    Elsewhere {
        /// What was decided, in words.
        what: String,
        /// The folder of the other corpus's index.
        of: PathBuf,
    },
    /// Half of a move of which the other half cannot be undone now.
    #[error("{what} is half of a move between two lists; in {} something else was decided since", shown(of))]
    DecidedSince {
        /// What was decided, in words.
        what: String,
        /// The folder of the other list.
        of: PathBuf,
    },
    /// The file of a list is malformed.
    #[error("{what} {}, {wrong}; correct the file, or move it elsewhere", shown(path))]
    Malformed {
        /// The list's name in messages.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The error and its position.
        wrong: Malformed,
    },
    /// The imported list is malformed.
    #[error("cannot import {from}, {wrong}; correct it, and import it again")]
    Import {
        /// The name of the import.
        from: String,
        /// The error and its position.
        wrong: Malformed,
    },
}

impl<E: Decision> DecisionList<E> {
    /// Reads the list of the corpus whose index is in `home`; without a file it is empty.
    pub fn load(home: &Folder) -> Result<Self, TabooError> {
        match home.list(E::NAME)?.read()? {
            Some(bytes) => Self::parse(&home.at(E::NAME), &bytes),
            None => Ok(Self::default()),
        }
    }

    /// Parses a list; `path` is for messages.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, TabooError> {
        Self::read(bytes).map_err(|wrong| TabooError::Malformed {
            what: E::WHAT,
            path: path.to_owned(),
            wrong,
        })
    }

    /// Parses a list to be added to another one; `from` names it in messages.
    pub fn import(from: &str, bytes: &[u8]) -> Result<Self, TabooError> {
        Self::read(bytes).map_err(|wrong| TabooError::Import { from: from.to_owned(), wrong })
    }

    fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut tables: BTreeMap<Spanned<String>, Vec<E>> = from_toml(bytes)?;
        let entries = tables.remove(E::TABLE).unwrap_or_default();
        match tables.into_keys().next() {
            None => Ok(Self { entries }),
            Some(name) => {
                let detail = format!("unknown field `{}`, expected `{}`", name.get_ref(), E::TABLE);
                Err(Malformed::at(bytes, name.span().start, &detail))
            }
        }
    }

    /// The list as text.
    ///
    /// # Errors
    /// When the list cannot be written as TOML. Strings and dates always can; but writing an empty text instead
    /// would lose all decisions.
    pub fn to_text(&self) -> io::Result<String> {
        let tables = BTreeMap::from([(E::TABLE, &self.entries)]);
        let entries = toml::to_string_pretty(&tables).map_err(io::Error::other)?;
        Ok(format!("{}{entries}", E::HEAD))
    }

    /// Changes the list; the caller holds the journal's lock. `change` is called once at most; it gets the old list and
    /// returns the new one. It is a pointer, so that this is compiled once for each kind of list.
    pub(super) fn edit_held(
        home: &Folder,
        change: &mut dyn FnMut(&Self) -> Result<Self, TabooError>,
    ) -> Result<Self, TabooError> {
        // If the file is a link, its target is locked and replaced, not the link.
        let file = home.list(E::NAME)?;
        let _lock = Lock::wait(&file.folder, E::LOCK)?;
        let before = Self::load(home)?;
        let list = change(&before)?;
        if list != before {
            let text = list.to_text().map_err(StorageError::during("write", file.path()))?;
            file.replace(text.as_bytes())?;
        }
        Ok(list)
    }

    /// The entries.
    pub fn entries(&self) -> &[E] {
        &self.entries
    }

    /// Adds an entry; `false` if there is one with the same key already.
    pub fn add(&mut self, entry: E) -> bool {
        let is_new = self.entries.iter().all(|known| !known.is_about(&entry));
        if is_new {
            self.entries.push(entry);
        }
        is_new
    }

    /// Adds the entries whose keys are new. Returns their number.
    pub fn add_all(&mut self, entries: impl IntoIterator<Item = E>) -> usize {
        let entries: Vec<E> = entries.into_iter().collect();
        let mut known: HashSet<E::Key<'_>> = self.entries.iter().map(E::key).collect();
        let is_new: Vec<bool> = entries.iter().map(|entry| known.insert(entry.key())).collect();
        drop(known);
        let before = self.entries.len();
        let entries = entries.into_iter().zip(is_new);
        self.entries.extend(entries.filter_map(|(entry, is_new)| is_new.then_some(entry)));
        self.entries.len() - before
    }

    /// Replaces an old entry and returns it. Other entries with the new key are removed.
    pub fn replace(&mut self, old: &E, entry: E) -> Option<E> {
        let at = self.entries.iter().position(|known| known.is_about(old))?;
        let old = std::mem::replace(&mut self.entries[at], entry.clone());
        let mut number = 0;
        self.entries.retain(|known| {
            number += 1;
            number - 1 == at || !known.is_about(&entry)
        });
        Some(old)
    }

    /// Removes and returns the entry with the same key.
    pub fn take(&mut self, entry: &E) -> Option<E> {
        let at = self.entries.iter().position(|known| known.is_about(entry))?;
        Some(self.entries.remove(at))
    }

    /// Removes all entries that `is_meant` picks. Returns their number.
    pub fn remove_all(&mut self, is_meant: impl Fn(&E) -> bool) -> usize {
        let before = self.entries.len();
        self.entries.retain(|entry| !is_meant(entry));
        before - self.entries.len()
    }

    /// The list after the changes of a step are undone or redone, and how many of them could be applied.
    pub(super) fn after_step(&self, changes: &mut [EntryChange<E>], undo: bool) -> (Self, usize) {
        let (entries, made) = change::apply(&self.entries, changes, undo);
        (Self { entries }, made)
    }
}

impl<E: Decision> FromIterator<E> for DecisionList<E> {
    fn from_iter<I: IntoIterator<Item = E>>(entries: I) -> Self {
        let mut list = Self::default();
        list.add_all(entries);
        list
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::super::fixture::entry;
    use super::super::{LIST as NAME, TabooEntry, TabooList};
    use super::*;

    proptest! {
        #[test]
        fn every_text_is_read_back(texts in proptest::collection::vec(any::<String>(), 0..5), reason in any::<Option<String>>()) {
            let list: TabooList = texts.iter().map(|text| TabooEntry { reason: reason.clone(), ..entry(text) }).collect();
            prop_assert_eq!(TabooList::parse(Path::new("taboo.toml"), list.to_text().unwrap().as_bytes()).unwrap(), list);
        }
    }

    #[test]
    fn awkward_texts_are_read_back() {
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
    fn an_error_in_a_list_is_reported_with_its_line_and_the_file_is_unchanged() {
        let (_place, home) = home();
        home.create().unwrap();
        fs::write(home.at(NAME), "# mine\n[[taboo]]\ntext = 3\n").unwrap();
        let error = TabooList::edit(&home, |list| list.add(entry("x"))).unwrap_err().to_string();
        assert!(error.contains("line 3, column 8"), "{error}");
        assert_eq!(home.read(NAME).unwrap().unwrap(), b"# mine\n[[taboo]]\ntext = 3\n");
    }

    #[test]
    fn text_that_the_next_edit_would_lose_is_refused() {
        for (text, place) in [
            (&b"[[taboo]]\ntext = 'a'\nadded = '2026-01-02'\nreasn = 'typo'\n"[..], "line 4, column 1"),
            (b"[[taboo]]\ntext = 'caf\xe9'\n", "line 2, column 12: not UTF-8"),
        ] {
            let error = TabooList::parse(Path::new("taboo.toml"), text).unwrap_err().to_string();
            assert!(error.contains(place), "{error}");
        }
    }

    #[test]
    fn the_target_of_a_link_is_changed() {
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
        let (list, _) = TabooList::edit(&home, |list| list.remove_all(|entry| entry.text == "3")).unwrap();
        assert_eq!(list.entries().len(), 7);
    }
}
