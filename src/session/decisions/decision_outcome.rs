//! The results of decisions, in words.

use crate::protocol::DecisionResult;

/// The message for rows whose text could not be read.
pub(crate) const CHANGED: &str = "The text has changed; the list follows as soon as it is read again.";
/// The message for rows without a text.
pub(crate) const NO_TEXT: &str = "Only passages and blots have a text to decide about.";

/// The message for rows for which only a decision about another row counts.
pub(crate) const OF_ANOTHER: &str =
    "This was decided about another passage that has a copy of the same text; take it back there.";

/// What was changed, as the beginning of a sentence, or why nothing was, as a whole sentence; and the kind of result.
pub(crate) type DecisionOutcome = (String, DecisionResult);
