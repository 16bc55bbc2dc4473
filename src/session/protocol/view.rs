//! Which rows are asked for, and how they are sorted and filtered.

use std::path::PathBuf;
use std::sync::Arc;

use super::subject::{Sort, Subject};
use dupi_base::config::{Kind, SavedFilters};
use dupi_index::query::filter::{Filter, Problem, parse_for};

/// Which rows are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// The subject of the rows.
    pub of: Subject,
    /// The sort key; a key that the subject does not have means the subject's default.
    pub sort: Sort,
    /// Whether the rows are in the reverse of that order. Lines of kinds stay where they are; a subject with one order
    /// has no reverse.
    pub is_reversed: bool,
    /// For files: the folder that is shown, relative to the corpus's base.
    pub folder: PathBuf,
    /// Only rows that pass this filter, in the language of [`dupi_index::query::filter`].
    pub filter: String,
    /// The saved filters that it can refer to.
    pub saved: Arc<SavedFilters>,
    /// For blots: only those whose document frequency is at least mean + σ · standard deviation; `None` for all that
    /// occur twice.
    pub sigma: Option<f64>,
    /// Whether to show taboo rows too.
    pub show_taboo: bool,
    /// For passages: whether to show those of kinds that are set aside, and all members of families.
    pub show_aside: bool,
    /// For passages: the kinds that are set aside; `None` for the usual ones.
    pub aside: Option<Vec<Kind>>,
    /// For passages: the kinds whose lines are open, so that their passages are listed too.
    pub open: Vec<Kind>,
    /// For clusters: which are unfolded, each by one of its members (see
    /// [`member_hash`](super::subject::member_hash)), so that it stays open when others join it.
    pub unfolded_clusters: Vec<u64>,
    /// For blots: whether each blot is a row of its own.
    pub unfolded: bool,
    /// The number of rows to load at least.
    pub wanted: usize,
}

impl View {
    /// The parsed filter, and its terms that are invalid or do not apply to such rows.
    pub fn parsed(&self) -> (Filter, Vec<Problem>) {
        parse_for(&self.filter, &self.saved, self.of.lacks())
    }
}
