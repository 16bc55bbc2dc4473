//! Decisions about kinds: what the user says that a text is, whatever the rules say, and which kinds are set aside.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::accepted_id::{AcceptedId, KeptTexts};
use super::change::{Decision, said};
use super::list::DecisionList;
use super::recognition::{DecidedSet, PassageDecision};

use dupi_base::config::Kind;

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
    /// Other texts of its copies, by which it is recognised.
    #[serde(default, skip_serializing_if = "KeptTexts::is_empty")]
    pub texts: KeptTexts,
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
# What texts of this corpus are, where the rules of dupi-tui are wrong. `texts` are other texts of its copies, by which a
# passage is recognised. `text` is for people. Other comments are not kept.

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

impl PassageDecision for KindEntry {
    type Verdict = Kind;

    fn of(&self) -> AcceptedId {
        self.of
    }

    fn texts(&self) -> &KeptTexts {
        &self.texts
    }

    fn verdict(&self) -> Kind {
        self.kind
    }

    /// A text is what it is, wherever it stands.
    fn copies(&self) -> u64 {
        u64::MAX
    }

    fn says_more(&self, old: &Self) -> bool {
        self.kind != old.kind
    }

    fn inherit(&mut self, _: &mut Self) {}
}

/// The corrected kinds of passages.
pub type CorrectedKinds = DecidedSet<Kind>;

impl CorrectedKinds {
    /// The corrected kind of the passage with an id.
    pub fn kind(&self, passage: u64) -> Option<Kind> {
        self.get(AcceptedId::Passage(passage)).map(|(kind, _)| kind)
    }
}

// The list of kinds that are set aside in this corpus, or not, whatever the settings say.

/// The decisions about whole kinds, in their order.
pub type AsideList = DecisionList<AsideEntry>;

/// Whether a kind is set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AsideEntry {
    /// The kind.
    pub kind: Kind,
    /// Whether its passages are set aside; else they are listed.
    pub aside: bool,
    /// When this was decided.
    pub added: jiff::civil::Date,
}

impl Decision for AsideEntry {
    const TABLE: &str = "kind";
    const NAME: &str = "aside.toml";
    const LOCK: &str = "aside.lock";
    const WHAT: &str = "the list of kinds that are set aside";
    const STAYS: &str = "what was decided about kinds";
    const HEAD: &str = "\
# Which kinds of passages are set aside in this corpus, and which are listed, whatever the settings say. Other comments
# are not kept.

";

    type Key<'a> = Kind;

    fn key(&self) -> Kind {
        self.kind
    }

    fn words(before: Option<&Self>, after: Option<&Self>, _: usize) -> String {
        let kind = after.or(before).map(|entry| entry.kind.to_string()).unwrap_or_default();
        match after.map(|entry| entry.aside) {
            Some(true) => format!("{kind} set aside"),
            Some(false) => format!("{kind} listed"),
            None => format!("{kind} as the settings say"),
        }
    }
}

impl AsideList {
    /// Decides about a kind: it is set aside or listed; `None` leaves that to the settings. Returns whether this is
    /// new.
    pub fn set(&mut self, kind: Kind, aside: Option<bool>, added: jiff::civil::Date) -> bool {
        let at = self.entries.iter().position(|known| known.kind == kind);
        match (at, aside) {
            (Some(at), Some(aside)) if self.entries[at].aside == aside => return false,
            (Some(at), Some(aside)) => self.entries[at] = AsideEntry { kind, aside, added },
            (Some(at), None) => drop(self.entries.remove(at)),
            (None, Some(aside)) => self.entries.push(AsideEntry { kind, aside, added }),
            (None, None) => return false,
        }
        true
    }

    /// The kinds that are set aside, given those that usually are.
    pub fn apply(&self, usual: &[Kind]) -> Vec<Kind> {
        let is_aside = |kind: &Kind| {
            let decided = self.entries.iter().find(|entry| entry.kind == *kind);
            decided.map_or(usual.contains(kind), |entry| entry.aside)
        };
        Kind::ALL.into_iter().filter(is_aside).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::taboo::TextRow;

    fn entry(passage: u64, kind: Kind) -> KindEntry {
        let added = jiff::civil::date(2026, 1, 2);
        KindEntry {
            of: AcceptedId::Passage(passage),
            kind,
            text: "some words".into(),
            texts: KeptTexts::default(),
            added,
        }
    }

    #[test]
    fn a_text_has_the_kind_that_was_set_last() {
        let mut list = KindList::default();
        assert_eq!(list.decide([entry(1, Kind::Code), entry(2, Kind::Data)]), 2);
        assert_eq!(list.decide([entry(1, Kind::Prose), entry(2, Kind::Data)]), 1);
        let kinds = CorrectedKinds::new(&list);
        assert_eq!([1, 2, 3].map(|id| kinds.kind(id)), [Some(Kind::Prose), Some(Kind::Data), None]);
    }

    #[test]
    fn a_text_has_its_kind_whichever_copy_represents_it() {
        let known = KindEntry { texts: KeptTexts::new(&[2, 3]), ..entry(1, Kind::Data) };
        let list: KindList = [known, entry(4, Kind::Code)].into_iter().collect();
        let row = |id: u64, texts| TextRow { id, copies: 2, texts, is_text: true };
        let rows = [row(2, &[][..]), row(5, &[4]), row(6, &[4, 1]), row(4, &[1]), row(7, &[8])];
        let kinds = CorrectedKinds::new(&list).recognising(rows.into_iter());
        let of = [2, 5, 6, 4, 7].map(|id| kinds.kind(id));
        let expected = [Some(Kind::Data), Some(Kind::Code), Some(Kind::Data), Some(Kind::Code), None];
        assert_eq!(of, expected);
        assert_eq!(kinds.entry(AcceptedId::Passage(5)).map(|entry| entry.id), Some(AcceptedId::Passage(4)));
    }

    #[test]
    fn a_decision_about_a_passage_leaves_an_entry_that_counts_for_another_one() {
        let known = KindEntry { texts: KeptTexts::new(&[2, 3]), ..entry(1, Kind::Data) };
        let row = |id: u64, texts| TextRow { id, copies: 2, texts, is_text: true };
        let decided = |rows: &[TextRow], about: u64, kind| {
            let mut list: KindList = [known.clone()].into_iter().collect();
            let kinds = CorrectedKinds::new(&list).recognising(rows.iter().copied());
            let counting = kinds.entry(AcceptedId::Passage(about)).unwrap();
            let changed = list.decide_as([(counting, entry(about, kind))]);
            let said: Vec<_> =
                list.entries().iter().map(|entry| (entry.of.passage().unwrap(), entry.kind)).collect();
            (changed, said, counting.is_removable)
        };
        // The passage with its id is there too.
        let both = [row(1, &[]), row(5, &[3])];
        assert_eq!(decided(&both, 5, Kind::Code), (1, vec![(1, Kind::Data), (5, Kind::Code)], false));
        assert_eq!(decided(&both, 5, Kind::Data), (0, vec![(1, Kind::Data)], false), "it is that already");
        assert_eq!(decided(&both, 1, Kind::Code), (1, vec![(1, Kind::Code)], true));
        // It is not there any more.
        assert_eq!(decided(&[row(5, &[3])], 5, Kind::Code), (1, vec![(5, Kind::Code)], true));
        let parts = [row(5, &[3]), row(6, &[2, 3])];
        assert_eq!(decided(&parts, 6, Kind::Code), (1, vec![(6, Kind::Code)], true), "it has the best claim");
        assert_eq!(decided(&parts, 5, Kind::Code), (1, vec![(1, Kind::Data), (5, Kind::Code)], true));
    }

    #[test]
    fn the_list_is_read_back_and_an_unknown_kind_is_reported_with_its_line() {
        let list: KindList = [entry(7, Kind::Licence)].into_iter().collect();
        let text = list.to_text().unwrap();
        assert_eq!(KindList::parse(Path::new("x"), text.as_bytes()).unwrap(), list);
        let wrong = text.replace("licence", "license");
        let error = KindList::parse(Path::new("x"), wrong.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("line 6, column 8") && error.contains("license"), "{error}");
    }

    #[test]
    fn a_decision_about_a_kind_outweighs_what_is_usual_until_it_is_withdrawn() {
        let day = jiff::civil::date(2026, 1, 2);
        let mut list = AsideList::default();
        let usual = [Kind::Licence, Kind::Data];
        assert_eq!(list.apply(&usual), usual);
        assert!(list.set(Kind::Licence, Some(false), day) && list.set(Kind::Test, Some(true), day));
        assert!(!list.set(Kind::Test, Some(true), day) && !list.set(Kind::Code, None, day));
        assert_eq!((list.apply(&usual), list.apply(&[])), (vec![Kind::Data, Kind::Test], vec![Kind::Test]));
        assert!(list.set(Kind::Licence, None, day) && list.set(Kind::Test, Some(false), day));
        assert_eq!(list.apply(&usual), usual);
    }
}
