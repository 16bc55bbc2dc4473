//! The indexer's data: its corpus, and how it reports progress.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::known::decisions::Decisions;
use crate::protocol::{ActivityKind, Update};
use crate::worker::shared::{IndexerMessage, SharedSession};
use dupi_base::corpus::{Corpus, Watch, Watcher};
use dupi_base::storage::memory::trim;
use dupi_index::index::ranking::Ranking;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::DecisionFolders;
use dupi_ingest::{Committed, Observer, Options, Phase, Progress};

/// The indexer of a session.
pub(crate) struct Indexer {
    /// The corpus.
    pub corpus: Corpus,
    /// The options of the session.
    pub options: Options,
    /// The state that it shares with the other threads.
    pub shared: Arc<SharedSession>,
    /// The progress that was sent last.
    pub progress: Progress,
    /// The number of merges that were begun.
    pub merges: u64,
}

impl Observer for Indexer {
    fn progress(&self, progress: Progress) {
        let Progress { watching, ref read_only, merging, .. } = self.progress;
        let speeds = self.shared.log().speeds(&progress.phase, progress.bytes.0, Instant::now());
        let read_only = read_only.clone();
        self.shared.send(Update::Progress(Progress { watching, read_only, merging, speeds, ..progress }));
    }

    fn committed(&self, snapshot: &Snapshot) {
        self.shared.publish(snapshot);
    }

    fn sealed(&self, commit: Committed) {
        self.shared.record(ActivityKind::Committed(commit));
        self.shared.send(Update::Changed(commit.changed));
    }

    fn is_cancelled(&self) -> bool {
        self.shared.is_stopped()
    }
}

impl Indexer {
    /// An indexer that did nothing yet.
    pub(crate) fn new(corpus: Corpus, options: Options, shared: Arc<SharedSession>) -> Self {
        Self { corpus, options, shared, progress: Progress::default(), merges: 0 }
    }

    /// Reads the decisions about the corpus of an index.
    pub(crate) fn load_decisions(&self, snapshot: &Snapshot) {
        let recipe = snapshot.manifest().recipe;
        let folders =
            DecisionFolders { corpus: self.options.decisions.clone(), user: self.options.user.clone() };
        self.shared.read_decisions(|before| Decisions::load(folders, recipe, before));
    }

    /// Starts to watch the folder, unless the options turn that off.
    pub(crate) fn watch(&self, folders: &[PathBuf]) -> Option<Watcher> {
        let mode = Some(self.options.watch).filter(|watch| *watch != Watch::Off)?;
        let shared = Arc::clone(&self.shared);
        let sink = move |change| shared.tell_indexer(IndexerMessage::Changed(change));
        Some(Watcher::start(&self.corpus, folders, mode, Some(self.options.home.path()), sink))
    }

    /// Publishes the generation of an index that was opened.
    pub(crate) fn show(&self, snapshot: &Snapshot) {
        self.load_decisions(snapshot);
        self.shared.forget_others(snapshot);
        if let Some(ranking) = Ranking::read(&self.options.home, snapshot) {
            self.shared.rankings.keep(snapshot, Arc::new(ranking));
        }
        self.shared.publish(snapshot);
    }

    /// Sends the state of the index when there is nothing more to do at once.
    pub(crate) fn report_state(&mut self, snapshot: &Snapshot, merging: bool) {
        let totals = snapshot.totals();
        let manifest = snapshot.manifest();
        let failed = matches!(self.progress.phase, Phase::Failed(_));
        self.progress = Progress {
            phase: if failed { self.progress.phase.clone() } else { Phase::Idle },
            documents: totals.documents,
            generation: manifest.generation,
            skipped: snapshot.skipped_count(),
            lack: if totals.documents == 0 { snapshot.lack().map(|lack| lack.sentence) } else { None },
            watching: self.progress.watching,
            read_only: self.progress.read_only.clone(),
            merging,
            ..Progress::default()
        };
        self.shared.send(Update::Progress(self.progress.clone()));
        trim();
        self.shared.set_idle();
    }
}
