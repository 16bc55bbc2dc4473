//! Messages that are used in several files.

/// What is said where a row is needed and there is none.
pub(super) const NO_ROW: &str = "No row is selected.";

/// What is said of what was pressed too early to be held.
pub(super) const NOT_YET: &str = "The rows are not there yet.";
