//! The user's saved filters, `filters.toml`: each a name with a text. The file can be edited by hand, is replaced
//! atomically, and is changed by one process at a time.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::{Malformed, from_toml};
use crate::storage::{Folder, Lock, StorageError, shown};

/// The file's name in the user's folder.
const NAME: &str = "filters.toml";
const LOCK: &str = "filters.lock";

const HEAD: &str = "\
# The saved filters of dupi-tui: `name = \"text\"`, used as @name. Comments are not kept.

";

/// Saved filters by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedFilters {
    filters: BTreeMap<String, String>,
}

/// Why saved filters cannot be read or saved.
#[derive(Debug, thiserror::Error)]
pub enum FiltersError {
    /// The system refused.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The file is malformed.
    #[error("the saved filters {}, {wrong}; correct the file, or move it elsewhere", shown(path))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The error and its position.
        wrong: Malformed,
    },
    /// A name that cannot follow an @.
    #[error("`{0}` is not a valid filter name; use letters, digits, - and _, as in no-tests")]
    Name(String),
}

impl SavedFilters {
    /// Reads the filters in a user's settings folder; without a file there are none.
    pub fn load(user: &Folder) -> Result<Self, FiltersError> {
        match user.list(NAME)?.read()? {
            Some(bytes) => Self::parse(&user.at(NAME), &bytes),
            None => Ok(Self::default()),
        }
    }

    fn parse(path: &Path, bytes: &[u8]) -> Result<Self, FiltersError> {
        let malformed = |wrong| FiltersError::Malformed { path: path.to_owned(), wrong };
        let filters: BTreeMap<toml::Spanned<String>, String> = from_toml(bytes).map_err(malformed)?;
        if let Some(name) = filters.keys().find(|name| !is_name(name.get_ref())) {
            let detail = FiltersError::Name(name.get_ref().clone()).to_string();
            return Err(malformed(Malformed::at(bytes, name.span().start, &detail)));
        }
        Ok(filters.into_iter().map(|(name, text)| (name.into_inner(), text)).collect())
    }

    /// Saves a filter, replacing one of the same name. Returns all filters.
    pub fn save(user: &Folder, name: &str, text: &str) -> Result<Self, FiltersError> {
        if !is_name(name) {
            return Err(FiltersError::Name(name.to_owned()));
        }
        let (saved, _) = Self::edit(user, |filters| filters.insert(name.to_owned(), text.to_owned()))?;
        Ok(saved)
    }

    /// Removes the filter of a name. Returns the remaining filters, and the text of the removed one, if it existed.
    pub fn remove(user: &Folder, name: &str) -> Result<(Self, Option<String>), FiltersError> {
        Self::edit(user, |filters| filters.remove(name))
    }

    fn edit<T>(
        user: &Folder,
        change: impl FnOnce(&mut BTreeMap<String, String>) -> T,
    ) -> Result<(Self, T), FiltersError> {
        user.create()?;
        // If the file is a link, its target is locked and replaced, not the link.
        let file = user.list(NAME)?;
        let _lock = Lock::wait(&file.folder, LOCK)?;
        let mut saved = Self::load(user)?;
        let before = saved.filters.clone();
        let changed = change(&mut saved.filters);
        if saved.filters != before {
            let text = toml::to_string(&saved.filters).map_err(io::Error::other);
            let text = text.map_err(StorageError::during("write", file.path()))?;
            file.replace(format!("{HEAD}{text}").as_bytes())?;
        }
        Ok((saved, changed))
    }

    /// The text of the filter of a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.filters.get(name).map(String::as_str)
    }

    /// All names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.filters.keys().map(String::as_str)
    }

    /// All names with their texts, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.filters.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }
}

/// Whether a name can follow an @.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|character| character.is_alphanumeric() || "-_".contains(character))
}

impl FromIterator<(String, String)> for SavedFilters {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(filters: I) -> Self {
        Self { filters: filters.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn user() -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        let user = Folder::new(place.path().join("config"));
        (place, user)
    }

    #[test]
    fn filters_are_saved_replaced_and_removed() {
        let (_place, user) = user();
        assert_eq!(SavedFilters::load(&user).unwrap(), SavedFilters::default());
        let awkward = "-path:\"my \\\"folder\\\"\" 'it''s\n copies:>3 é\u{1b}";
        SavedFilters::save(&user, "größe-2", "tokens:>5").unwrap();
        SavedFilters::save(&user, "a_b", "old").unwrap();
        SavedFilters::save(&user, "a_b", awkward).unwrap();
        let saved = SavedFilters::load(&user).unwrap();
        assert_eq!(saved.iter().collect::<Vec<_>>(), [("a_b", awkward), ("größe-2", "tokens:>5")]);
        let (left, removed) = SavedFilters::remove(&user, "a_b").unwrap();
        assert_eq!((left.names().collect::<Vec<_>>(), removed.as_deref()), (vec!["größe-2"], Some(awkward)));
        assert_eq!(SavedFilters::remove(&user, "a_b").unwrap(), (left, None));
    }

    #[test]
    fn the_file_keeps_the_mode_that_the_user_gave_it() {
        use std::os::unix::fs::PermissionsExt;
        let (_place, user) = user();
        SavedFilters::save(&user, "a", "x").unwrap();
        let mode = || user.at(NAME).metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        fs::set_permissions(user.at(NAME), PermissionsExt::from_mode(0o644)).unwrap();
        SavedFilters::save(&user, "b", "y").unwrap();
        assert_eq!(mode(), 0o644);
    }

    #[test]
    fn an_invalid_name_is_refused() {
        let (_place, user) = user();
        for name in ["", "a b", "@x", "a:b"] {
            let error = SavedFilters::save(&user, name, "x").unwrap_err().to_string();
            assert!(error.contains("is not a valid filter name"), "{error}");
        }
        assert!(!user.path().exists());
    }

    #[test]
    fn an_error_in_the_file_is_reported_with_its_position_and_the_file_is_unchanged() {
        let (_place, user) = user();
        user.create().unwrap();
        for (text, place) in [
            (&b"a = 'x'\nb = 3\n"[..], "line 2, column 5"),
            (b"a = 'x'\n'b c' = 'y'\n", "line 2, column 1: `b c` is not a valid"),
            (b"a = 'caf\xe9'\n", "line 1, column 9: not UTF-8"),
        ] {
            fs::write(user.at(NAME), text).unwrap();
            let error = SavedFilters::save(&user, "c", "z").unwrap_err().to_string();
            assert!(error.contains(place) && error.contains("correct the file"), "{error}");
            assert_eq!(fs::read(user.at(NAME)).unwrap(), text);
        }
    }

    #[test]
    fn filters_saved_at_the_same_time_are_all_kept() {
        let (_place, user) = user();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let user = &user;
                scope.spawn(move || SavedFilters::save(user, &format!("f{number}"), "x").unwrap());
            }
        });
        assert_eq!(SavedFilters::load(&user).unwrap().names().count(), 8);
    }
}
