//! The requests of a front end, and the updates that a session sends to it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::activity::{Activity, Names};
use super::items::Item;
use super::listing::{Listing, View};
use super::shown::{BlameAnswer, PlacesAnswer, Preview, TabooPreview};
use dupi_base::config::{Kind, PassageCriteria};
use dupi_base::corpus::Skipped;
use dupi_base::storage::shown;
use dupi_index::query::Occurrence;
use dupi_index::query::filter::ReviewState;
use dupi_index::taboo::{TabooEntry, TabooScope};
use dupi_ingest::Progress;
use dupi_judge::passages::PassageId;
use dupi_review::review::ReviewPlan;

/// A request of a front end. A later [`Request::Rows`] or [`Request::Preview`] replaces an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Load rows; answered by [`Update::Rows`], more than once while it loads or the index
    /// changes.
    Rows(View),
    /// Load the row's occurrences, and the document of one of them;
    /// answered by [`Update::Preview`], more than once while occurrences are found.
    Preview {
        /// The selected row.
        row: Item,
        /// The number of the occurrence whose document is loaded, clamped to those that are found.
        current: usize,
    },
    /// Compare the other copies of a passage with one that the user pinned, in its row and in its preview, until the
    /// session ends; answered by new rows and a new preview. It is no decision.
    Pin {
        /// The passage.
        id: PassageId,
        /// The copy; `None` for the representative that the search has chosen.
        copy: Option<Occurrence>,
    },
    /// Add the texts of some rows to the taboo list. This and the other decisions are answered by
    /// [`Update::Decided`] and new rows; each is one step that can be undone.
    Taboo {
        /// The rows to hide.
        rows: Vec<Item>,
        /// The reason, if one is given.
        reason: Option<String>,
        /// To which list they are added.
        scope: TabooScope,
    },
    /// Remove from the taboo list the entries that hide the most of each of these rows. Text that many small entries
    /// hide together may still be hidden by the others.
    ShowAgain {
        /// The rows to show again; taboo rows are the entries themselves.
        rows: Vec<Item>,
    },
    /// Set the kind of some passages, wherever their texts stand.
    SetKind {
        /// The passages.
        rows: Vec<Item>,
        /// What their texts are; `None` for what the rules say.
        kind: Option<Kind>,
    },
    /// Set a kind aside in this corpus, or list it.
    SetAside {
        /// The kind.
        kind: Kind,
        /// Whether it is set aside, whatever the settings say; `None` for what they say.
        to: Option<bool>,
        /// What comes of it, with the settings.
        is_aside: bool,
    },
    /// Leave files and folders out of the corpus, until this is undone. The index follows at once.
    Exclude {
        /// Their paths, relative to the corpus's base.
        paths: Vec<PathBuf>,
    },
    /// Search for passages by these criteria from now on.
    Criteria(PassageCriteria),
    /// Tell what a search by these criteria finds, or end such a search; answered by
    /// [`Update::Tried`], more than once.
    TryCriteria(Option<PassageCriteria>),
    /// Undo the last decision about this corpus that is not undone yet, whichever process made it.
    Undo,
    /// Redo the decision that was undone last.
    Redo,
    /// Replace an entry of a taboo list.
    EditTaboo {
        /// Which list.
        scope: TabooScope,
        /// The text of the present entry.
        text: String,
        /// The new entry.
        entry: TabooEntry,
    },
    /// Move the entries with these texts to the other taboo list.
    MoveTaboo {
        /// The texts.
        texts: Vec<String>,
        /// The list that has them then.
        to: TabooScope,
    },
    /// Remove the entries with these texts from both taboo lists.
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
        /// Whether to overwrite an existing file.
        replace: bool,
    },
    /// Count what else would be hidden if the texts of these rows were taboo; answered by
    /// [`Update::TabooPreview`].
    TabooPreview {
        /// The rows to hide.
        rows: Vec<Item>,
    },
    /// Write some rows with all their verified copies to a file, as `passages` and `unblot` print them in the format
    /// that the ending of its name asks for; answered by [`Update::Written`].
    Export {
        /// Passages or rows of blots.
        rows: Vec<Item>,
        /// The file.
        file: PathBuf,
        /// Whether to overwrite an existing file.
        replace: bool,
    },
    /// Read the whole texts of some rows; answered by [`Update::Text`].
    Text {
        /// The rows.
        rows: Vec<Item>,
    },
    /// List the places of some rows, all copies of each verified; answered by
    /// [`Update::Places`].
    Places {
        /// The rows.
        rows: Vec<Item>,
    },
    /// Review another change than the usual one: what the branch adds, uncommitted changes too.
    Review(ReviewPlan),
    /// Set what is decided about some rows: open, to be fixed, accepted or taboo. A decision as the others. Accepted rows
    /// are open again when they gain copies.
    SetState {
        /// Rows of texts or clusters.
        rows: Vec<Item>,
        /// The new state.
        state: ReviewState,
    },
    /// Say which commits the lines of a copy come from; answered by [`Update::Blame`] unless another
    /// request follows. `None` ends it.
    Blame(Option<Occurrence>),
    /// Show the activity of the session; answered by [`Update::Activity`], again whenever it
    /// changes, until [`Request::Rows`] asks for rows.
    Activity,
    /// List the skipped files; answered by [`Update::Skipped`].
    Skipped,
    /// List the extensions, languages and folders of the files; answered by [`Update::Names`]
    /// once there is an index.
    Names,
    /// Rebuild the index with the options of this session (after [`Update::Mismatch`]). Until
    /// then the index keeps the recipe that it was built with.
    Rebuild,
}

impl Request {
    /// The rows that it is about; none where it is about no rows.
    pub fn rows(&self) -> &[Item] {
        match self {
            Self::Taboo { rows, .. }
            | Self::ShowAgain { rows }
            | Self::SetKind { rows, .. }
            | Self::SetState { rows, .. }
            | Self::TabooPreview { rows }
            | Self::Export { rows, .. }
            | Self::Text { rows }
            | Self::Places { rows } => rows,
            _ => &[],
        }
    }
}

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
    /// The state of a search with the criteria of [`Request::TryCriteria`].
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
    /// The answer to [`Request::TabooPreview`].
    TabooPreview(Arc<TabooPreview>),
    /// The texts that were asked for, separated by empty lines.
    Text(String),
    /// The answer to [`Request::Places`].
    Places(Arc<PlacesAnswer>),
    /// The result of writing a file.
    Written(WriteResult),
    /// The activity of the session.
    Activity(Arc<Activity>),
    /// The answer to [`Request::Skipped`].
    Skipped(Arc<Vec<Skipped>>),
    /// The answer to [`Request::Names`].
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
