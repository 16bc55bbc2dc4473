//! What the copies of a row are: stretches of documents, whole documents, or folders.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// What each copy of a passage is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// A stretch of a document.
    #[default]
    Passage,
    /// A whole document. All copies have the same text, character for character.
    Document,
    /// A folder. All copies have the same documents under the same names. As copies of the passage stand those of one
    /// document in them.
    Folder(Tree),
}

/// What lies in each of some identical folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// How many documents.
    pub documents: u32,
    /// How many tokens they have.
    pub tokens: u32,
    /// How many names the path of the shown document has behind the folder's.
    pub depth: u32,
}

impl Unit {
    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Passage => "passage",
            Self::Document => "document",
            Self::Folder(_) => "folder",
        }
    }
}

impl Tree {
    /// The folder in which the shown document lies that has this path.
    pub fn folder<'p>(&self, document: &'p Path) -> &'p Path {
        document.ancestors().nth(self.depth as usize).unwrap_or(document)
    }
}
