//! The prompt: text that is being typed above the footer, and its purpose.

use std::sync::Arc;

use crate::session::{Item, Names};
use crate::taboo::Entry;
use crate::tui::input_line::InputLine;

/// Something that is being typed.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What for.
    pub ask: Ask,
    /// What is typed.
    pub line: InputLine,
    /// Of a filter, what it can be completed with, once that is known.
    pub names: Arc<Names>,
}

/// What something is typed for.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// To filter the rows.
    Filter,
    /// To search in the document.
    Search,
    /// To go to a line of it.
    GoToLine,
    /// Why an entry of the taboo list is there.
    Reason(Entry),
    /// A file to write rows to.
    Export(Vec<Item>),
    /// A file of taboo entries.
    Import,
    /// The name of a filter that is to be saved.
    SaveFilter(String),
}

impl Ask {
    /// What is wrong with what is typed for it: a sentence.
    pub fn problem(&self, text: &str) -> Option<&'static str> {
        let (text, is_name) = (text.trim(), matches!(self, Self::SaveFilter(_)));
        let name = text.trim_start_matches('@');
        let is_word = !name.is_empty() && !name.contains(char::is_whitespace);
        (is_name && !is_word && !text.is_empty()).then_some("A filter's name is one word.")
    }
}

impl Prompt {
    /// Nothing is known yet that it could be completed with.
    pub fn new(ask: Ask, line: InputLine) -> Self {
        Self { ask, line, names: Arc::default() }
    }
}
