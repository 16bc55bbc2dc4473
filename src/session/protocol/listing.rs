//! A list of rows with the facts about the whole list. It is generic over the type of its rows, so that the file of one
//! kind of row makes such a list without importing the other kinds.

use std::time::Duration;

use super::hidden::HiddenCounts;
use super::view::View;
use dupi_base::config::Kind;
use dupi_index::index::ranking::SPREAD;
use dupi_index::query::filter::Problem;
use dupi_passage::aside::AsideSummary;

/// The interval at which a growing answer is sent.
pub(crate) const SEND_INTERVAL: Duration = Duration::from_millis(60);

/// The rows of a view, as far as they are loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct RowList<I> {
    /// The view that was asked for.
    pub view: View,
    /// The generation that it was made from.
    pub generation: u64,
    /// The rows.
    pub rows: Vec<I>,
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

impl<I> RowList<I> {
    /// Whether rows of another kind stand in for those that are not found yet.
    pub fn has_stand_ins(&self) -> bool {
        self.is_provisional && !self.is_first_look
    }
}

impl<I> Default for RowList<I> {
    fn default() -> Self {
        Self {
            view: View::default(),
            generation: 0,
            rows: Vec::new(),
            problems: Vec::new(),
            is_provisional: false,
            is_first_look: false,
            trouble: None,
            complete: false,
            total: None,
            searched: 0.0,
            repeated: 0,
            cut: None,
            spread: Default::default(),
            greatest: 0,
            hidden: HiddenCounts::default(),
            aside: Vec::new(),
            aside_kinds: Vec::new(),
            in_families: 0,
            hides_matches: false,
            share: None,
            clusters: None,
            review: None,
        }
    }
}
