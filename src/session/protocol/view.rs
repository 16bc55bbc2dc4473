//! Which rows are asked for, how they are sorted and filtered.

use std::path::PathBuf;
use std::sync::Arc;

use super::subject::{Sort, Subject};
use crate::config::SavedFilters;
use crate::query::filter::{Filter, Problem, parse_for};

/// Which rows are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// What the rows are about.
    pub of: Subject,
    /// How they are sorted; a way that is none of the subject's stands for its usual one.
    pub sort: Sort,
    /// Of files, the folder that is shown, relative to the corpus's base.
    pub folder: PathBuf,
    /// Only rows that pass this filter; its language is that of [`crate::query::filter`].
    pub filter: String,
    /// The saved filters that it may ask for.
    pub saved: Arc<SavedFilters>,
    /// Of blots, only those with df at or above mean + σ·sd; `None` for all that occur twice.
    pub sigma: Option<f64>,
    /// Show taboo rows too.
    pub show_taboo: bool,
    /// Of blots, one row each.
    pub unfolded: bool,
    /// Load at least so many rows.
    pub wanted: usize,
}

impl View {
    /// The filter, and what of it cannot be understood or asked of such rows.
    pub fn parsed(&self) -> (Filter, Vec<Problem>) {
        parse_for(&self.filter, &self.saved, self.of.lacks())
    }
}
