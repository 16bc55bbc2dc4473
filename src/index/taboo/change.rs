//! The changes that a decision makes to a list, and how they are undone and redone, each in one pass.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The change of one entry of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryChange<E> {
    /// The entry's index in the list.
    pub at: usize,
    /// The old entry; `None` if it was added.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub before: Option<E>,
    /// The new entry; `None` if it was removed.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub after: Option<E>,
}

/// The changes that turn `before` into `after`. Of several entries with one key, only the first one of a list
/// counts.
pub(super) fn changes<E: Decision>(before: &[E], after: &[E]) -> Vec<EntryChange<E>> {
    let (earlier, later) = (positions(before), positions(after));
    // If no entry moved, an entry with another key at the same index is an edit.
    let is_in_place = before.len() == after.len()
        && earlier.iter().all(|(key, at)| later.get(key).is_none_or(|now| now == at));
    let mut changes = Vec::new();
    let mut used: HashSet<E::Key<'_>> = HashSet::new();
    for (at, old) in before.iter().enumerate() {
        if earlier.get(&old.key()) != Some(&at) {
            continue;
        }
        let new = match later.get(&old.key()) {
            Some(&now) if after[now] == *old => continue,
            Some(&now) => Some(&after[now]),
            None if is_in_place => Some(&after[at]).filter(|new| !earlier.contains_key(&new.key())),
            None => None,
        };
        used.extend(new.map(E::key));
        changes.push(EntryChange { at, before: Some(old.clone()), after: new.cloned() });
    }
    for (at, new) in after.iter().enumerate() {
        if !earlier.contains_key(&new.key()) && used.insert(new.key()) {
            changes.push(EntryChange { at, before: None, after: Some(new.clone()) });
        }
    }
    changes
}

/// Undoes or redoes the changes of a step. Returns the new list, and how many changes could be applied. The changes
/// keep each replaced or removed entry as it was, including later edits by hand.
pub(super) fn apply<E: Decision>(list: &[E], changes: &mut [EntryChange<E>], undo: bool) -> (Vec<E>, usize) {
    let mut positions = positions(list);
    let mut kept: Vec<Option<&E>> = list.iter().map(Some).collect();
    let mut inserted: Vec<(usize, &E)> = Vec::new();
    let mut changed = 0;
    let mut taken: Vec<Option<E>> = Vec::with_capacity(changes.len());
    for change in changes.iter() {
        let (old, new) = if undo { (&change.after, &change.before) } else { (&change.before, &change.after) };
        let mut gone = None;
        match (old, new) {
            (Some(old), new) => {
                if let Some(at) = positions.remove(&old.key()) {
                    gone = std::mem::replace(&mut kept[at], new.as_ref()).cloned();
                    if let Some(other) = new.as_ref().and_then(|new| positions.insert(new.key(), at)) {
                        kept[other] = None;
                    }
                    changed += 1;
                }
            }
            (None, Some(new)) if !positions.contains_key(&new.key()) => {
                inserted.push((change.at, new));
                changed += 1;
            }
            (None, _) => {}
        }
        taken.push(gone);
    }
    drop(positions);
    inserted.sort_by_key(|(at, _)| *at);
    let mut inserted = inserted.into_iter().peekable();
    let mut turned: Vec<E> = Vec::with_capacity(list.len() + inserted.len());
    for entry in kept.into_iter().flatten() {
        while let Some((_, new)) = inserted.next_if(|(at, _)| *at <= turned.len()) {
            turned.push(new.clone());
        }
        turned.push(entry.clone());
    }
    turned.extend(inserted.map(|(_, new)| new.clone()));
    for (change, gone) in changes.iter_mut().zip(taken) {
        let old = if undo { &mut change.after } else { &mut change.before };
        *old = gone.or_else(|| old.take());
    }
    (turned, changed)
}

/// The index of the first entry of each key.
fn positions<E: Decision>(list: &[E]) -> HashMap<E::Key<'_>, usize> {
    list.iter().enumerate().rev().map(|(at, entry)| (entry.key(), at)).collect()
}

// The type of the entries of a decision list, and decisions in words.

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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;
    use crate::taboo::fixture::accepted;
    use crate::taboo::{AcceptedEntry, AcceptedList};

    proptest! {
        #[test]
        fn the_changes_of_a_decision_are_undone_and_redone(
            deeds in proptest::collection::vec(0..4, 0..12),
            new in 0..4u64,
        ) {
            let before: Vec<AcceptedEntry> = (0..deeds.len() as u64).map(|number| accepted(number, 2)).collect();
            let mut after = Vec::new();
            for (entry, deed) in before.iter().zip(&deeds) {
                match (deed, entry.of) {
                    (0, _) => {}
                    (1, _) => after.push(AcceptedEntry { copies: 3, ..entry.clone() }),
                    _ => after.push(entry.clone()),
                }
            }
            after.extend((100..100 + new).map(|number| accepted(number, 2)));
            let mut changes = changes(&before, &after);
            let all = changes.len();
            prop_assert_eq!(apply(&after, &mut changes, true), (before.clone(), all));
            prop_assert_eq!(apply(&before, &mut changes, false), (after, all));
        }
    }

    #[test]
    fn many_changes_take_one_pass() {
        const MANY: u64 = 60_000;
        let begun = Instant::now();
        let mut list = AcceptedList::default();
        assert_eq!(list.decide((0..MANY).map(|number| accepted(number, 2))), MANY as usize);
        assert_eq!(list.decide((0..MANY).map(|number| accepted(number, 3))), MANY as usize);
        let before = list.entries().to_vec();
        assert_eq!(list.remove_all(|entry| entry.copies == 3), MANY as usize);
        let mut changes = changes(&before, list.entries());
        assert_eq!(apply(list.entries(), &mut changes, true), (before.clone(), MANY as usize));
        assert_eq!(apply(&before, &mut changes, false).1, MANY as usize);
        // One pass per change would take a hundred times as long.
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }
}
