//! The decisions about a corpus as a session has them, and what a change of them does to the rows.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Hidden, Subject};
use crate::blot::{Blot, Recipe};
use crate::index::IndexError;
use crate::index::ranking::Ranking;
use crate::index::snapshot::{DocumentId, Snapshot};
use crate::storage::Folder;
use crate::taboo::{self, AcceptedList, AcceptedSet, TabooError, TabooList, TabooSet, Turned, mend};

/// The decisions about a corpus, as they are now.
#[derive(Clone)]
pub struct Decisions {
    home: Folder,
    recipe: Recipe,
    taboo: Arc<TabooList>,
    set: Arc<TabooSet>,
    accepted: Arc<AcceptedSet>,
}

impl Decisions {
    /// Reads the lists of the corpus whose index is in `home`. What cannot be read counts as empty, and is
    /// said in sentences; it is left as it is.
    pub fn load(home: Folder, recipe: Recipe) -> (Self, Vec<String>) {
        let mut wrong = Vec::new();
        let taboo = TabooList::load(&home).unwrap_or_else(|error| {
            wrong.push(error.to_string());
            TabooList::default()
        });
        let accepted = AcceptedList::load(&home).unwrap_or_else(|error| {
            wrong.push(error.to_string());
            AcceptedList::default()
        });
        match mend(&home) {
            Ok(sentence) => wrong.extend(sentence),
            Err(error) => wrong.push(error.to_string()),
        }
        let set = Arc::new(TabooSet::new(&taboo, &recipe));
        let accepted = Arc::new(AcceptedSet::new(&accepted));
        (Self { home, recipe, taboo: Arc::new(taboo), set, accepted }, wrong)
    }

    /// What is hidden now.
    pub fn set(&self) -> &Arc<TabooSet> {
        &self.set
    }

    /// What was reviewed and stays.
    pub fn accepted(&self) -> &Arc<AcceptedSet> {
        &self.accepted
    }

    /// The taboo list.
    pub fn taboo(&self) -> &Arc<TabooList> {
        &self.taboo
    }

    /// How texts are tokenised.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// What each entry of the taboo list hides.
    pub fn sets(&self) -> Vec<TabooSet> {
        self.taboo.entries().iter().map(|entry| TabooSet::of(entry, &self.recipe)).collect()
    }

    /// The texts of the entries that hide some blots: the one that has the most of them, and those that have
    /// half as many. An entry that only shares a phrase with it is not meant. `sets` are those of the list.
    pub fn hiding(&self, sets: &[TabooSet], blots: &[Blot]) -> Vec<String> {
        let hidden_by = |set: &TabooSet| blots.iter().filter(|&&blot| set.contains(blot)).count();
        let counts: Vec<usize> = sets.iter().map(hidden_by).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let entries = self.taboo.entries().iter().zip(&counts);
        let meant = entries.filter(|&(_, &count)| count > 0 && count * 2 >= most);
        meant.map(|(entry, _)| entry.text.clone()).collect()
    }

    /// Changes the taboo list, as one step.
    pub fn edit_taboo<T>(&mut self, change: impl FnOnce(&mut TabooList) -> T) -> Result<T, TabooError> {
        let (list, changed) = TabooList::edit(&self.home, change)?;
        self.take_taboo(list);
        Ok(changed)
    }

    /// Changes the list of what was accepted, as one step.
    pub fn edit_accepted<T>(&mut self, change: impl FnOnce(&mut AcceptedList) -> T) -> Result<T, TabooError> {
        let (list, changed) = AcceptedList::edit(&self.home, change)?;
        self.accepted = Arc::new(AcceptedSet::new(&list));
        Ok(changed)
    }

    /// Undoes the last step, or takes the last one again that was undone.
    pub fn turn(&mut self, undo: bool) -> Result<Option<Turned>, TabooError> {
        let turned = if undo { taboo::undo(&self.home)? } else { taboo::redo(&self.home)? };
        self.take_taboo(TabooList::load(&self.home)?);
        self.accepted = Arc::new(AcceptedSet::new(&AcceptedList::load(&self.home)?));
        Ok(turned)
    }

    fn take_taboo(&mut self, list: TabooList) {
        if list != *self.taboo {
            self.set = Arc::new(TabooSet::new(&list, &self.recipe));
            self.taboo = Arc::new(list);
        }
    }
}

/// The day of a decision.
pub fn today() -> jiff::civil::Date {
    jiff::Zoned::now().date()
}

/// What is hidden by one set and not by another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// What is counted.
    pub of: Subject,
    /// How many of these, with their copies and documents.
    pub sum: Hidden,
    /// Not all were looked at: there may be more.
    pub is_least: bool,
}

impl Difference {
    /// What `more` hides of a ranking and `less` does not.
    pub fn between(
        snapshot: &Snapshot,
        ranking: &Ranking,
        less: &TabooSet,
        more: &TabooSet,
    ) -> Result<Self, IndexError> {
        let mut difference = Self { is_least: !ranking.is_complete(), ..Self::default() };
        let mut documents: HashSet<DocumentId> = HashSet::new();
        for group in ranking.groups() {
            let mut newly =
                group.iter().filter(|entry| more.contains(entry.blot()) && !less.contains(entry.blot()));
            if let Some(entry) = newly.next() {
                let places = snapshot.find(entry.blot())?;
                difference.sum.rows += 1;
                difference.sum.copies += u64::from(entry.documents());
                documents.extend(places.into_iter().map(|place| snapshot.document_at(place)));
            }
        }
        difference.sum.documents = documents.len() as u64;
        Ok(difference)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sum.rows == 0
    }

    /// In words: `3 rows with 120 copies in 60 documents`, or at least so many.
    pub fn words(&self) -> String {
        let unit = match self.of {
            Subject::Passages => ["passage", "passages"],
            _ => ["row", "rows"],
        };
        let Hidden { rows, copies, documents } = self.sum;
        let [rows, copies, documents] =
            [(rows, unit), (copies, ["copy", "copies"]), (documents, ["document", "documents"])]
                .map(|(number, words)| counted(number, words));
        format!("{}{rows} with {copies} in {documents}", if self.is_least { "at least " } else { "" })
    }
}

/// A number with its word: `1 copy`, `2 copies`.
pub fn counted(number: u64, [one, many]: [&str; 2]) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blot::tiles_of;
    use crate::taboo::Entry;
    use crate::token::{LexState, Tokeniser};

    #[test]
    fn what_was_not_counted_to_the_end_is_at_least_so_many() {
        let sum = Hidden { rows: 1, copies: 3, documents: 2 };
        let of = |is_least| Difference { of: Subject::Blots, sum, is_least }.words();
        assert_eq!(of(true), "at least 1 row with 3 copies in 2 documents");
        assert_eq!(of(false), "1 row with 3 copies in 2 documents");
    }

    #[test]
    fn showing_a_text_again_leaves_entries_that_only_share_a_phrase_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let recipe = Recipe::default();
        let (mut decisions, _) = Decisions::load(Folder::new(folder.path()), recipe);
        let phrase = "to the extent permitted by";
        let licence = format!("this work comes {phrase} law without any warranty of any kind at all");
        let add = |decisions: &mut Decisions, text: &str| {
            let entry = Entry { text: text.to_owned(), added: today(), reason: None, language: None };
            decisions.edit_taboo(|list| list.add(entry)).unwrap();
        };
        add(&mut decisions, phrase);
        add(&mut decisions, &licence);
        let mut blots = Vec::new();
        let tokens = Tokeniser::Words.tokens(&licence, LexState::default());
        tiles_of(tokens.into_iter(), &recipe, |tile| blots.push(tile.blot));
        let hiding = |decisions: &Decisions, blots: &[Blot]| decisions.hiding(&decisions.sets(), blots);
        assert_eq!(hiding(&decisions, &blots), std::slice::from_ref(&licence));
        assert!(hiding(&decisions, &[]).is_empty());
        decisions.edit_taboo(|list| list.remove(&licence)).unwrap();
        assert_eq!(hiding(&decisions, &blots), [phrase]);
        assert!(decisions.turn(true).unwrap().is_some());
        assert_eq!(hiding(&decisions, &blots), [licence]);
    }
}
