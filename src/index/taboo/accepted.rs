//! The list of reviewed passages and blots: accepted, and so left as they are until they gain copies, or marked to be fixed.

use serde::{Deserialize, Serialize};

use super::accepted_id::{AcceptedId, KeptTexts};
use super::change::{Decision, said};
use super::list::DecisionList;
use super::recognition::{DecidedSet, PassageDecision};

/// The accepted entries of a corpus, in the order of the decisions.
pub type AcceptedList = DecisionList<AcceptedEntry>;

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
    /// Whether it is not accepted, but to be fixed; then it is so with any number of copies.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fix: bool,
    /// Other texts of its copies, by which it is recognised.
    #[serde(default, skip_serializing_if = "KeptTexts::is_empty")]
    pub texts: KeptTexts,
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
# What was reviewed in this corpus and accepted. A passage is open again when it has more than `copies` copies. With
# `fix = true` it is not accepted, but to be fixed. `texts` are other texts of its copies, by which it is recognised.
# `text` and `reason` are for people. Other comments are not kept.

";

    type Key<'a> = AcceptedId;

    fn key(&self) -> AcceptedId {
        self.of
    }

    fn words(before: Option<&Self>, after: Option<&Self>, count: usize) -> String {
        let is_to_fix = |entry: Option<&Self>| entry.is_some_and(|entry| entry.fix);
        let verbs = match (is_to_fix(before), is_to_fix(after)) {
            (_, true) => ["to fix", "open again", "to fix"],
            (true, false) => ["accepted", "not to fix", "accepted"],
            (false, false) => ["accepted", "open again", "accepted again"],
        };
        said(verbs, before.map(|entry| &*entry.text), after.map(|entry| &*entry.text), count)
    }
}

impl PassageDecision for AcceptedEntry {
    type Verdict = Reviewed;

    fn of(&self) -> AcceptedId {
        self.of
    }

    fn texts(&self) -> &KeptTexts {
        &self.texts
    }

    fn verdict(&self) -> Reviewed {
        if self.fix { Reviewed::ToFix } else { Reviewed::Accepted }
    }

    fn copies(&self) -> u64 {
        self.copies
    }

    fn says_more(&self, old: &Self) -> bool {
        let has_reason = self.reason.is_some() && self.reason != old.reason;
        has_reason || self.fix != old.fix || self.copies > old.copies
    }

    /// An old reason stays until there is a new one.
    fn inherit(&mut self, old: &mut Self) {
        self.reason = self.reason.take().or_else(|| old.reason.take());
    }
}

/// What a review said of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reviewed {
    /// It stays as it is.
    Accepted,
    /// It is to be fixed.
    ToFix,
}

/// What was reviewed, with the numbers of copies.
pub type AcceptedSet = DecidedSet<Reviewed>;

impl AcceptedSet {
    /// With how many copies an id was accepted; `None` if it was not.
    pub fn copies(&self, id: AcceptedId) -> Option<u64> {
        self.get(id).filter(|(review, _)| *review == Reviewed::Accepted).map(|(_, copies)| copies)
    }

    /// Whether an id is to be fixed.
    pub fn is_to_fix(&self, id: AcceptedId) -> bool {
        self.get(id).is_some_and(|(review, _)| review == Reviewed::ToFix)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::taboo::{CountingEntry, TextRow};
    use dupi_text::blot::Blot;

    #[test]
    fn an_entry_that_is_accepted_again_keeps_its_reason_and_date_unless_something_is_new() {
        let entry = |copies, day, reason: Option<&str>| AcceptedEntry {
            added: jiff::civil::date(2026, 1, day),
            reason: reason.map(str::to_owned),
            ..accepted(7, copies, &[])
        };
        let mut list: AcceptedList = [entry(3, 1, Some("seen"))].into_iter().collect();
        for same in [entry(3, 2, None), entry(2, 2, None), entry(3, 2, Some("seen"))] {
            assert_eq!(list.decide([same]), 0);
            assert_eq!(list.entries(), [entry(3, 1, Some("seen"))]);
        }
        assert_eq!(list.decide([entry(4, 3, None)]), 1);
        assert_eq!(list.entries(), [entry(4, 3, Some("seen"))], "it has more copies");
        assert_eq!(list.decide([entry(4, 4, Some("still")), entry(4, 5, None)]), 1);
        assert_eq!(list.entries(), [entry(4, 4, Some("still"))], "there is another reason");
    }

    /// A passage with an id that is a text.
    fn row(id: u64, copies: u64, texts: &[u64]) -> TextRow<'_> {
        TextRow { id, copies, texts, is_text: true }
    }

    #[test]
    fn what_is_to_be_fixed_is_not_accepted_and_can_be_accepted_later() {
        let entry = |fix, copies| AcceptedEntry { fix, ..accepted(1, copies, &[2]) };
        let mut list: AcceptedList = [entry(true, 3)].into_iter().collect();
        let id = AcceptedId::Passage(1);
        let of =
            |list: &AcceptedList| (AcceptedSet::new(list).copies(id), AcceptedSet::new(list).is_to_fix(id));
        assert_eq!(of(&list), (None, true));
        let recognised = AcceptedSet::new(&list).recognising([row(2, 7, &[])].into_iter());
        assert!(
            recognised.is_to_fix(AcceptedId::Passage(2))
                && recognised.copies(AcceptedId::Passage(2)).is_none()
        );
        assert!(list.to_text().unwrap().contains("fix = true"));
        assert_eq!((list.decide([entry(true, 3)]), list.decide([entry(false, 3)])), (0, 1));
        assert_eq!(of(&list), (Some(3), false));
        assert!(!list.to_text().unwrap().contains("fix = true\n"));
        assert_eq!((list.decide([entry(true, 2)]), of(&list)), (1, (None, true)));
        let words = |before: bool, after: bool| {
            AcceptedEntry::words(Some(&entry(before, 2)), Some(&entry(after, 2)), 1)
        };
        assert_eq!(
            [words(true, false), words(false, true)],
            ["accepted \"some words\"", "to fix \"some words\""]
        );
    }

    fn accepted(id: u64, copies: u64, texts: &[u64]) -> AcceptedEntry {
        AcceptedEntry {
            of: AcceptedId::Passage(id),
            text: "some words".into(),
            copies,
            fix: false,
            texts: KeptTexts::new(texts),
            added: jiff::civil::date(2026, 1, 2),
            reason: None,
        }
    }

    /// With how many copies each of some passages was accepted, and by which entry.
    fn recognised(entries: &[AcceptedEntry], rows: &[TextRow]) -> Vec<Option<(u64, u64)>> {
        let list: AcceptedList = entries.iter().cloned().collect();
        let set = AcceptedSet::new(&list).recognising(rows.iter().copied());
        let of = |row: &TextRow| {
            let id = AcceptedId::Passage(row.id);
            Some((set.copies(id)?, set.entry(id)?.id.passage()?))
        };
        rows.iter().map(of).collect()
    }

    #[test]
    fn a_passage_is_recognised_by_a_text_that_a_copy_has_and_had() {
        let entry = accepted(1, 5, &[2, 3]);
        let only = |row| recognised(std::slice::from_ref(&entry), &[row])[0];
        assert_eq!(only(row(1, 5, &[])), Some((5, 1)));
        assert_eq!(only(row(2, 5, &[])), Some((5, 1)), "a copy represents it that it had");
        assert_eq!(only(row(9, 5, &[1])), Some((5, 1)), "what represented it is a copy");
        assert_eq!(only(row(9, 7, &[8, 3])), Some((5, 1)), "it has more copies: it is open again");
        assert_eq!(only(row(9, 5, &[8])), None);
        let documents = TextRow { id: 2, copies: 5, texts: &[9], is_text: false };
        assert_eq!(only(documents), None, "an id that is not the fingerprint of a text");
        assert_eq!(only(TextRow { texts: &[1], ..documents }), Some((5, 1)));
    }

    #[test]
    fn of_several_passages_with_a_text_of_an_entry_the_one_with_its_id_comes_first() {
        let entry = accepted(1, 5, &[2, 3]);
        let all = |rows: &[TextRow]| recognised(std::slice::from_ref(&entry), rows);
        assert_eq!(all(&[row(7, 4, &[2, 3]), row(1, 5, &[])]), [None, Some((5, 1))]);
        // The parts of a group that was split.
        assert_eq!(all(&[row(7, 2, &[3]), row(1, 3, &[2])]), [Some((2, 1)), Some((5, 1))]);
        assert_eq!(
            all(&[row(7, 3, &[3]), row(1, 3, &[2])]),
            [None, Some((5, 1))],
            "more copies than there were"
        );
        // Without it the one with the text of its id, then the one with more of its texts.
        assert_eq!(all(&[row(7, 5, &[2, 3]), row(8, 5, &[1])]), [None, Some((5, 1))]);
        assert_eq!(all(&[row(7, 5, &[3]), row(8, 5, &[2, 3])]), [None, Some((5, 1))]);
        // Each entry counts for the passage that has its id.
        let two = [entry.clone(), accepted(2, 9, &[1])];
        assert_eq!(recognised(&two, &[row(2, 9, &[1]), row(1, 5, &[2])]), [Some((9, 2)), Some((5, 1))]);
    }

    #[test]
    fn what_is_accepted_again_takes_the_place_of_the_entry_that_recognised_it() {
        let reason = Some("seen".to_owned());
        let before = AcceptedEntry { reason: reason.clone(), ..accepted(1, 5, &[2]) };
        let mut list: AcceptedList = [before.clone(), accepted(3, 2, &[])].into_iter().collect();
        let id = CountingEntry::own(AcceptedId::Passage(1));
        assert_eq!(list.decide_as([(id, accepted(2, 5, &[1]))]), 0, "nothing is new");
        assert_eq!(list.entries()[0], before);
        assert_eq!(list.decide_as([(id, accepted(2, 6, &[1]))]), 1);
        assert_eq!(list.entries(), [AcceptedEntry { reason, ..accepted(2, 6, &[1]) }, accepted(3, 2, &[])]);
    }

    #[test]
    fn an_entry_that_counts_for_another_passage_is_neither_replaced_nor_removed() {
        let decided = |rows: &[TextRow], about: u64| {
            let mut list: AcceptedList = [accepted(1, 5, &[2, 3])].into_iter().collect();
            let set = AcceptedSet::new(&list).recognising(rows.iter().copied());
            let counting = set.entry(AcceptedId::Passage(about)).unwrap();
            let again = AcceptedEntry { reason: Some("why".into()), ..accepted(about, 2, &[]) };
            assert_eq!(list.decide_as([(counting, again)]), 1);
            let ids = list.entries().iter().filter_map(|entry| entry.of.passage());
            (ids.collect::<Vec<_>>(), counting.is_removable)
        };
        assert_eq!(decided(&[row(7, 2, &[3]), row(1, 3, &[2])], 7), (vec![1, 7], false));
        assert_eq!(decided(&[row(7, 2, &[3]), row(1, 3, &[2])], 1), (vec![1], true));
        assert_eq!(decided(&[row(7, 2, &[3])], 7), (vec![7], true), "no passage has its id now");
        let parts = [row(7, 2, &[3]), row(8, 2, &[2, 3])];
        assert_eq!(decided(&parts, 8), (vec![8], true), "it has the best claim");
        assert_eq!(decided(&parts, 7), (vec![1, 7], true));
    }

    #[test]
    fn a_list_without_kept_texts_is_read_and_their_number_is_bounded() {
        let old = "[[accepted]]\nof = \"passage:0000000000000007\"\ntext = \"a\"\ncopies = 3\nadded = \"2026-01-02\"\n";
        let list = AcceptedList::parse(Path::new("x"), old.as_bytes()).unwrap();
        assert!(list.entries()[0].texts.is_empty());
        assert!(!list.to_text().unwrap().contains("texts ="));
        let many: Vec<u64> = (0..1000).collect();
        let list: AcceptedList = [accepted(7, 1000, &many)].into_iter().collect();
        let text = list.to_text().unwrap();
        assert!(text.contains("texts = \"0000000000000000 0000000000000001 "), "{text}");
        assert_eq!(AcceptedList::parse(Path::new("x"), text.as_bytes()).unwrap(), list);
        assert_eq!(list.entries()[0].texts.iter().count(), 16);
        let wrong = text.replace("0000000000000001 ", "x ");
        let error = AcceptedList::parse(Path::new("x"), wrong.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("`x` is not a hexadecimal number"), "{error}");
    }

    #[test]
    fn the_list_is_read_back_and_errors_have_line_and_column() {
        let entry = |of| AcceptedEntry { of, text: "some \"words\"".into(), ..accepted(7, 3, &[]) };
        let blot = Blot::new(0xabc).unwrap();
        let list: AcceptedList =
            [entry(AcceptedId::Passage(7)), entry(AcceptedId::Blot(blot))].into_iter().collect();
        let text = list.to_text().unwrap();
        assert!(text.contains("passage:0000000000000007"), "{text}");
        assert_eq!(AcceptedList::parse(Path::new("x"), text.as_bytes()).unwrap(), list);
        let wrong = text.replace("passage:0000000000000007", "passage:7");
        let error = AcceptedList::parse(Path::new("x"), wrong.as_bytes()).unwrap_err().to_string();
        assert!(
            error.contains("line 6, column 6") && error.contains("is not a passage, cluster or blot"),
            "{error}"
        );
    }
}
