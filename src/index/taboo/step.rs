//! One step of the journal: the changes of a decision. This file lists all kinds of decisions: a further kind is a file
//! with the type of its entries, and a line here.

use serde::{Deserialize, Serialize};

use super::accepted::AcceptedEntry;
use super::change::{Decision, EntryChange};
use super::entry::TabooEntry;
use super::excluded::ExcludedEntry;
use super::kinds::{AsideEntry, KindEntry};

/// An entry of a list whose changes are recorded in the journal.
pub trait Journaled: Decision {
    /// The changes of this list in a step.
    fn of_step(step: &mut JournalStep) -> &mut Vec<EntryChange<Self>>;
}

impl JournalStep {
    /// Whether undoing or redoing it adds entries to the taboo list.
    pub(super) fn adds_taboo(&self, undo: bool) -> bool {
        let is_added = |change: &EntryChange<TabooEntry>| {
            if undo { change.after.is_none() } else { change.before.is_none() }
        };
        self.taboo.iter().any(is_added)
    }
}

/// Does something with each kind of decisions.
pub(super) trait KindVisitor {
    /// What ends the visit.
    type Found;

    /// Visits one kind.
    fn visit<E: Journaled>(&mut self) -> Option<Self::Found>;
}

/// Defines what depends on the list of all kinds.
macro_rules! decisions {
    ($($(#[$doc:meta])* $field:ident: $entry:ty,)*) => {
        /// One decision, about one or more entries of one list.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct JournalStep {
            /// When the decision was taken.
            pub at: jiff::Timestamp,
            /// Whether it was undone. An undone step can be redone.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            pub undone: bool,
            /// If this is half of a decision about two lists: the folder with the journal that has the other half, at
            /// the same time. Both are undone and redone together.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub with: Option<String>,
            $(
                $(#[$doc])*
                #[serde(default, skip_serializing_if = "Vec::is_empty")]
                pub $field: Vec<EntryChange<$entry>>,
            )*
        }

        impl JournalStep {
            /// A short description: `taboo "some words…" and 2 more`.
            pub fn words(&self) -> String {
                $(if let Some(EntryChange { before, after, .. }) = self.$field.first() {
                    return <$entry>::words(before.as_ref(), after.as_ref(), self.$field.len());
                })*
                String::new()
            }
        }

        $(impl Journaled for $entry {
            fn of_step(step: &mut JournalStep) -> &mut Vec<EntryChange<Self>> {
                &mut step.$field
            }
        })*

        /// The file names of all lists in the folder of a corpus's index.
        pub const LISTS: [&str; [$(<$entry>::NAME),*].len()] = [$(<$entry>::NAME),*];
        /// The names of their locks.
        pub(super) const LIST_LOCKS: [&str; LISTS.len()] = [$(<$entry>::LOCK),*];
        /// What each list is, as `clean` says that it stays.
        pub const LISTS_IN_WORDS: [(&str, &str); LISTS.len()] = [$((<$entry>::NAME, <$entry>::STAYS)),*];

        /// Visits the kinds in their order, until one visit returns something.
        pub(super) fn visit_kinds<V: KindVisitor>(visitor: &mut V) -> Option<V::Found> {
            $(if let Some(found) = visitor.visit::<$entry>() {
                return Some(found);
            })*
            None
        }
    };
}

decisions! {
    /// Changes of the taboo list.
    taboo: TabooEntry,
    /// Changes of the accepted list.
    accepted: AcceptedEntry,
    /// Changes of the list of corrected kinds.
    kinds: KindEntry,
    /// Changes of the list of kinds that are set aside.
    aside: AsideEntry,
    /// Changes of the list of files and folders that are left out.
    excluded: ExcludedEntry,
}
