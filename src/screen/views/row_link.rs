//! Links from a row to other rows, and the first request of a view.

use dupi_session::{ItemId, Sort, Subject, View};

/// The number of rows in the first request; more are requested when the selection comes near the last one.
pub(crate) const FIRST_ROWS: usize = 200;

/// A link to other rows.
pub struct RowLink {
    /// The rows.
    pub view: View,
    /// The row to select, if not the first.
    pub selected: Option<ItemId>,
}

/// The first request of a view of a subject.
pub(crate) fn view_of(of: Subject) -> View {
    let sort = Sort::ways(of).first().copied().unwrap_or_default();
    // What is taboo in a change is a state of its rows like the others.
    View { of, sort, show_taboo: of.is_from_review(), wanted: FIRST_ROWS, ..View::default() }
}
