//! The type of the entries of a decision list.

use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// An entry of a decision list, with the properties of the list's file.
pub trait Decision: Clone + PartialEq + Serialize + DeserializeOwned {
    /// The name of the array of tables in the file: `[[taboo]]`.
    const TABLE: &str;
    /// The file's name in the folder of a corpus's index.
    const NAME: &str;
    /// The name of the list's lock file.
    const LOCK: &str;
    /// The name of the list in messages.
    const WHAT: &str;
    /// The name of the list where it is said that it stays after its index is removed.
    const STAYS: &str;
    /// The comment at the beginning of the file.
    const HEAD: &str;

    /// What a decision is about. A list has at most one entry per key.
    type Key<'a>: Hash + Eq
    where
        Self: 'a;

    /// What this decision is about.
    fn key(&self) -> Self::Key<'_>;
    /// What happened to some entries, in words. `before` and `after` are the first of them; one that was added has no
    /// `before`, one that was removed no `after`.
    fn words(before: Option<&Self>, after: Option<&Self>, count: usize) -> String;
    /// Whether two decisions have the same key.
    fn is_about(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
