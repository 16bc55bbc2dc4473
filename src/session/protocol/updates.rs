//! The updates that a session sends to a front end.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::activity::Activity;
use super::blame::BlameAnswer;
use super::names::Names;
use super::places::PlacesAnswer;
use super::shown::{Preview, TabooPreview};
use crate::rows::Listing;
use dupi_base::config::PassageCriteria;
use dupi_base::corpus::Skipped;
use dupi_base::storage::shown;
use dupi_ingest::Progress;

/// The state of a search for passages, or for clusters of documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SearchState {
    /// No search runs.
    #[default]
    Idle,
    /// A search runs; how much of it is done, 0 to 1.
    At(f64),
    /// The last search failed: the error as a sentence. It is tried again when documents change.
    Failed(String),
}

/// The state of a search with criteria that are not applied yet.
#[derive(Clone, Debug, PartialEq)]
pub enum TrialState {
    /// How much of it is done, 0 to 1.
    At(f64),
    /// What it found.
    Found {
        /// How many passages.
        passages: u64,
        /// How many families they form; those that are hidden or aside count too.
        families: u64,
    },
    /// It failed: the error as a sentence.
    Failed(String),
}

/// A message to the front end. Updates are cheap to clone and arrive in order.
#[derive(Clone, Debug)]
pub enum Update {
    /// The indexer's state changed.
    Progress(Progress),
    /// Files of the corpus changed, and the index with them: how many.
    Changed(u64),
    /// Rows for the last view asked for.
    Rows(Arc<Listing>),
    /// The state of a search for passages, or for clusters of documents.
    Searching(SearchState),
    /// The state of the search for clusters of documents.
    Comparing(SearchState),
    /// The state of the review of a change.
    Reviewing(SearchState),
    /// Which commits the lines of the copy asked about last come from.
    Blame(Arc<BlameAnswer>),
    /// The state of a search with the criteria of [`Request::TryCriteria`](super::Request::TryCriteria).
    Tried(PassageCriteria, TrialState),
    /// A preview of the last row asked for.
    Preview(Arc<Preview>),
    /// A decision was made, undone or refused.
    Decided {
        /// What was changed, or why nothing was; without a full stop where the front end may add words.
        sentence: String,
        /// The result.
        result: DecisionResult,
    },
    /// The answer to [`Request::TabooPreview`](super::Request::TabooPreview).
    TabooPreview(Arc<TabooPreview>),
    /// The texts that were asked for, separated by empty lines.
    Text(String),
    /// The answer to [`Request::Places`](super::Request::Places).
    Places(Arc<PlacesAnswer>),
    /// The result of writing a file.
    Written(WriteResult),
    /// The activity of the session.
    Activity(Arc<Activity>),
    /// The answer to [`Request::Skipped`](super::Request::Skipped).
    Skipped(Arc<Vec<Skipped>>),
    /// The answer to [`Request::Names`](super::Request::Names).
    Names(Arc<Names>),
    /// A notice to show once: one sentence.
    Notice(String),
    /// The index was built with another recipe than the options ask for; the sentence names both.
    Mismatch(String),
}

/// The result of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionResult {
    /// It was made or redone; it can be undone.
    Done,
    /// It was undone; it can be redone.
    Undone,
    /// There was nothing to change.
    Nothing,
    /// It could not be made.
    Failed,
}

/// The result of writing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteResult {
    /// It is written: a sentence.
    Done(String),
    /// The file exists and was not changed; ask whether to overwrite it.
    Exists(PathBuf),
    /// It could not be written: a sentence.
    Failed(String),
}

impl fmt::Display for WriteResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done(sentence) | Self::Failed(sentence) => f.write_str(sentence),
            Self::Exists(file) => write!(f, "The file {} exists and was not changed.", shown(file)),
        }
    }
}
