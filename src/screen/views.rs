//! The views, in the order of their keys.
//!
//! A view is described once, by a [`ViewSpec`] in a file of its own: its name and key, its columns, its footer and the
//! message of an empty list. Its rows, sort orders and filters belong to the session: [`Subject`],
//! [`Sort`](dupi_session::Sort) and [`Item`]. To add a view, add its file, and list it in [`PAGES`] and in the functions
//! below.

pub(crate) mod activity;
pub(crate) mod documents;
pub(super) mod review;
pub(crate) mod spec;
pub(crate) mod texts;

use crate::action::{Action, KeyContext, ViewPage};
use crate::views::spec::{LinesSpec, ViewSpec};
use dupi_session::{Item, Subject};
pub(crate) use spec::{
    Column, EmptyList, FIRST_ROWS, LinesContext, ListSpec, MEASURED, RowLink, RowStyles, view_of,
};

/// All views, in their order.
pub(super) const PAGES: [ViewPage; 8] = [
    ViewPage::List(Subject::Passages),
    ViewPage::List(Subject::Blots),
    ViewPage::List(Subject::Documents),
    ViewPage::List(Subject::Clusters),
    ViewPage::List(Subject::Review),
    ViewPage::List(Subject::Files),
    ViewPage::List(Subject::Taboo),
    ViewPage::Activity,
];

/// The view of a subject.
pub(super) const fn list_of(subject: Subject) -> &'static ListSpec {
    match subject {
        Subject::Passages => &texts::PASSAGES,
        Subject::Blots => &texts::BLOTS,
        Subject::Documents => &documents::DOCUMENTS_VIEW,
        Subject::Clusters => &documents::CLUSTERS_VIEW,
        Subject::Review => &review::VIEW,
        Subject::Files => &documents::FILES_VIEW,
        Subject::Taboo => &texts::TABOO,
    }
}

/// The view that lists rows of this kind.
pub(super) fn list_for_row(row: &Item) -> &'static ListSpec {
    list_of(row.subject())
}

impl ViewPage {
    /// Its description, if it is a list.
    pub const fn list(self) -> Option<&'static ListSpec> {
        match self {
            Self::List(of) => Some(list_of(of)),
            Self::Activity => None,
        }
    }

    /// Its description, if it shows lines.
    pub const fn lines(self) -> Option<&'static LinesSpec> {
        match self {
            Self::List(_) => None,
            Self::Activity => Some(&activity::VIEW),
        }
    }

    /// The common part of its description.
    pub const fn spec(self) -> &'static ViewSpec {
        match self {
            Self::List(of) => &list_of(of).view,
            Self::Activity => &activity::VIEW.view,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Finds a view by its name.
    pub fn named(name: &str) -> Option<Self> {
        PAGES.into_iter().find(|page| page.name() == name)
    }

    /// The action that shows the view.
    pub const fn action(self) -> Action {
        Action::Show(self)
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

/// All key contexts with their names: the views, then those of the document pane.
pub(super) fn named_contexts() -> impl Iterator<Item = (&'static str, KeyContext)> {
    let texts =
        [("document", KeyContext::DOCUMENT), ("beside", KeyContext::BESIDE), ("found", KeyContext::FOUND)];
    PAGES.into_iter().map(|page| (page.name(), page.key_context())).chain(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_session::Sort;

    #[test]
    fn every_view_has_a_name_an_action_and_a_place_of_its_own() {
        for (number, page) in PAGES.into_iter().enumerate() {
            assert_eq!(
                (ViewPage::named(page.name()), ViewPage::at(page.key_context())),
                (Some(page), Some(page))
            );
            assert_eq!(page.action().binding().id, page.spec().id);
            let others = PAGES.into_iter().enumerate().filter(|(other, _)| *other != number);
            assert!(others.into_iter().all(|(_, other)| !other.key_context().meets(page.key_context())));
            assert_eq!(page.key_context().meets(KeyContext::LISTS), page.list().is_some());
            assert_ne!(page.list().is_some(), page.lines().is_some());
        }
    }

    #[test]
    fn rows_are_of_the_view_that_lists_them_and_rows_of_one_order_say_so() {
        for page in PAGES {
            let ViewPage::List(of) = page else { continue };
            let list = list_of(of);
            assert!(std::ptr::eq(list_for_row(&(list.example)(1, "text")), list), "{}", page.name());
            assert_eq!(Sort::ways(of).len() < 2, list.one_order.is_some(), "{}", page.name());
        }
    }
}
