//! The folders of decisions about a corpus: its own, and that of the user, whose taboo list applies to all corpora.
//!
//! Each folder has a journal of its own. They are undone as one: what was decided last is undone first, whichever journal
//! has it. A decision that changes both taboo lists is a step of the same time in each; the two are undone together. What
//! adds entries is done before what removes them, so that after a crash a moved text is in both lists, and never in none.
//! Therefore a move is not undone by half either: it is undone in the corpus in which it was decided.

use super::change::{Decision, said};
use super::entry::{TabooEntry, TabooList};
use super::journal::{self, AppliedStep, Journal, LockedJournal};
use super::list::TabooError;
use super::step::JournalStep;
use dupi_base::storage::{Folder, unspelled};

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

/// What is undone or redone next in one journal.
struct NextStep<'a, 'h> {
    scope: TabooScope,
    journal: &'a LockedJournal<'h>,
    number: usize,
    at: jiff::Timestamp,
}

impl DecisionFolders {
    /// The folder of a taboo list.
    ///
    /// # Errors
    /// When the user has no folder of settings.
    pub fn folder(&self, scope: TabooScope) -> Result<&Folder, TabooError> {
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
        self.folder(to)?;
        let from = if to == TabooScope::User { TabooScope::Corpus } else { TabooScope::User };
        let corpus = self.hold(TabooScope::Corpus)?;
        let user = self.hold(TabooScope::User)?;
        let (source, target) = if to == TabooScope::User { (&corpus, &user) } else { (&user, &corpus) };
        let list = TabooList::load(self.folder(from)?)?;
        let entries: Vec<TabooEntry> =
            list.entries().iter().filter(|entry| is_meant(entry)).cloned().collect();
        if entries.is_empty() {
            return Ok(0);
        }
        let at = jiff::Timestamp::now();
        // Where all texts are in the other list already, that list has no step.
        let known = TabooList::load(self.folder(to)?)?;
        let has_halves = entries.iter().any(|entry| known.get(&entry.text).is_none());
        let with = |other: &LockedJournal<'_>| has_halves.then(|| other.home().clone());
        target.edit_with(at, with(source).as_ref(), |list: &mut TabooList| list.add_all(entries))?;
        let (_, moved) =
            source.edit_with(at, with(target).as_ref(), |list: &mut TabooList| list.remove_all(&is_meant))?;
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
            let number =
                journal.next(undo)?.map(|(number, at)| NextStep { scope: *scope, journal, number, at });
            next.extend(number);
        }
        let other = |scope| held.iter().find(|(held, _)| *held != scope).map(|(_, journal)| journal);
        let mut refused = None;
        let mut free: Vec<&NextStep> = Vec::new();
        for step in &next {
            match self.check_half(step, other(step.scope), &next, undo)? {
                Some(error) => refused = Some(error),
                None => free.push(step),
            }
        }
        let times = free.iter().map(|step| step.at);
        let Some(at) = (if undo { times.max() } else { times.min() }) else {
            return refused.filter(|_| undo).map_or(Ok(None), Err);
        };
        // A move in another corpus does not forbid that something is redone here.
        let is_later = |(scope, journal): &(TabooScope, LockedJournal)| {
            let is_here = |step: &JournalStep| {
                step.with.is_none() || other(*scope).is_some_and(|other| other.half_at(step.at).is_some())
            };
            journal.last_done().is_some_and(|step| step.at > at && is_here(&step))
        };
        if !undo && held.iter().any(is_later) {
            return Ok(None);
        }
        free.retain(|step| step.at == at);
        free.sort_by_key(|step| !step.journal.step(step.number).adds_taboo(undo));
        let applied = free.into_iter().map(|step| Ok((step.scope, step.journal.apply(step.number, undo)?)));
        Ok(Some(AppliedSteps(applied.collect::<Result<_, TabooError>>()?)))
    }

    /// Returns an error if a step is half of a move and cannot be undone or redone together with the other half. A text
    /// could be lost from both lists if each half were undone for itself.
    fn check_half(
        &self,
        of: &NextStep,
        other: Option<&LockedJournal>,
        next: &[NextStep],
        undo: bool,
    ) -> Result<Option<TabooError>, TabooError> {
        let step = of.journal.step(of.number);
        let Some(with) = &step.with else { return Ok(None) };
        let folder = unspelled(with.as_ref());
        let what = step_words(of.scope, &step);
        if of.scope == TabooScope::User && folder != self.corpus.path() {
            return Ok(Some(TabooError::Elsewhere { what, of: folder }));
        }
        let is_whole = match other.and_then(|other| other.half_at(of.at)) {
            // A crash can leave one half undone.
            Some(half) => {
                half.undone == undo || next.iter().any(|next| next.scope != of.scope && next.at == of.at)
            }
            // The other half was never taken, or is forgotten: the text must be in a list afterwards.
            None if undo && step.adds_taboo(undo) => true,
            None if undo => {
                let list = other.map(|other| TabooList::load(other.home())).transpose()?.unwrap_or_default();
                let removed = step.taboo.iter().filter_map(|change| change.after.as_ref());
                removed.into_iter().all(|entry| list.get(&entry.text).is_some())
            }
            None => false,
        };
        Ok((!is_whole).then_some(TabooError::DecidedSince { what, of: folder }))
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
        let folder = self.folder(scope)?;
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
