//! The journal of decisions: what each step changed, so that it can be undone and done again, also after a
//! restart and by another process.
//!
//! A step is written here before the list is: so a crash between the two leaves a step that was never taken.
//! The journal therefore says of its last operation what the list was before and is to be after it; when the
//! list is still as before, the operation did not happen, and the journal takes it back. A list that is
//! neither was changed by hand since: a step is then undone as far as there is something to undo. A journal
//! that cannot be read is put aside; the decisions themselves do not depend on it.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::accepted::Accepted;
use super::change::{Change, changes};
use super::entry::Entry;
use super::list::{List, TabooError};
use super::step::{Decided, Step};
use crate::storage::{Folder, Lock, StorageError, shown};

/// The file's name in the folder of a corpus's index.
pub const NAME: &str = "decisions.jsonl";
/// Where one goes that cannot be read.
pub(super) const ASIDE: &str = "decisions.damaged";
pub(super) const LOCK: &str = "decisions.lock";
/// So many steps are kept,
const MOST_STEPS: usize = 1000;
/// as far as they take so many bytes; but always the last one. Each decision reads and writes all of them, as it
/// does with the list: so this is what a list of that size takes anyway.
const MOST_BYTES: usize = 64 << 20;

/// The last operation: which step was taken, undone or done again, and hashes of the list before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Last {
    step: usize,
    from: u64,
    to: u64,
}

/// The steps that are remembered, the oldest first; those that were undone are the last ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journal {
    /// The steps.
    pub steps: Vec<Step>,
    last: Option<Last>,
}

/// A step that was undone, or done again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turned {
    /// Which.
    pub step: Step,
    /// How many of its changes were made, and of how many the list has nothing any more because it was
    /// changed by hand since.
    pub changed: (usize, usize),
}

impl Journal {
    /// Reads the journal of the corpus whose index is in `home`; one that cannot be read, or is not there, is empty.
    pub fn load(home: &Folder) -> Result<Self, TabooError> {
        Ok(Self::read(home)?.unwrap_or_default())
    }

    /// Reads the journal, or says what is wrong with it.
    fn read(home: &Folder) -> Result<Result<Self, String>, TabooError> {
        let Some(bytes) = home.read(NAME)? else { return Ok(Ok(Self::default())) };
        let wrong = |line: usize, detail: &str| format!("line {line}: {detail}");
        let Ok(text) = std::str::from_utf8(&bytes) else { return Ok(Err(wrong(1, "not UTF-8"))) };
        let mut lines = text.lines().zip(1..);
        let last = match lines.next() {
            Some((line, number)) => match serde_json::from_str(line) {
                Ok(last) => last,
                Err(error) => return Ok(Err(wrong(number, &error.to_string()))),
            },
            None => None,
        };
        let mut steps: Vec<Step> = Vec::new();
        for (line, number) in lines {
            match serde_json::from_str(line) {
                Ok(step) => steps.push(step),
                Err(error) => return Ok(Err(wrong(number, &error.to_string()))),
            }
        }
        let last = last.filter(|last: &Last| last.step < steps.len());
        Ok(Ok(Self { steps, last }))
    }

    fn write(&mut self, home: &Folder) -> Result<(), TabooError> {
        self.write_within(home, MOST_BYTES)
    }

    /// Writes the last steps, as many as take so many bytes.
    fn write_within(&mut self, home: &Folder, most_bytes: usize) -> Result<(), TabooError> {
        let spelt = |error| StorageError::of("write", home.at(NAME))(std::io::Error::other(error));
        let lines = self.steps.iter().map(serde_json::to_string);
        let lines: Vec<String> = lines.collect::<Result<_, _>>().map_err(spelt)?;
        let mut bytes = 0;
        let fits = |line: &&String| {
            bytes += line.len() + 1;
            bytes <= most_bytes
        };
        let kept = lines.iter().rev().take(MOST_STEPS).take_while(fits).count().max(1).min(lines.len());
        let gone = lines.len() - kept;
        self.steps.drain(..gone);
        self.last = self.last.and_then(|last| Some(Last { step: last.step.checked_sub(gone)?, ..last }));
        let mut text = serde_json::to_string(&self.last).map_err(spelt)?;
        for line in &lines[gone..] {
            text.push('\n');
            text.push_str(line);
        }
        text.push('\n');
        Ok(home.replace(NAME, text.as_bytes())?)
    }

    /// How many steps are done.
    fn done(&self) -> usize {
        self.steps.iter().take_while(|step| !step.undone).count()
    }
}

/// The right to change decisions, with the journal as it is.
struct Held<'a> {
    home: &'a Folder,
    journal: RefCell<Journal>,
    _lock: Lock,
}

impl<'a> Held<'a> {
    /// Waits until nobody else changes decisions.
    pub fn take(home: &'a Folder) -> Result<Self, TabooError> {
        home.create_private()?;
        let lock = Lock::wait(home, LOCK)?;
        let journal = match Journal::read(home)? {
            Ok(journal) => journal,
            Err(detail) => {
                put_aside(home, &detail)?;
                Journal::default()
            }
        };
        Ok(Self { home, journal: RefCell::new(journal), _lock: lock })
    }

    /// Writes down a step that is about to be taken: what it changes, and the list before and after it.
    pub fn record<E: Decided>(
        &self,
        changes: Vec<Change<E>>,
        lists: [&List<E>; 2],
    ) -> Result<(), TabooError> {
        self.settle_both()?;
        let mut journal = self.journal.borrow_mut();
        let done = journal.done();
        journal.steps.truncate(done);
        let mut step =
            Step { at: jiff::Timestamp::now(), undone: false, taboo: Vec::new(), accepted: Vec::new() };
        *E::of_step(&mut step) = changes;
        journal.steps.push(step);
        journal.last = Some(Last { step: done, from: hash(lists[0]), to: hash(lists[1]) });
        journal.write(self.home)
    }

    /// Takes the last operation back when it did not happen: its list is as it was before.
    fn settle<E: Decided>(&self, journal: &mut Journal, list: &List<E>) {
        if let Some(last) = journal.last
            && last.from != last.to
            && let Some(step) = journal.steps.get_mut(last.step)
            && !E::of_step(step).is_empty()
            && hash(list) == last.from
        {
            step.undone = !step.undone;
            journal.last = None;
        }
    }

    fn settle_both(&self) -> Result<(), TabooError> {
        self.settle_with(List::<Entry>::load(self.home))?;
        self.settle_with(List::<Accepted>::load(self.home))
    }

    /// A list that was spoilt by hand says nothing of the last operation, and is in nobody's way but its own.
    fn settle_with<E: Decided>(&self, list: Result<List<E>, TabooError>) -> Result<(), TabooError> {
        match list {
            Ok(list) => self.settle(&mut self.journal.borrow_mut(), &list),
            Err(TabooError::Malformed { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Undoes the last step that is done, or does the last one again that was undone.
    fn turn(&self, undo: bool) -> Result<Option<Turned>, TabooError> {
        self.settle_both()?;
        let number = {
            let journal = self.journal.borrow();
            let done = journal.done();
            if undo { done.checked_sub(1) } else { (done < journal.steps.len()).then_some(done) }
        };
        let Some(number) = number else { return Ok(None) };
        let is_taboo = !self.journal.borrow().steps[number].taboo.is_empty();
        Ok(Some(if is_taboo {
            self.turn_step::<Entry>(number, undo)?
        } else {
            self.turn_step::<Accepted>(number, undo)?
        }))
    }

    fn turn_step<E: Decided>(&self, number: usize, undo: bool) -> Result<Turned, TabooError> {
        let (_, turned) = List::<E>::edit_held(self.home, |before| {
            let mut journal = self.journal.borrow_mut();
            let step = &mut journal.steps[number];
            let changes = E::of_step(step);
            let (list, changed) = before.turned(changes, undo);
            let all = changes.len();
            step.undone = undo;
            let turned = Turned { step: step.clone(), changed: (changed, all - changed) };
            journal.last = Some(Last { step: number, from: hash(before), to: hash(&list) });
            journal.write(self.home)?;
            Ok((list, turned))
        })?;
        Ok(turned)
    }
}

impl<E: Decided> List<E> {
    /// Changes the list of the corpus whose index is in `home`, as one step that can be undone. No other
    /// process changes it meanwhile, and whatever happens, the file is whole: as it was, or as it is to be.
    /// Returns the list as it is now, and what `change` returned.
    pub fn edit<T>(home: &Folder, change: impl FnOnce(&mut Self) -> T) -> Result<(Self, T), TabooError> {
        let held = Held::take(home)?;
        Self::edit_held(home, |before| {
            let mut list = before.clone();
            let changed = change(&mut list);
            let changes = changes(before.entries(), list.entries());
            if !changes.is_empty() {
                held.record(changes, [before, &list])?;
            }
            Ok((list, changed))
        })
    }
}

fn hash<E: Decided>(list: &List<E>) -> u64 {
    // A list that cannot be spelt is never written.
    xxh3_64(list.to_text().unwrap_or_default().as_bytes())
}

fn put_aside(home: &Folder, detail: &str) -> Result<String, TabooError> {
    let bytes = home.read(NAME)?.unwrap_or_default();
    home.replace(ASIDE, &bytes)?;
    home.remove(NAME)?;
    let sentence = format!(
        "the journal of decisions {}, {detail}; it is put aside as {ASIDE}: your decisions hold, but those \
         before now cannot be undone",
        shown(&home.at(NAME))
    );
    tracing::warn!("{sentence}");
    Ok(sentence)
}

/// Puts a journal aside that cannot be read; a sentence that says so.
pub fn mend(home: &Folder) -> Result<Option<String>, TabooError> {
    if Journal::read(home)?.is_ok() {
        return Ok(None);
    }
    let _lock = Lock::wait(home, LOCK)?;
    match Journal::read(home)? {
        Ok(_) => Ok(None),
        Err(detail) => put_aside(home, &detail).map(Some),
    }
}

/// Undoes the last decision that is not undone yet; `None` when there is none.
pub fn undo(home: &Folder) -> Result<Option<Turned>, TabooError> {
    Held::take(home)?.turn(true)
}

/// Takes the decision again that was undone last; `None` when there is none.
pub fn redo(home: &Folder) -> Result<Option<Turned>, TabooError> {
    Held::take(home)?.turn(false)
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
