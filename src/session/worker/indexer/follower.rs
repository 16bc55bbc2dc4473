//! Carries out the steps that the state asks for: keeps one open index up to date with its folder until it is closed.

use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use super::context::Indexer;
use super::running_merge::RunningMerge;
use super::state::{IndexerEvent, IndexerState, IndexerStep, LeaveReason, OwedPaths};
use crate::protocol::{ActivityKind, Update};
use crate::worker::pace::processor_time;
use crate::worker::shared::IndexerMessage;
use dupi_base::corpus::{PathScope, Watch, WatchEvent, Watcher};
use dupi_index::index::IndexError;
use dupi_index::index::merge::Merged;
use dupi_ingest::{Phase, UpdateError, Updater};

/// An index that is open for writing, and the folder that it is kept up to date with.
pub(super) struct IndexFollower<'a> {
    indexer: &'a mut Indexer,
    watcher: &'a mut Option<Watcher>,
    updater: Box<Updater>,
    state: IndexerState,
    /// The running merge and its number. Results of other merges are ignored.
    merging: Option<(u64, RunningMerge)>,
    /// The causes of the last failed update and merge. Repeated failures with the same cause are reported once.
    update_failed: Option<String>,
    merge_failed: Option<String>,
    /// Whether the folder was walked after it was watched.
    is_followed: bool,
    /// Whether something was done that is not reported yet.
    is_news: bool,
}

impl<'a> IndexFollower<'a> {
    /// Publishes the last committed generation.
    pub(super) fn begin(
        indexer: &'a mut Indexer,
        watcher: &'a mut Option<Watcher>,
        updater: Box<Updater>,
    ) -> Self {
        indexer.show(updater.snapshot());
        let state = IndexerState::new(Instant::now());
        Self {
            indexer,
            watcher,
            updater,
            state,
            merging: None,
            update_failed: None,
            merge_failed: None,
            is_followed: false,
            is_news: false,
        }
    }

    /// Carries out steps until the index is to be closed. Returns the reason, and the index.
    pub(super) fn run(mut self, inbox: &Receiver<IndexerMessage>) -> (LeaveReason, Box<Updater>) {
        loop {
            while let Ok(work) = inbox.try_recv() {
                self.take(work);
            }
            if self.indexer.shared.is_stopped() {
                self.react_to(IndexerEvent::Stop);
            }
            let step = self.state.next(Instant::now());
            // The report says whether a merge runs.
            if self.is_news && !matches!(step, IndexerStep::Look | IndexerStep::BeginMerge) {
                self.is_news = false;
                self.send();
            }
            match step {
                IndexerStep::Wait(until) => {
                    let wait = until.saturating_duration_since(Instant::now());
                    if let Ok(work) = inbox.recv_timeout(wait) {
                        self.take(work);
                    }
                }
                IndexerStep::Look => self.look(),
                IndexerStep::Update(owed) => self.update(owed),
                IndexerStep::BeginMerge => self.begin_merge(),
                IndexerStep::EndMerge => self.end_merge(),
                IndexerStep::Leave(why) => return (why, self.updater),
            }
        }
    }

    fn react_to(&mut self, event: IndexerEvent) {
        self.state.handle(event, Instant::now());
    }

    fn take(&mut self, work: IndexerMessage) {
        match work {
            IndexerMessage::Changed(WatchEvent::Paths(paths)) => self.react_to(IndexerEvent::Changed(paths)),
            IndexerMessage::Changed(WatchEvent::Rescan) => self.react_to(IndexerEvent::ChangedAnywhere),
            IndexerMessage::Changed(WatchEvent::Trouble(sentence)) => {
                self.note_watcher();
                self.indexer.shared.log().shown.trouble = Some(sentence.clone());
                self.indexer.shared.send(Update::Notice(sentence));
                self.is_news = true;
            }
            IndexerMessage::Merged(number, merged, took) => self.take_merged(number, merged, took),
            IndexerMessage::Rebuild => self.react_to(IndexerEvent::Rebuild),
            IndexerMessage::Sketch => self.sketch(),
            IndexerMessage::Stop => self.react_to(IndexerEvent::Stop),
        }
    }

    fn look(&mut self) {
        self.react_to(IndexerEvent::Looked);
        self.look_for_loss();
    }

    /// Whether the index was removed.
    fn look_for_loss(&mut self) -> bool {
        let lost = self.updater.writer().check().err();
        if let Some(error) = &lost {
            tracing::error!("{error}");
            self.react_to(IndexerEvent::Lost);
        }
        lost.is_some()
    }

    fn update(&mut self, owed: OwedPaths) {
        let (is_for_change, begun) = (self.watcher.is_some(), processor_time());
        let paths: Option<Vec<PathBuf>> = owed.map(|paths| paths.into_iter().collect());
        // Before the walk, so that each change is either found by it or reported by the watcher.
        self.watcher.iter_mut().for_each(|watcher| watcher.renew(paths.as_deref()));
        let updated = match &paths {
            None => self.updater.update_all(&*self.indexer),
            Some(paths) => self.updater.update_paths(paths, &*self.indexer),
        };
        match updated {
            Ok(folders) => {
                self.update_failed = None;
                self.indexer.progress.phase = Phase::Idle;
                self.indexer.shared.folder_was_read();
                self.indexer.shared.report_unread();
                self.react_to(match (self.updater.is_whole(), paths.is_none()) {
                    (true, true) => IndexerEvent::Updated,
                    (true, false) => IndexerEvent::PathsUpdated,
                    (false, _) => IndexerEvent::UpdatedInPart,
                });
                // These folders may have changed before they were watched.
                match self.watcher {
                    Some(watcher) => {
                        let roots = PathScope::new(self.indexer.corpus.roots.iter().map(PathBuf::as_path));
                        let is_inside = |path: &PathBuf| roots.contains(path);
                        let inside: Option<Vec<PathBuf>> =
                            paths.map(|paths| paths.into_iter().filter(is_inside).collect());
                        watcher.forget(inside.as_deref(), &folders);
                        let new = watcher.follow(&folders);
                        self.react_to(IndexerEvent::Changed(new));
                    }
                    None => {
                        *self.watcher = self.indexer.watch(&folders);
                        if self.indexer.options.watch == Watch::Events {
                            self.react_to(IndexerEvent::ChangedAnywhere);
                        }
                    }
                }
            }
            Err(error) => {
                self.react_to(IndexerEvent::UpdateFailed);
                if !self.look_for_loss() && self.update_failed.replace(error.cause()) != Some(error.cause()) {
                    tracing::error!("{error}");
                    self.indexer.progress.phase = Phase::Failed(error.to_string());
                }
            }
        }
        // The first walks, before and after the folder is watched, are not for changes.
        if is_for_change && mem::replace(&mut self.is_followed, true) {
            self.react_to(IndexerEvent::Charged(processor_time().saturating_sub(begun)));
        }
        self.note_watcher();
        self.is_news = true;
    }

    /// Records how the folder is watched.
    fn note_watcher(&mut self) {
        self.indexer.progress.watching = self.watcher.as_ref().map_or(Watch::Off, Watcher::mode);
        self.indexer.shared.log().shown.folders = self.watcher.as_ref().map_or(0, Watcher::folders);
    }

    /// Makes missing sketches. Without them documents are read when they are compared, so a failure is no news.
    fn sketch(&mut self) {
        match self.updater.sketch(&*self.indexer) {
            Ok(()) => self.indexer.shared.publish(self.updater.snapshot()),
            Err(error) => tracing::warn!("{error}"),
        }
        self.is_news = true;
    }

    fn begin_merge(&mut self) {
        let Some(plan) = self.updater.writer().plan_merge() else {
            self.updater.writer().sweep();
            return self.react_to(IndexerEvent::NothingToMerge);
        };
        self.indexer.merges += 1;
        let (number, shared) = (self.indexer.merges, Arc::clone(&self.indexer.shared));
        let begun = RunningMerge::begin(
            self.indexer.options.threads,
            move |is_stopped| plan.run(is_stopped),
            move |merged, took| shared.tell_indexer(IndexerMessage::Merged(number, merged, took)),
        );
        match begun {
            Ok(merging) => {
                self.merging = Some((number, merging));
                self.react_to(IndexerEvent::MergeBegan);
            }
            Err(error) => self.fail_to_merge(&UpdateError::Threads(error)),
        }
    }

    fn end_merge(&mut self) {
        if let Some((_, merging)) = self.merging.take() {
            merging.end();
        }
        self.react_to(IndexerEvent::MergeFailed);
    }

    fn take_merged(&mut self, number: u64, merged: Result<Merged, IndexError>, took: Duration) {
        if self.merging.as_ref().is_none_or(|(runs, _)| *runs != number) {
            return;
        }
        self.merging = None;
        self.is_news = true;
        match merged.and_then(|merged| self.updater.adopt(merged)) {
            Ok(()) => {
                self.merge_failed = None;
                self.react_to(IndexerEvent::Merged);
                let snapshot = self.updater.snapshot();
                self.indexer.shared.publish(snapshot);
                self.indexer.shared.record(ActivityKind::merged(snapshot, took));
            }
            Err(error) => {
                if self.look_for_loss() {
                    return self.react_to(IndexerEvent::MergeFailed);
                }
                self.fail_to_merge(&error.into());
            }
        }
    }

    /// The index is complete without the merge, so repeated failures are reported once.
    fn fail_to_merge(&mut self, error: &UpdateError) {
        self.react_to(IndexerEvent::MergeFailed);
        // Removes what the merge wrote, which takes space on a disk that may be full.
        self.updater.writer().sweep();
        if self.merge_failed.replace(error.cause()) != Some(error.cause()) {
            tracing::error!("{error}");
            let notice = format!("Segments could not be merged; another attempt follows later: {error}.");
            self.indexer.shared.send(Update::Notice(notice));
        }
    }

    /// Sends the state of the index.
    fn send(&mut self) {
        let snapshot = self.updater.snapshot();
        self.indexer.report_state(snapshot, self.state.is_merging());
    }
}
