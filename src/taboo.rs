//! What a user decided: the taboo list, which answers "is this hidden?"; what was accepted as it is; and the
//! journal by which every decision can be undone.

mod accepted;
mod change;
mod entry;
mod journal;
mod kept;
mod list;
mod set;
mod step;
mod today;

use crate::storage::{Folder, Lock, StorageError};

pub use accepted::{Accepted, AcceptedId, AcceptedList, AcceptedSet};
pub use change::Change;
pub use entry::{Entry, TabooFile, TabooList};
pub use journal::{Journal, NAME as JOURNAL, Turned, mend, redo, undo};
pub use kept::Kept;
pub use list::{List, TabooError};
pub use set::TabooSet;
pub use step::{Decided, Step, beginning};
pub use today::today;

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
