//! The folders of decisions about a corpus: its own, and that of the user, whose taboo list applies to all corpora.
//!
//! Each folder has a journal of its own. They are undone as one: what was decided last is undone first, whichever journal
//! has it. A decision that changes both taboo lists is a step of the same time in each; the two are undone together. What
//! adds entries is done before what removes them, so that after a crash a moved text is in both lists, and never in none.

use super::decision::Decision;
use super::entry::{TabooEntry, TabooList};
use super::journal::{self, AppliedStep, Journal, LockedJournal};
use super::list::TabooError;
use super::step::JournalStep;
use super::words::said;
use crate::storage::Folder;

/// Where a taboo list applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TabooScope {
    /// In one corpus.
    #[default]
    Corpus,
    /// In all corpora of the user.
    User,
}

/// The folders of the decisions about a corpus.
#[derive(Clone, Debug)]
pub struct DecisionFolders {
    /// The folder of the corpus's index.
    pub corpus: Folder,
    /// The folder of the user's settings, if there is one.
    pub user: Option<Folder>,
}

impl From<Folder> for DecisionFolders {
    fn from(corpus: Folder) -> Self {
        Self { corpus, user: None }
    }
}

/// Steps that were undone or redone together, each with the scope of its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedSteps(Vec<(TabooScope, AppliedStep)>);

impl AppliedSteps {
    /// What they are, in words.
    pub fn words(&self) -> String {
        if let Some(words) = self.move_words() {
            return words;
        }
        let words = self.0.iter().map(|(scope, applied)| step_words(*scope, &applied.step));
        words.collect::<Vec<_>>().join(" and ")
    }

    /// In words, if they moved entries from one list to the other.
    fn move_words(&self) -> Option<String> {
        let [(one, first), (other, second)] = &self.0[..] else { return None };
        let adds = |applied: &AppliedStep| applied.step.taboo.iter().all(|change| change.before.is_none());
        let removes = |applied: &AppliedStep| applied.step.taboo.iter().all(|change| change.after.is_none());
        let (to, changes) = match () {
            () if adds(first) && removes(second) => (one, &first.step.taboo),
            () if adds(second) && removes(first) => (other, &second.step.taboo),
            () => return None,
        };
        let entry = changes.first()?.after.as_ref();
        let verb = ["moved", "", ""];
        let moved = said(verb, None, entry.map(|entry| &*entry.text), changes.len());
        let list = match to {
            TabooScope::Corpus => "of this corpus",
            TabooScope::User => "for all corpora",
        };
        Some(format!("{moved} to the taboo list {list}"))
    }

    /// How many changes were applied, and how many could not be, because a list was changed by hand since.
    pub fn changed(&self) -> (usize, usize) {
        let changed = self.0.iter().map(|(_, applied)| applied.changed);
        changed.fold((0, 0), |sum, (made, gone)| (sum.0 + made, sum.1 + gone))
    }

    /// Whether one of them has changes that a test finds.
    pub fn has(&self, is_meant: impl Fn(&JournalStep) -> bool) -> bool {
        self.0.iter().any(|(_, applied)| is_meant(&applied.step))
    }
}

/// A step in words, with where it applies.
pub fn step_words(scope: TabooScope, step: &JournalStep) -> String {
    match scope {
        TabooScope::Corpus => step.words(),
        TabooScope::User => format!("{} in all corpora", step.words()),
    }
}

impl DecisionFolders {
    /// The folder of a taboo list.
    ///
    /// # Errors
    /// When the user has no folder of settings.
    pub fn of(&self, scope: TabooScope) -> Result<&Folder, TabooError> {
        match scope {
            TabooScope::Corpus => Ok(&self.corpus),
            TabooScope::User => self.user.as_ref().ok_or(TabooError::NoUser),
        }
    }

    /// The taboo list of the user; empty without a folder of settings.
    pub fn load_user(&self) -> Result<TabooList, TabooError> {
        self.user.as_ref().map_or_else(|| Ok(TabooList::default()), TabooList::load)
    }

    /// Changes a taboo list as one step that can be undone.
    pub fn edit_taboo<T>(
        &self,
        scope: TabooScope,
        change: impl FnOnce(&mut TabooList) -> T,
    ) -> Result<(TabooList, T), TabooError> {
        self.hold(scope)?.edit(jiff::Timestamp::now(), change)
    }

    /// Removes entries from both taboo lists, as one decision. Returns how many texts were in a list.
    pub fn remove_taboo(&self, is_meant: impl Fn(&TabooEntry) -> bool) -> Result<usize, TabooError> {
        let (held, at) = (self.hold_all()?, jiff::Timestamp::now());
        let mut texts: Vec<String> = Vec::new();
        for (_, journal) in &held {
            journal.edit(at, |list: &mut TabooList| {
                let meant = list.entries().iter().filter(|entry| is_meant(entry));
                texts.extend(meant.map(|entry| entry.text.clone()));
                list.remove_all(&is_meant)
            })?;
        }
        texts.sort_unstable();
        texts.dedup();
        Ok(texts.len())
    }

    /// Moves entries from one taboo list to the other, as one decision. Returns how many were moved.
    pub fn move_taboo(
        &self,
        is_meant: impl Fn(&TabooEntry) -> bool,
        to: TabooScope,
    ) -> Result<usize, TabooError> {
        self.of(to)?;
        let from = if to == TabooScope::User { TabooScope::Corpus } else { TabooScope::User };
        let corpus = self.hold(TabooScope::Corpus)?;
        let user = self.hold(TabooScope::User)?;
        let (source, target) = if to == TabooScope::User { (&corpus, &user) } else { (&user, &corpus) };
        let list = TabooList::load(self.of(from)?)?;
        let entries: Vec<TabooEntry> =
            list.entries().iter().filter(|entry| is_meant(entry)).cloned().collect();
        if entries.is_empty() {
            return Ok(0);
        }
        let at = jiff::Timestamp::now();
        target.edit(at, |list: &mut TabooList| list.add_all(entries))?;
        let (_, moved) = source.edit(at, |list: &mut TabooList| list.remove_all(&is_meant))?;
        Ok(moved)
    }

    /// Undoes the last decision that is not undone; `None` if there is none.
    pub fn undo(&self) -> Result<Option<AppliedSteps>, TabooError> {
        self.turn(true)
    }

    /// Redoes the decision that was undone last; `None` if there is none, or if something was decided since.
    pub fn redo(&self) -> Result<Option<AppliedSteps>, TabooError> {
        self.turn(false)
    }

    fn turn(&self, undo: bool) -> Result<Option<AppliedSteps>, TabooError> {
        let held = self.hold_all()?;
        let mut next = Vec::new();
        for (scope, journal) in &held {
            next.extend(journal.next(undo)?.map(|(number, at)| (*scope, journal, number, at)));
        }
        let times = next.iter().map(|(.., at)| *at);
        let Some(at) = (if undo { times.max() } else { times.min() }) else { return Ok(None) };
        let is_older = |(_, journal): &(TabooScope, LockedJournal)| journal.last_done() > Some(at);
        if !undo && held.iter().any(is_older) {
            return Ok(None);
        }
        next.retain(|(.., time)| *time == at);
        next.sort_by_key(|(_, journal, number, _)| !journal.adds_taboo(*number, undo));
        let applied =
            next.into_iter().map(|(scope, journal, number, _)| Ok((scope, journal.apply(number, undo)?)));
        Ok(Some(AppliedSteps(applied.collect::<Result<_, TabooError>>()?)))
    }

    /// The steps of both journals, the oldest first.
    pub fn log(&self) -> Result<Vec<(TabooScope, JournalStep)>, TabooError> {
        let mut steps = Vec::new();
        for (scope, folder) in self.folders() {
            steps.extend(Journal::load(folder)?.steps.into_iter().map(|step| (scope, step)));
        }
        steps.sort_by_key(|(_, step)| step.at);
        Ok(steps)
    }

    /// Moves damaged journals aside. Returns a sentence for each.
    pub fn repair_journals(&self) -> Result<Vec<String>, TabooError> {
        let repaired = self.folders().map(|(_, folder)| journal::repair_journal(folder));
        Ok(repaired.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    fn folders(&self) -> impl Iterator<Item = (TabooScope, &Folder)> {
        let user = self.user.iter().map(|user| (TabooScope::User, user));
        std::iter::once((TabooScope::Corpus, &self.corpus)).chain(user)
    }

    /// Locks the journal of a taboo list.
    fn hold(&self, scope: TabooScope) -> Result<LockedJournal<'_>, TabooError> {
        let folder = self.of(scope)?;
        match scope {
            TabooScope::Corpus => folder.create_private()?,
            // Other users may read the settings.
            TabooScope::User => folder.create()?,
        }
        LockedJournal::wait(folder)
    }

    /// Locks both journals, always in the same order; that of the user only if the user has decided something.
    fn hold_all(&self) -> Result<Vec<(TabooScope, LockedJournal<'_>)>, TabooError> {
        let is_used = |folder: &Folder| {
            let names = [journal::NAME, TabooEntry::NAME];
            names.into_iter().any(|name| folder.at(name).symlink_metadata().is_ok())
        };
        let mut held = vec![(TabooScope::Corpus, self.hold(TabooScope::Corpus)?)];
        if let Some(user) = &self.user
            && is_used(user)
        {
            held.push((TabooScope::User, self.hold(TabooScope::User)?));
        }
        Ok(held)
    }
}

#[cfg(test)]
#[path = "folders_tests.rs"]
mod tests;
