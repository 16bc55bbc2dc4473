//! Rows of the taboo list: each entry with what it hides now.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::list_row::{CopySource, ListRow, RowFacts, RowReaders};
use super::list_row::{ListMaker, ListRequest};
use crate::known::Found;
use crate::known::decisions::{Decisions, scoped_entries};
use crate::known::passages::KnownPassages;
use crate::known::taboo_counts::{of_blots, of_passages};
use crate::protocol::{HiddenCounts, Item, ItemId, ListedTaboo, Listing, Sort, View};
use dupi_index::index::ranking::Ranking;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::index::{IndexError, IsStopped};
use dupi_index::query::filter::{Fact, Facts, FileTest, Quantity, ReviewState, WordPattern};
use dupi_index::taboo::{TabooEntry, TabooList, TabooSet};
use dupi_text::token::LexState;

impl ListRow for ListedTaboo {
    fn id(&self) -> ItemId {
        ItemId::Taboo(xxh3_64_with_seed(self.entry.text.as_bytes(), self.scope as u64))
    }

    fn text(&self) -> Cow<'_, str> {
        self.entry.text.as_str().into()
    }

    fn facts(&self) -> RowFacts<'_> {
        RowFacts {
            tokens: u64::from(self.tokens),
            documents: self.hides.map_or(0, |hides| hides.documents),
            copies: self.hides.map(|hides| hides.copies),
            language: self.entry.language.as_deref(),
            source: CopySource::Taboo(&self.entry),
            ..RowFacts::default()
        }
    }

    fn whole_text(&self, _: &Found, _: &mut RowReaders) -> Option<String> {
        Some(self.entry.text.clone())
    }
}

/// A taboo text has a language, but no file.
impl Facts for ListedTaboo {
    fn number(&self, of: Quantity) -> Fact<u64> {
        match of {
            Quantity::Copies => self.hides.map(|hides| hides.copies).into(),
            Quantity::Documents => Fact::Is(self.hides.map_or(0, |hides| hides.documents)),
            Quantity::Tokens => Fact::Is(u64::from(self.tokens)),
            Quantity::Score | Quantity::Alike | Quantity::Share => Fact::Nothing,
        }
    }

    fn state(&self) -> Fact<ReviewState> {
        Fact::Is(ReviewState::Taboo)
    }

    fn has_file(&self, _: usize, test: &FileTest) -> Option<bool> {
        let FileTest::Language(wanted) = test else { return Some(false) };
        let own = self.entry.language.as_deref();
        Some(wanted.iter().any(|language| own == Some(language.name())))
    }

    fn has_text(&self, _: usize, words: &WordPattern) -> Option<bool> {
        Some(words.matches(&self.entry.text))
    }
}

/// Makes the lists of the taboo list.
#[derive(Default)]
pub(super) struct TabooListMaker(Option<TabooRows>);

impl ListMaker for TabooListMaker {
    fn list(&mut self, request: &ListRequest) -> Result<(), IndexError> {
        let (view, snapshot) = (request.view, &request.found.snapshot);
        let lists = &request.decisions.taboo_lists;
        let is_same =
            |rows: &TabooRows| rows.lists.iter().zip(lists).all(|(own, list)| Arc::ptr_eq(own, list));
        let last = self.0.take().filter(is_same);
        let rows = self.0.insert(last.unwrap_or_else(|| TabooRows::new(request.decisions)));
        let is_counted =
            |known: &&Arc<KnownPassages>| rows.counted.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(known, of));
        let known = request.found.known.as_ref().filter(|known| !is_counted(known));
        // Counts of earlier passages stay until they are counted anew.
        let is_same_view = rows.sent.replace(view.clone()).as_ref() == Some(view);
        if known.is_none() || rows.counted.is_none() || !is_same_view {
            (request.send)(rows.list(view, snapshot));
        }
        if let Some(known) = known.filter(|_| !(request.is_overtaken)()) {
            // A newer request is answered with the earlier counts, and then they are counted anew.
            match rows.count(known, snapshot, request.is_asked_anew) {
                Err(IndexError::Stopped) => {}
                counted => {
                    counted?;
                    request.send_newest(rows.list(view, snapshot));
                }
            }
        }
        Ok(())
    }
}

/// The rows of both taboo lists, with what its entries hide.
struct TabooRows {
    /// The corpus's list and the user's.
    lists: [Arc<TabooList>; 2],
    tokens: Vec<u32>,
    sets: Vec<TabooSet>,
    /// What the entries hide, and of which passages that was counted.
    counted: Option<(Arc<KnownPassages>, Vec<HiddenCounts>)>,
    /// The view that was listed last.
    sent: Option<View>,
}

impl TabooRows {
    /// The rows of the lists, of which nothing was counted yet.
    fn new(decisions: &Decisions) -> Self {
        let recipe = &decisions.recipe;
        let tokens = |entry: &TabooEntry| {
            // Code if its language is known, else words.
            let tokenisers = entry.tokenisers(recipe);
            let as_code = tokenisers.iter().find(|tokeniser| tokeniser.language().is_some());
            let tokeniser = as_code.unwrap_or(&tokenisers[0]);
            let text = recipe.ignored.blanked(&entry.text);
            tokeniser.tokens(&text, LexState::default()).len() as u32
        };
        let tokens = decisions.taboo().map(|(_, entry)| tokens(entry)).collect();
        let sets = decisions.taboo().map(|(_, entry)| TabooSet::from_entry(entry, recipe)).collect();
        Self { lists: decisions.taboo_lists.clone(), tokens, sets, counted: None, sent: None }
    }

    /// Counts the passages that the rows hide, and the blots for rows that hide no passage: these are shorter. `is_stopped`
    /// ends it early; the counts are then as before.
    fn count(
        &mut self,
        known: &Arc<KnownPassages>,
        snapshot: &Snapshot,
        is_stopped: IsStopped,
    ) -> Result<(), IndexError> {
        let mut hides = of_passages(known, &self.sets, is_stopped);
        if is_stopped() {
            return Err(IndexError::Stopped);
        }
        if hides.iter().any(HiddenCounts::is_empty) {
            let idle = self.sets.iter().zip(&hides).filter(|(_, hides)| hides.is_empty());
            let ranking = Ranking::of_blots(snapshot, idle.flat_map(|(set, _)| set.blots()), is_stopped)?;
            let of_blots = of_blots(snapshot, &ranking, &self.sets)?;
            let idle = hides.iter_mut().zip(of_blots).filter(|(hides, _)| hides.is_empty());
            idle.for_each(|(hides, blots)| *hides = blots);
        }
        self.counted = Some((Arc::clone(known), hides));
        Ok(())
    }

    /// The rows of a view, with the last counts.
    fn list(&self, view: &View, snapshot: &Snapshot) -> Listing {
        let (filter, problems) = view.parsed();
        let hides = |number: usize| self.counted.as_ref().map(|(_, hides)| hides[number]);
        let mut rows: Vec<ListedTaboo> = (0..)
            .zip(scoped_entries(&self.lists))
            .map(|(number, (scope, entry))| {
                let (tokens, hides) = (self.tokens[number], hides(number));
                ListedTaboo { entry: entry.clone(), scope, tokens, hides }
            })
            .collect();
        // Equal rows are in the order of their decisions, the last one first.
        rows.reverse();
        let hidden = |row: &ListedTaboo| row.hides.unwrap_or_default();
        match view.sort {
            Sort::Copies => rows.sort_by_key(|row| Reverse(hidden(row).copies)),
            Sort::Documents => rows.sort_by_key(|row| Reverse(hidden(row).documents)),
            Sort::Tokens => rows.sort_by_key(|row| Reverse(row.tokens)),
            Sort::Path => rows.sort_by(|a, b| a.entry.text.cmp(&b.entry.text)),
            _ => rows.sort_by_key(|row| Reverse(row.entry.added)),
        }
        if view.is_reversed {
            rows.reverse();
        }
        rows.retain(|row| filter.verdict(row).unwrap_or(false));
        Listing {
            view: view.clone(),
            generation: snapshot.manifest().generation,
            rows: rows.into_iter().map(|row| Item::Taboo(Arc::new(row))).collect(),
            problems,
            complete: true,
            searched: 1.0,
            ..Listing::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HiddenCounts;
    use dupi_base::config::SavedFilters;
    use dupi_index::query::filter::parse;
    use dupi_index::taboo::TabooScope;

    #[test]
    fn taboo_texts_pass_by_what_they_are_and_hide() {
        let entry = TabooEntry {
            text: "all rights reserved".to_owned(),
            added: jiff::civil::date(2026, 1, 2),
            reason: None,
            language: Some("C".to_owned()),
        };
        let taboo = ListedTaboo {
            entry,
            scope: TabooScope::Corpus,
            tokens: 3,
            hides: Some(HiddenCounts { rows: 2, copies: 9, documents: 7 }),
        };
        for (filter, expected) in [
            ("is:taboo rigts", true),
            ("state:open", false),
            ("lang:c", true),
            ("lang:rust", false),
            ("path:src", false),
            ("copies:9 docs:>5 tokens:<4", true),
            ("copies:>9", false),
            ("share:>0", false),
            ("-is:near -is:equal -src", true),
            ("passage:0000000000000007", false),
        ] {
            let (filter, problems) = parse(filter, &SavedFilters::default());
            assert_eq!(problems, []);
            assert_eq!(filter.verdict(&taboo), Some(expected), "{filter:?}");
        }
    }
}
