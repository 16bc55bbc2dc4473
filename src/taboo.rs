//! What a user decided: the taboo list, which answers "is this hidden?"; what was accepted as it is; and the
//! journal by which every decision can be undone.

mod accepted;
mod change;
mod journal;
mod list;
mod set;

use serde::{Deserialize, Serialize};

use crate::blot::Recipe;
use crate::storage::{Folder, Lock, StorageError};
use crate::token::{Language, TokenMode, Tokeniser};

pub use accepted::{Accepted, AcceptedId, AcceptedList, AcceptedSet};
pub use change::Change;
pub use journal::{Journal, NAME as JOURNAL, Step, Turned, beginning, mend, redo, undo};
pub use list::{Kept, List, TabooError};
pub use set::TabooSet;

/// The taboo list's file name in the folder of a corpus's index.
pub const LIST: &str = Entry::NAME;
/// The file name of the list of what was accepted.
pub const ACCEPTED: &str = Accepted::NAME;

/// The files of decisions, and what serves to decide.
const NAMES: [&str; 7] =
    [LIST, ACCEPTED, JOURNAL, journal::ASIDE, Entry::LOCK, Accepted::LOCK, journal::LOCK];

/// Whether a file of this name, in the folder of a corpus's index, is one of decisions.
pub fn is_name(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Whether there are decisions in a folder.
pub fn is_decided(home: &Folder) -> bool {
    TabooList::load(home).is_ok_and(|list| !list.entries().is_empty())
        || AcceptedList::load(home).is_ok_and(|list| !list.entries().is_empty())
        || Journal::load(home).is_ok_and(|journal| !journal.steps.is_empty())
}

/// Removes from a folder in which nothing was ever decided what only served to decide. What somebody holds,
/// who is about to decide, stays.
pub fn sweep(home: &Folder) -> Result<(), StorageError> {
    // Whoever decides takes the journal's first.
    let mut locks = Vec::new();
    for name in [journal::LOCK, Entry::LOCK, Accepted::LOCK] {
        if home.at(name).symlink_metadata().is_ok() {
            match Lock::take(home, name)? {
                Ok(lock) => locks.push(lock),
                Err(_) => return Ok(()),
            }
        }
    }
    let is_decided = [LIST, ACCEPTED, JOURNAL].iter().any(|name| home.at(name).symlink_metadata().is_ok());
    locks.into_iter().filter(|_| !is_decided).try_for_each(Lock::remove)
}

/// The taboo texts of a corpus, in the order in which they were decided.
pub type TabooList = List<Entry>;

/// One decision of a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The text; every tile of it is hidden wherever it stands.
    pub text: String,
    /// When it was added.
    pub added: jiff::civil::Date,
    /// Why, in the user's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The name of the language of the source file it was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl Entry {
    /// How its text may be tokenised in an index with this recipe: as words, and where the index has source
    /// code, as code.
    pub fn tokenisers(&self, recipe: &Recipe) -> Vec<Tokeniser> {
        let mut tokenisers = vec![Tokeniser::Words];
        if recipe.tokens != TokenMode::Words {
            let language = self.language.as_deref().and_then(Language::from_name);
            tokenisers.push(
                language.map_or(Tokeniser::Plain, |language| Tokeniser::Code(language, recipe.comments)),
            );
        }
        tokenisers
    }
}

/// The taboo list as TOML has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TabooFile {
    #[serde(default, rename = "taboo")]
    entries: Vec<Entry>,
}

impl From<Vec<Entry>> for TabooFile {
    fn from(entries: Vec<Entry>) -> Self {
        Self { entries }
    }
}

impl From<TabooFile> for Vec<Entry> {
    fn from(file: TabooFile) -> Self {
        file.entries
    }
}

impl Kept for Entry {
    type File = TabooFile;
    const NAME: &str = "taboo.toml";
    const LOCK: &str = "taboo.lock";
    const WHAT: &str = "the taboo list";
    const HEAD: &str = "\
# What dupi-tui hides in this corpus: every place whose text stands in one of these.
# Edit it as you like; `text` may be any text, `reason` is for people. Other comments are not kept.

";

    type Key<'a> = &'a str;

    fn key(&self) -> &str {
        &self.text
    }

    fn of_step(step: &mut Step) -> &mut Vec<Change<Self>> {
        &mut step.taboo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_go_when_nothing_was_decided_and_nobody_is_about_to() {
        let place = tempfile::tempdir().unwrap();
        let home = Folder::new(place.path());
        let locks = [journal::LOCK, Entry::LOCK, Accepted::LOCK];
        for name in locks {
            let others: Vec<Lock> = locks
                .iter()
                .filter(|other| **other != name)
                .map(|name| Lock::wait(&home, name).unwrap())
                .collect();
            drop(others);
            let held = Lock::wait(&home, name).unwrap();
            sweep(&home).unwrap();
            assert!(locks.iter().all(|name| home.at(name).exists()), "{name} is held");
            drop(held);
        }
        std::fs::write(home.at(LIST), "").unwrap();
        sweep(&home).unwrap();
        assert!(locks.iter().all(|name| home.at(name).exists()), "there is a list");
        std::fs::remove_file(home.at(LIST)).unwrap();
        sweep(&home).unwrap();
        assert!(locks.iter().all(|name| !home.at(name).exists()));
    }
}
