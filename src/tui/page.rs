//! The six views, as they are numbered.

use super::action::{Action, Place};
use crate::session::Subject;

/// What fills the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    /// Rows of a subject, and what the selected one is.
    List(Subject),
    /// What goes on.
    Activity,
}

/// All of them, in their order.
pub const PAGES: [Page; 6] = [
    Page::List(Subject::Passages),
    Page::List(Subject::Blots),
    Page::List(Subject::Documents),
    Page::List(Subject::Files),
    Page::List(Subject::Taboo),
    Page::Activity,
];

impl Page {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::List(Subject::Passages) => "passages",
            Self::List(Subject::Blots) => "blots",
            Self::List(Subject::Documents) => "documents",
            Self::List(Subject::Files) => "files",
            Self::List(Subject::Taboo) => "taboo",
            Self::Activity => "activity",
        }
    }

    /// The view with a name.
    pub fn named(name: &str) -> Option<Self> {
        PAGES.into_iter().find(|page| page.name() == name)
    }

    /// The action that shows it.
    pub fn action(self) -> Action {
        match self {
            Self::List(Subject::Passages) => Action::Passages,
            Self::List(Subject::Blots) => Action::Blots,
            Self::List(Subject::Documents) => Action::Documents,
            Self::List(Subject::Files) => Action::Files,
            Self::List(Subject::Taboo) => Action::TabooList,
            Self::Activity => Action::Activity,
        }
    }

    /// Where keys go while it has them.
    pub fn place(self) -> Place {
        match self {
            Self::List(of) => Place::of(of),
            Self::Activity => Place::ACTIVITY,
        }
    }

    /// The one so many further on, round and round.
    pub fn turned(self, by: isize) -> Self {
        let at = PAGES.iter().position(|page| *page == self).unwrap_or(0) as isize;
        PAGES[(at + by).rem_euclid(PAGES.len() as isize) as usize]
    }
}
