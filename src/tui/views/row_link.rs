//! Links from a row to other rows, and the first request of a view.

use crate::session::{ItemId, Sort, Subject, View};

/// Rows that are asked for at first, and more of when the selection comes near the end of what is loaded.
pub const FIRST_ROWS: usize = 200;

/// Rows that a row leads to.
pub struct RowLink {
    /// Which rows.
    pub view: View,
    /// The one that is selected, if not the first.
    pub selected: Option<ItemId>,
}

/// The rows of a subject, as they are asked for at first.
pub fn view_of(of: Subject) -> View {
    let sort = Sort::ways(of).first().copied().unwrap_or_default();
    View { of, sort, wanted: FIRST_ROWS, ..View::default() }
}
