//! Which commits the lines of a copy come from.

use dupi_index::query::Occurrence;
use dupi_review::change::blame::BlamedCommit;

/// The answer to [`Request::Blame`](super::Request::Blame).
#[derive(Clone, Debug, PartialEq)]
pub struct BlameAnswer {
    /// The copy that was asked about.
    pub at: Occurrence,
    /// Where its lines come from, those of most lines first; or why that is not known: a sentence.
    pub lines: Result<Vec<BlamedLines>, String>,
}

/// Lines that come from one commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlamedLines {
    /// How many lines.
    pub lines: u32,
    /// The commit; `None` for what is not committed.
    pub commit: Option<BlamedCommit>,
}
