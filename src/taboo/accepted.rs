//! The list of accepted passages and blots: reviewed and left as they are, until they gain copies.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::change;
use super::decision::Decision;
use super::list::DecisionList;
use super::words::said;
use crate::blot::Blot;

/// The accepted entries of a corpus, in the order of the decisions.
pub type AcceptedList = DecisionList<AcceptedEntry>;

/// What was accepted: a passage, by the id of its text, or a blot. Written `passage:0123456789abcdef`,
/// `blot:0123456789a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum AcceptedId {
    /// A passage.
    Passage(u64),
    /// A row of blots, by its first blot.
    Blot(Blot),
}

/// An entry of the accepted list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedEntry {
    /// What was accepted.
    pub of: AcceptedId,
    /// The first words of its text, for people.
    pub text: String,
    /// How many copies it had; with more it is open again. For a blot, its document frequency.
    pub copies: u64,
    /// When it was accepted.
    pub added: jiff::civil::Date,
    /// The user's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Decision for AcceptedEntry {
    const TABLE: &str = "accepted";
    const NAME: &str = "accepted.toml";
    const LOCK: &str = "accepted.lock";
    const WHAT: &str = "the accepted list";
    const STAYS: &str = "what was accepted";
    const HEAD: &str = "\
# What was reviewed in this corpus and accepted. A passage is open again when it has more than `copies` copies.
# `text` and `reason` are for people. Other comments are not kept.

";

    type Key<'a> = AcceptedId;

    fn key(&self) -> AcceptedId {
        self.of
    }

    fn words(before: Option<&Self>, after: Option<&Self>, count: usize) -> String {
        let verbs = ["accepted", "open again", "accepted again"];
        said(verbs, before.map(|entry| &*entry.text), after.map(|entry| &*entry.text), count)
    }
}

impl AcceptedList {
    /// Accepts entries. Returns how many were new or changed. An entry that was accepted with as many copies before
    /// stays unchanged, unless it has a new reason; an old reason stays until there is a new one.
    pub fn accept(&mut self, things: impl IntoIterator<Item = AcceptedEntry>) -> usize {
        let mut positions = change::positions(&self.entries);
        let mut new = 0;
        for mut thing in things {
            match positions.get(&thing.of).and_then(|&at| self.entries.get_mut(at)) {
                Some(old) => {
                    let says_more = thing.reason.is_some() && thing.reason != old.reason;
                    if thing.copies <= old.copies && !says_more {
                        continue;
                    }
                    thing.reason = thing.reason.or_else(|| old.reason.take());
                    *old = thing;
                }
                None => {
                    positions.insert(thing.of, self.entries.len());
                    self.entries.push(thing);
                }
            }
            new += 1;
        }
        new
    }
}

impl AcceptedId {
    /// The id of the passage, if it is one.
    pub fn passage(self) -> Option<u64> {
        if let Self::Passage(id) = self { Some(id) } else { None }
    }
}

impl fmt::Display for AcceptedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passage(id) => write!(f, "passage:{id:016x}"),
            Self::Blot(blot) => write!(f, "blot:{blot}"),
        }
    }
}

impl FromStr for AcceptedId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let passage = |digits: &str| u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 16);
        match text.split_once(':') {
            Some(("passage", digits)) => passage(digits).map(Self::Passage),
            Some(("blot", digits)) => digits.parse().ok().map(Self::Blot),
            _ => None,
        }
        .ok_or_else(|| format!("`{text}` is not a passage or blot, as in passage:0123456789abcdef"))
    }
}

impl TryFrom<String> for AcceptedId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<AcceptedId> for String {
    fn from(id: AcceptedId) -> Self {
        id.to_string()
    }
}

/// The accepted ids with their numbers of copies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcceptedSet(HashMap<AcceptedId, u64>);

impl AcceptedSet {
    /// The set of a list.
    pub fn new(list: &AcceptedList) -> Self {
        // Of several entries with one id, the first one counts.
        Self(list.entries().iter().rev().map(|entry| (entry.of, entry.copies)).collect())
    }

    /// With how many copies an id was accepted; `None` if it was not.
    pub fn copies(&self, id: AcceptedId) -> Option<u64> {
        self.0.get(&id).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn an_entry_that_is_accepted_again_keeps_its_reason_and_date_unless_something_is_new() {
        let entry = |copies, day, reason: Option<&str>| AcceptedEntry {
            of: AcceptedId::Passage(7),
            text: "some words".into(),
            copies,
            added: jiff::civil::date(2026, 1, day),
            reason: reason.map(str::to_owned),
        };
        let mut list: AcceptedList = [entry(3, 1, Some("seen"))].into_iter().collect();
        for same in [entry(3, 2, None), entry(2, 2, None), entry(3, 2, Some("seen"))] {
            assert_eq!(list.accept([same]), 0);
            assert_eq!(list.entries(), [entry(3, 1, Some("seen"))]);
        }
        assert_eq!(list.accept([entry(4, 3, None)]), 1);
        assert_eq!(list.entries(), [entry(4, 3, Some("seen"))], "it has more copies");
        assert_eq!(list.accept([entry(4, 4, Some("still")), entry(4, 5, None)]), 1);
        assert_eq!(list.entries(), [entry(4, 4, Some("still"))], "there is another reason");
    }

    #[test]
    fn the_list_is_read_back_and_errors_have_line_and_column() {
        let entry = |of| AcceptedEntry {
            of,
            text: "some \"words\"".into(),
            copies: 3,
            added: jiff::civil::date(2026, 1, 2),
            reason: None,
        };
        let blot = Blot::new(0xabc).unwrap();
        let list: AcceptedList =
            [entry(AcceptedId::Passage(7)), entry(AcceptedId::Blot(blot))].into_iter().collect();
        let text = list.to_text().unwrap();
        assert!(text.contains("passage:0000000000000007"), "{text}");
        assert_eq!(AcceptedList::parse(Path::new("x"), text.as_bytes()).unwrap(), list);
        let wrong = text.replace("passage:0000000000000007", "passage:7");
        let error = AcceptedList::parse(Path::new("x"), wrong.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("line 5, column 6") && error.contains("is not a passage or blot"), "{error}");
    }
}
