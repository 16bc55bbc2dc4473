//! The result of saving or deleting a filter.

use std::sync::Arc;

use dupi_base::config::SavedFilters;

/// The result of a write: all saved filters if it succeeded, and the message.
#[derive(Clone, Debug)]
pub(crate) struct FilterOutcome {
    /// All filters there are now; `None` when nothing could be written.
    pub saved: Option<Arc<SavedFilters>>,
    /// Says what was done, or why not.
    pub sentence: String,
}

impl FilterOutcome {
    /// Whether nothing was kept or forgotten.
    pub(crate) fn has_failed(&self) -> bool {
        self.saved.is_none()
    }
}
