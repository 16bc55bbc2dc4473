//! Which rows are asked for, and a list of them with the facts about the whole list.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::items::{HiddenCounts, Item};
use super::subject::{Sort, Subject};
use dupi_base::config::{Kind, SavedFilters};
use dupi_base::corpus::lossless;
use dupi_index::index::ranking::SPREAD;
use dupi_index::query::filter::{Filter, Problem, parse_for};
use dupi_judge::aside::AsideSummary;

/// The interval at which a growing answer is sent.
pub(crate) const SEND_INTERVAL: Duration = Duration::from_millis(60);

/// The rows of a view, as far as they are loaded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// The view that was asked for.
    pub view: View,
    /// The generation that it was made from.
    pub generation: u64,
    /// The rows.
    pub rows: Vec<Item>,
    /// The invalid terms of the filter; the other terms apply.
    pub problems: Vec<Problem>,
    /// Passages are not found yet. Meanwhile there are rows of blots where passages were asked for, and none where
    /// documents or files were.
    pub is_provisional: bool,
    /// Whether these are some passages of a first search, until all are found.
    pub is_first_look: bool,
    /// The error because of which there are no rows: a sentence.
    pub trouble: Option<String>,
    /// Whether these are all rows.
    pub complete: bool,
    /// How many rows there are without lines of kinds, where that is known before all are loaded.
    pub total: Option<u64>,
    /// The share of all rows that was looked at so far, 0 to 1.
    pub searched: f64,
    /// The number of blots that occur at least twice.
    pub repeated: u64,
    /// The document frequency that the view's σ stands for.
    pub cut: Option<u32>,
    /// How many blots occur in 1 document, in 2 to 3, in 4 to 7, and so on.
    pub spread: [u64; SPREAD],
    /// The greatest document frequency of a blot.
    pub greatest: u32,
    /// What the taboo list hides of the rows that were looked at.
    pub hidden: HiddenCounts,
    /// What is left out of a list of passages because of its kind, the kind with the most passages first.
    pub aside: Vec<AsideSummary>,
    /// For passages: the kinds that are set aside, be there such passages or not, by settings and decisions.
    pub aside_kinds: Vec<Kind>,
    /// How many passages are left out because another passage of their family is listed, or set aside.
    pub in_families: u64,
    /// Whether rows that pass the filter are hidden because they are taboo; only known where the list is empty.
    pub hides_matches: bool,
    /// For documents and files: the number of tokens that lie in passages and of all tokens, in the corpus or in the
    /// folder that is listed.
    pub share: Option<(u64, u64)>,
    /// For clusters: how documents were compared, and what was found.
    pub clusters: Option<ClusterFacts>,
    /// For a review: what was reviewed.
    pub review: Option<ReviewFacts>,
}

/// What was reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewFacts {
    /// How many files the change changes,
    pub files: u64,
    /// and how many lines it adds.
    pub added: u64,
    /// How many passages are left out, because of their kind, worth or family.
    pub left_out: u64,
    /// How many passages were moved or edited and have as many copies as before.
    pub moved: u64,
}

/// How documents were compared, and what was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterFacts {
    /// How similar documents were found; `None` while only identical ones are known.
    pub compared: Option<Comparison>,
    /// How many rows of folders there are,
    pub trees: u64,
    /// of identical documents,
    pub identical: u64,
    /// and of similar ones.
    pub similar: u64,
    /// How many files were not compared because they are too large.
    pub too_large: u64,
}

/// A method by which similar documents were found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Its name, as the verb `near` has it.
    pub method: &'static str,
    /// The least similarity of a pair.
    pub threshold: f64,
}

impl Listing {
    /// Whether rows of another kind stand in for those that are not found yet.
    pub fn has_stand_ins(&self) -> bool {
        self.is_provisional && !self.is_first_look
    }
}

/// What one taboo set hides and another does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TabooDifference {
    /// The kind of rows that were counted.
    pub of: Subject,
    /// The number of these rows, with their copies and documents.
    pub sum: HiddenCounts,
    /// Not all rows were counted: there may be more.
    pub is_least: bool,
}

impl TabooDifference {
    /// Whether there is no difference.
    pub fn is_empty(&self) -> bool {
        self.sum.rows == 0
    }

    /// The difference in words: `3 rows with 120 copies in 60 documents`, after `at least` if not all were counted.
    pub fn words(&self) -> String {
        let unit = match self.of {
            Subject::Passages => ["passage", "passages"],
            _ => ["row", "rows"],
        };
        let HiddenCounts { rows, copies, documents } = self.sum;
        let [rows, copies, documents] =
            [(rows, unit), (copies, ["copy", "copies"]), (documents, ["document", "documents"])]
                .map(|(number, words)| counted(number, words));
        format!("{}{rows} with {copies} in {documents}", if self.is_least { "at least " } else { "" })
    }
}

/// A number with its word: `1 copy`, `2 copies`.
pub(crate) fn counted(number: u64, [one, many]: [&str; 2]) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Which rows are asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// The subject of the rows.
    #[serde(skip)]
    pub of: Subject,
    /// The sort key; a key that the subject does not have means the subject's default.
    pub sort: Sort,
    /// Whether the rows are in the reverse of that order. Lines of kinds stay where they are; a subject with one order
    /// has no reverse.
    pub is_reversed: bool,
    /// For files: the folder that is shown, relative to the corpus's base.
    #[serde(with = "lossless")]
    pub folder: PathBuf,
    /// Only rows that pass this filter, in the language of [`dupi_index::query::filter`].
    pub filter: String,
    /// The saved filters that it can refer to.
    #[serde(skip)]
    pub saved: Arc<SavedFilters>,
    /// For blots: only those whose document frequency is at least mean + σ · standard deviation; `None` for all that
    /// occur twice.
    pub sigma: Option<f64>,
    /// Whether to show taboo rows too.
    pub show_taboo: bool,
    /// For passages: whether to show those of kinds that are set aside, and all members of families.
    pub show_aside: bool,
    /// For passages: the kinds that are set aside; `None` for the usual ones.
    #[serde(skip)]
    pub aside: Option<Vec<Kind>>,
    /// For passages: the kinds whose lines are open, so that their passages are listed too.
    pub open: Vec<Kind>,
    /// For clusters: which are unfolded, each by one of its members (see
    /// [`member_hash`](super::subject::member_hash)), so that it stays open when others join it.
    pub unfolded_clusters: Vec<u64>,
    /// For blots: whether each blot is a row of its own.
    pub unfolded: bool,
    /// The number of rows to load at least.
    #[serde(skip)]
    pub wanted: usize,
}

impl View {
    /// The text of the filter, and the saved filters that it can refer to.
    pub(crate) fn filter_key(&self) -> (String, Arc<SavedFilters>) {
        (self.filter.clone(), Arc::clone(&self.saved))
    }

    /// The parsed filter, and its terms that are invalid or do not apply to such rows.
    pub fn parsed(&self) -> (Filter, Vec<Problem>) {
        parse_for(&self.filter, &self.saved, self.of.lacks())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_counted_to_the_end_is_at_least_so_many() {
        let sum = HiddenCounts { rows: 1, copies: 3, documents: 2 };
        let of = |is_least| TabooDifference { of: Subject::Blots, sum, is_least }.words();
        assert_eq!(of(true), "at least 1 row with 3 copies in 2 documents");
        assert_eq!(of(false), "1 row with 3 copies in 2 documents");
    }
}
