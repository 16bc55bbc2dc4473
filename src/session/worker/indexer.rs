//! The thread that keeps the index up to date: opens it, brings it up to date, then watches the folder.
//!
//! [`state`] decides the next step; it is plain data, which is tested without threads. [`follower`] carries out the steps.
//! This file opens or rebuilds an index, and waits while another process writes it.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

pub(crate) use context::Indexer;
use follower::IndexFollower;
use state::{LeaveReason, Retry};

use crate::protocol::Update;
use crate::worker::shared::IndexerMessage;
use dupi_base::corpus::Watcher;
use dupi_index::index::IndexError;
use dupi_index::index::manifest::Manifest;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::index::writer;
use dupi_ingest::{Opened, Phase, UpdateError, Updater};

mod context;
mod follower;
mod running_merge;
mod state;

/// The interval at which a session without the writer's lock looks for a new generation, and whether the lock is free.
const TICK: Duration = Duration::from_secs(1);

/// How an index is opened.
enum Opening {
    /// Open it as it is, or build it if there is none.
    AsItIs,
    /// Rebuild it. The settings that the options leave open are those of this manifest.
    Anew(Option<Manifest>),
    /// Open it as it is, or build it with the settings of this manifest, whose index was removed.
    AfterLoss(Manifest),
}

/// Why waiting ended.
enum WaitEnd {
    TimePassed,
    Rebuild,
    Stop,
}

impl Indexer {
    /// Works until it is asked to stop.
    pub(crate) fn run(mut self, inbox: &Receiver<IndexerMessage>) {
        let mut opening = Opening::AsItIs;
        let mut watcher = None;
        let mut retry = Retry::for_opening();
        while !self.shared.is_stopped() {
            let woken = match self.open(&opening) {
                Ok(updater) => {
                    retry = Retry::for_opening();
                    match self.follow(updater, &mut watcher, inbox) {
                        Some(next) => opening = next,
                        None => return,
                    }
                    continue;
                }
                Err(UpdateError::Index(IndexError::Locked { holder, .. })) => {
                    self.read_only(holder, &mut opening, inbox)
                }
                Err(UpdateError::Index(
                    error @ (IndexError::Damaged { .. } | IndexError::Version { .. }),
                )) => {
                    self.shared.send(Update::Mismatch(error.to_string()));
                    self.fail(error.to_string());
                    self.wait(None, inbox)
                }
                Err(error) => {
                    self.fail(error.to_string());
                    self.wait(Some(retry.failed(Instant::now())), inbox)
                }
            };
            match woken {
                WaitEnd::TimePassed => {}
                WaitEnd::Rebuild => opening = Opening::Anew(None),
                WaitEnd::Stop => return,
            }
        }
    }

    /// Opens the index for writing, or builds it.
    fn open(&self, opening: &Opening) -> Result<Box<Updater>, UpdateError> {
        let opened = match opening {
            Opening::AsItIs => self.options.open(&self.corpus)?,
            Opening::Anew(old) => {
                return self.options.build(&self.corpus, old.as_ref());
            }
            Opening::AfterLoss(old) => self.options.open_after_loss(&self.corpus, old)?,
        };
        Ok(match opened {
            Opened::Ready(updater) => updater,
            Opened::Mismatch { updater, sentence } => {
                self.shared.send(Update::Mismatch(sentence));
                updater
            }
        })
    }

    /// Keeps the index up to date until the session stops (`None`), or it is to be opened in another way.
    fn follow(
        &mut self,
        updater: Box<Updater>,
        watcher: &mut Option<Watcher>,
        inbox: &Receiver<IndexerMessage>,
    ) -> Option<Opening> {
        let (why, mut updater) = IndexFollower::begin(self, watcher, updater).run(inbox);
        match why {
            LeaveReason::Stop => {
                self.save_ranking(&mut updater);
                None
            }
            LeaveReason::Rebuild => Some(Opening::Anew(Some(updater.writer().predecessor()))),
            LeaveReason::Lost => Some(self.after_loss(updater.writer().predecessor())),
        }
    }

    /// Reports that the index was removed, and returns how to open it again. `old` is its manifest.
    fn after_loss(&self, old: Manifest) -> Opening {
        let index = dupi_base::storage::shown(self.options.home.path());
        self.shared.send(Update::Notice(format!(
            "The index in {index} was removed while it was in use; it is built anew."
        )));
        Opening::AfterLoss(old)
    }

    fn fail(&mut self, sentence: String) {
        tracing::error!("{sentence}");
        self.progress.phase = Phase::Failed(sentence);
        self.shared.send(Update::Progress(self.progress.clone()));
    }

    /// Waits for a request to rebuild the index, until a time.
    fn wait(&self, until: Option<Instant>, inbox: &Receiver<IndexerMessage>) -> WaitEnd {
        loop {
            let work = match until {
                // Other messages do not prolong it.
                Some(until) => match until.checked_duration_since(Instant::now()) {
                    Some(rest) => inbox.recv_timeout(rest),
                    None => Err(RecvTimeoutError::Timeout),
                },
                None => inbox.recv().map_err(RecvTimeoutError::from),
            };
            match work {
                Ok(IndexerMessage::Rebuild) => return WaitEnd::Rebuild,
                Ok(IndexerMessage::Stop) | Err(RecvTimeoutError::Disconnected) => return WaitEnd::Stop,
                Err(RecvTimeoutError::Timeout) => return WaitEnd::TimePassed,
                Ok(_) => {}
            }
        }
    }

    /// Shows the generations that another process commits, until its lock is free or the session ends. If that process removes
    /// the index, `opening` is set accordingly.
    fn read_only(
        &mut self,
        holder: String,
        opening: &mut Opening,
        inbox: &Receiver<IndexerMessage>,
    ) -> WaitEnd {
        self.progress.read_only = Some(holder);
        let mut shown: Option<Snapshot> = None;
        loop {
            let newest = match &shown {
                Some(shown) => shown.newer(),
                None => Snapshot::open(&self.options.home).map(Some),
            };
            match newest {
                Ok(Some(snapshot)) => {
                    self.progress.phase = Phase::Idle;
                    self.show(&snapshot);
                    self.report_state(&snapshot, false);
                    shown = Some(snapshot);
                }
                Ok(None) | Err(IndexError::Absent(_)) => {}
                Err(error) => {
                    // When it can be read again it is shown, even if it is the same generation.
                    shown = None;
                    self.fail(error.to_string());
                }
            }
            if let WaitEnd::Stop = self.wait(Some(Instant::now() + TICK), inbox) {
                return WaitEnd::Stop;
            }
            if writer::is_free(&self.options.home) {
                self.progress.read_only = None;
                self.left_by_its_writer(shown.as_ref(), opening);
                return WaitEnd::TimePassed;
            }
        }
    }

    /// Decides how to open an index that another process wrote until now. `shown` is the last generation that was shown.
    fn left_by_its_writer(&self, shown: Option<&Snapshot>, opening: &mut Opening) {
        let now = Manifest::read(&self.options.home);
        if !matches!(now, Err(IndexError::Absent(_))) {
            // The index may be that process's own; it is not overwritten, even if it is damaged.
            if let Opening::AfterLoss(_) = opening {
                *opening = Opening::AsItIs;
            }
        } else if let Some(shown) = shown {
            *opening = self.after_loss(shown.manifest().clone());
        }
    }

    fn save_ranking(&self, updater: &mut Updater) {
        if let Some((_, ranking)) = self.shared.rankings.last()
            && let Err(error) = updater.writer().save_ranking(&ranking)
        {
            tracing::warn!("{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Arc, Mutex};
    use std::thread;

    use super::*;
    use crate::worker::shared::SharedSession;
    use dupi_base::corpus::{Corpus, Formats, WalkRules, Watch, WatchEvent};
    use dupi_base::storage::Folder;
    use dupi_index::index::manifest;
    use dupi_index::index::writer::IndexWriter;
    use dupi_ingest::{Options, Progress};
    use dupi_text::blot::Recipe;

    /// Runs an indexer on queued messages; `told` receives its updates, and can send it more messages. Returns the updates.
    fn told(
        before: impl IntoIterator<Item = IndexerMessage>,
        told: impl Fn(&Update, &Sender<IndexerMessage>) + Send + Sync + 'static,
    ) -> Vec<Update> {
        let place = tempfile::tempdir().unwrap();
        let updates = Arc::new(Mutex::new(Vec::new()));
        let (indexer, inbox) = indexer(place.path(), {
            let updates = Arc::clone(&updates);
            move |update, work| {
                told(&update, work);
                updates.lock().unwrap().push(update);
            }
        });
        before.into_iter().for_each(|one| indexer.shared.tell_indexer(one));
        indexer.run(&inbox);
        std::mem::take(&mut updates.lock().unwrap())
    }

    /// An indexer of a small corpus in a folder; `told` receives its updates, and can send it messages.
    fn indexer(
        place: &Path,
        told: impl Fn(Update, &Sender<IndexerMessage>) + Send + Sync + 'static,
    ) -> (Indexer, Receiver<IndexerMessage>) {
        let corpus = place.join("corpus");
        fs::create_dir(&corpus).unwrap();
        fs::write(corpus.join("a"), "some words").unwrap();
        let (work, inbox) = channel();
        let sender = work.clone();
        let shared = SharedSession::new(1 << 24, work, move |update| told(update, &sender));
        let options = Options {
            memory: 1 << 24,
            threads: 1,
            watch: Watch::Off,
            ..Options::new(Folder::new(place.join("index")))
        };
        let corpus = Corpus::resolve(&[corpus]).unwrap();
        (Indexer::new(corpus, options, Arc::new(shared)), inbox)
    }

    fn old(corpus: &Corpus) -> Manifest {
        Manifest::empty(corpus.clone(), WalkRules::default(), Formats::default(), Recipe::default())
    }

    fn walks(told: &[Update]) -> usize {
        let is_walk =
            |update: &&Update| matches!(update, Update::Progress(Progress { phase: Phase::Walking, .. }));
        told.iter().filter(is_walk).count()
    }

    fn is_idle(update: &Update) -> bool {
        matches!(update, Update::Progress(Progress { phase: Phase::Idle, .. }))
    }

    #[test]
    fn rescans_that_wait_are_one() {
        let rescans = (0..1000).map(|_| IndexerMessage::Changed(WatchEvent::Rescan));
        let idle = Mutex::new(0);
        let told = told(rescans, move |update, work| {
            let mut idle = idle.lock().unwrap();
            *idle += u32::from(is_idle(update));
            if *idle == 1 {
                work.send(IndexerMessage::Stop).unwrap();
            }
        });
        assert!(walks(&told) <= 2, "{} walks", walks(&told));
    }

    #[test]
    fn stopping_is_behind_no_queue() {
        let rescans = (0..1000).map(|_| IndexerMessage::Changed(WatchEvent::Rescan));
        let told = told(rescans.chain([IndexerMessage::Stop]), |_, _| {});
        assert!(walks(&told) <= 1, "{} walks", walks(&told));
    }

    #[test]
    fn changes_without_end_do_not_keep_a_reader_from_seeing_that_it_may_write() {
        let place = tempfile::tempdir().unwrap();
        let (mut indexer, inbox) = indexer(place.path(), |_, _| {});
        let (enough, is_enough) = channel::<()>();
        let shared = Arc::clone(&indexer.shared);
        let folder = thread::spawn(move || {
            // More often than a reader looks, for five times as long as it may take.
            for _ in 0..500 {
                if is_enough.recv_timeout(TICK / 100) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                shared.tell_indexer(IndexerMessage::Changed(WatchEvent::Rescan));
            }
            shared.tell_indexer(IndexerMessage::Stop);
        });
        let woken = indexer.read_only("somebody".to_owned(), &mut Opening::AsItIs, &inbox);
        drop(enough);
        folder.join().unwrap();
        assert!(matches!(woken, WaitEnd::TimePassed));
    }

    /// How an index is opened that was removed, and was written by another process in the meantime.
    fn opening_after_loss(indexer: &mut Indexer, inbox: &Receiver<IndexerMessage>) -> Opening {
        let mut opening = Opening::AfterLoss(old(&indexer.corpus));
        // Has it look at once.
        indexer.shared.tell_indexer(IndexerMessage::Rebuild);
        let woken = indexer.read_only("somebody".to_owned(), &mut opening, inbox);
        assert!(matches!(woken, WaitEnd::TimePassed));
        opening
    }

    #[test]
    fn what_another_process_made_after_a_loss_is_not_built_over() {
        let place = tempfile::tempdir().unwrap();
        let (mut indexer, inbox) = indexer(place.path(), |_, _| {});
        let home = indexer.options.home.clone();
        drop(IndexWriter::create(&home, old(&indexer.corpus)).unwrap());
        fs::write(home.at(manifest::NAME), "{").unwrap();
        let opening = opening_after_loss(&mut indexer, &inbox);
        let opened = indexer.open(&opening);
        assert!(matches!(opened, Err(UpdateError::Index(IndexError::Damaged { .. }))));
    }

    #[test]
    fn an_index_that_nobody_made_after_a_loss_is_built_as_it_was() {
        let place = tempfile::tempdir().unwrap();
        let (mut indexer, inbox) = indexer(place.path(), |_, _| {});
        assert!(matches!(opening_after_loss(&mut indexer, &inbox), Opening::AfterLoss(_)));
    }
}
