//! Identifiers of the views, in the order of their keys.

use crate::session::Subject;
use crate::tui::action::KeyContext;

/// A view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewPage {
    /// The rows of a subject, with a preview of the selected one.
    List(Subject),
    /// The activity of the program.
    Activity,
}

/// All views, in their order.
pub const PAGES: [ViewPage; 6] = [
    ViewPage::List(Subject::Passages),
    ViewPage::List(Subject::Blots),
    ViewPage::List(Subject::Documents),
    ViewPage::List(Subject::Files),
    ViewPage::List(Subject::Taboo),
    ViewPage::Activity,
];

impl ViewPage {
    /// The key context of the view.
    pub fn key_context(self) -> KeyContext {
        match self {
            Self::List(of) => KeyContext::list(of),
            Self::Activity => KeyContext::ACTIVITY,
        }
    }

    /// The view with a key context.
    pub fn at(context: KeyContext) -> Option<Self> {
        PAGES.into_iter().find(|page| page.key_context() == context)
    }

    /// The view that many positions further on, cyclically.
    pub fn turned(self, by: isize) -> Self {
        let at = PAGES.iter().position(|page| *page == self).unwrap_or(0) as isize;
        PAGES[(at + by).rem_euclid(PAGES.len() as isize) as usize]
    }
}
