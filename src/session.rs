//! Sessions connect the engine with a front end: a session owns the background indexer and the watcher, takes
//! [`Request`]s over a channel and answers with [`Update`]s. It does not depend on a terminal.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

pub use protocol::{
    Activity, ActivityEvent, ActivityKind, ClusterFacts, Comparison, CounterpartView, DecisionResult,
    DocumentView, Duplicated, IndexState, ItemId, Names, PlacesAnswer, Preview, Request, RowPlace, RowPlaces,
    SearchState, SegmentSummary, SkippedGroup, Sort, Subject, TabooPreview, Update, View, WriteResult,
};
pub use protocol::{HiddenCounts, RowList, TabooDifference, member_hash};
pub use rows::*;
use worker::indexer::{Indexer, IndexerMessage};
use worker::shared::SharedSession;
use worker::{
    activity, clusters, decision_watch, excluded_watch, jobs, previews, rows as row_worker, search,
};

use crate::corpus::Corpus;
use crate::ingest::priority::{self, Nice};
pub use crate::ingest::{Committed, Options, Phase, Progress, Watch, Watching};

mod decisions;
mod preview;
mod protocol;
mod rows;
#[cfg(test)]
mod unread_tests;
mod worker;

/// A corpus that is open in a front end. In the background its index is brought up to date and the folder is watched;
/// requests are answered as they arrive.
pub struct Session {
    shared: Arc<SharedSession>,
    work: Sender<IndexerMessage>,
    jobs: Sender<Request>,
    runner: JoinHandle<()>,
    threads: Vec<JoinHandle<()>>,
}

impl Session {
    /// Opens a corpus. `updates` is called from the session's threads.
    pub fn start(corpus: Corpus, options: Options, updates: impl Fn(Update) + Send + Sync + 'static) -> Self {
        let shared = Arc::new(SharedSession::new(options.memory, updates));
        let (work, inbox) = channel();
        let memory = options.memory;
        let (searchers, patterns) = (options.threads, Arc::clone(&options.patterns));
        let (exclusions, sketching, followed) = (work.clone(), work.clone(), corpus.clone());
        let indexer = Indexer::new(corpus, options, Arc::clone(&shared), work.clone());
        let (jobs, asked) = channel();
        let answering = |run: fn(&SharedSession)| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                priority::set(Nice::Answering);
                run(&shared);
            })
        };
        let threads = vec![
            thread::spawn(move || indexer.run(&inbox)),
            answering(row_worker::answer_rows),
            answering(previews::answer_previews),
        ];
        let runner = thread::spawn({
            let shared = Arc::clone(&shared);
            move || jobs::run(&shared, &asked)
        });
        // These threads need no orderly end: `stop` does not wait for them.
        answering(activity::answer_activity);
        answering(decision_watch::follow_decisions);
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                excluded_watch::follow_exclusions(&shared, &followed, |changed| {
                    // An indexer that has ended has nothing to follow.
                    let _ = exclusions.send(IndexerMessage::Changed(changed));
                });
            }
        });
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || search::search(&shared, memory, searchers, &patterns)
        });
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                clusters::compare(&shared, memory, searchers, &|| {
                    let _ = sketching.send(IndexerMessage::Sketch);
                });
            }
        });
        Self { shared, work, jobs, runner, threads }
    }

    /// Adds a failure from before the session began to its activity: a sentence.
    pub fn note_failure(&self, sentence: impl Into<String>) {
        self.shared.record(ActivityKind::Failed(sentence.into()));
    }

    /// Sends a request. Never blocks.
    pub fn send(&self, request: Request) {
        match request {
            Request::Rows(view) => {
                let wants_passages = view.of.needs_passages();
                let wants_clusters = view.of.is_from_clusters();
                let mut state = self.shared.state();
                state.view = Some(view);
                state.shows_activity = false;
                // Before the lock is released: a thread that reads this view must see the signal.
                self.shared.rows.raise();
                drop(state);
                if wants_passages {
                    self.shared.search.raise();
                }
                if wants_clusters {
                    self.shared.clusters.raise();
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
            | Request::SetKind { .. }
            | Request::SetAside { .. }
            | Request::Exclude { .. }
            | Request::EditTaboo { .. }
            | Request::MoveTaboo { .. }
            | Request::RemoveTaboo { .. }
            | Request::ImportTaboo { .. }
            | Request::Undo
            | Request::Redo => {
                self.shared.state().pending.push(request);
                self.shared.rows.raise();
            }
            Request::Text { .. }
            | Request::Places { .. }
            | Request::Pin { .. }
            | Request::Export { .. }
            | Request::ExportTaboo { .. }
            | Request::Skipped
            | Request::Names
            | Request::TabooPreview { .. } => {
                // No thread runs jobs once the session stops.
                let _ = self.jobs.send(request);
            }
            Request::Activity => {
                self.shared.state().shows_activity = true;
                self.shared.activity.raise();
            }
            Request::Rebuild => self.tell_indexer(IndexerMessage::Rebuild),
            Request::KeepRecipe => self.tell_indexer(IndexerMessage::Keep),
        }
    }

    /// Ends the session: seals what is read and shattered by now, writes the files that were asked for, and joins the
    /// threads.
    pub fn stop(self) {
        self.shared.stop();
        self.tell_indexer(IndexerMessage::Stop);
        drop(self.jobs);
        for thread in self.threads.into_iter().chain([self.runner]) {
            if thread.join().is_err() {
                tracing::error!("a thread of the session had panicked");
            }
        }
        let (known, taboo) = {
            let state = self.shared.state();
            (state.passages.clone(), state.taboo())
        };
        known.into_iter().for_each(|known| known.keep_hidden(&taboo));
    }

    fn tell_indexer(&self, work: IndexerMessage) {
        // An indexer that has ended has reported why.
        let _ = self.work.send(work);
    }
}
