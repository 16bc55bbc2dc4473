//! The taboo list: texts that are hidden wherever they occur.

use serde::{Deserialize, Serialize};

use super::decision::Decision;
use super::list::DecisionList;
use super::words::said;
use dupi_text::blot::Recipe;
use dupi_text::token::{Language, Tokeniser};

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
