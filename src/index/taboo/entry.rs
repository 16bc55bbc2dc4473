//! The taboo list: texts that are hidden wherever they occur, and the set of their blots. Everything that ranks or shows asks
//! this set.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use serde::{Deserialize, Serialize};

use super::change::{Decision, said};
use super::list::DecisionList;
use dupi_text::blot::{Blot, Recipe, every_tile};
use dupi_text::token::{Language, Tokeniser, fingerprint};

/// The taboo texts of a corpus, in the order of the decisions.
pub type TabooList = DecisionList<TabooEntry>;

/// A taboo text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TabooEntry {
    /// The text; every tile of it is hidden wherever it occurs.
    pub text: String,
    /// When it was added.
    pub added: jiff::civil::Date,
    /// The user's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The language of the source file that it was taken from, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl TabooEntry {
    /// The tokenisers by which its text may be read in an index with this recipe.
    pub fn tokenisers(&self, recipe: &Recipe) -> Vec<Tokeniser> {
        let language = self.language.as_deref().and_then(Language::from_name);
        Tokeniser::candidates(recipe.tokens, recipe.comments, language)
    }
}

impl Decision for TabooEntry {
    const TABLE: &str = "taboo";
    const NAME: &str = "taboo.toml";
    const LOCK: &str = "taboo.lock";
    const WHAT: &str = "the taboo list";
    const STAYS: &str = "its taboo list";
    const HEAD: &str = "\
# What dupi-tui hides: every place whose text stands in one of these.
# Edit it as you like; `text` may be any text, `reason` is for people. Other comments are not kept.

";

    type Key<'a> = &'a str;

    fn key(&self) -> &str {
        &self.text
    }

    fn words(before: Option<&Self>, after: Option<&Self>, count: usize) -> String {
        let verbs = ["taboo", "no longer taboo", "changed taboo"];
        said(verbs, before.map(|entry| &*entry.text), after.map(|entry| &*entry.text), count)
    }
}

impl TabooList {
    /// The entry with this text.
    pub fn get(&self, text: &str) -> Option<&TabooEntry> {
        self.entries.iter().find(|entry| entry.text == text)
    }
}

/// The blots of all tiles of all taboo texts, and these texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TabooSet {
    blots: HashSet<Blot, BuildHasherDefault<BlotHasher>>,
    /// The fingerprints of the texts.
    texts: HashSet<u64>,
}

/// A fast hasher: a blot is almost a hash already, and after every decision each tile of all passages is looked up.
#[derive(Clone, Copy, Default)]
struct BlotHasher(u64);

impl Hasher for BlotHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        // The upper bits of a blot are zero.
        self.0 = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl TabooSet {
    /// The blots that a list hides in an index with this recipe.
    ///
    /// A text is read as words, and as source code if the index has source code: the text alone does not tell how
    /// its document was read. It may also have begun within a comment.
    pub fn new(list: &TabooList, recipe: &Recipe) -> Self {
        let mut set = Self::default();
        for entry in list.entries() {
            set.add(entry, recipe);
        }
        set
    }

    /// The blots that one entry hides.
    pub fn from_entry(entry: &TabooEntry, recipe: &Recipe) -> Self {
        let mut set = Self::default();
        set.add(entry, recipe);
        set
    }

    /// Adds the blots that an entry hides.
    pub fn add(&mut self, entry: &TabooEntry, recipe: &Recipe) {
        let text = recipe.ignored.blanked(&entry.text);
        for tokeniser in entry.tokenisers(recipe) {
            for state in tokeniser.entry_states() {
                let tokens: Vec<u64> =
                    tokeniser.tokens(&text, state).iter().map(|token| token.hash).collect();
                self.texts.insert(fingerprint(&tokens) as u64);
                every_tile(&text, tokeniser, state, recipe, |tile| {
                    self.blots.insert(tile.blot);
                });
            }
        }
    }

    /// Adds blots.
    pub fn extend(&mut self, blots: &[Blot]) {
        self.blots.extend(blots);
    }

    /// Whether a blot is hidden: its tile is part of a taboo text.
    pub fn contains(&self, blot: Blot) -> bool {
        self.blots.contains(&blot)
    }

    /// Whether one of some texts, by their fingerprints, is a taboo text.
    pub fn has_text(&self, texts: &[u64]) -> bool {
        texts.iter().any(|text| self.texts.contains(text))
    }

    /// The fingerprints of the taboo texts.
    pub fn texts(&self) -> impl Iterator<Item = u64> + '_ {
        self.texts.iter().copied()
    }

    /// The blots.
    pub fn blots(&self) -> impl Iterator<Item = Blot> + '_ {
        self.blots.iter().copied()
    }

    /// Whether all of some blots are hidden.
    pub fn covers(&self, blots: &[Blot]) -> bool {
        blots.iter().all(|&blot| self.contains(blot))
    }

    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.blots.is_empty() && self.texts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_text::token::{Comments, Language, LexState, Tokeniser};

    fn list(text: &str, language: Option<&str>) -> TabooList {
        let added = jiff::civil::date(2026, 1, 2);
        let entry =
            TabooEntry { text: text.into(), added, reason: None, language: language.map(str::to_owned) };
        [entry].into_iter().collect()
    }

    fn blots(text: &str, tokeniser: Tokeniser, recipe: &Recipe) -> Vec<Blot> {
        let mut blots = Vec::new();
        every_tile(text, tokeniser, LexState::default(), recipe, |tile| blots.push(tile.blot));
        blots
    }

    #[test]
    fn exactly_the_tiles_of_taboo_text_are_hidden() {
        let recipe = Recipe::default();
        let set = TabooSet::new(&list("One two three four five six SEVEN", None), &recipe);
        let within = blots("one two, three four five six", Tokeniser::Words, &recipe);
        assert!(set.covers(&within) && within.len() == 2);
        let across = blots("four five six seven eight", Tokeniser::Words, &recipe);
        assert!(!set.contains(across[0]));
    }

    #[test]
    fn a_text_that_is_shorter_than_a_tile_counts_as_text() {
        let recipe = Recipe::default();
        let set = TabooSet::new(&list("one two three", None), &recipe);
        assert_eq!(set.blots().count(), 0);
        assert!(!set.is_empty() && set.has_text(&set.texts().collect::<Vec<_>>()));
        assert!(TabooSet::default().is_empty());
    }

    #[test]
    fn code_is_hidden_from_wherever_it_was_taken() {
        let recipe = Recipe::default();
        let c = Language::from_name("C").unwrap();
        let code = Tokeniser::Code(c, Comments::Keep);
        let text = "a b c of a comment */ int main(void) { return f(1, 2); }";
        let whole = format!("/* {text}");
        let set = TabooSet::new(&list(text, Some("C")), &recipe);
        assert!(set.covers(&blots(&whole, code, &recipe)));
    }
}
