//! Taboo decisions of a session: taken, undone, and said in one sentence what they did.

use std::collections::HashSet;
use std::sync::Arc;

use super::Subject;
use crate::blot::{Blot, Recipe};
use crate::index::IndexError;
use crate::index::ranking::Ranking;
use crate::index::snapshot::{DocumentId, Snapshot};
use crate::storage::Folder;
use crate::taboo::{Entry, TabooError, TabooList, TabooSet};

/// The taboo list of a corpus, and what this session did to it.
pub struct Decisions {
    home: Folder,
    recipe: Recipe,
    list: TabooList,
    set: Arc<TabooSet>,
    done: Vec<Decision>,
}

enum Decision {
    Added(Entry),
    Removed(Vec<Entry>),
}

impl Decisions {
    /// Reads the list of the corpus whose index is in `home`.
    pub fn load(home: Folder, recipe: Recipe) -> Result<Self, TabooError> {
        let list = TabooList::load(&home)?;
        let set = Arc::new(TabooSet::new(&list, &recipe));
        Ok(Self { home, recipe, list, set, done: Vec::new() })
    }

    /// What is hidden now.
    pub fn set(&self) -> &Arc<TabooSet> {
        &self.set
    }

    /// Hides a text.
    pub fn add(
        &mut self,
        text: String,
        language: Option<String>,
        reason: Option<String>,
    ) -> Result<(), TabooError> {
        let entry = Entry { text, added: today(), reason, language };
        self.edit(|list| list.add(entry.clone()))?;
        self.done.push(Decision::Added(entry));
        Ok(())
    }

    /// Shows a text again: removes the entry that has the most of its blots, and those that have half as many.
    /// An entry that only shares a phrase with it stays. `false` when no entry has any.
    pub fn remove(&mut self, blots: &[Blot]) -> Result<bool, TabooError> {
        let hidden_by = |entry: &Entry| {
            let set = TabooSet::new(&TabooList::from_iter([entry.clone()]), &self.recipe);
            blots.iter().filter(|&&blot| set.contains(blot)).count()
        };
        let counts: Vec<usize> = self.list.entries().iter().map(hidden_by).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return Ok(false);
        }
        let entries = self.list.entries().iter().zip(&counts);
        let removed: Vec<Entry> =
            entries.filter(|&(_, &count)| count * 2 >= most).map(|(entry, _)| entry.clone()).collect();
        self.edit(|list| removed.iter().for_each(|entry| drop(list.remove(&entry.text))))?;
        self.done.push(Decision::Removed(removed));
        Ok(true)
    }

    /// Takes the last decision back; `false` when there is none.
    pub fn undo(&mut self) -> Result<bool, TabooError> {
        match self.done.pop() {
            Some(Decision::Added(entry)) => self.edit(|list| drop(list.remove(&entry.text)))?,
            Some(Decision::Removed(entries)) => self.edit(|list| {
                for entry in entries {
                    list.add(entry);
                }
            })?,
            None => return Ok(false),
        }
        Ok(true)
    }

    fn edit<T>(&mut self, change: impl FnOnce(&mut TabooList) -> T) -> Result<(), TabooError> {
        self.list = TabooList::edit(&self.home, change)?;
        self.set = Arc::new(TabooSet::new(&self.list, &self.recipe));
        Ok(())
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
    /// How many of these.
    pub rows: u64,
    /// Their copies.
    pub copies: u64,
    /// The documents of all of them together.
    pub documents: u64,
}

impl Difference {
    /// What `more` hides of a ranking and `less` does not.
    pub fn between(
        snapshot: &Snapshot,
        ranking: &Ranking,
        less: &TabooSet,
        more: &TabooSet,
    ) -> Result<Self, IndexError> {
        let mut difference = Self::default();
        let mut documents: HashSet<DocumentId> = HashSet::new();
        for group in ranking.entries.chunk_by(|a, b| (a.documents(), a.set()) == (b.documents(), b.set())) {
            let mut newly =
                group.iter().filter(|entry| more.contains(entry.blot()) && !less.contains(entry.blot()));
            if let Some(entry) = newly.next() {
                let places = snapshot.find(entry.blot())?;
                difference.rows += 1;
                difference.copies += u64::from(entry.documents());
                documents.extend(places.into_iter().map(|place| snapshot.document_at(place)));
            }
        }
        difference.documents = documents.len() as u64;
        Ok(difference)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// In words: `3 rows, 120 copies, 60 documents`.
    pub fn words(&self) -> String {
        let count =
            |number: u64, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
        format!(
            "{}, {}, {}",
            match self.of {
                Subject::Passages => count(self.rows, "passage", "passages"),
                _ => count(self.rows, "row", "rows"),
            },
            count(self.copies, "copy", "copies"),
            count(self.documents, "document", "documents")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blot::tiles_of;
    use crate::token::{LexState, Tokeniser};

    #[test]
    fn showing_a_text_again_leaves_entries_that_only_share_a_phrase_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let recipe = Recipe::default();
        let mut decisions = Decisions::load(Folder::new(folder.path()), recipe).unwrap();
        let phrase = "to the extent permitted by";
        let licence = format!("this work comes {phrase} law without any warranty of any kind at all");
        decisions.add(phrase.to_owned(), None, None).unwrap();
        decisions.add(licence.clone(), None, None).unwrap();
        let mut blots = Vec::new();
        let tokens = Tokeniser::Words.tokens(&licence, LexState::default());
        tiles_of(tokens.into_iter(), &recipe, |tile| blots.push(tile.blot));
        let texts = |decisions: &Decisions| -> Vec<String> {
            decisions.list.entries().iter().map(|entry| entry.text.clone()).collect()
        };
        assert!(decisions.remove(&blots).unwrap());
        assert_eq!(texts(&decisions), [phrase]);
        assert!(decisions.undo().unwrap());
        assert_eq!(texts(&decisions), [phrase, &licence]);
        // Nothing was removed, so there is nothing of it to undo.
        assert!(!decisions.remove(&[]).unwrap());
        assert!(decisions.undo().unwrap());
        assert_eq!(texts(&decisions), [phrase], "the decision before it");
    }
}
