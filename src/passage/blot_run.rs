//! A row of the list of blots.

use std::path::PathBuf;

use crate::blot::Blot;
use crate::query::filter::ReviewState;

/// Adjacent blots that stand in the same documents, shown as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlotRun {
    /// The blots, in the order of the text. Never empty; the first one is the row's identity.
    pub blots: Vec<Blot>,
    /// In how many live documents.
    pub documents: u32,
    /// How many copies; `None` when some document has several and they were not counted yet.
    pub copies: Option<u64>,
    /// The text, as one of the documents has it (at most some hundred bytes of it).
    pub text: String,
    /// Tokens from the first to the last.
    pub tokens: u32,
    /// How many of them stand before the tile of the first blot.
    pub lead: u32,
    /// The document that `text` was taken from, relative to the corpus's base.
    pub path: PathBuf,
    /// The name of the language of that document when it is source code.
    pub language: Option<String>,
    /// Whether the taboo list hides it.
    pub taboo: bool,
    /// In how many documents it stood when it was accepted, if it was.
    pub accepted: Option<u64>,
}

impl BlotRun {
    /// What a selection holds on to while rows come and go.
    pub fn id(&self) -> Blot {
        self.blots[0]
    }

    /// What was decided about it; taboo goes before accepted. It is open again in more documents than it was
    /// accepted with.
    pub fn state(&self) -> ReviewState {
        ReviewState::of(self.taboo, self.accepted, u64::from(self.documents))
    }
}
