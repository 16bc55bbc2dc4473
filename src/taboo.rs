//! The user's decisions: the taboo list (hidden text), the list of accepted passages and blots, and the journal, by
//! which every decision can be undone.

mod accepted;
mod change;
mod decision;
mod entry;
mod journal;
mod list;
mod set;
mod step;
mod today;

use crate::storage::{Folder, Lock, StorageError};

pub use accepted::{AcceptedEntry, AcceptedId, AcceptedList, AcceptedSet};
pub use change::EntryChange;
pub use decision::Decision;
pub use entry::{TabooEntry, TabooList};
pub use journal::{AppliedStep, Journal, NAME as JOURNAL, redo, repair_journal, undo};
pub use list::{DecisionList, TabooError};
pub use set::TabooSet;
pub use step::{JournalStep, Journaled, excerpt};
pub use today::today;

/// The taboo list's file name in the folder of a corpus's index.
pub const LIST: &str = TabooEntry::NAME;
/// The accepted list's file name in the folder of a corpus's index.
pub const ACCEPTED: &str = AcceptedEntry::NAME;

/// The files of decisions and their locks.
const NAMES: [&str; 7] =
    [LIST, ACCEPTED, JOURNAL, journal::ASIDE, TabooEntry::LOCK, AcceptedEntry::LOCK, journal::LOCK];

/// Whether a file of this name, in the folder of a corpus's index, belongs to the decisions.
pub fn is_decision_file(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Whether an index folder has decisions.
pub fn has_decisions(home: &Folder) -> bool {
    TabooList::load(home).is_ok_and(|list| !list.entries().is_empty())
        || AcceptedList::load(home).is_ok_and(|list| !list.entries().is_empty())
        || Journal::load(home).is_ok_and(|journal| !journal.steps.is_empty())
}

/// Removes the lock files from a folder without decisions. Nothing is removed while another process holds one of
/// the locks.
pub fn sweep(home: &Folder) -> Result<(), StorageError> {
    // A decision takes the journal's lock first.
    let mut locks = Vec::new();
    for name in [journal::LOCK, TabooEntry::LOCK, AcceptedEntry::LOCK] {
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
    fn locks_are_removed_when_there_are_no_decisions_and_no_lock_is_held() {
        let place = tempfile::tempdir().unwrap();
        let home = Folder::new(place.path());
        let locks = [journal::LOCK, TabooEntry::LOCK, AcceptedEntry::LOCK];
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
