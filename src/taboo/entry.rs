//! The taboo list: texts that are hidden wherever they stand.

use serde::{Deserialize, Serialize};

use super::kept::Kept;
use super::list::List;
use crate::blot::Recipe;
use crate::token::{Language, TokenMode, Tokeniser};

/// The taboo texts of a corpus, in the order in which they were decided.
pub type TabooList = List<Entry>;

/// One decision of a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The text; every tile of it is hidden wherever it stands.
    pub text: String,
    /// When it was added.
    pub added: jiff::civil::Date,
    /// Why, in the user's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The name of the language of the source file it was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl Entry {
    /// How its text may be tokenised in an index with this recipe: as words, and where the index has source
    /// code, as code.
    pub fn tokenisers(&self, recipe: &Recipe) -> Vec<Tokeniser> {
        let mut tokenisers = vec![Tokeniser::Words];
        if recipe.tokens != TokenMode::Words {
            let language = self.language.as_deref().and_then(Language::from_name);
            tokenisers.push(
                language.map_or(Tokeniser::Plain, |language| Tokeniser::Code(language, recipe.comments)),
            );
        }
        tokenisers
    }
}

/// The taboo list as TOML has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TabooFile {
    #[serde(default, rename = "taboo")]
    entries: Vec<Entry>,
}

impl From<Vec<Entry>> for TabooFile {
    fn from(entries: Vec<Entry>) -> Self {
        Self { entries }
    }
}

impl From<TabooFile> for Vec<Entry> {
    fn from(file: TabooFile) -> Self {
        file.entries
    }
}

impl Kept for Entry {
    type File = TabooFile;
    const NAME: &str = "taboo.toml";
    const LOCK: &str = "taboo.lock";
    const WHAT: &str = "the taboo list";
    const HEAD: &str = "\
# What dupi-tui hides in this corpus: every place whose text stands in one of these.
# Edit it as you like; `text` may be any text, `reason` is for people. Other comments are not kept.

";

    type Key<'a> = &'a str;

    fn key(&self) -> &str {
        &self.text
    }
}

impl TabooList {
    /// The entry with this text.
    pub fn get(&self, text: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.text == text)
    }
}
