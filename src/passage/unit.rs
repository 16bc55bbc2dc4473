//! What the copies of a row are: stretches of documents, or whole documents.

use serde::Serialize;

/// What each copy of a passage is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A stretch of a document.
    #[default]
    Passage,
    /// A whole document. All copies have the same text, character for character.
    Document,
}
