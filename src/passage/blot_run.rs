//! A row of the list of blots: a run of adjacent blots.

use std::path::PathBuf;

use dupi_index::query::filter::ReviewState;
use dupi_text::blot::Blot;

/// Adjacent blots that occur in the same documents, shown as one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlotRun {
    /// The blots, in the order of the text. Never empty.
    pub blots: Vec<Blot>,
    /// How many live documents contain them.
    pub documents: u32,
    /// How many copies there are; `None` when some document has several and they were not counted yet.
    pub copies: Option<u64>,
    /// The beginning of the text in one of the documents, a few hundred bytes at most.
    pub text: String,
    /// How many tokens the text has.
    pub tokens: u32,
    /// How many of them precede the tile of the first blot.
    pub lead: u32,
    /// The document that `text` was taken from, relative to the corpus's base.
    pub path: PathBuf,
    /// The name of the language of that document, when it is source code.
    pub language: Option<String>,
    /// Whether the taboo list hides it.
    pub taboo: bool,
    /// How many documents contained it when it was accepted, if it was.
    pub accepted: Option<u64>,
}

impl BlotRun {
    /// Its identity, which stays the same while rows are added and removed.
    pub fn id(&self) -> Blot {
        self.blots[0]
    }

    /// The decision about it. Taboo takes precedence over accepted. It is open again when it occurs in more documents
    /// than when it was accepted.
    pub fn state(&self) -> ReviewState {
        ReviewState::of(self.taboo, self.accepted, u64::from(self.documents))
    }
}
