//! What a session tells a front end.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::activity::Activity;
use super::names::Names;
use super::shown::{Preview, WouldHide};
use crate::corpus::Skipped;
use crate::ingest::Progress;
use crate::session::rows::Listing;
use crate::storage::shown;

/// How the search for passages stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PassageSearch {
    /// None goes on.
    #[default]
    Idle,
    /// So far it is, 0 to 1.
    At(f64),
    /// The last one failed: why, in a sentence. It is tried again when documents change.
    Failed(String),
}

/// What happened. Updates are cheap to clone and come in order.
#[derive(Clone, Debug)]
pub enum Update {
    /// The indexer's state changed.
    Progress(Progress),
    /// Rows for the last view asked for.
    Rows(Arc<Listing>),
    /// How the search for passages stands.
    Searching(PassageSearch),
    /// A preview of the last row asked for.
    Preview(Arc<Preview>),
    /// A decision was taken, undone or refused.
    Decided {
        /// What went or came back, or why nothing did; without a full stop where something may follow.
        sentence: String,
        /// What became of it.
        became: Became,
    },
    /// What else would vanish; more than once while it is counted.
    WouldHide(Arc<WouldHide>),
    /// The texts asked for, with an empty line between them.
    Text(String),
    /// What became of writing a file.
    Written(Written),
    /// What goes on and went on.
    Activity(Arc<Activity>),
    /// The answer to [`Request::Skipped`](super::Request::Skipped).
    Skipped(Arc<Vec<Skipped>>),
    /// The answer to [`Request::Names`](super::Request::Names).
    Names(Arc<Names>),
    /// Something to tell once, in one sentence.
    Notice(String),
    /// The index was built with another recipe than the options ask for: a sentence that names both.
    Mismatch(String),
}

/// What became of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Became {
    /// It is carried out, be it again: an undo takes it back.
    Done,
    /// It is undone, and can be done again.
    Undone,
    /// Nothing was to be changed.
    Nothing,
    /// It could not be carried out.
    Failed,
}

/// What became of writing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// It is written: a sentence.
    Done(String),
    /// There is such a file already, and it was left alone; ask whether to write over it.
    Exists(PathBuf),
    /// It could not be written: a sentence.
    Failed(String),
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done(sentence) | Self::Failed(sentence) => f.write_str(sentence),
            Self::Exists(file) => write!(f, "There is a file {} already; it was left alone.", shown(file)),
        }
    }
}
