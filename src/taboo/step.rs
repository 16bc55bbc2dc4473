//! One step of the journal: the changes of a decision.

use serde::{Deserialize, Serialize};

use super::accepted::AcceptedEntry;
use super::change::EntryChange;
use super::decision::Decision;
use super::entry::TabooEntry;

/// The maximal number of characters of an excerpt.
const LINE: usize = 48;

/// One decision, about one or more entries of one list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
        taboo.or(accepted).unwrap_or_default()
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
