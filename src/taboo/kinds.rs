//! The list of corrected kinds: what the user says that a text is, whatever the rules say.

use std::collections::HashMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::accepted::AcceptedId;
use super::decision::Decision;
use super::list::DecisionList;
use super::words::said;
use crate::config::Kind;

/// The corrected kinds of a corpus, in the order of the decisions.
pub type KindList = DecisionList<KindEntry>;

/// The kind of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindEntry {
    /// The passage, by the id of its text.
    #[serde(deserialize_with = "of_passage")]
    pub of: AcceptedId,
    /// What its text is.
    pub kind: Kind,
    /// The first words of its text, for people.
    pub text: String,
    /// When this was decided.
    pub added: jiff::civil::Date,
}

/// Reads the id of a passage; blots have no kind.
fn of_passage<'d, D: Deserializer<'d>>(from: D) -> Result<AcceptedId, D::Error> {
    let of = AcceptedId::deserialize(from)?;
    of.passage().map(|_| of).ok_or_else(|| D::Error::custom(format!("{of} is not a passage")))
}

impl Decision for KindEntry {
    const TABLE: &str = "kind";
    const NAME: &str = "kinds.toml";
    const LOCK: &str = "kinds.lock";
    const WHAT: &str = "the list of kinds";
    const STAYS: &str = "what was decided about kinds";
    const HEAD: &str = "\
# What texts of this corpus are, where the rules of dupi-tui are wrong. `text` is for people. Other comments are not kept.

";

    type Key<'a> = AcceptedId;

    fn key(&self) -> AcceptedId {
        self.of
    }

    fn words(before: Option<&Self>, after: Option<&Self>, count: usize) -> String {
        let set = after.map_or_else(|| "no kind set".to_owned(), |entry| format!("kind {}", entry.kind));
        said([&*set; 3], before.map(|entry| &*entry.text), after.map(|entry| &*entry.text), count)
    }
}

impl KindList {
    /// Sets the kinds of texts. Returns how many were new or changed.
    pub fn set(&mut self, entries: impl IntoIterator<Item = KindEntry>) -> usize {
        let mut changed = 0;
        for entry in entries {
            match self.entries.iter_mut().find(|known| known.of == entry.of) {
                Some(known) if known.kind == entry.kind => continue,
                Some(known) => *known = entry,
                None => self.entries.push(entry),
            }
            changed += 1;
        }
        changed
    }
}

/// The corrected kinds, by the ids of passages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorrectedKinds(HashMap<u64, Kind>);

impl CorrectedKinds {
    /// Those of a list. Of several entries about one text the first one counts.
    pub fn new(list: &KindList) -> Self {
        let entries = list.entries().iter().rev();
        Self(entries.filter_map(|entry| Some((entry.of.passage()?, entry.kind))).collect())
    }

    /// The corrected kind of the passage with an id.
    pub fn of(&self, passage: u64) -> Option<Kind> {
        self.0.get(&passage).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn entry(passage: u64, kind: Kind) -> KindEntry {
        let added = jiff::civil::date(2026, 1, 2);
        KindEntry { of: AcceptedId::Passage(passage), kind, text: "some words".into(), added }
    }

    #[test]
    fn a_text_has_the_kind_that_was_set_last() {
        let mut list = KindList::default();
        assert_eq!(list.set([entry(1, Kind::Code), entry(2, Kind::Data)]), 2);
        assert_eq!(list.set([entry(1, Kind::Prose), entry(2, Kind::Data)]), 1);
        let kinds = CorrectedKinds::new(&list);
        assert_eq!([1, 2, 3].map(|id| kinds.of(id)), [Some(Kind::Prose), Some(Kind::Data), None]);
    }

    #[test]
    fn the_list_is_read_back_and_an_unknown_kind_is_reported_with_its_line() {
        let list: KindList = [entry(7, Kind::Licence)].into_iter().collect();
        let text = list.to_text().unwrap();
        assert_eq!(KindList::parse(Path::new("x"), text.as_bytes()).unwrap(), list);
        let wrong = text.replace("licence", "license");
        let error = KindList::parse(Path::new("x"), wrong.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("line 5, column 8") && error.contains("license"), "{error}");
    }
}
