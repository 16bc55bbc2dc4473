//! The list of kinds that are set aside in this corpus, or not, whatever the settings say.

use serde::{Deserialize, Serialize};

use super::decision::Decision;
use super::list::DecisionList;
use dupi_base::config::Kind;

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
    pub fn of(&self, usual: &[Kind]) -> Vec<Kind> {
        let is_aside = |kind: &Kind| {
            let decided = self.entries.iter().find(|entry| entry.kind == *kind);
            decided.map_or(usual.contains(kind), |entry| entry.aside)
        };
        Kind::ALL.into_iter().filter(is_aside).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_about_a_kind_outweighs_what_is_usual_until_it_is_withdrawn() {
        let day = jiff::civil::date(2026, 1, 2);
        let mut list = AsideList::default();
        let usual = [Kind::Licence, Kind::Data];
        assert_eq!(list.of(&usual), usual);
        assert!(list.set(Kind::Licence, Some(false), day) && list.set(Kind::Test, Some(true), day));
        assert!(!list.set(Kind::Test, Some(true), day) && !list.set(Kind::Code, None, day));
        assert_eq!((list.of(&usual), list.of(&[])), (vec![Kind::Data, Kind::Test], vec![Kind::Test]));
        assert!(list.set(Kind::Licence, None, day) && list.set(Kind::Test, Some(false), day));
        assert_eq!(list.of(&usual), usual);
    }
}
