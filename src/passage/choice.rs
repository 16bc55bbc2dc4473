//! Selects the passages to list: which of them, in which order, and how many.

use std::path::Path;

use super::filter::PassageSieve;
use super::hidden::is_hidden;
use super::passages::{Passage, SourceDocument};
use super::search::Passages;
use super::sort::PassageOrder;
use crate::index::snapshot::Snapshot;
use crate::query::filter::Filter;
use crate::taboo::{AcceptedSet, TabooSet};

/// The criteria for the passages to list.
pub struct PassageChoice<'a> {
    /// They must pass this filter.
    pub filter: Filter,
    /// The taboo list, for a filter that asks for it.
    pub taboo: &'a TabooSet,
    /// The accepted list, for a filter that asks for it.
    pub accepted: &'a AcceptedSet,
    /// The fewest tokens of a passage, not counting taboo tokens.
    pub least: u32,
    /// The fewest copies.
    pub min_copies: usize,
    /// One of the copies must be in a file whose path, relative to the corpus's base, satisfies this predicate.
    pub path: Option<&'a dyn Fn(&Path) -> bool>,
    /// How they are sorted.
    pub order: PassageOrder,
    /// The most passages.
    pub most: usize,
}

impl PassageChoice<'_> {
    /// The passages to list, sorted. Reads documents when the filter asks for words in their texts.
    pub fn of<'p>(self, snapshot: &Snapshot, passages: &'p Passages) -> Vec<&'p Passage> {
        let Self { filter, taboo, accepted, least, min_copies, path, order, most } = self;
        let sieve = PassageSieve::new(filter, snapshot, passages, &|| false);
        let recipe = &snapshot.manifest().recipe;
        let state = |number: u32, passage: &Passage| {
            let tokens = passages.texts.of(number as usize);
            passage.state(is_hidden(tokens, least, taboo, recipe), accepted)
        };
        let passes = |number: u32, passage: &Passage| {
            let known = sieve.passes(number);
            known.unwrap_or_else(|| sieve.passes_as(passages, number, state(number, passage)))
        };
        let is_in_path =
            |source: &SourceDocument| path.is_none_or(|is| is(snapshot.path(snapshot.file_of(source.id))));
        let in_path: Vec<bool> = passages.sources.iter().map(is_in_path).collect();
        let is_listed = |number: &u32| {
            let passage = &passages.found[*number as usize];
            passage.copies.len() >= min_copies
                && passage.copies.iter().any(|copy| in_path[copy.source as usize])
                && passes(*number, passage)
        };
        let numbers = passages.sorted(snapshot, order).into_iter();
        numbers.filter(is_listed).take(most).map(|number| &passages.found[number as usize]).collect()
    }
}
