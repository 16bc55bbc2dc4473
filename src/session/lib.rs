//! Sessions connect the engine with a front end: a session owns the background indexer and the watcher, takes
//! [`Request`]s and sends [`Update`]s to a function of the front end. It does not depend on a terminal.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};

pub use known::taboo_counts::Hiding;
pub use protocol::*;
pub use rows::{Overview, cluster_of};
use worker::indexer::Indexer;
use worker::shared::{IndexerMessage, SharedSession, concern_of};
use worker::signals::Concern;
use worker::{answers, passages, rows as listing, searches};

use dupi_base::corpus::Corpus;
pub use dupi_base::corpus::Watch;
use dupi_ingest::priority::{self, Nice};
pub use dupi_ingest::{Committed, Options, Phase, Progress};

mod decisions;
mod known;
#[cfg(test)]
mod listed_once_tests;
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
    threads: Vec<JoinHandle<()>>,
}

impl Session {
    /// Opens a corpus. `updates` is called from the session's threads.
    pub fn start(corpus: Corpus, options: Options, updates: impl Fn(Update) + Send + Sync + 'static) -> Self {
        let (work, inbox) = channel();
        let mut shared = SharedSession::new(options.memory, work, updates);
        (shared.threads, shared.patterns) = (options.threads, Arc::clone(&options.patterns));
        shared.state().asked.criteria = options.criteria;
        let shared = Arc::new(shared);
        let indexer = Indexer::new(corpus, options, Arc::clone(&shared));
        let run = |nice: Option<Nice>, work: fn(&SharedSession)| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                nice.into_iter().for_each(priority::set);
                work(&shared);
            })
        };
        let answering = Some(Nice::Answering);
        let joined = vec![
            thread::spawn(move || indexer.run(&inbox)),
            run(answering, listing::answer_rows),
            run(answering, answers::answer_previews),
            run(None, answers::answer_requests),
        ];
        // The other threads need no orderly end: `stop` does not wait for them.
        for work in [answers::answer_activity, answers::answer_blame, answers::follow_decisions] {
            run(answering, work);
        }
        for work in [passages::search, searches::compare, searches::review_changes] {
            run(None, work);
        }
        Self { shared, threads: joined }
    }

    /// Adds a failure from before the session began to its activity: a sentence.
    pub fn note_failure(&self, sentence: impl Into<String>) {
        self.shared.record(ActivityKind::Failed(sentence.into()));
    }

    /// Sends a request. Never blocks.
    pub fn send(&self, request: Request) {
        let mut state = self.shared.state();
        let asked = &mut state.asked;
        let raised = match request {
            Request::Rows(view) => {
                // A commit changes no document, so a review that is looked at again is made again.
                let was_review = asked.view.as_ref().is_some_and(|view| view.of == Subject::Review);
                asked.plan.1 += u64::from(view.of == Subject::Review && !was_review);
                let search = concern_of(view.of);
                (asked.view, asked.rows, asked.activity) = (Some(view), true, false);
                // Before the lock is released: a thread that reads this view must see the signal.
                self.shared.signals.raise(&[Concern::Rows]);
                search
            }
            Request::Review(plan) => {
                asked.plan = (plan, asked.plan.1 + 1);
                Some(Concern::Review)
            }
            Request::Blame(at) => {
                asked.blame = at;
                Some(Concern::Blame)
            }
            Request::Preview { row, current } => {
                asked.preview = Some((row, current));
                Some(Concern::Preview)
            }
            Request::Text { .. }
            | Request::Places { .. }
            | Request::Pin { .. }
            | Request::Export { .. }
            | Request::ExportTaboo { .. }
            | Request::Skipped
            | Request::Names
            | Request::TabooPreview { .. } => {
                asked.requests.push_back(request);
                Some(Concern::Requests)
            }
            Request::Criteria(criteria) => {
                asked.criteria = criteria;
                // A search that has begun goes on.
                asked.trial = asked.trial.filter(|trial| *trial == criteria);
                Some(Concern::Passages)
            }
            Request::TryCriteria(criteria) => {
                asked.trial = criteria;
                Some(Concern::Passages)
            }
            Request::Activity => {
                asked.activity = true;
                Some(Concern::Activity)
            }
            Request::Rebuild => {
                self.shared.tell_indexer(IndexerMessage::Rebuild);
                None
            }
            decision => {
                asked.decisions.push(decision);
                asked.rows = true;
                Some(Concern::Rows)
            }
        };
        drop(state);
        self.shared.signals.raise(raised.as_slice());
    }

    /// Ends the session: seals what is read and shattered by now, writes the files that were asked for, and joins the
    /// threads.
    pub fn stop(self) {
        self.shared.signals.close();
        self.shared.tell_indexer(IndexerMessage::Stop);
        for thread in self.threads {
            if thread.join().is_err() {
                tracing::error!("a thread of the session had panicked");
            }
        }
        let (known, taboo) = {
            let state = self.shared.state();
            (state.passages.clone(), state.taboo())
        };
        if let Some(known) = known {
            known.keep();
            known.keep_hidden(&taboo);
            known.keep_visit();
        }
    }
}
