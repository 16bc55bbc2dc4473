//! The type of the entries of a decision list, and decisions in words.

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

/// The maximal number of characters of an excerpt.
const LINE: usize = 48;

/// Says what happened to entries: `taboo "some words…" and 2 more`. `verbs` are for an entry that was added, removed
/// or changed; `before` and `after` are the texts of the first one.
pub(super) fn said(verbs: [&str; 3], before: Option<&str>, after: Option<&str>, count: usize) -> String {
    let verb = match (before, after) {
        (None, _) => verbs[0],
        (Some(_), None) => verbs[1],
        (Some(_), Some(_)) => verbs[2],
    };
    let text = excerpt(after.or(before).unwrap_or_default());
    let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
    format!("{verb} \"{text}\"{more}")
}

/// The first words of a text, in one line.
pub fn excerpt(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(LINE));
        if line.chars().count() > LINE {
            line = line.chars().take(LINE - 1).collect();
            line.push('…');
            break;
        }
    }
    line
}

/// Today's date in the user's time zone.
pub fn today() -> jiff::civil::Date {
    jiff::Zoned::now().date()
}
