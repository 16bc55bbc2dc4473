//! The taboo list as rows: every entry with what it hides now.

use std::cmp::Reverse;
use std::sync::Arc;

use super::known::Known;
use crate::blot::Blot;
use crate::index::IndexError;
use crate::index::ranking::Ranking;
use crate::index::snapshot::Snapshot;
use crate::session::decisions::lists::Decisions;
use crate::session::decisions::taboo_counts::{of_blots, of_passages};
use crate::session::protocol::{Hidden, Item, Listing, Sort, TabooRow, View};
use crate::taboo::{TabooEntry, TabooList, TabooSet};
use crate::token::LexState;

/// What the entries of one list have and hide.
pub struct TabooRows {
    list: Arc<TabooList>,
    tokens: Vec<u32>,
    sets: Vec<TabooSet>,
    counted: Option<Counted>,
}

/// What was counted, and of which passages, or of the blots of which content.
struct Counted {
    hides: Vec<Hidden>,
    passages: Option<Arc<Known>>,
    content: u64,
}

impl TabooRows {
    /// The rows of a list, not counted yet.
    pub fn new(decisions: &Decisions) -> Self {
        let (list, recipe) = (Arc::clone(decisions.taboo()), decisions.recipe());
        let tokens = |entry: &TabooEntry| {
            // Code where its language is known, else words.
            let tokenisers = entry.tokenisers(recipe);
            let as_code = tokenisers.iter().find(|tokeniser| tokeniser.language().is_some());
            let tokeniser = as_code.unwrap_or(&tokenisers[0]);
            tokeniser.tokens(&entry.text, LexState::default()).len() as u32
        };
        let tokens = list.entries().iter().map(tokens).collect();
        let sets = list.entries().iter().map(|entry| TabooSet::of(entry, recipe)).collect();
        Self { list, tokens, sets, counted: None }
    }

    /// Whether these are the rows of a list.
    pub fn is_of(&self, decisions: &Decisions) -> bool {
        Arc::ptr_eq(&self.list, decisions.taboo())
    }

    /// Whether what the rows hide is counted for some passages, or without such for the blots of a generation.
    pub fn is_counted(&self, known: Option<&Arc<Known>>, snapshot: &Snapshot) -> bool {
        self.counted.as_ref().is_some_and(|counted| match (known, &counted.passages) {
            (Some(known), Some(of)) => Arc::ptr_eq(known, of),
            (None, None) => counted.content == snapshot.manifest().content,
            _ => false,
        })
    }

    /// Counts what the rows hide of some passages.
    pub fn count_passages(&mut self, known: Arc<Known>) {
        let hides = of_passages(&known, &self.sets);
        self.counted = Some(Counted { hides, passages: Some(known), content: 0 });
    }

    /// Whether a row hides no passage: then it may still hide rows of blots, which are shorter.
    pub fn has_idle(&self) -> bool {
        self.counted.iter().flat_map(|counted| &counted.hides).any(Hidden::is_empty)
    }

    /// The blots of all rows.
    pub fn blots(&self) -> impl Iterator<Item = Blot> + '_ {
        self.sets.iter().flat_map(TabooSet::blots)
    }

    /// The blots of the rows that hide no passage.
    pub fn idle_blots(&self) -> impl Iterator<Item = Blot> + '_ {
        let hides = self.counted.iter().flat_map(|counted| &counted.hides);
        let idle = self.sets.iter().zip(hides).filter(|(_, hides)| hides.is_empty());
        idle.flat_map(|(set, _)| set.blots())
    }

    /// Counts of blots what those rows hide that hide no passage.
    pub fn count_idle(&mut self, snapshot: &Snapshot, ranking: &Ranking) -> Result<(), IndexError> {
        let Some(counted) = &mut self.counted else { return Ok(()) };
        let blots = of_blots(snapshot, ranking, &self.sets)?;
        for (hides, blots) in counted.hides.iter_mut().zip(blots) {
            if hides.is_empty() {
                *hides = blots;
            }
        }
        Ok(())
    }

    /// Counts what the rows hide of blots.
    pub fn count_blots(&mut self, snapshot: &Snapshot, ranking: &Ranking) -> Result<(), IndexError> {
        let hides = of_blots(snapshot, ranking, &self.sets)?;
        self.counted = Some(Counted { hides, passages: None, content: snapshot.manifest().content });
        Ok(())
    }

    /// The rows of a view; what they hide as it was counted last.
    pub fn list(&self, view: &View, snapshot: &Snapshot) -> Listing {
        let (filter, problems) = view.parsed();
        let hides = |number: usize| self.counted.as_ref().map(|counted| counted.hides[number]);
        let mut rows: Vec<TabooRow> = (0..)
            .zip(self.list.entries())
            .map(|(number, entry)| {
                let (tokens, hides) = (self.tokens[number], hides(number));
                TabooRow { entry: entry.clone(), tokens, hides }
            })
            .collect();
        // What is equal comes the last decision first.
        rows.reverse();
        let hidden = |row: &TabooRow| row.hides.unwrap_or_default();
        match view.sort {
            Sort::Copies => rows.sort_by_key(|row| Reverse(hidden(row).copies)),
            Sort::Documents => rows.sort_by_key(|row| Reverse(hidden(row).documents)),
            Sort::Tokens => rows.sort_by_key(|row| Reverse(row.tokens)),
            Sort::Path => rows.sort_by(|a, b| a.entry.text.cmp(&b.entry.text)),
            _ => rows.sort_by_key(|row| Reverse(row.entry.added)),
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
