//! What a front end may ask a session, and what it is told.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::activity::Activity;
use super::item::Item;
use super::names::Names;
use super::shown::{Listing, Preview, View};
use super::would_hide::WouldHide;
use crate::corpus::Skipped;
use crate::ingest::Progress;
use crate::storage::shown;
use crate::taboo::Entry;

/// What a front end may ask. A later [`Request::Rows`] or [`Request::Preview`] overtakes an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Load rows; answered by [`Update::Rows`], more than once while it loads or the index changes.
    Rows(View),
    /// Load the row's occurrences, and the document of the occurrence with this number (clamped);
    /// answered by [`Update::Preview`], more than once while occurrences are found.
    Preview {
        /// The selected row.
        row: Item,
        /// Which occurrence's document is to be loaded.
        current: usize,
    },
    /// Put the texts of some rows on the taboo list. This and the other decisions are answered by
    /// [`Update::Decided`] and new rows; each is one step that can be undone.
    Taboo {
        /// The rows to hide.
        rows: Vec<Item>,
        /// Why.
        reason: Option<String>,
    },
    /// Take from the taboo list the entries that hide the most of each of these rows. What many small entries
    /// hide together may still be hidden by the rest of them.
    ShowAgain {
        /// The rows to show again; taboo rows are the entries themselves.
        rows: Vec<Item>,
    },
    /// Some rows were reviewed and stay: they are open again when they gain copies.
    Accept {
        /// Passages or rows of blots.
        rows: Vec<Item>,
        /// Why.
        reason: Option<String>,
    },
    /// Some rows are not accepted any more.
    Reopen {
        /// Passages or rows of blots.
        rows: Vec<Item>,
    },
    /// Undo the last decision about this corpus that is not undone yet, whoever took it.
    Undo,
    /// Take the decision again that was undone last.
    Redo,
    /// Put an entry in the place of the one with this text.
    EditTaboo {
        /// The text of the entry as it is.
        text: String,
        /// The entry as it is to be.
        entry: Entry,
    },
    /// Take the entries with these texts from the taboo list.
    RemoveTaboo {
        /// The texts.
        texts: Vec<String>,
    },
    /// Add the entries of a file, as `taboo export` writes it, to the taboo list.
    ImportTaboo {
        /// The file.
        file: PathBuf,
    },
    /// Write the taboo list to a file, as `taboo export` does; answered by [`Update::Written`].
    ExportTaboo {
        /// The file.
        file: PathBuf,
        /// Only the entries with these texts.
        texts: Option<Vec<String>>,
        /// Write over a file that is there.
        replace: bool,
    },
    /// What else would vanish if the texts of these rows were taboo; answered by [`Update::WouldHide`].
    WouldHide {
        /// The rows to hide.
        rows: Vec<Item>,
    },
    /// Write some rows with all their verified copies to a file, one JSON object a line, as `passages --json`
    /// and `unblot --json` print them; answered by [`Update::Written`].
    Export {
        /// Passages or rows of blots.
        rows: Vec<Item>,
        /// The file.
        file: PathBuf,
        /// Write over a file that is there.
        replace: bool,
    },
    /// The whole texts of some rows; answered by [`Update::Text`].
    Text {
        /// The rows.
        rows: Vec<Item>,
    },
    /// What goes on and went on; answered by [`Update::Activity`], again whenever it changes, until
    /// [`Request::Rows`] asks for rows.
    Activity,
    /// The files left out; answered by [`Update::Skipped`].
    Skipped,
    /// What files are called; answered by [`Update::Names`] once there is an index.
    Names,
    /// Build the index anew with the options of this session (after [`Update::Mismatch`]).
    Rebuild,
    /// Keep what the index was built with (after [`Update::Mismatch`]).
    KeepRecipe,
}

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
    /// The answer to [`Request::Skipped`].
    Skipped(Arc<Vec<Skipped>>),
    /// The answer to [`Request::Names`].
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
