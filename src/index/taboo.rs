//! The user's decisions: the taboo list (hidden text), the lists of accepted passages and blots, of corrected kinds, of
//! kinds that are set aside and of files that are left out, and the journal, by which every decision can be undone.

mod accepted;
mod accepted_id;
mod change;
#[cfg(test)]
mod decision_tests;
mod entry;
mod excluded;
#[cfg(test)]
mod fixture;
mod folders;
mod journal;
mod kinds;
mod list;
mod recognition;
mod step;
mod suppressed;

use std::iter;

use dupi_base::storage::{Folder, Lock, StorageError};
use step::{KindVisitor, LIST_LOCKS, visit_kinds};

pub use accepted::{AcceptedEntry, AcceptedList, AcceptedSet, Reviewed};
pub use accepted_id::{AcceptedId, KeptTexts};
pub use change::{Decision, EntryChange, excerpt, today};
pub use entry::{TabooEntry, TabooList, TabooSet};
pub use excluded::{ExcludedEntry, ExcludedList};
pub use folders::{AppliedSteps, DecisionFolders, TabooScope, step_words};
pub use journal::{AppliedStep, Journal, NAME as JOURNAL, repair_journal};
pub use kinds::{AsideEntry, AsideList, CorrectedKinds, KindEntry, KindList};
pub use list::{DecisionList, TabooError};
pub use recognition::{CountingEntry, DecidedSet, PassageDecision, TextRow};
pub use step::{JournalStep, Journaled, LISTS, LISTS_IN_WORDS};
pub use suppressed::{SuppressedText, suppressed_texts, suppressing_mark, tokens_in};

/// The taboo list's file name in the folder of a corpus's index.
pub const LIST: &str = TabooEntry::NAME;
/// The accepted list's file name in the folder of a corpus's index.
pub const ACCEPTED: &str = AcceptedEntry::NAME;

/// Whether a file of this name, in the folder of a corpus's index, belongs to the decisions.
pub fn is_decision_file(name: &str) -> bool {
    LISTS.contains(&name) || locks().any(|lock| lock == name) || [JOURNAL, journal::ASIDE].contains(&name)
}

/// The names of the locks. A decision takes the journal's lock first.
fn locks() -> impl Iterator<Item = &'static str> {
    iter::once(journal::LOCK).chain(LIST_LOCKS)
}

/// Whether an index folder has decisions.
pub fn has_decisions(home: &Folder) -> bool {
    struct Searching<'a>(&'a Folder);
    impl KindVisitor for Searching<'_> {
        type Found = ();

        fn visit<E: Journaled>(&mut self) -> Option<()> {
            DecisionList::<E>::load(self.0).ok().filter(|list| !list.entries().is_empty()).map(drop)
        }
    }
    visit_kinds(&mut Searching(home)).is_some()
        || Journal::load(home).is_ok_and(|journal| !journal.steps.is_empty())
}

/// Removes the lock files from a folder without decisions. Nothing is removed while another process holds one of
/// the locks.
pub fn sweep(home: &Folder) -> Result<(), StorageError> {
    let mut held = Vec::new();
    for name in locks() {
        if home.at(name).symlink_metadata().is_ok() {
            match Lock::take(home, name)? {
                Ok(lock) => held.push(lock),
                Err(_) => return Ok(()),
            }
        }
    }
    let is_decided = LISTS.iter().chain([&JOURNAL]).any(|name| home.at(name).symlink_metadata().is_ok());
    held.into_iter().filter(|_| !is_decided).try_for_each(Lock::remove)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_removed_when_there_are_no_decisions_and_no_lock_is_held() {
        let place = tempfile::tempdir().unwrap();
        let home = Folder::new(place.path());
        for name in locks() {
            let others: Vec<Lock> =
                locks().filter(|other| *other != name).map(|name| Lock::wait(&home, name).unwrap()).collect();
            drop(others);
            let held = Lock::wait(&home, name).unwrap();
            sweep(&home).unwrap();
            assert!(locks().all(|name| home.at(name).exists()), "{name} is held");
            drop(held);
        }
        std::fs::write(home.at(LIST), "").unwrap();
        sweep(&home).unwrap();
        assert!(locks().all(|name| home.at(name).exists()), "there is a list");
        std::fs::remove_file(home.at(LIST)).unwrap();
        sweep(&home).unwrap();
        assert!(locks().all(|name| !home.at(name).exists()));
    }
}
