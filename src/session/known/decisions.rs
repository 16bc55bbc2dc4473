//! The lists of decisions about a corpus, as a session has read them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::taboo_counts::entries_of;
use dupi_base::corpus::{self, Stamp};
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::{
    self, AcceptedList, AcceptedSet, AsideList, CorrectedKinds, DecisionFolders, DecisionList, ExcludedList,
    Journaled, KindList, TabooEntry, TabooError, TabooList, TabooScope, TabooSet,
};
use dupi_review::review::ReviewDecisions;
use dupi_text::blot::{Blot, Recipe};

/// The present decisions about a corpus. Only its methods change them.
#[derive(Clone)]
pub(crate) struct Decisions {
    folders: DecisionFolders,
    /// The recipe by which texts are tokenised.
    pub recipe: Recipe,
    /// The stamps of the lists' files from before they were read.
    stamps: Stamps,
    /// The corpus's taboo list and the user's.
    pub taboo_lists: [Arc<TabooList>; 2],
    /// The blots of the taboo list.
    pub set: Arc<TabooSet>,
    /// The list of accepted rows.
    pub accepted: Arc<AcceptedSet>,
    /// The corrected kinds of passages.
    pub kinds: Arc<CorrectedKinds>,
    /// Which kinds are set aside.
    pub aside: Arc<AsideList>,
    /// The files and folders that are left out.
    pub excluded: Arc<ExcludedList>,
}

/// The stamps of the lists' files.
type Stamps = Vec<Option<Stamp>>;

impl Decisions {
    /// Reads the lists of the folders of a session. A list that cannot be read is as in `before`, the decisions that were read last, or
    /// counts as empty; its file is not changed. Also returns the errors as sentences.
    pub(crate) fn load(
        folders: impl Into<DecisionFolders>,
        recipe: Recipe,
        before: Option<&Self>,
    ) -> (Self, Vec<String>) {
        let (folders, stamps) = (folders.into(), Stamps::new());
        let (taboo_lists, set, accepted, kinds, aside, excluded) = Default::default();
        let new = Self { folders, recipe, stamps, taboo_lists, set, accepted, kinds, aside, excluded };
        let before = before.filter(|before| before.recipe == recipe);
        let (decisions, mut wrong) = before.unwrap_or(&new).renewed();
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

    /// The lists as they are now. A list that cannot be read keeps its entries. Also returns the errors as sentences.
    pub(crate) fn renewed(&self) -> (Self, Vec<String>) {
        let mut new = Self { stamps: stamps(&self.folders), ..self.clone() };
        let wrong = new.read();
        (new, wrong)
    }

    /// Whether both have the same lists.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.taboo_lists.iter().zip(&other.taboo_lists).all(|(own, other)| Arc::ptr_eq(own, other))
            && Arc::ptr_eq(&self.accepted, &other.accepted)
            && Arc::ptr_eq(&self.kinds, &other.kinds)
            && Arc::ptr_eq(&self.aside, &other.aside)
            && Arc::ptr_eq(&self.excluded, &other.excluded)
    }

    /// Reads the lists. One that says the same as before, or cannot be read, stays with what was made of it.
    fn read(&mut self) -> Vec<String> {
        let (folders, mut wrong) = (&self.folders, Vec::new());
        let taboo = read(DecisionList::load(&folders.corpus), &mut wrong);
        let accepted = read(AcceptedList::load(&folders.corpus), &mut wrong);
        let kinds = read(KindList::load(&folders.corpus), &mut wrong);
        let aside = read(DecisionList::load(&folders.corpus), &mut wrong);
        let excluded = read(DecisionList::load(&folders.corpus), &mut wrong);
        let user_taboo = read(folders.load_user(), &mut wrong);
        let [of_corpus, of_user] = &mut self.taboo_lists;
        if replace(of_corpus, taboo) | replace(of_user, user_taboo) {
            let mut set = TabooSet::new(&self.taboo_lists[0], &self.recipe);
            self.taboo_lists[1].entries().iter().for_each(|entry| set.add(entry, &self.recipe));
            // What is hidden stays the same when an entry is moved.
            replace(&mut self.set, Some(set));
        }
        replace(&mut self.accepted, accepted.as_ref().map(AcceptedSet::new));
        replace(&mut self.kinds, kinds.as_ref().map(CorrectedKinds::new));
        replace(&mut self.aside, aside);
        replace(&mut self.excluded, excluded);
        wrong
    }

    /// What a review needs of them; its rows are shown in all states.
    pub(crate) fn for_review(&self) -> ReviewDecisions<'_> {
        let (taboo, accepted, corrected) = (&self.set, &self.accepted, &self.kinds);
        ReviewDecisions { taboo, accepted, corrected, states: &ReviewState::ALL }
    }

    /// The entries of both taboo lists, those of the corpus first.
    pub(crate) fn taboo(&self) -> impl Iterator<Item = (TabooScope, &TabooEntry)> {
        scoped_entries(&self.taboo_lists)
    }

    /// The entries of both taboo lists that have each blot, by their numbers from 0.
    pub(crate) fn hiders(&self) -> HashMap<Blot, Vec<u32>> {
        let set = |entry| TabooSet::from_entry(entry, &self.recipe);
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
        let is_meant = |entry: &&TabooEntry| TabooSet::from_entry(entry, &self.recipe).has_text(texts);
        self.taboo().map(|(_, entry)| entry).filter(is_meant).map(|entry| entry.text.clone()).collect()
    }

    /// Changes lists, and reads them again. One of them may be changed even if another could not be.
    pub(crate) fn change<T>(
        &mut self,
        change: impl FnOnce(&DecisionFolders) -> Result<T, TabooError>,
    ) -> Result<T, TabooError> {
        let changed = change(&self.folders);
        self.read();
        changed
    }

    /// Changes a list as one step of the journal.
    pub(crate) fn edit<E: Journaled, T>(
        &mut self,
        change: impl FnOnce(&mut DecisionList<E>) -> T,
    ) -> Result<T, TabooError> {
        self.change(|folders| Ok(DecisionList::<E>::edit(&folders.corpus, change)?.1))
    }

    /// Changes a taboo list as one step of its journal.
    pub(crate) fn edit_taboo<T>(
        &mut self,
        scope: TabooScope,
        change: impl FnOnce(&mut TabooList) -> T,
    ) -> Result<T, TabooError> {
        self.change(|folders| Ok(folders.edit_taboo(scope, change)?.1))
    }
}

/// The entries of the corpus's taboo list and of the user's, each with its list.
pub(crate) fn scoped_entries(
    [corpus, user]: &[Arc<TabooList>; 2],
) -> impl Iterator<Item = (TabooScope, &TabooEntry)> {
    let corpus = corpus.entries().iter().map(|entry| (TabooScope::Corpus, entry));
    corpus.chain(user.entries().iter().map(|entry| (TabooScope::User, entry)))
}

/// A list that was read, unless it could not be.
fn read<E>(list: Result<DecisionList<E>, TabooError>, wrong: &mut Vec<String>) -> Option<DecisionList<E>> {
    list.map_err(|error| wrong.push(error.to_string())).ok()
}

/// Replaces a value if there is another one. Returns whether there is.
fn replace<T: PartialEq>(old: &mut Arc<T>, new: Option<T>) -> bool {
    let new = new.filter(|new| **old != *new);
    let is_other = new.is_some();
    if let Some(new) = new {
        *old = Arc::new(new);
    }
    is_other
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
    use dupi_index::taboo::{AcceptedEntry, AcceptedId, today};
    use dupi_text::blot::tiles_of;
    use dupi_text::token::{LexState, Tokeniser};

    #[test]
    fn showing_a_text_again_leaves_entries_that_only_share_a_phrase_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let recipe = Recipe::default();
        let (mut decisions, _) = Decisions::load(Folder::new(folder.path()), recipe, None);
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
        assert!(decisions.change(DecisionFolders::undo).unwrap().is_some());
        assert_eq!(hiding(&decisions, &blots), [licence]);
    }

    #[test]
    fn an_undo_holds_and_is_shown_be_the_other_list_one_that_cannot_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let home = Folder::new(folder.path());
        let (mut decisions, _) = Decisions::load(home.clone(), Recipe::default(), None);
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
        assert!(decisions.change(DecisionFolders::undo).unwrap().is_some());
        assert_eq!(decisions.accepted.copies(of), None);
        assert_eq!(decisions.taboo().count(), 1, "what cannot be read stays as it was");
    }
}
