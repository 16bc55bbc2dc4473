//! The tokens of the representatives: so a taboo decision is applied to all passages. A search has gathered them; of kept
//! passages they are read from the documents when they are needed first. A passage is hidden if the list leaves too little of it.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::reread::Reread;
use dupi_base::storage::Folder;
use dupi_base::storage::map::Scratch;
use dupi_index::taboo::TabooSet;
use dupi_passage::TokenRun;
use dupi_passage::gather::Gathered;
use dupi_text::blot::{Blot, Recipe, tiles_of};
use dupi_text::token::Token;

/// The most searches whose tokens amended passages have.
const MOST_PARTS: usize = 64;

/// Which search has the tokens of an amended passage's representative, and the number of the passage there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextOf {
    /// The earlier one.
    Earlier(u32),
    /// That around the changes.
    Found(u32),
}

/// The tokens of the representatives. Those of amended passages are in several parts.
#[derive(Default)]
pub struct RepresentativeTokens {
    parts: Vec<Arc<TokensPart>>,
    /// For each passage, its part and its number there; empty if there is one part that has all in order.
    places: Vec<(u32, u32)>,
}

/// The tokens of the representatives of one search, one passage after another.
struct TokensPart {
    held: OnceLock<HeldTokens>,
    /// Where they are read from when they are needed.
    unread: Option<Reread>,
    /// How many passages there are.
    count: usize,
}

/// The tokens of the representatives of a search, before its rows are in order.
pub(super) struct UnorderedTokens(HeldTokens);

/// Tokens in memory, or in a scratch file.
#[derive(Default)]
struct HeldTokens {
    tokens: Vec<u64>,
    /// The tokens, when they are in a scratch file.
    scratch: Option<Scratch>,
    /// For each passage, where its tokens stand.
    ranges: Vec<Range<usize>>,
    /// Whether the tokens of all passages could be read.
    is_complete: bool,
}

impl UnorderedTokens {
    /// Copies the tokens of some representatives from the gathered tokens. If they exceed `memory`, in bytes, they go to a
    /// scratch file in the index's folder.
    pub(super) fn new(
        gathered: &Gathered,
        representatives: &[TokenRun],
        memory: u64,
        folder: &Folder,
    ) -> Self {
        let mut total = 0;
        let range = |run: &TokenRun| {
            let start = total;
            total += run.tokens as usize;
            start..total
        };
        let ranges = representatives.iter().map(range).collect();
        let texts = || representatives.iter().map(|run| gathered.tokens_of(run));
        let scratch = if exceeds(total, memory) { written(texts(), folder) } else { None };
        let mut tokens = Vec::new();
        if scratch.is_none() {
            tokens.reserve_exact(total);
            texts().for_each(|text| tokens.extend_from_slice(text));
        }
        Self(HeldTokens { tokens, scratch, ranges, is_complete: true })
    }

    /// The tokens of rows of which each has those of the representative with a number.
    pub(super) fn of_rows(self, numbers: impl Iterator<Item = u32>) -> RepresentativeTokens {
        let Self(mut held) = self;
        held.ranges = numbers.map(|number| held.ranges[number as usize].clone()).collect();
        let count = held.ranges.len();
        RepresentativeTokens::of_one(TokensPart { held: held.into(), unread: None, count })
    }
}

impl RepresentativeTokens {
    fn of_one(part: TokensPart) -> Self {
        Self { parts: vec![Arc::new(part)], places: Vec::new() }
    }

    /// Tokens that are read when they are needed.
    pub(super) fn unread(of: Reread) -> Self {
        Self::of_one(TokensPart { held: OnceLock::new(), count: of.len(), unread: Some(of) })
    }

    /// Whether there are none, not even of passages without tokens.
    pub(super) fn are_absent(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether the tokens of another search can be added.
    pub(super) fn can_be_amended(&self) -> bool {
        self.parts.len() < MOST_PARTS
    }

    /// The tokens of amended passages, some of these and some of others that were `found`. `rows` tells for each passage
    /// where they are.
    pub(super) fn amended(&self, found: &Self, rows: impl Iterator<Item = TextOf>) -> Self {
        let place = |row| match row {
            TextOf::Earlier(number) => self.place(number),
            TextOf::Found(number) => {
                let (part, number) = found.place(number);
                (part + self.parts.len() as u32, number)
            }
        };
        let places = rows.map(place).collect();
        Self { places, parts: self.parts.iter().chain(&found.parts).map(Arc::clone).collect() }
    }

    /// The part that has the tokens of a passage, and its number there.
    fn place(&self, number: u32) -> (u32, u32) {
        if self.places.is_empty() { (0, number) } else { self.places[number as usize] }
    }

    /// How many passages there are.
    fn count(&self) -> usize {
        match self.parts.first() {
            Some(part) if self.places.is_empty() => part.count,
            _ => self.places.len(),
        }
    }

    /// Whether the tokens of all representatives have been read. A passage whose document has changed since has none.
    pub(super) fn are_read(&self) -> bool {
        self.parts.iter().all(|part| part.held.get().is_some_and(|held| held.is_complete))
    }

    /// The tokens of the representative of the passage with this index.
    pub fn of(&self, number: usize) -> &[u64] {
        let (part, number) = self.place(number as u32);
        self.parts[part as usize].held().of(number as usize)
    }

    /// Whether the representative of the passage with this index has a blot.
    pub fn has_blot(&self, number: usize, blot: Blot, recipe: &Recipe) -> bool {
        let mut has = false;
        let tokens = self.of(number).iter().map(|&hash| Token { hash, start: 0, end: 0 });
        tiles_of(tokens, recipe, |tile| has |= tile.blot == blot);
        has
    }

    /// For each passage, whether the taboo list hides it. `least` is the fewest tokens of a passage.
    pub fn hidden(&self, least: u32, taboo: &TabooSet, recipe: &Recipe) -> Vec<bool> {
        if taboo.is_empty() {
            return vec![false; self.count()];
        }
        // Read before the threads of a pool need them.
        for part in &self.parts {
            part.held();
        }
        let numbers = (0..self.count()).into_par_iter().with_min_len(256);
        numbers.map(|number| is_hidden(self.of(number), least, taboo, recipe)).collect()
    }
}

impl TokensPart {
    /// The tokens. Other threads wait while they are read.
    fn held(&self) -> &HeldTokens {
        self.held.get_or_init(|| {
            let Some(unread) = &self.unread else { return HeldTokens::default() };
            HeldTokens::new(unread.read(), unread.memory, unread.folder())
        })
    }
}

impl HeldTokens {
    /// Tokens, where those of each passage stand, and whether those of all passages could be read.
    fn new(
        (tokens, ranges, is_complete): (Vec<u64>, Vec<Range<usize>>, bool),
        memory: u64,
        folder: &Folder,
    ) -> Self {
        let mut held = Self { tokens, scratch: None, ranges, is_complete };
        if exceeds(held.tokens.len(), memory) {
            held.scratch = written([&held.tokens[..]], folder);
        }
        if held.scratch.is_some() {
            held.tokens = Vec::new();
        }
        held
    }

    fn of(&self, number: usize) -> &[u64] {
        let range = self.ranges[number].clone();
        &self.scratch.as_ref().map_or(&self.tokens[..], Scratch::numbers)[range]
    }
}

/// Whether a number of tokens takes more than some bytes of memory.
fn exceeds(tokens: usize, memory: u64) -> bool {
    (tokens * size_of::<u64>()) as u64 > memory
}

/// Writes texts to a scratch file, one after another; `None` if there cannot be one.
fn written<'t>(texts: impl IntoIterator<Item = &'t [u64]>, folder: &Folder) -> Option<Scratch> {
    let file = folder.scratch("passages-texts").map_err(|error| error.to_string());
    let written = file.and_then(|file| Scratch::write(file, texts, &[]).map_err(|error| error.to_string()));
    let warn = |error: &String| {
        tracing::warn!(error, "no scratch file; the texts of passages exceed their memory limit");
    };
    written.inspect_err(warn).ok()
}

/// Whether fewer than `least` tokens of a passage are outside of taboo text. A passage without taboo text is never
/// hidden, however short its representative is.
pub fn is_hidden(tokens: &[u64], least: u32, taboo: &TabooSet, recipe: &Recipe) -> bool {
    if taboo.is_empty() {
        return false;
    }
    let span = recipe.tile_tokens();
    let (mut left, mut covered) = (tokens.len() as u32, 0);
    let all = tokens.iter().map(|&hash| Token { hash, start: 0, end: 0 });
    // Tiles come in order. Each counts only the tokens that no tile before it covers.
    tiles_of(all, recipe, |tile| {
        if taboo.contains(tile.blot) {
            left -= tile.first + span - covered.max(tile.first);
            covered = tile.first + span;
        }
    });
    covered > 0 && left < least
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_index::taboo::{TabooEntry, TabooList};
    use dupi_text::token::{LexState, Tokeniser};

    #[test]
    fn a_passage_is_hidden_when_too_little_of_it_is_not_taboo() {
        let recipe = Recipe::default();
        let added = jiff::civil::date(2026, 1, 2);
        let entry =
            TabooEntry { text: "one two three four five six".into(), added, reason: None, language: None };
        let taboo = TabooSet::new(&TabooList::from_iter([entry]), &recipe);
        let hides = |text: &str, least| {
            let tokens = Tokeniser::Words.tokens(text, LexState::default());
            let hashes: Vec<u64> = tokens.iter().map(|token| token.hash).collect();
            is_hidden(&hashes, least, &taboo, &recipe)
        };
        assert!(hides("one two three four five six", 1));
        assert!(hides("two three four five six seven eight nine", 4));
        assert!(!hides("two three four five six seven eight nine", 3));
        assert!(!hides("four five six seven eight nine", 25));
    }
}
