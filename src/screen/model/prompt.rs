//! The prompt: text that is being typed above the footer, and its purpose.

use std::sync::Arc;

use crate::filter_history::HistoryWalk;
use crate::input_line::InputLine;
use dupi_index::taboo::{TabooEntry, TabooScope};
use dupi_session::{Item, Names};

/// An open prompt.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Its purpose.
    pub ask: Ask,
    /// The typed text.
    pub line: InputLine,
    /// For a filter: the names for completions, once they are known.
    pub names: Arc<Names>,
    /// For a filter: the steps to an earlier one that is shown in place of the typed text.
    pub walk: Option<HistoryWalk>,
}

/// The purpose of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// A filter of the rows.
    Filter,
    /// A search in the document.
    Search,
    /// A line number.
    GoToLine,
    /// The reason of an entry of a taboo list.
    Reason(TabooScope, TabooEntry),
    /// The file to export rows to.
    Export(Vec<Item>),
    /// The file to import taboo entries from.
    Import,
    /// The name for a filter.
    SaveFilter(String),
}

impl Ask {
    /// The problem with a typed text, as a sentence.
    pub fn problem(&self, text: &str) -> Option<&'static str> {
        let (text, is_name) = (text.trim(), matches!(self, Self::SaveFilter(_)));
        let name = text.trim_start_matches('@');
        let is_word = !name.is_empty() && !name.contains(char::is_whitespace);
        (is_name && !is_word && !text.is_empty()).then_some("A filter's name is one word.")
    }
}

impl Prompt {
    /// A prompt without completions.
    pub fn new(ask: Ask, line: InputLine) -> Self {
        Self { ask, line, names: Arc::default(), walk: None }
    }
}
