//! Identifiers of the views, in the order of their keys.

use crate::session::Subject;
use crate::tui::action::KeyContext;

/// A view: what fills the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewPage {
    /// Rows of a subject, and what the selected one is.
    List(Subject),
    /// What goes on.
    Activity,
}

/// All of them, in their order.
pub const PAGES: [ViewPage; 6] = [
    ViewPage::List(Subject::Passages),
    ViewPage::List(Subject::Blots),
    ViewPage::List(Subject::Documents),
    ViewPage::List(Subject::Files),
    ViewPage::List(Subject::Taboo),
    ViewPage::Activity,
];

impl ViewPage {
    /// Where keys go while it has them.
    pub fn key_context(self) -> KeyContext {
        match self {
            Self::List(of) => KeyContext::list(of),
            Self::Activity => KeyContext::ACTIVITY,
        }
    }

    /// The one whose keys go to a place.
    pub fn at(context: KeyContext) -> Option<Self> {
        PAGES.into_iter().find(|page| page.key_context() == context)
    }

    /// The one so many further on, round and round.
    pub fn turned(self, by: isize) -> Self {
        let at = PAGES.iter().position(|page| *page == self).unwrap_or(0) as isize;
        PAGES[(at + by).rem_euclid(PAGES.len() as isize) as usize]
    }
}
