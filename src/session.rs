//! Where the engine and a front end meet: a session owns the background indexer and the watcher,
//! takes [`Request`]s over a channel and answers with [`Update`]s. It knows nothing of terminals.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub use decisions::today;
use indexer::{Indexer, Work};
use shared::Shared;

use crate::blot::RecipeChoice;
use crate::corpus::{Corpus, Formats, Skipped, WalkRules, WatchMode};
use crate::index::snapshot::Snapshot;
use crate::passage::Row;
use crate::query::{ByteSpan, Occurrence};
use crate::storage::Folder;

mod answers;
mod decisions;
mod duplicated;
mod indexer;
mod intake;
mod left_out;
mod listing;
pub mod open;
mod plan;
mod preview;
mod rounds;
mod shared;
mod signal;
pub mod update;

/// What the indexer is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    /// Reading the index that is there.
    #[default]
    Opening,
    /// Listing the corpus.
    Walking,
    /// Reading what is new or changed.
    Indexing,
    /// Up to date.
    Idle,
    /// Stopped; the sentence says what, where and what to do. Everything committed is still shown.
    Failed(String),
}

/// Whether changes of the folder are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watching {
    /// Not asked for, or not yet begun.
    #[default]
    Off,
    /// The system reports them.
    Events,
    /// The folder is walked again each time this has passed.
    Polling(Duration),
}

impl From<WatchMode> for Watching {
    fn from(mode: WatchMode) -> Self {
        match mode {
            WatchMode::Events => Self::Events,
            WatchMode::Poll(every) => Self::Polling(every),
        }
    }
}

/// The state of the indexer, as often as it is worth showing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// What is going on.
    pub phase: Phase,
    /// Files read in this run and files to read in it.
    pub files: (u64, u64),
    /// Bytes read in this run and bytes to read in it.
    pub bytes: (u64, u64),
    /// Bytes a second, lately.
    pub speed: f64,
    /// What is being read.
    pub current: Option<PathBuf>,
    /// Live documents in the newest generation.
    pub documents: u64,
    /// The newest generation.
    pub generation: u64,
    /// Files left out.
    pub skipped: u64,
    /// Whether changes are followed.
    pub watching: Watching,
    /// Another process writes this index; ours only reads it. Says who.
    pub read_only: Option<String>,
}

/// Who is told how far it is, and may stop it.
pub trait Observer: Sync {
    /// The state of the work; called from any thread, not more than some times a second.
    fn progress(&self, progress: Progress);
    /// A generation was committed.
    fn committed(&self, snapshot: &Snapshot);
    /// Asked between files; what was committed stays.
    fn is_cancelled(&self) -> bool;
}

/// Which rows are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// Only rows whose text, or one of whose documents' paths, contains this (case folded).
    pub filter: String,
    /// Only blots with df at or above mean + σ·sd; `None` for all that occur twice.
    pub sigma: Option<f64>,
    /// Show taboo rows too.
    pub show_taboo: bool,
    /// One row a blot.
    pub unfolded: bool,
    /// Load at least so many rows.
    pub wanted: usize,
}

/// What the taboo list takes out of the rows of a view that were looked at so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Rows.
    pub rows: u64,
    /// Copies (documents, where copies were not counted).
    pub copies: u64,
    /// The sum of the rows' documents.
    pub documents: u64,
}

/// The rows of a view, most frequent first, as far as they are loaded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// What was asked for.
    pub view: View,
    /// The generation it was answered from.
    pub generation: u64,
    /// The rows.
    pub rows: Vec<Arc<Row>>,
    /// There are no more rows than these.
    pub complete: bool,
    /// The share of the repeated blots looked at so far, 0 to 1.
    pub searched: f64,
    /// Blots that occur twice or more, in all.
    pub repeated: u64,
    /// The df that σ stands for.
    pub cut: Option<u32>,
    /// What is taboo among what was looked at.
    pub hidden: Hidden,
}

/// One document as the preview shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentView {
    /// Relative to the corpus's base.
    pub path: PathBuf,
    /// The file's text, decoded to UTF-8.
    pub text: String,
    /// Byte offset of each line's start in `text`.
    pub line_starts: Vec<u32>,
    /// Duplicated token runs that were looked for in `examined`, in order, not overlapping.
    pub duplicated: Vec<Duplicated>,
    /// The part of `text` in which duplicated runs were looked for (a long document is examined in parts).
    pub examined: ByteSpan,
}

/// A run of duplicated tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicated {
    /// Where in the document's text.
    pub span: ByteSpan,
    /// It lies wholly in taboo text.
    pub taboo: bool,
}

/// A selected row in its documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    /// The row; `None` for an empty preview.
    pub row: Option<Arc<Row>>,
    /// Its verified copies so far, in the order of paths.
    pub occurrences: Arc<Vec<Occurrence>>,
    /// Documents of its posting list that are not read yet.
    pub unread: u32,
    /// Which of `occurrences` `document` shows.
    pub current: usize,
    /// The document of the current occurrence.
    pub document: Option<Arc<DocumentView>>,
    /// The copies in that file, as spans of its text.
    pub copies: Vec<ByteSpan>,
    /// Why there is no document: a sentence.
    pub problem: Option<String>,
}

/// What a front end may ask. A later [`Request::Rows`] or [`Request::Preview`] overtakes an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Load rows; answered by [`Update::Rows`], more than once while it loads or the index changes.
    Rows(View),
    /// Load the row's occurrences, and the document of the occurrence with this number (clamped);
    /// answered by [`Update::Preview`], more than once while occurrences are found.
    Preview {
        /// The selected row.
        row: Arc<Row>,
        /// Which occurrence's document is to be loaded.
        current: usize,
    },
    /// Put the row's text on the taboo list.
    AddTaboo {
        /// The row to hide.
        row: Arc<Row>,
        /// Why.
        reason: Option<String>,
    },
    /// Take every entry from the list that hides this row.
    RemoveTaboo {
        /// The row to show again.
        row: Arc<Row>,
    },
    /// Undo the last decision of this session that is not undone yet.
    Undo,
    /// The files left out; answered by [`Update::Skipped`].
    Skipped,
    /// Build the index anew with the options of this session (after [`Update::Mismatch`]).
    Rebuild,
    /// Keep what the index was built with (after [`Update::Mismatch`]).
    KeepRecipe,
}

/// What happened. Updates are cheap to clone and come in order.
#[derive(Clone, Debug)]
pub enum Update {
    /// The indexer's state changed.
    Progress(Progress),
    /// Rows for the last view asked for.
    Rows(Arc<Listing>),
    /// A preview of the last row asked for.
    Preview(Arc<Preview>),
    /// A taboo decision was taken, or undone; the sentence says what went or came back.
    Taboo(String),
    /// The answer to [`Request::Skipped`].
    Skipped(Arc<Vec<Skipped>>),
    /// Something to tell once, in one sentence.
    Notice(String),
    /// The index was built with another recipe than the options ask for: a sentence that names both.
    Mismatch(String),
}

/// How a session is to work on its corpus.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that holds the index and the taboo list.
    pub home: Folder,
    /// What was asked of the recipe.
    pub recipe: RecipeChoice,
    /// Which files are documents; `None` as the index remembers it, or the default.
    pub rules: Option<WalkRules>,
    /// How files hold several documents; `None` as the index remembers it, or the default.
    pub formats: Option<Formats>,
    /// Bytes of memory that indexing may take.
    pub memory: u64,
    /// Threads that read and shatter.
    pub threads: usize,
    /// Whether the folder is followed.
    pub watch: Watch,
}

/// Whether and how the folder is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// Not at all.
    Off,
    /// By what the system reports, or by polling where it cannot.
    #[default]
    Events,
    /// By walking it again each time this has passed.
    Poll(Duration),
}

impl Options {
    /// What is usual for an index in this folder: everything as the index remembers it, 1 GiB of memory, a thread a core.
    pub fn new(home: Folder) -> Self {
        Self {
            home,
            recipe: RecipeChoice::default(),
            rules: None,
            formats: None,
            memory: 1 << 30,
            threads: thread::available_parallelism().map_or(1, usize::from),
            watch: Watch::default(),
        }
    }
}

/// A corpus that is open in a front end: its index is brought up to date and the folder followed in the
/// background, and requests are answered as they come.
pub struct Session {
    shared: Arc<Shared>,
    work: Sender<Work>,
    threads: Vec<JoinHandle<()>>,
}

impl Session {
    /// Opens a corpus. `updates` is called from the session's threads.
    pub fn start(corpus: Corpus, options: Options, updates: impl Fn(Update) + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared::new(updates));
        let (work, inbox) = channel();
        let indexer = Indexer::new(corpus, options, Arc::clone(&shared), work.clone());
        let threads = vec![
            thread::spawn(move || indexer.run(&inbox)),
            thread::spawn({
                let shared = Arc::clone(&shared);
                move || answers::answer_rows(&shared)
            }),
            thread::spawn({
                let shared = Arc::clone(&shared);
                move || answers::answer_previews(&shared)
            }),
        ];
        Self { shared, work, threads }
    }

    /// Asks something. Never waits.
    pub fn send(&self, request: Request) {
        match request {
            Request::Rows(view) => {
                self.shared.state().view = Some(view);
                self.shared.rows.raise();
            }
            Request::Preview { row, current } => {
                self.shared.state().preview = Some((row, current));
                self.shared.preview.raise();
            }
            Request::AddTaboo { .. } | Request::RemoveTaboo { .. } | Request::Undo => {
                self.shared.state().pending.push(request);
                self.shared.rows.raise();
            }
            Request::Skipped => self.tell_indexer(Work::Skipped),
            Request::Rebuild => self.tell_indexer(Work::Rebuild),
            Request::KeepRecipe => self.tell_indexer(Work::Keep),
        }
    }

    /// Ends the session: what is read and shattered by now is sealed, and the threads are waited for.
    pub fn stop(self) {
        self.shared.stop();
        self.tell_indexer(Work::Stop);
        for thread in self.threads {
            if thread.join().is_err() {
                tracing::error!("a thread of the session had panicked");
            }
        }
    }

    fn tell_indexer(&self, work: Work) {
        // An indexer that is gone has said why.
        let _ = self.work.send(work);
    }
}
