//! The journal of decisions: the changes of each step, so that it can be undone and redone, also after a restart
//! and by another process.
//!
//! A step is written here before the list is changed, so a crash between the two leaves a step that was never
//! taken. The journal therefore records hashes of the list before and after its last operation. If the list still
//! has the first hash, the operation did not happen, and the journal reverts it. If it has neither, it was changed
//! by hand since: a step is then undone as far as possible. A damaged journal is moved aside; the decisions
//! themselves do not depend on it.

use std::cell::{Ref, RefCell};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::accepted::AcceptedEntry;
use super::change::{EntryChange, changes};
use super::list::{DecisionList, TabooError};
use super::step::{JournalStep, Journaled, KindVisitor, visit_kinds};
use dupi_base::storage::{Folder, Lock, StorageError, shown, spelled};

/// The file's name in the folder of a corpus's index.
pub const NAME: &str = "decisions.jsonl";
/// The name that a damaged journal gets.
pub(super) const ASIDE: &str = "decisions.damaged";
pub(super) const LOCK: &str = "decisions.lock";
/// The maximal number of steps.
const MAX_STEPS: usize = 1000;
/// The maximal size of the journal in bytes; the last step is always kept. Each decision reads and writes the whole
/// journal, as it does with the list, so a list of this size has the same cost.
const MAX_BYTES: usize = 64 << 20;

/// The last operation: which step was taken, undone or redone, and hashes of the list before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LastOperation {
    step: usize,
    from: u64,
    to: u64,
}

/// The recorded steps, the oldest first. Undone steps are at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journal {
    /// The steps.
    pub steps: Vec<JournalStep>,
    last: Option<LastOperation>,
}

/// A step that was undone or redone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedStep {
    /// The step.
    pub step: JournalStep,
    /// How many of its changes were applied, and how many could not be, because the list was changed by hand since.
    pub changed: (usize, usize),
}

fn parse<T: DeserializeOwned>((line, number): (&str, usize)) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))
}

impl Journal {
    /// Reads the journal of the corpus whose index is in `home`. A missing or damaged one counts as empty.
    pub fn load(home: &Folder) -> Result<Self, TabooError> {
        Ok(Self::read(home)?.unwrap_or_default())
    }

    /// Reads the journal, or returns what is wrong with it.
    fn read(home: &Folder) -> Result<Result<Self, String>, TabooError> {
        let Some(bytes) = home.read(NAME)? else { return Ok(Ok(Self::default())) };
        let read = || {
            let text = std::str::from_utf8(&bytes).map_err(|_| "line 1: not UTF-8")?;
            let mut lines = text.lines().zip(1..);
            let last: Option<LastOperation> = lines.next().map_or(Ok(None), parse)?;
            let steps: Vec<JournalStep> = lines.map(parse).collect::<Result<_, String>>()?;
            Ok(Self { last: last.filter(|last| last.step < steps.len()), steps })
        };
        Ok(read())
    }

    fn write(&mut self, home: &Folder) -> Result<(), TabooError> {
        self.write_within(home, MAX_BYTES)
    }

    /// Writes the journal with as many of the last steps as fit into `max_bytes`.
    fn write_within(&mut self, home: &Folder, max_bytes: usize) -> Result<(), TabooError> {
        let unwritable = |error| StorageError::during("write", home.at(NAME))(std::io::Error::other(error));
        let lines = self.steps.iter().map(serde_json::to_string);
        let lines: Vec<String> = lines.collect::<Result<_, _>>().map_err(unwritable)?;
        let mut bytes = 0;
        let fits = |line: &&String| {
            bytes += line.len() + 1;
            bytes <= max_bytes
        };
        let kept = lines.iter().rev().take(MAX_STEPS).take_while(fits).count().max(1).min(lines.len());
        let gone = lines.len() - kept;
        self.steps.drain(..gone);
        self.last =
            self.last.and_then(|last| Some(LastOperation { step: last.step.checked_sub(gone)?, ..last }));
        let mut text = serde_json::to_string(&self.last).map_err(unwritable)?;
        for line in &lines[gone..] {
            text.push('\n');
            text.push_str(line);
        }
        text.push('\n');
        Ok(home.replace(NAME, text.as_bytes())?)
    }

    /// How many steps are not undone.
    fn done(&self) -> usize {
        self.steps.iter().take_while(|step| !step.undone).count()
    }
}

/// The locked journal: the right to change decisions.
pub(super) struct LockedJournal<'a> {
    home: &'a Folder,
    journal: RefCell<Journal>,
    _lock: Lock,
}

impl<'a> LockedJournal<'a> {
    /// Creates the folder, waits for the lock and reads the journal.
    fn take(home: &'a Folder) -> Result<Self, TabooError> {
        home.create_private()?;
        Self::wait(home)
    }

    /// Waits for the lock and reads the journal.
    pub(super) fn wait(home: &'a Folder) -> Result<Self, TabooError> {
        let lock = Lock::wait(home, LOCK)?;
        let journal = match Journal::read(home)? {
            Ok(journal) => journal,
            Err(detail) => {
                move_aside(home, &detail)?;
                Journal::default()
            }
        };
        Ok(Self { home, journal: RefCell::new(journal), _lock: lock })
    }

    /// Records a step before it is taken: its changes, and the list before and after it.
    fn record<E: Journaled>(
        &self,
        at: jiff::Timestamp,
        with: Option<&Folder>,
        changes: Vec<EntryChange<E>>,
        lists: [&DecisionList<E>; 2],
    ) -> Result<(), TabooError> {
        self.settle_all()?;
        let mut journal = self.journal.borrow_mut();
        let done = journal.done();
        journal.steps.truncate(done);
        let with = with.map(|folder| spelled(folder.path()).into_owned());
        let mut step = JournalStep { at, with, ..JournalStep::default() };
        *E::of_step(&mut step) = changes;
        journal.steps.push(step);
        journal.last = Some(LastOperation { step: done, from: hash(lists[0]), to: hash(lists[1]) });
        journal.write(self.home)
    }

    /// Reverts the last operation in the journal if it did not happen: its list is unchanged.
    fn settle<E: Journaled>(&self, journal: &mut Journal, list: &DecisionList<E>) {
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

    fn settle_all(&self) -> Result<(), TabooError> {
        visit_kinds(&mut Settling(self)).map_or(Ok(()), Err)
    }

    /// A malformed list gives no information about the last operation. It does not block decisions of the other
    /// lists.
    fn settle_with<E: Journaled>(&self, list: Result<DecisionList<E>, TabooError>) -> Result<(), TabooError> {
        match list {
            Ok(list) => self.settle(&mut self.journal.borrow_mut(), &list),
            Err(TabooError::Malformed { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The step that is undone or redone next, with its time.
    pub(super) fn next(&self, undo: bool) -> Result<Option<(usize, jiff::Timestamp)>, TabooError> {
        self.settle_all()?;
        let journal = self.journal.borrow();
        let done = journal.done();
        let number = if undo { done.checked_sub(1) } else { Some(done) };
        Ok(number.and_then(|number| Some((number, journal.steps.get(number)?.at))))
    }

    /// The last step that is not undone.
    pub(super) fn last_done(&self) -> Option<Ref<'_, JournalStep>> {
        let journal = self.journal.borrow();
        let last = journal.done().checked_sub(1)?;
        Some(Ref::map(journal, |journal| &journal.steps[last]))
    }

    /// A step.
    pub(super) fn step(&self, number: usize) -> Ref<'_, JournalStep> {
        Ref::map(self.journal.borrow(), |journal| &journal.steps[number])
    }

    /// The half of a decision that was taken at a time.
    pub(super) fn half_at(&self, at: jiff::Timestamp) -> Option<Ref<'_, JournalStep>> {
        let is_it = |step: &JournalStep| step.at == at && step.with.is_some();
        let journal = self.journal.borrow();
        Ref::filter_map(journal, |journal| journal.steps.iter().find(|step| is_it(step))).ok()
    }

    /// The folder of the journal.
    pub(super) fn home(&self) -> &'a Folder {
        self.home
    }

    /// Undoes or redoes a step.
    pub(super) fn apply(&self, number: usize, undo: bool) -> Result<AppliedStep, TabooError> {
        let applied = visit_kinds(&mut Applying { held: self, number, undo });
        // A step without changes changes no list.
        applied.unwrap_or_else(|| self.apply_step::<AcceptedEntry>(number, undo))
    }

    /// Changes a list as one step of this time.
    pub(super) fn edit<E: Journaled, T>(
        &self,
        at: jiff::Timestamp,
        change: impl FnOnce(&mut DecisionList<E>) -> T,
    ) -> Result<(DecisionList<E>, T), TabooError> {
        self.edit_with(at, None, change)
    }

    /// The same as half of a decision, of which the journal in another folder has the other half.
    pub(super) fn edit_with<E: Journaled, T>(
        &self,
        at: jiff::Timestamp,
        with: Option<&Folder>,
        change: impl FnOnce(&mut DecisionList<E>) -> T,
    ) -> Result<(DecisionList<E>, T), TabooError> {
        let (mut change, mut changed) = (Some(change), None);
        let list =
            self.edit_list(at, with, &mut |list| changed = change.take().map(|change| change(list)))?;
        Ok((list, changed.expect("the change is made once")))
    }

    fn edit_list<E: Journaled>(
        &self,
        at: jiff::Timestamp,
        with: Option<&Folder>,
        change: &mut dyn FnMut(&mut DecisionList<E>),
    ) -> Result<DecisionList<E>, TabooError> {
        DecisionList::edit_held(self.home, &mut |before: &DecisionList<E>| {
            let mut list = before.clone();
            change(&mut list);
            let changes = changes(before.entries(), list.entries());
            if !changes.is_empty() {
                self.record(at, with, changes, [before, &list])?;
            }
            Ok(list)
        })
    }

    fn apply_step<E: Journaled>(&self, number: usize, undo: bool) -> Result<AppliedStep, TabooError> {
        let mut applied = None;
        DecisionList::<E>::edit_held(self.home, &mut |before| {
            let mut journal = self.journal.borrow_mut();
            let step = &mut journal.steps[number];
            let changes = E::of_step(step);
            let (list, changed) = before.after_step(changes, undo);
            let all = changes.len();
            step.undone = undo;
            applied = Some(AppliedStep { step: step.clone(), changed: (changed, all - changed) });
            journal.last = Some(LastOperation { step: number, from: hash(before), to: hash(&list) });
            journal.write(self.home)?;
            Ok(list)
        })?;
        Ok(applied.expect("the step is applied once"))
    }
}

/// Reverts the last operation if it did not happen. Ends at an error.
struct Settling<'a, 'h>(&'a LockedJournal<'h>);

impl KindVisitor for Settling<'_, '_> {
    type Found = TabooError;

    fn visit<E: Journaled>(&mut self) -> Option<TabooError> {
        self.0.settle_with(DecisionList::<E>::load(self.0.home)).err()
    }
}

/// Undoes or redoes a step in the list that it changed.
struct Applying<'a, 'h> {
    held: &'a LockedJournal<'h>,
    number: usize,
    undo: bool,
}

impl KindVisitor for Applying<'_, '_> {
    type Found = Result<AppliedStep, TabooError>;

    fn visit<E: Journaled>(&mut self) -> Option<Self::Found> {
        let is_of = !E::of_step(&mut self.held.journal.borrow_mut().steps[self.number]).is_empty();
        is_of.then(|| self.held.apply_step::<E>(self.number, self.undo))
    }
}

impl<E: Journaled> DecisionList<E> {
    /// Changes the list of the corpus whose index is in `home`, as one step that can be undone. It is locked
    /// meanwhile and replaced atomically. Returns the new list and the result of `change`.
    pub fn edit<T>(home: &Folder, change: impl FnOnce(&mut Self) -> T) -> Result<(Self, T), TabooError> {
        LockedJournal::take(home)?.edit(jiff::Timestamp::now(), change)
    }
}

fn hash<E: Journaled>(list: &DecisionList<E>) -> u64 {
    // A list that cannot be written as TOML is never saved.
    xxh3_64(list.to_text().unwrap_or_default().as_bytes())
}

fn move_aside(home: &Folder, detail: &str) -> Result<String, TabooError> {
    let bytes = home.read(NAME)?.unwrap_or_default();
    home.replace(ASIDE, &bytes)?;
    home.remove(NAME)?;
    let sentence = format!(
        "the journal of decisions {}, {detail}; it was renamed to {ASIDE}: your decisions are kept, but earlier \
         ones cannot be undone",
        shown(&home.at(NAME))
    );
    tracing::warn!("{sentence}");
    Ok(sentence)
}

/// Moves a damaged journal aside. Returns a sentence that says so.
pub fn repair_journal(home: &Folder) -> Result<Option<String>, TabooError> {
    if Journal::read(home)?.is_ok() {
        return Ok(None);
    }
    let _lock = Lock::wait(home, LOCK)?;
    match Journal::read(home)? {
        Ok(_) => Ok(None),
        Err(detail) => move_aside(home, &detail).map(Some),
    }
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
