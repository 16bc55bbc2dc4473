//! What is duplicated but not interesting: the taboo list and the one answer to "is this hidden?".

mod list;
mod set;

use serde::{Deserialize, Serialize};

pub use list::{NAME as LIST, TabooError, TabooList};
pub use set::TabooSet;

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
    /// The language (tokei's name) of the source file it was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}
