//! What a decision came to, in words.

use crate::session::protocol::Became;

/// What is said of rows whose text is not at hand.
pub const CHANGED: &str = "The text has changed; the list follows as soon as it is read again.";
/// What is said when a row has no text.
pub const NO_TEXT: &str = "Only passages and blots have a text to decide about.";

/// What was done, as the beginning of a sentence; or why nothing was, as a whole one.
pub type DecisionOutcome = (String, Became);
