//! Messages that are used in several files.

/// The message when an action needs a row and there is none.
pub(super) const NO_ROW: &str = "No row is selected.";

/// The message until two copies are read that can be compared.
pub(super) const COMPARED_LATER: &str = "Two copies are compared as soon as they are read.";

/// The message when a key is refused because the rows have not arrived.
pub(super) const NOT_YET: &str = "The rows are not there yet.";
