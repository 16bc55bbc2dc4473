//! Sessions connect the engine with a front end: a session owns the background indexer and the watcher, takes
//! [`Request`]s over a channel and answers with [`Update`]s. It does not depend on a terminal.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

pub use protocol::{
    Activity, ActivityEvent, ActivityKind, BlameAnswer, BlamedLines, ClusterFacts, Comparison,
    CounterpartView, DecisionResult, DocumentView, Duplicated, IndexState, ItemId, Names, PlacesAnswer,
    Preview, Request, ReviewFacts, RowPlace, RowPlaces, SearchState, SegmentSummary, SkippedGroup, Sort,
    Subject, TabooPreview, TrialState, Update, View, WriteResult,
};
pub use protocol::{HiddenCounts, RowList, TabooDifference, member_hash};
pub use rows::*;
use worker::indexer::{Indexer, IndexerMessage};
use worker::shared::SharedSession;
use worker::{
    activity, blame, clusters, decision_watch, excluded_watch, jobs, previews, review, rows as row_worker,
    search,
};

use dupi_base::corpus::Corpus;
use dupi_ingest::priority::{self, Nice};
pub use dupi_ingest::{Committed, Options, Phase, Progress, Watch, Watching};

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
        shared.state().criteria = options.criteria;
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
            let (shared, patterns) = (Arc::clone(&shared), Arc::clone(&patterns));
            move || search::search(&shared, memory, searchers, patterns)
        });
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                clusters::compare(&shared, memory, searchers, move || {
                    let _ = sketching.send(IndexerMessage::Sketch);
                });
            }
        });
        answering(blame::answer_blame);
        thread::spawn({
            let (shared, patterns) = (Arc::clone(&shared), Arc::clone(&patterns));
            move || review::review(&shared, memory, searchers, patterns)
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
                let wants_review = view.of.is_from_review();
                let mut state = self.shared.state();
                let was_review = state.view.as_ref().is_some_and(|view| view.of.is_from_review());
                // A commit changes no document, so a review that is looked at again is made again.
                state.plan.1 += u64::from(wants_review && !was_review);
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
                if wants_review {
                    self.shared.review.raise();
                }
            }
            Request::Review(plan) => {
                let mut state = self.shared.state();
                state.plan = (plan, state.plan.1 + 1);
                drop(state);
                self.shared.review.raise();
            }
            Request::Blame(at) => {
                self.shared.state().blame = at;
                self.shared.blame.raise();
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
            | Request::SetState { .. }
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
            Request::Criteria(criteria) => {
                let mut state = self.shared.state();
                state.criteria = criteria;
                // A search that has begun goes on.
                state.trial = state.trial.filter(|trial| *trial == criteria);
                drop(state);
                self.shared.search.raise();
            }
            Request::TryCriteria(criteria) => {
                self.shared.state().trial = criteria;
                self.shared.search.raise();
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
        if let Some(known) = known {
            known.keep_hidden(&taboo);
            known.keep_visit();
        }
    }

    fn tell_indexer(&self, work: IndexerMessage) {
        // An indexer that has ended has reported why.
        let _ = self.work.send(work);
    }
}
