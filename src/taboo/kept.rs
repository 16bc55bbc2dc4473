//! What a list of decisions is made of.

use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a list of decisions is made of, and how its file is.
pub trait Kept: Clone + PartialEq + Serialize + DeserializeOwned {
    /// The list as TOML has it.
    type File: From<Vec<Self>> + Into<Vec<Self>> + Serialize + DeserializeOwned;
    /// The file's name in the folder of a corpus's index.
    const NAME: &str;
    /// The file that stands for the right to change it.
    const LOCK: &str;
    /// What the list is called in messages.
    const WHAT: &str;
    /// The comment at the beginning of the file.
    const HEAD: &str;

    /// What a decision is about: a list has one about each.
    type Key<'a>: Hash + Eq
    where
        Self: 'a;

    /// What this decision is about.
    fn key(&self) -> Self::Key<'_>;
    /// Whether two decisions are about the same.
    fn is_about(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
