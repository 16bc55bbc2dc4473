//! One step of the journal: the changes of a decision.

use serde::{Deserialize, Serialize};

use super::accepted::AcceptedEntry;
use super::aside::AsideEntry;
use super::change::EntryChange;
use super::decision::Decision;
use super::entry::TabooEntry;
use super::kinds::KindEntry;

/// The maximal number of characters of an excerpt.
const LINE: usize = 48;

/// One decision, about one or more entries of one list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalStep {
    /// When the decision was taken.
    pub at: jiff::Timestamp,
    /// Whether it was undone. An undone step can be redone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
    /// Changes of the taboo list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taboo: Vec<EntryChange<TabooEntry>>,
    /// Changes of the accepted list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<EntryChange<AcceptedEntry>>,
    /// Changes of the list of corrected kinds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<EntryChange<KindEntry>>,
    /// Changes of the list of kinds that are set aside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aside: Vec<EntryChange<AsideEntry>>,
}

impl JournalStep {
    /// A short description: `taboo "some words…" and 2 more`.
    pub fn words(&self) -> String {
        let taboo = self.taboo.first().map(|first| {
            let (before, after) = (first.before.as_ref(), first.after.as_ref());
            let verb = ["taboo", "no longer taboo", "changed taboo"];
            said(verb, before.map(|entry| &*entry.text), after.map(|entry| &*entry.text), self.taboo.len())
        });
        let accepted = self.accepted.first().map(|first| {
            let (before, after) = (first.before.as_ref(), first.after.as_ref());
            let verb = ["accepted", "open again", "accepted again"];
            said(verb, before.map(|entry| &*entry.text), after.map(|entry| &*entry.text), self.accepted.len())
        });
        let kinds = self.kinds.first().map(|first| {
            let (before, after) = (first.before.as_ref(), first.after.as_ref());
            let set = after.map_or_else(|| "no kind set".to_owned(), |entry| format!("kind {}", entry.kind));
            let verb = [&*set; 3];
            said(verb, before.map(|entry| &*entry.text), after.map(|entry| &*entry.text), self.kinds.len())
        });
        let aside = self.aside.first().and_then(|first| {
            let kind = first.after.as_ref().or(first.before.as_ref())?.kind;
            Some(match first.after.as_ref().map(|entry| entry.aside) {
                Some(true) => format!("{kind} set aside"),
                Some(false) => format!("{kind} listed"),
                None => format!("{kind} as the settings say"),
            })
        });
        taboo.or(accepted).or(kinds).or(aside).unwrap_or_default()
    }
}

fn said(verbs: [&str; 3], before: Option<&str>, after: Option<&str>, count: usize) -> String {
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

/// An entry of a list whose changes are recorded in the journal.
pub trait Journaled: Decision {
    /// The changes of this list in a step.
    fn of_step(step: &mut JournalStep) -> &mut Vec<EntryChange<Self>>;
}

impl Journaled for TabooEntry {
    fn of_step(step: &mut JournalStep) -> &mut Vec<EntryChange<Self>> {
        &mut step.taboo
    }
}

impl Journaled for AcceptedEntry {
    fn of_step(step: &mut JournalStep) -> &mut Vec<EntryChange<Self>> {
        &mut step.accepted
    }
}

impl Journaled for KindEntry {
    fn of_step(step: &mut JournalStep) -> &mut Vec<EntryChange<Self>> {
        &mut step.kinds
    }
}

impl Journaled for AsideEntry {
    fn of_step(step: &mut JournalStep) -> &mut Vec<EntryChange<Self>> {
        &mut step.aside
    }
}
