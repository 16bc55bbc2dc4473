//! The taboo list as a file: readable, editable by hand, never half-written, and edited by one process at a time.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Entry;
use crate::config::line_and_column;

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
    /// The system refused.
    #[error("cannot {action} the taboo list {}: {source}; check its permissions and the free space of its disk", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not what a taboo list looks like.
    #[error("the taboo list {}, line {line}, column {column}: {detail}; mend the file, or move it away", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        detail: String,
    },
}

fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TabooError {
    move |source| TabooError::Io { action, path: path.to_owned(), source }
}

impl TabooList {
    /// The list of the corpus whose index is in the folder `home`.
    pub fn path_in(home: &Path) -> PathBuf {
        home.join("taboo.toml")
    }

    /// Reads a list; one that is not there is empty.
    pub fn load(path: &Path) -> Result<Self, TabooError> {
        match fs::read(path) {
            Ok(bytes) => Self::parse(path, &bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(io("read", path)(error)),
        }
    }

    /// Reads a list from text; `path` is for messages.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, TabooError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            malformed(path, &String::from_utf8_lossy(valid), "not UTF-8")
        })?;
        toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            malformed(path, before, error.message())
        })
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

    /// Changes the list in a file. No other process changes it meanwhile, and whatever happens, the
    /// file is whole: as it was, or as it is to be. Returns the list as it is now.
    pub fn edit<T>(path: &Path, change: impl FnOnce(&mut Self) -> T) -> Result<Self, TabooError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(io("create the folder of", path))?;
        }
        // Where a link leads to the list, the file is locked and replaced, and not the link.
        let path = &match path.canonicalize() {
            Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
            real => real.map_err(io("find", path))?,
        };
        let lock_path = path.with_extension("lock");
        let lock = File::create(&lock_path).map_err(io("lock", path))?;
        lock.lock().map_err(io("lock", path))?;
        let mut list = Self::load(path)?;
        let before = list.clone();
        change(&mut list);
        if list != before {
            list.save(path)?;
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

    fn save(&self, path: &Path) -> Result<(), TabooError> {
        self.replace(path).map_err(io("write", path))
    }

    /// Writes a draft beside the file and puts it in its place.
    fn replace(&self, path: &Path) -> io::Result<()> {
        let draft = path.with_extension("toml.tmp");
        let mut file = File::create(&draft)?;
        file.write_all(self.to_text()?.as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()
    }
}

/// What is wrong right behind `before`.
fn malformed(path: &Path, before: &str, detail: &str) -> TabooError {
    let (line, column) = line_and_column(before);
    TabooError::Malformed {
        path: path.to_owned(),
        line,
        column,
        detail: detail.lines().collect::<Vec<_>>().join(" "),
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

    #[test]
    fn a_damaged_list_is_named_with_its_line_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taboo.toml");
        fs::write(&path, "# mine\n[[taboo]]\ntext = 3\n").unwrap();
        let error = TabooList::edit(&path, |list| list.add(entry("x"))).unwrap_err().to_string();
        assert!(error.contains("line 3, column 8"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "# mine\n[[taboo]]\ntext = 3\n");
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
        let folder = tempfile::tempdir().unwrap();
        let (link, real) = (folder.path().join("taboo.toml"), folder.path().join("mine.toml"));
        TabooList::edit(&real, |list| list.add(entry("x"))).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        TabooList::edit(&link, |list| list.add(entry("y"))).unwrap();
        assert!(link.is_symlink());
        assert_eq!(TabooList::load(&real).unwrap().entries().len(), 2);
    }

    #[test]
    fn edits_from_many_threads_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taboo.toml");
        std::thread::scope(|scope| {
            for number in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    TabooList::edit(path, |list| list.add(entry(&number.to_string()))).unwrap()
                });
            }
        });
        assert_eq!(TabooList::load(&path).unwrap().entries().len(), 8);
        let list = TabooList::edit(&path, |list| list.remove("3")).unwrap();
        assert_eq!(list.entries().len(), 7);
    }
}
