//! Decisions about a corpus: the steps that change the lists of decisions, and counts of what a taboo decision would hide.

use crate::protocol::DecisionResult;
use dupi_index::taboo::TabooError;

pub(super) mod steps;
pub(super) mod taboo;

/// What was changed, as the beginning of a sentence, or why nothing was, as a whole sentence; and the kind of result.
type Outcome = Result<(String, DecisionResult), TabooError>;

/// Nothing was changed, for a reason.
fn nothing(why: impl Into<String>) -> Outcome {
    Ok((why.into(), DecisionResult::Nothing))
}

/// Something was changed.
fn did(what: impl Into<String>) -> Outcome {
    Ok((what.into(), DecisionResult::Done))
}
