//! Sessions connect the engine with a front end: a session owns the background indexer and the watcher, takes
//! [`Request`]s over a channel and answers with [`Update`]s. It does not depend on a terminal.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

pub use known::taboo_counts::Hiding;
pub use protocol::*;
pub use rows::{Overview, cluster_of};
use worker::indexer::{Indexer, IndexerMessage};
use worker::shared::{SharedSession, concern_of};
use worker::signals::Concern;
use worker::{answers, clusters, passages, requests, review, rows as listing};

use dupi_base::corpus::{Corpus, WatchEvent};
use dupi_ingest::priority::{self, Nice};
pub use dupi_ingest::{Committed, Options, Phase, Progress, Watch, Watching};

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
    indexer: Sender<IndexerMessage>,
    threads: Vec<JoinHandle<()>>,
}

impl Session {
    /// Opens a corpus. `updates` is called from the session's threads.
    pub fn start(corpus: Corpus, options: Options, updates: impl Fn(Update) + Send + Sync + 'static) -> Self {
        let shared = Arc::new(SharedSession::new(options.memory, updates));
        shared.state().asked.criteria = options.criteria;
        let (memory, threads, patterns) = (options.memory, options.threads, Arc::clone(&options.patterns));
        let (work, inbox) = channel();
        // An indexer that has ended has nothing to follow.
        let (exclusions, sketching) = (work.clone(), work.clone());
        let look_at = move |paths| drop(exclusions.send(IndexerMessage::Changed(WatchEvent::Paths(paths))));
        let _ = shared.look_at.set(Box::new(look_at));
        let ask_for_sketches = move || drop(sketching.send(IndexerMessage::Sketch));
        let indexer = Indexer::new(corpus, options, Arc::clone(&shared), work.clone());
        let run = |work: Box<dyn FnOnce(&SharedSession) + Send>| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || work(&shared))
        };
        let answering = |work: fn(&SharedSession)| {
            run(Box::new(move |shared| {
                priority::set(Nice::Answering);
                work(shared);
            }))
        };
        let joined = vec![
            thread::spawn(move || indexer.run(&inbox)),
            answering(listing::answer_rows),
            answering(answers::answer_previews),
            run(Box::new(requests::answer_requests)),
        ];
        // These threads need no orderly end: `stop` does not wait for them.
        for work in [answers::answer_activity, answers::answer_blame, answers::follow_decisions] {
            answering(work);
        }
        let (searched, reviewed) = (Arc::clone(&patterns), patterns);
        run(Box::new(move |shared| passages::search(shared, memory, threads, searched)));
        run(Box::new(move |shared| clusters::compare(shared, memory, threads, ask_for_sketches)));
        run(Box::new(move |shared| review::review(shared, memory, threads, reviewed)));
        Self { shared, indexer: work, threads: joined }
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
                asked.decisions.push(request);
                asked.rows = true;
                Some(Concern::Rows)
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
            Request::Rebuild => self.tell_indexer(IndexerMessage::Rebuild),
            Request::KeepRecipe => self.tell_indexer(IndexerMessage::Keep),
        };
        drop(state);
        self.shared.signals.raise(raised.as_slice());
    }

    /// Ends the session: seals what is read and shattered by now, writes the files that were asked for, and joins the
    /// threads.
    pub fn stop(self) {
        self.shared.signals.close();
        let _ = self.indexer.send(IndexerMessage::Stop);
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
            known.keep_hidden(&taboo);
            known.keep_visit();
        }
    }

    fn tell_indexer(&self, work: IndexerMessage) -> Option<Concern> {
        // An indexer that has ended has reported why.
        let _ = self.indexer.send(work);
        None
    }
}
