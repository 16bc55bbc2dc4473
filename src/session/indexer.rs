//! The thread that keeps the index up to date: opens it, brings it up to date, then follows the folder.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::activity::{Committed, Happening};
use super::decisions::Decisions;
use super::memory::give_back;
use super::open::Opened;
use super::shared::Shared;
use super::update::{UpdateError, Updater};
use super::{Observer, Options, Phase, Progress, Update, Watch, Watching};
use crate::corpus::{Change, Corpus, WatchMode, Watcher};
use crate::index::IndexError;
use crate::index::merge::Merged;
use crate::index::ranking::Ranking;
use crate::index::snapshot::Snapshot;
use crate::index::writer;

/// How often it is looked whether somebody else decided; and, in a session that may not write, whether there is
/// a new generation.
const TICK: Duration = Duration::from_secs(1);

/// How often what failed is tried again.
const RETRY: Duration = Duration::from_secs(3);

/// What the thread is woken for.
pub enum Work {
    /// The folder changed.
    Changed(Change),
    /// A merge is done.
    Merged(Result<Merged, IndexError>, Duration),
    /// Build the index anew with the options of this session.
    Rebuild,
    /// Leave the index's recipe as it is.
    Keep,
    /// End.
    Stop,
}

/// The indexer of a session.
pub struct Indexer {
    corpus: Corpus,
    options: Options,
    shared: Arc<Shared>,
    work: Sender<Work>,
    state: Progress,
    /// What was taken from the channel, but is to be done next.
    postponed: Option<Work>,
}

impl Observer for Indexer {
    fn progress(&self, progress: Progress) {
        let Progress { watching, ref read_only, .. } = self.state;
        let speeds = self.shared.log().speeds(&progress.phase, progress.bytes.0, Instant::now());
        let read_only = read_only.clone();
        self.shared.tell(Update::Progress(Progress { watching, read_only, speeds, ..progress }));
    }

    fn committed(&self, snapshot: &Snapshot) {
        self.shared.publish(snapshot);
    }

    fn sealed(&self, commit: Committed) {
        self.shared.happened(Happening::Committed(commit));
    }

    fn is_cancelled(&self) -> bool {
        self.shared.is_stopped()
    }
}

impl Indexer {
    /// An indexer that is woken over the channel of `work`.
    pub fn new(corpus: Corpus, options: Options, shared: Arc<Shared>, work: Sender<Work>) -> Self {
        Self { corpus, options, shared, work, state: Progress::default(), postponed: None }
    }

    /// Works until it is told to stop.
    pub fn run(mut self, inbox: &Receiver<Work>) {
        let mut opened = self.options.open(&self.corpus);
        loop {
            opened = match opened {
                Ok(Opened::Ready(updater)) => return self.follow(updater, inbox),
                Ok(Opened::Mismatch { updater, sentence }) => {
                    self.shared.tell(Update::Mismatch(sentence));
                    return self.follow(updater, inbox);
                }
                Err(UpdateError::Index(IndexError::Locked { holder, .. })) => {
                    self.state.read_only = Some(holder);
                    match self.read_only(inbox) {
                        true => self.options.open(&self.corpus),
                        false => return,
                    }
                }
                Err(UpdateError::Index(
                    error @ (IndexError::Damaged { .. } | IndexError::Version { .. }),
                )) => {
                    self.shared.tell(Update::Mismatch(error.to_string()));
                    self.fail(error.to_string());
                    match self.wait_for_rebuild(inbox) {
                        true => self.options.build(&self.corpus, None).map(Opened::Ready),
                        false => return,
                    }
                }
                Err(error) => return self.fail(error.to_string()),
            };
        }
    }

    fn fail(&mut self, sentence: String) {
        tracing::error!("{sentence}");
        self.state.phase = Phase::Failed(sentence);
        self.shared.tell(Update::Progress(self.state.clone()));
    }

    /// Waits for the answer to a damaged index; whether to build it anew.
    fn wait_for_rebuild(&self, inbox: &Receiver<Work>) -> bool {
        loop {
            match inbox.recv() {
                Ok(Work::Rebuild) => return true,
                Ok(Work::Stop) | Err(_) => return false,
                Ok(_) => {}
            }
        }
    }

    /// Shows what another process commits, until its lock is free (`true`) or the session ends.
    fn read_only(&mut self, inbox: &Receiver<Work>) -> bool {
        let mut generation = None;
        loop {
            match Snapshot::open(&self.options.home) {
                Ok(snapshot) if generation != Some(snapshot.manifest().generation) => {
                    generation = Some(snapshot.manifest().generation);
                    self.state.phase = Phase::Idle;
                    self.load_decisions(&snapshot);
                    self.shared.forget_others(&snapshot);
                    self.shared.publish(&snapshot);
                    self.idle(&snapshot);
                }
                Ok(_) | Err(IndexError::Absent(_)) => {}
                Err(error) => {
                    // Once it can be read again, that is told, be it the same generation.
                    generation = None;
                    self.fail(error.to_string());
                }
            }
            self.follow_decisions();
            match inbox.recv_timeout(TICK) {
                Ok(Work::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) if writer::is_free(&self.options.home) => {
                    self.state.read_only = None;
                    return true;
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn load_decisions(&mut self, snapshot: &Snapshot) {
        let recipe = snapshot.manifest().recipe;
        let deciding = self.shared.deciding();
        let (decisions, wrong) = Decisions::load(self.options.home.clone(), recipe);
        self.shared.state().decisions = Some(decisions);
        drop(deciding);
        for sentence in wrong {
            self.shared.tell(Update::Notice(sentence));
        }
    }

    /// Shows what others decided meanwhile: a verb, another screen, or somebody who edits a list.
    fn follow_decisions(&self) {
        let known = self.shared.state().decisions.clone();
        if known.is_none_or(|known| known.is_newest()) {
            return;
        }
        let deciding = self.shared.deciding();
        let Some(before) = self.shared.state().decisions.clone() else { return };
        let mut decisions = before.clone();
        let wrong = decisions.renew();
        let is_same = decisions.is_same(&before);
        self.shared.state().decisions = Some(decisions);
        drop(deciding);
        if !is_same {
            self.shared.rows.raise();
            self.shared.preview.raise();
        }
        for sentence in wrong {
            self.shared.tell(Update::Notice(sentence));
        }
    }

    /// Brings the index up to date and then follows the folder.
    fn follow(mut self, mut updater: Box<Updater>, inbox: &Receiver<Work>) {
        self.begin(&updater);
        let folders = updater.update_all(&self);
        let mut watcher = self.after(folders, None);
        self.shared.log().folders = watcher.as_ref().map_or(0, Watcher::folders);
        let mut merging = self.merge(&mut updater);
        self.idle(updater.snapshot());
        while let Some(work) = self.next_work(inbox) {
            let updated = match work {
                Work::Changed(Change::Paths(paths)) => {
                    if let Some(watcher) = &mut watcher {
                        watcher.renew(Some(&paths));
                    }
                    updater.update_paths(&paths, &self)
                }
                Work::Changed(Change::Rescan) => {
                    if let Some(watcher) = &mut watcher {
                        watcher.renew(None);
                    }
                    updater.update_all(&self)
                }
                Work::Changed(Change::Trouble(sentence)) => {
                    self.state.watching =
                        watcher.as_ref().map_or(Watching::Off, |watcher| watcher.mode().into());
                    self.shared.log().trouble = Some(sentence.clone());
                    self.shared.tell(Update::Notice(sentence));
                    Ok(Vec::new())
                }
                Work::Merged(merged, took) => {
                    merging = false;
                    merged.map_err(UpdateError::from).and_then(|merged| {
                        updater.writer().adopt(merged)?;
                        self.shared.publish(updater.snapshot());
                        self.shared.happened(Happening::merged(updater.snapshot(), took));
                        Ok(Vec::new())
                    })
                }
                Work::Rebuild => {
                    let old = updater.snapshot().manifest().clone();
                    drop(updater);
                    updater = match self.options.build(&self.corpus, Some(&old)) {
                        Ok(built) => built,
                        Err(error) => return self.fail(error.to_string()),
                    };
                    self.begin(&updater);
                    updater.update_all(&self)
                }
                Work::Keep => continue,
                Work::Stop => break,
            };
            watcher = self.after(updated, watcher);
            self.shared.log().folders = watcher.as_ref().map_or(0, Watcher::folders);
            if !merging {
                merging = self.merge(&mut updater);
            }
            self.idle(updater.snapshot());
        }
        self.keep_ranking(&mut updater);
    }

    /// Waits for something to do. After a failure – the folder is gone, the disk is full – what failed is
    /// tried again from time to time.
    fn next_work(&mut self, inbox: &Receiver<Work>) -> Option<Work> {
        let failed = matches!(self.state.phase, Phase::Failed(_));
        let retry = failed.then(|| Instant::now() + RETRY);
        let mut work = self.postponed.take();
        while work.is_none() {
            work = match inbox.recv_timeout(TICK) {
                Err(RecvTimeoutError::Timeout) => {
                    self.follow_decisions();
                    retry.filter(|at| Instant::now() >= *at).map(|_| Work::Changed(Change::Rescan))
                }
                work => Some(work.ok()?),
            };
        }
        work.map(|work| self.gather(work, inbox))
    }

    /// Takes all changes together that were told by now.
    fn gather(&mut self, work: Work, inbox: &Receiver<Work>) -> Work {
        let Work::Changed(Change::Paths(mut paths)) = work else { return work };
        while let Ok(next) = inbox.try_recv() {
            match next {
                Work::Changed(Change::Paths(more)) => paths.extend(more),
                other => {
                    self.postponed = Some(other);
                    break;
                }
            }
        }
        paths.sort();
        paths.dedup();
        Work::Changed(Change::Paths(paths))
    }

    /// Shows what is committed already.
    fn begin(&mut self, updater: &Updater) {
        let snapshot = updater.snapshot();
        self.load_decisions(snapshot);
        self.shared.forget_others(snapshot);
        if let Some(ranking) = Ranking::read(&self.options.home, snapshot) {
            self.shared.state().ranking = Some((snapshot.clone(), Arc::new(ranking)));
        }
        self.shared.publish(snapshot);
    }

    /// Says what went wrong, or lets the watcher know the folders that an update found.
    fn after(
        &mut self,
        updated: Result<Vec<PathBuf>, UpdateError>,
        watcher: Option<Watcher>,
    ) -> Option<Watcher> {
        match updated {
            Ok(folders) => {
                self.state.phase = Phase::Idle;
                self.shared.notice_folder();
                self.shared.tell_unread();
                match watcher {
                    Some(mut watcher) => {
                        let new = watcher.follow(&folders);
                        if !new.is_empty() {
                            // Something may have changed in them before they were followed.
                            let _ = self.work.send(Work::Changed(Change::Paths(new)));
                        }
                        Some(watcher)
                    }
                    None => self.watch(&folders),
                }
            }
            Err(error) => {
                self.fail(error.to_string());
                watcher
            }
        }
    }

    fn watch(&mut self, folders: &[PathBuf]) -> Option<Watcher> {
        let mode = match self.options.watch {
            Watch::Off => return None,
            Watch::Events => WatchMode::Events,
            Watch::Poll(every) => WatchMode::Poll(every),
        };
        let work = self.work.clone();
        let sink = move |change| drop(work.send(Work::Changed(change)));
        let watcher = Watcher::start(&self.corpus, folders, mode, Some(self.options.home.path()), sink);
        self.state.watching = watcher.mode().into();
        if mode == WatchMode::Events {
            // Something may have changed since it was walked.
            let _ = self.work.send(Work::Changed(Change::Rescan));
        }
        Some(watcher)
    }

    /// Starts a merge on a thread of its own when one is worth doing; whether one runs.
    fn merge(&mut self, updater: &mut Updater) -> bool {
        let Some(plan) = updater.writer().plan_merge() else {
            updater.writer().sweep();
            return false;
        };
        let work = self.work.clone();
        std::thread::spawn(move || {
            let started = Instant::now();
            let merged = plan.run();
            drop(work.send(Work::Merged(merged, started.elapsed())));
        });
        true
    }

    fn idle(&mut self, snapshot: &Snapshot) {
        let totals = snapshot.totals();
        let manifest = snapshot.manifest();
        let failed = matches!(self.state.phase, Phase::Failed(_));
        self.state = Progress {
            phase: if failed { self.state.phase.clone() } else { Phase::Idle },
            documents: totals.documents,
            generation: manifest.generation,
            skipped: snapshot.skipped_count(),
            watching: self.state.watching,
            read_only: self.state.read_only.clone(),
            ..Progress::default()
        };
        self.shared.tell(Update::Progress(self.state.clone()));
        give_back();
        self.shared.rest();
    }

    fn keep_ranking(&self, updater: &mut Updater) {
        let ranking = self.shared.state().ranking.clone();
        if let Some((_, ranking)) = ranking
            && let Err(error) = updater.writer().keep_ranking(&ranking)
        {
            tracing::warn!("{error}");
        }
    }
}
