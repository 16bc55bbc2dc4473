//! State of the dialog that previews a taboo decision.

use std::sync::Arc;

use crate::input_line::InputLine;
use dupi_index::taboo::TabooScope;
use dupi_session::{Item, TabooPreview};

/// A taboo decision that is not taken yet.
#[derive(Clone, Debug)]
pub struct TabooDialog {
    /// The chosen rows.
    pub rows: Vec<Item>,
    /// The typed reason.
    pub reason: InputLine,
    /// What the decision would hide, once it is known.
    pub hides: Option<Arc<TabooPreview>>,
    /// The first visible line.
    pub first: usize,
    /// In which corpora it hides.
    pub scope: TabooScope,
}

impl TabooDialog {
    /// The dialog about some rows, before anything was counted or typed.
    pub fn new(rows: Vec<Item>) -> Self {
        let (reason, scope) = (InputLine::default(), TabooScope::Corpus);
        Self { rows, reason, hides: None, first: 0, scope }
    }

    /// Changes whether it hides in this corpus or in all.
    pub fn turn_scope(&mut self) {
        self.scope = match self.scope {
            TabooScope::Corpus => TabooScope::User,
            TabooScope::User => TabooScope::Corpus,
        };
    }
}
