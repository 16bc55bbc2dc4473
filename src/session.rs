//! Where the engine and a front end meet: a session owns the background indexer and the watcher,
//! takes [`Request`]s over a channel and answers with [`Update`]s. It knows nothing of terminals.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub use activity::{Activity, Committed, Event, Happening, IndexState, SegmentState, SkippedGroup};
pub use decisions::{Difference, today};
use indexer::{Indexer, Work};
pub use item::{DocumentRow, FolderRow, Item, ItemId, PartnerDocument, PassageRow, TabooRow};
pub use names::Names;
pub use requests::{Became, PassageSearch, Request, Update, Written};
use shared::Shared;
pub use shown::{Beside, DocumentView, Duplicated, Hidden, Listing, Preview, Sort, Subject, View};
pub use would_hide::WouldHide;

use crate::blot::RecipeChoice;
use crate::corpus::{Corpus, Formats, WalkRules, WatchMode};
use crate::index::snapshot::Snapshot;
use crate::storage::Folder;

mod activity;
mod answers;
mod copies;
mod decide;
mod decisions;
mod documents;
mod duplicated;
mod errands;
mod examine;
mod export;
mod files;
pub mod filtered;
mod heat;
mod hidden_places;
mod hides;
mod indexer;
mod intake;
mod item;
mod left_out;
mod listing;
mod meant;
mod memory;
mod names;
pub mod open;
mod others;
pub mod overview;
mod passages;
mod plan;
mod polite;
mod preview;
mod replaced;
mod requests;
mod rounds;
mod shared;
mod shares;
mod shown;
mod signal;
mod taboo_rows;
mod texts;
pub mod update;
mod would_hide;

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
    /// Segments are merged, which changes no answer.
    pub merging: bool,
    /// Another process writes this index; ours only reads it. Says who.
    pub read_only: Option<String>,
    /// Bytes a second, half-second by half-second, the newest last.
    pub speeds: Arc<[u64]>,
}

/// Who is told how far it is, and may stop it.
pub trait Observer: Sync {
    /// The state of the work; called from any thread, not more than some times a second.
    fn progress(&self, progress: Progress);
    /// A generation was committed.
    fn committed(&self, snapshot: &Snapshot);
    /// What that commit was.
    fn sealed(&self, _commit: Committed) {}
    /// Asked between files; what was committed stays.
    fn is_cancelled(&self) -> bool;
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
    errands: Sender<Request>,
    runner: JoinHandle<()>,
    threads: Vec<JoinHandle<()>>,
}

impl Session {
    /// Opens a corpus. `updates` is called from the session's threads.
    pub fn start(corpus: Corpus, options: Options, updates: impl Fn(Update) + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared::new(options.memory, updates));
        let (work, inbox) = channel();
        let memory = options.memory;
        let searchers = options.threads;
        let indexer = Indexer::new(corpus, options, Arc::clone(&shared), work.clone());
        let (errands, asked) = channel();
        let answering = |run: fn(&Shared)| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                polite::be(polite::Nice::Answering);
                run(&shared);
            })
        };
        let threads = vec![
            thread::spawn(move || indexer.run(&inbox)),
            answering(answers::answer_rows),
            answering(answers::answer_previews),
        ];
        let runner = thread::spawn({
            let shared = Arc::clone(&shared);
            move || errands::run(&shared, &asked)
        });
        // Nothing of these must be ended in order: leaving does not wait for them.
        answering(activity::answer_activity);
        answering(others::follow_decisions);
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || passages::search(&shared, memory, searchers)
        });
        Self { shared, work, errands, runner, threads }
    }

    /// Puts something that failed before the session began among the events that it tells of: a sentence.
    pub fn note_failure(&self, sentence: impl Into<String>) {
        self.shared.happened(Happening::Failed(sentence.into()));
    }

    /// Asks something. Never waits.
    pub fn send(&self, request: Request) {
        match request {
            Request::Rows(view) => {
                let wants_passages = view.of.is_from_passages();
                let mut state = self.shared.state();
                state.view = Some(view);
                state.shows_activity = false;
                // Before the lock is free: who reads this view must not take itself for up to date.
                self.shared.rows.raise();
                drop(state);
                if wants_passages {
                    self.shared.search.raise();
                }
            }
            Request::Preview { row, current } => {
                self.shared.state().preview = Some((row, current));
                self.shared.preview.raise();
            }
            Request::Taboo { .. }
            | Request::ShowAgain { .. }
            | Request::Accept { .. }
            | Request::Reopen { .. }
            | Request::EditTaboo { .. }
            | Request::RemoveTaboo { .. }
            | Request::ImportTaboo { .. }
            | Request::Undo
            | Request::Redo => {
                self.shared.state().pending.push(request);
                self.shared.rows.raise();
            }
            Request::Text { .. }
            | Request::Export { .. }
            | Request::ExportTaboo { .. }
            | Request::Skipped
            | Request::Names
            | Request::WouldHide { .. } => {
                // Nobody is there to run errands once the session stops.
                let _ = self.errands.send(request);
            }
            Request::Activity => {
                self.shared.state().shows_activity = true;
                self.shared.activity.raise();
            }
            Request::Rebuild => self.tell_indexer(Work::Rebuild),
            Request::KeepRecipe => self.tell_indexer(Work::Keep),
        }
    }

    /// Ends the session: what is read and shattered by now is sealed, files that were asked for are written, and
    /// the threads are waited for.
    pub fn stop(self) {
        self.shared.stop();
        self.tell_indexer(Work::Stop);
        drop(self.errands);
        for thread in self.threads.into_iter().chain([self.runner]) {
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
