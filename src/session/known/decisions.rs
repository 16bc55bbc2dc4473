//! The lists of decisions about a corpus, as a session has read them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::taboo_counts::entries_of;
use dupi_base::corpus::{self, Stamp};
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::{
    self, AcceptedEntry, AcceptedList, AcceptedSet, AppliedSteps, AsideEntry, AsideList, CorrectedKinds,
    DecisionFolders, DecisionList, ExcludedEntry, ExcludedList, Journaled, KindEntry, KindList, TabooEntry,
    TabooError, TabooList, TabooScope, TabooSet,
};
use dupi_review::review::ReviewDecisions;
use dupi_text::blot::{Blot, Recipe};

/// The present decisions about a corpus.
#[derive(Clone)]
pub(crate) struct Decisions {
    folders: DecisionFolders,
    recipe: Recipe,
    /// The stamps of the lists' files from before they were read.
    stamps: Stamps,
    taboo: Arc<TabooList>,
    user_taboo: Arc<TabooList>,
    set: Arc<TabooSet>,
    accepted: Arc<AcceptedSet>,
    kinds: Arc<CorrectedKinds>,
    aside: Arc<AsideList>,
    excluded: Arc<ExcludedList>,
}

/// Reads one list.
type ListReader = fn(&mut Decisions) -> Result<(), TabooError>;

/// The stamps of the lists' files.
type Stamps = Vec<Option<Stamp>>;

impl Decisions {
    /// Reads the lists of the corpus whose index is in `home`. A list that cannot be read counts as empty; its file is
    /// not changed. Also returns the errors as sentences.
    pub(crate) fn load(folders: impl Into<DecisionFolders>, recipe: Recipe) -> (Self, Vec<String>) {
        let folders = folders.into();
        let stamps = stamps(&folders);
        let (taboo, user_taboo, set, accepted, kinds, aside, excluded) = Default::default();
        let mut decisions =
            Self { folders, recipe, stamps, taboo, user_taboo, set, accepted, kinds, aside, excluded };
        let mut wrong = decisions.read();
        match decisions.folders.repair_journals() {
            Ok(sentences) => wrong.extend(sentences),
            Err(error) => wrong.push(error.to_string()),
        }
        (decisions, wrong)
    }

    /// Whether the files of the lists are unchanged since they were read, by their stamps.
    pub(crate) fn is_newest(&self) -> bool {
        self.stamps == stamps(&self.folders)
    }

    /// Reads the lists again. A list that cannot be read keeps its entries. Returns the errors as sentences.
    pub(crate) fn renew(&mut self) -> Vec<String> {
        self.stamps = stamps(&self.folders);
        self.read()
    }

    /// Whether both have the same lists.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.taboo, &other.taboo)
            && Arc::ptr_eq(&self.user_taboo, &other.user_taboo)
            && Arc::ptr_eq(&self.accepted, &other.accepted)
            && Arc::ptr_eq(&self.kinds, &other.kinds)
            && Arc::ptr_eq(&self.aside, &other.aside)
            && Arc::ptr_eq(&self.excluded, &other.excluded)
    }

    fn read(&mut self) -> Vec<String> {
        let lists: [ListReader; taboo::LISTS.len()] = [
            Self::read_list::<TabooEntry>,
            Self::read_list::<AcceptedEntry>,
            Self::read_list::<KindEntry>,
            Self::read_list::<AsideEntry>,
            Self::read_list::<ExcludedEntry>,
        ];
        let user = self.folders.load_user().map(|list| self.take_user(list));
        let read = lists.into_iter().map(|read| read(self)).chain([user]);
        read.filter_map(Result::err).map(|error| error.to_string()).collect()
    }

    fn read_list<E: SessionList>(&mut self) -> Result<(), TabooError> {
        DecisionList::<E>::load(&self.folders.corpus).map(|list| E::take(self, list))
    }

    /// The blots of the taboo list.
    pub(crate) fn set(&self) -> &Arc<TabooSet> {
        &self.set
    }

    /// The list of accepted rows.
    pub(crate) fn accepted(&self) -> &Arc<AcceptedSet> {
        &self.accepted
    }

    /// The corrected kinds of passages.
    pub(crate) fn kinds(&self) -> &Arc<CorrectedKinds> {
        &self.kinds
    }

    /// Which kinds are set aside.
    pub(crate) fn aside(&self) -> &Arc<AsideList> {
        &self.aside
    }

    /// What a review needs of them; its rows are shown in all states.
    pub(crate) fn for_review(&self) -> ReviewDecisions<'_> {
        let (taboo, accepted, corrected) = (&self.set, &self.accepted, &self.kinds);
        ReviewDecisions { taboo, accepted, corrected, states: &ReviewState::ALL }
    }

    /// The files and folders that are left out.
    pub(crate) fn excluded(&self) -> &Arc<ExcludedList> {
        &self.excluded
    }

    /// The entries of both taboo lists, those of the corpus first.
    pub(crate) fn taboo(&self) -> impl Iterator<Item = (TabooScope, &TabooEntry)> {
        scoped_entries([&self.taboo, &self.user_taboo])
    }

    /// The corpus's taboo list and the user's.
    pub(crate) fn taboo_lists(&self) -> [Arc<TabooList>; 2] {
        [Arc::clone(&self.taboo), Arc::clone(&self.user_taboo)]
    }

    /// The recipe by which texts are tokenised.
    pub(crate) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The entries of both taboo lists that have each blot, by their numbers from 0.
    pub(crate) fn hiders(&self) -> HashMap<Blot, Vec<u32>> {
        let set = |entry| TabooSet::of(entry, &self.recipe);
        entries_of(&self.taboo().map(|(_, entry)| set(entry)).collect::<Vec<_>>())
    }

    /// The texts of the entries that hide some blots: the entry that has the most of them, and those that have at least
    /// half as many. So an entry that only shares a phrase with the text is left out. `hiders` is what [`Self::hiders`]
    /// returns.
    pub(crate) fn hiding(&self, hiders: &HashMap<Blot, Vec<u32>>, blots: &[Blot]) -> Vec<String> {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for entry in blots.iter().filter_map(|blot| hiders.get(blot)).flatten() {
            *counts.entry(*entry).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let meant = counts.iter().filter(|&(_, &count)| count * 2 >= most);
        let entries: Vec<&TabooEntry> = self.taboo().map(|(_, entry)| entry).collect();
        meant.filter_map(|(&at, _)| Some(entries.get(at as usize)?.text.clone())).collect()
    }

    /// The texts of the entries that are one of some texts, given by their fingerprints.
    pub(crate) fn with_text(&self, texts: &[u64]) -> Vec<String> {
        if !self.set.has_text(texts) {
            return Vec::new();
        }
        let is_meant = |entry: &&TabooEntry| TabooSet::of(entry, &self.recipe).has_text(texts);
        self.taboo().map(|(_, entry)| entry).filter(is_meant).map(|entry| entry.text.clone()).collect()
    }

    /// Changes a list as one step of the journal.
    pub(crate) fn edit<E: SessionList, T>(
        &mut self,
        change: impl FnOnce(&mut DecisionList<E>) -> T,
    ) -> Result<T, TabooError> {
        let (list, changed) = DecisionList::<E>::edit(&self.folders.corpus, change)?;
        E::take(self, list);
        Ok(changed)
    }

    /// Changes a taboo list as one step of its journal.
    pub(crate) fn edit_taboo<T>(
        &mut self,
        scope: TabooScope,
        change: impl FnOnce(&mut TabooList) -> T,
    ) -> Result<T, TabooError> {
        let (list, changed) = self.folders.edit_taboo(scope, change)?;
        match scope {
            TabooScope::Corpus => TabooEntry::take(self, list),
            TabooScope::User => self.take_user(list),
        }
        Ok(changed)
    }

    /// Removes the entries with these texts from both taboo lists. Returns how many texts were in a list.
    pub(crate) fn remove_taboo(&mut self, texts: &HashSet<&str>) -> Result<usize, TabooError> {
        let removed = self.folders.remove_taboo(|entry| texts.contains(&*entry.text));
        // One of the lists may have been changed even if the other could not be.
        self.read();
        removed
    }

    /// Moves the entries with these texts from one taboo list to the other.
    pub(crate) fn move_taboo(&mut self, texts: &HashSet<&str>, to: TabooScope) -> Result<usize, TabooError> {
        let moved = self.folders.move_taboo(|entry| texts.contains(&*entry.text), to);
        self.read();
        moved
    }

    fn take_user(&mut self, list: TabooList) {
        if list != *self.user_taboo {
            self.user_taboo = Arc::new(list);
            self.renew_set();
        }
    }

    fn renew_set(&mut self) {
        let mut set = TabooSet::new(&self.taboo, &self.recipe);
        self.user_taboo.entries().iter().for_each(|entry| set.add(entry, &self.recipe));
        // What is hidden stays the same when an entry is moved.
        if set != *self.set {
            self.set = Arc::new(set);
        }
    }

    /// Undoes the last step, or redoes the one that was undone last.
    pub(crate) fn turn(&mut self, undo: bool) -> Result<Option<AppliedSteps>, TabooError> {
        let turned = if undo { self.folders.undo()? } else { self.folders.redo()? };
        // The step is done, even if the other list cannot be read.
        self.read();
        Ok(turned)
    }
}

/// The entries of a list that sessions use.
pub(crate) trait SessionList: Journaled {
    /// Keeps a list that was read. Where it says the same as before, what was made of it stays.
    fn take(decisions: &mut Decisions, list: DecisionList<Self>);
}

/// The entries of the corpus's taboo list and of the user's, each with its list.
pub(crate) fn scoped_entries(
    [corpus, user]: [&TabooList; 2],
) -> impl Iterator<Item = (TabooScope, &TabooEntry)> {
    let corpus = corpus.entries().iter().map(|entry| (TabooScope::Corpus, entry));
    corpus.chain(user.entries().iter().map(|entry| (TabooScope::User, entry)))
}

/// Replaces a value if it is another one.
fn replace<T: PartialEq>(old: &mut Arc<T>, new: T) {
    if **old != new {
        *old = Arc::new(new);
    }
}

impl SessionList for TabooEntry {
    fn take(decisions: &mut Decisions, list: TabooList) {
        if list != *decisions.taboo {
            decisions.taboo = Arc::new(list);
            decisions.renew_set();
        }
    }
}

impl SessionList for AcceptedEntry {
    fn take(decisions: &mut Decisions, list: AcceptedList) {
        replace(&mut decisions.accepted, AcceptedSet::new(&list));
    }
}

impl SessionList for KindEntry {
    fn take(decisions: &mut Decisions, list: KindList) {
        replace(&mut decisions.kinds, CorrectedKinds::new(&list));
    }
}

impl SessionList for AsideEntry {
    fn take(decisions: &mut Decisions, list: AsideList) {
        replace(&mut decisions.aside, list);
    }
}

impl SessionList for ExcludedEntry {
    fn take(decisions: &mut Decisions, list: ExcludedList) {
        replace(&mut decisions.excluded, list);
    }
}

/// The present stamps of the lists' files.
fn stamps(folders: &DecisionFolders) -> Stamps {
    let user = folders.user.iter().map(|user| user.at(taboo::LIST));
    let paths = taboo::LISTS.into_iter().map(|name| folders.corpus.at(name)).chain(user);
    paths.map(|path| corpus::stamp(&path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_base::storage::Folder;
    use dupi_index::taboo::{AcceptedId, today};
    use dupi_text::blot::tiles_of;
    use dupi_text::token::{LexState, Tokeniser};

    #[test]
    fn showing_a_text_again_leaves_entries_that_only_share_a_phrase_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let recipe = Recipe::default();
        let (mut decisions, _) = Decisions::load(Folder::new(folder.path()), recipe);
        let phrase = "to the extent permitted by";
        let licence = format!("this work comes {phrase} law without any warranty of any kind at all");
        let add = |decisions: &mut Decisions, text: &str| {
            let entry = TabooEntry { text: text.to_owned(), added: today(), reason: None, language: None };
            decisions.edit::<TabooEntry, _>(|list| list.add(entry)).unwrap();
        };
        add(&mut decisions, phrase);
        add(&mut decisions, &licence);
        let mut blots = Vec::new();
        let tokens = Tokeniser::Words.tokens(&licence, LexState::default());
        tiles_of(tokens.into_iter(), &recipe, |tile| blots.push(tile.blot));
        let hiding = |decisions: &Decisions, blots: &[Blot]| decisions.hiding(&decisions.hiders(), blots);
        assert_eq!(hiding(&decisions, &blots), std::slice::from_ref(&licence));
        assert!(hiding(&decisions, &[]).is_empty());
        decisions.edit::<TabooEntry, _>(|list| list.remove_all(|entry| entry.text == licence)).unwrap();
        assert_eq!(hiding(&decisions, &blots), [phrase]);
        assert!(decisions.turn(true).unwrap().is_some());
        assert_eq!(hiding(&decisions, &blots), [licence]);
    }

    #[test]
    fn an_undo_holds_and_is_shown_be_the_other_list_one_that_cannot_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let home = Folder::new(folder.path());
        let (mut decisions, _) = Decisions::load(home.clone(), Recipe::default());
        let entry = TabooEntry { text: "some words".into(), added: today(), reason: None, language: None };
        decisions.edit::<TabooEntry, _>(|list| list.add(entry)).unwrap();
        let of = AcceptedId::Passage(1);
        let accepted = AcceptedEntry {
            of,
            text: "words".into(),
            copies: 2,
            fix: false,
            texts: Default::default(),
            added: today(),
            reason: None,
        };
        decisions.edit::<AcceptedEntry, _>(|list| list.decide([accepted])).unwrap();
        std::fs::write(home.at(taboo::LIST), "spoilt").unwrap();
        assert!(decisions.turn(true).unwrap().is_some());
        assert_eq!(decisions.accepted().copies(of), None);
        assert_eq!(decisions.taboo().count(), 1, "what cannot be read stays as it was");
    }
}
