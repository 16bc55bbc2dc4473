//! Selects the passages to list: which of them, in which order, and how many.

use std::path::Path;
use std::sync::Arc;

use super::aside::{AsideRule, AsideSummary};
use super::filter::PassageSieve;
use super::kind::Kind;
use super::passages::Passage;
use super::search::Passages;
use super::sort::PassageOrder;
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::filter::Filter;
use dupi_index::taboo::{AcceptedSet, CorrectedKinds, TabooSet};

/// The criteria for the passages to list.
pub struct PassageChoice<'a> {
    /// They must pass this filter.
    pub filter: Filter,
    /// The taboo list.
    pub taboo: &'a TabooSet,
    /// Whether taboo passages are listed too.
    pub shows_taboo: bool,
    /// The accepted list, for a filter that asks for it.
    pub accepted: &'a AcceptedSet,
    /// The corrected kinds.
    pub corrected: &'a CorrectedKinds,
    /// The fewest tokens of a passage, not counting taboo tokens.
    pub least: u32,
    /// The fewest copies.
    pub min_copies: usize,
    /// One of the copies, or of the documents of folders, must be in a file whose path, relative to the corpus's base,
    /// satisfies this predicate.
    pub path: Option<&'a dyn Fn(&Path) -> bool>,
    /// They must be of one of these kinds, if there are any.
    pub kinds: &'a [Kind],
    /// What is left out. Kinds that the filter or `kinds` ask for are not set aside.
    pub aside: AsideRule,
    /// How they are sorted.
    pub order: PassageOrder,
    /// Whether they are in the reverse of that order.
    pub is_reversed: bool,
    /// The most passages.
    pub most: usize,
}

/// The passages to list, and what was left out.
#[derive(Clone, Debug)]
pub struct ChosenPassages<'p> {
    /// The passages to list, sorted.
    pub listed: Vec<&'p Passage>,
    /// What is set aside of each kind, the most passages first.
    pub aside: Vec<AsideSummary>,
    /// How many members of families are left out.
    pub members: u64,
    /// The corrected kinds, also of passages that are recognised by the text of a copy.
    pub corrected: Arc<CorrectedKinds>,
}

impl PassageChoice<'_> {
    /// The passages to list. Reads documents when the filter asks for words in their texts.
    ///
    /// # Errors
    /// When the index is damaged where it has a blot that the filter names.
    pub fn of<'p>(
        self,
        snapshot: &Snapshot,
        passages: &'p Passages,
    ) -> Result<ChosenPassages<'p>, IndexError> {
        let Self { filter, taboo, accepted, corrected, least, min_copies, path, kinds, order, .. } = self;
        let (mut aside, shows_taboo, is_reversed, most) =
            (self.aside, self.shows_taboo, self.is_reversed, self.most);
        let asked_for = filter.kinds();
        aside.kinds.retain(|kind| !kinds.contains(kind) && !asked_for.contains(kind));
        let accepted = &passages.accepted(accepted);
        let corrected = &Arc::new(passages.corrected(corrected));
        let sieve = PassageSieve::new(filter, snapshot, passages, Arc::clone(corrected), &|| false)?;
        let hidden = passages.hidden(least, taboo, &snapshot.manifest().recipe);
        let state = |number: u32, passage: &Passage| passage.state(hidden[number as usize], accepted);
        let passes = |number: u32, passage: &Passage| {
            let known = sieve.passes(number);
            known.unwrap_or_else(|| sieve.passes_as(passages, number, state(number, passage)))
        };
        let is_in_path =
            |document: DocumentId| path.is_none_or(|is| is(snapshot.path(snapshot.file_of(document))));
        let in_path: Vec<bool> = passages.sources.iter().map(|source| is_in_path(source.id)).collect();
        let stands_in_path = |number: u32, passage: &Passage| match passages.trees.get(number) {
            Some(tree) => tree.documents.iter().any(|document| is_in_path(*document)),
            None => passage.copies.iter().any(|copy| in_path[copy.source as usize]),
        };
        let is_listed = |number: &u32| {
            let passage = &passages.found[*number as usize];
            (shows_taboo || !hidden[*number as usize])
                && passage.copies.len() >= min_copies
                && (kinds.is_empty() || passages.is_of_kind(*number, kinds, corrected))
                && stands_in_path(*number, passage)
                && passes(*number, passage)
        };
        let numbers = passages.sorted(snapshot, order).into_iter();
        let parts = aside.split(&passages.found, corrected, numbers.filter(is_listed));
        let mut listed: Vec<_> =
            parts.listed.iter().map(|&number| &passages.found[number as usize]).collect();
        if is_reversed {
            listed.reverse();
        }
        listed.truncate(most);
        Ok(ChosenPassages {
            listed,
            aside: parts.summaries(&passages.found, corrected),
            members: parts.members.len() as u64,
            corrected: Arc::clone(corrected),
        })
    }
}
