//! Rows of the taboo list: each entry with what it hides now.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::known_passages::KnownPassages;
use super::list_maker::{ListMaker, ListRequest};
use super::list_row::{ListRow, PlaceSource, RowReaders, RowSource};
use crate::decisions::lists::{Decisions, scoped_entries};
use crate::decisions::taboo_counts::{of_blots, of_passages};
use crate::preview::copy_places::CopyPlaces;
use crate::protocol::{HiddenCounts, ItemId, RowList, Sort, View};
use dupi_index::index::IndexError;
use dupi_index::index::ranking::Ranking;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::filter::{Fact, Facts, FileTest, Quantity, ReviewState, WordPattern};
use dupi_index::taboo::{TabooEntry, TabooList, TabooScope, TabooSet};
use dupi_text::blot::Blot;
use dupi_text::token::LexState;

/// An entry of the taboo list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedTaboo {
    /// The entry.
    pub entry: TabooEntry,
    /// Which list it is from.
    pub scope: TabooScope,
    /// The number of tokens of its text.
    pub tokens: u32,
    /// What it hides now: passages, or rows of blots if it hides no passage; `None` until it is counted, for which the
    /// passages must be known. A row that several entries hide only together counts for each entry that is needed to
    /// hide it.
    pub hides: Option<HiddenCounts>,
}

impl ListRow for ListedTaboo {
    fn id(&self) -> ItemId {
        ItemId::Taboo(xxh3_64_with_seed(self.entry.text.as_bytes(), self.scope as u64))
    }

    fn text(&self) -> Cow<'_, str> {
        self.entry.text.as_str().into()
    }

    fn token_count(&self) -> u64 {
        u64::from(self.tokens)
    }

    fn documents(&self) -> u64 {
        self.hides.map_or(0, |hides| hides.documents)
    }

    fn copies(&self) -> Option<u64> {
        self.hides.map(|hides| hides.copies)
    }

    fn language(&self) -> Option<&str> {
        self.entry.language.as_deref()
    }

    fn taboo_entry(&self) -> Option<&str> {
        Some(&self.entry.text)
    }

    fn whole_text(&self, _: &RowSource, _: &mut RowReaders) -> Option<String> {
        Some(self.entry.text.clone())
    }

    fn places(&self, source: PlaceSource) -> Result<CopyPlaces, IndexError> {
        CopyPlaces::hidden_by(&self.entry, source.snapshot)
    }

    fn why_empty(&self) -> Option<&'static str> {
        Some("Nothing in the corpus has this text now.")
    }

    fn stand_in_text(&self) -> Option<&str> {
        Some(&self.entry.text)
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

    fn belongs_to(&self, _: u64) -> Option<bool> {
        Some(false)
    }

    fn has_blot(&self, _: Blot) -> Option<bool> {
        Some(false)
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

impl<I: From<Arc<ListedTaboo>>> ListMaker<I> for TabooListMaker {
    fn list(&mut self, request: &ListRequest<I>) -> Result<(), IndexError> {
        let (view, snapshot, is_stopped) = (request.view, request.snapshot, request.is_stopped);
        let last = self.0.take().filter(|rows| rows.is_of(request.decisions));
        let rows = self.0.insert(last.unwrap_or_else(|| TabooRows::new(request.decisions)));
        (request.send)(rows.list(view, snapshot));
        let Some(known) = request.known.filter(|known| !rows.is_counted(known)) else { return Ok(()) };
        if (request.is_overtaken)() {
            return Ok(());
        }
        rows.count_passages(Arc::clone(known));
        if rows.has_idle() {
            let idle = Ranking::of_blots(snapshot, rows.idle_blots(), is_stopped)?;
            rows.count_idle(snapshot, &idle)?;
        }
        request.send_newest(rows.list(view, snapshot));
        Ok(())
    }
}

/// The rows of both taboo lists, with what its entries hide.
pub(super) struct TabooRows {
    /// The corpus's list and the user's.
    lists: [Arc<TabooList>; 2],
    tokens: Vec<u32>,
    sets: Vec<TabooSet>,
    counted: Option<TabooCounts>,
}

/// What the entries hide, and of which passages that was counted.
struct TabooCounts {
    hides: Vec<HiddenCounts>,
    passages: Arc<KnownPassages>,
}

impl TabooRows {
    /// The rows of the lists, of which nothing was counted yet.
    pub(super) fn new(decisions: &Decisions) -> Self {
        let recipe = decisions.recipe();
        let tokens = |entry: &TabooEntry| {
            // Code if its language is known, else words.
            let tokenisers = entry.tokenisers(recipe);
            let as_code = tokenisers.iter().find(|tokeniser| tokeniser.language().is_some());
            let tokeniser = as_code.unwrap_or(&tokenisers[0]);
            let text = recipe.ignored.blanked(&entry.text);
            tokeniser.tokens(&text, LexState::default()).len() as u32
        };
        let tokens = decisions.taboo().map(|(_, entry)| tokens(entry)).collect();
        let sets = decisions.taboo().map(|(_, entry)| TabooSet::of(entry, recipe)).collect();
        Self { lists: decisions.taboo_lists(), tokens, sets, counted: None }
    }

    /// Whether these are the rows of the lists.
    pub(super) fn is_of(&self, decisions: &Decisions) -> bool {
        self.lists.iter().zip(decisions.taboo_lists()).all(|(own, list)| Arc::ptr_eq(own, &list))
    }

    /// Whether what the rows hide was counted for these passages.
    pub(super) fn is_counted(&self, known: &Arc<KnownPassages>) -> bool {
        self.counted.as_ref().is_some_and(|counted| Arc::ptr_eq(known, &counted.passages))
    }

    /// Counts the passages that the rows hide.
    pub(super) fn count_passages(&mut self, known: Arc<KnownPassages>) {
        let hides = of_passages(&known, &self.sets);
        self.counted = Some(TabooCounts { hides, passages: known });
    }

    /// Whether some row hides no passage. It may still hide rows of blots, which are shorter.
    pub(super) fn has_idle(&self) -> bool {
        self.counted.iter().flat_map(|counted| &counted.hides).any(HiddenCounts::is_empty)
    }

    /// The blots of the rows that hide no passage.
    pub(super) fn idle_blots(&self) -> impl Iterator<Item = Blot> + '_ {
        let hides = self.counted.iter().flat_map(|counted| &counted.hides);
        let idle = self.sets.iter().zip(hides).filter(|(_, hides)| hides.is_empty());
        idle.flat_map(|(set, _)| set.blots())
    }

    /// Counts the blots that are hidden by the rows that hide no passage.
    pub(super) fn count_idle(&mut self, snapshot: &Snapshot, ranking: &Ranking) -> Result<(), IndexError> {
        let Some(counted) = &mut self.counted else { return Ok(()) };
        let blots = of_blots(snapshot, ranking, &self.sets)?;
        for (hides, blots) in counted.hides.iter_mut().zip(blots) {
            if hides.is_empty() {
                *hides = blots;
            }
        }
        Ok(())
    }

    /// The rows of a view, with the last counts.
    pub(super) fn list<I: From<Arc<ListedTaboo>>>(&self, view: &View, snapshot: &Snapshot) -> RowList<I> {
        let (filter, problems) = view.parsed();
        let hides = |number: usize| self.counted.as_ref().map(|counted| counted.hides[number]);
        let mut rows: Vec<ListedTaboo> = (0..)
            .zip(scoped_entries(self.lists.each_ref().map(|list| &**list)))
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
        RowList {
            view: view.clone(),
            generation: snapshot.manifest().generation,
            rows: rows.into_iter().map(|row| Arc::new(row).into()).collect(),
            problems,
            complete: true,
            searched: 1.0,
            ..RowList::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HiddenCounts;
    use dupi_base::config::SavedFilters;
    use dupi_index::query::filter::parse;
    use dupi_index::taboo::TabooEntry;

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
