//! The user's decisions: the taboo list (hidden text), the lists of accepted passages and blots, of corrected kinds and
//! of kinds that are set aside, and the journal, by which every decision can be undone.

mod accepted;
mod aside;
mod change;
mod decision;
mod entry;
mod journal;
mod kept_texts;
mod kinds;
mod list;
mod recognition;
mod set;
mod step;
mod today;

use crate::storage::{Folder, Lock, StorageError};

pub use accepted::{AcceptedEntry, AcceptedId, AcceptedList, AcceptedSet};
pub use aside::{AsideEntry, AsideList};
pub use change::EntryChange;
pub use decision::Decision;
pub use entry::{TabooEntry, TabooList};
pub use journal::{AppliedStep, Journal, NAME as JOURNAL, redo, repair_journal, undo};
pub use kept_texts::KeptTexts;
pub use kinds::{CorrectedKinds, KindEntry, KindList};
pub use list::{DecisionList, TabooError};
pub use recognition::TextRow;
pub use set::TabooSet;
pub use step::{JournalStep, Journaled, excerpt};
pub use today::today;

/// The taboo list's file name in the folder of a corpus's index.
pub const LIST: &str = TabooEntry::NAME;
/// The accepted list's file name in the folder of a corpus's index.
pub const ACCEPTED: &str = AcceptedEntry::NAME;
/// The file names of the lists about kinds in the folder of a corpus's index.
pub const KINDS: [&str; 2] = [KindEntry::NAME, AsideEntry::NAME];
/// The file names of all lists in the folder of a corpus's index.
pub const LISTS: [&str; 4] = [LIST, ACCEPTED, KINDS[0], KINDS[1]];

/// The names of the locks. A decision takes the journal's lock first.
const LOCKS: [&str; 5] =
    [journal::LOCK, TabooEntry::LOCK, AcceptedEntry::LOCK, KindEntry::LOCK, AsideEntry::LOCK];

/// Whether a file of this name, in the folder of a corpus's index, belongs to the decisions.
pub fn is_decision_file(name: &str) -> bool {
    LISTS.contains(&name) || LOCKS.contains(&name) || [JOURNAL, journal::ASIDE].contains(&name)
}

/// Whether an index folder has decisions.
pub fn has_decisions(home: &Folder) -> bool {
    fn has<E: Decision>(home: &Folder) -> bool {
        DecisionList::<E>::load(home).is_ok_and(|list| !list.entries().is_empty())
    }
    has::<TabooEntry>(home)
        || has::<AcceptedEntry>(home)
        || has::<KindEntry>(home)
        || has::<AsideEntry>(home)
        || Journal::load(home).is_ok_and(|journal| !journal.steps.is_empty())
}

/// Removes the lock files from a folder without decisions. Nothing is removed while another process holds one of
/// the locks.
pub fn sweep(home: &Folder) -> Result<(), StorageError> {
    let mut locks = Vec::new();
    for name in LOCKS {
        if home.at(name).symlink_metadata().is_ok() {
            match Lock::take(home, name)? {
                Ok(lock) => locks.push(lock),
                Err(_) => return Ok(()),
            }
        }
    }
    let is_decided = LISTS.iter().chain([&JOURNAL]).any(|name| home.at(name).symlink_metadata().is_ok());
    locks.into_iter().filter(|_| !is_decided).try_for_each(Lock::remove)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_removed_when_there_are_no_decisions_and_no_lock_is_held() {
        let place = tempfile::tempdir().unwrap();
        let home = Folder::new(place.path());
        for name in LOCKS {
            let others: Vec<Lock> = LOCKS
                .iter()
                .filter(|other| **other != name)
                .map(|name| Lock::wait(&home, name).unwrap())
                .collect();
            drop(others);
            let held = Lock::wait(&home, name).unwrap();
            sweep(&home).unwrap();
            assert!(LOCKS.iter().all(|name| home.at(name).exists()), "{name} is held");
            drop(held);
        }
        std::fs::write(home.at(LIST), "").unwrap();
        sweep(&home).unwrap();
        assert!(LOCKS.iter().all(|name| home.at(name).exists()), "there is a list");
        std::fs::remove_file(home.at(LIST)).unwrap();
        sweep(&home).unwrap();
        assert!(LOCKS.iter().all(|name| !home.at(name).exists()));
    }
}
